import type { Clock } from '../../core/clock/index.js';

export type Stage = 'transcription' | 'turn' | 'synthesis';

/** Measures the stages of a request. */
export class StageTimer {
  private readonly startedAt: number;
  private readonly durations = new Map<Stage, number>();

  constructor(private readonly clock: Clock) {
    this.startedAt = clock.now();
  }

  async time<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const startedAt = this.clock.now();
    try {
      return await work();
    } finally {
      this.durations.set(stage, (this.durations.get(stage) ?? 0) + this.clock.now() - startedAt);
    }
  }

  /** Passes the items through; the time spent waiting for each item counts towards the stage. */
  async *timeEach<T>(stage: Stage, items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    const iterator = items[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.time(stage, () => iterator.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  /** Duration of a stage, ms; 0 when the stage did not run. */
  elapsed(stage: Stage): number {
    return this.durations.get(stage) ?? 0;
  }

  /** Time since the request arrived, ms. */
  get total(): number {
    return this.clock.now() - this.startedAt;
  }

  /** Value of the header `Server-Timing`. */
  get header(): string {
    return [...this.durations, ['total', this.total] as const].map(([stage, ms]) => `${stage};dur=${ms}`).join(', ');
  }
}
