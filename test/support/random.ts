/** Random numbers that a seed brings back (mulberry32). */
export class Random {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** 0 <= x < 1 */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)]!;
  }
}

/** The seed of this run: `name` from the environment to repeat a failure, else a new one. */
export function seedFrom(name: string): number {
  const given = Number(process.env[name]);
  return Number.isInteger(given) && given > 0 ? given : Math.floor(Math.random() * 2 ** 31) + 1;
}

/** Runs a test and names the seed when it fails. */
export async function seeded(name: string, test: (random: Random) => Promise<void>): Promise<void> {
  const random = new Random(seedFrom(name));
  try {
    await test(random);
  } catch (error) {
    if (error instanceof Error) error.message = `${name}=${random.seed} ${error.message}`;
    throw error;
  }
}
