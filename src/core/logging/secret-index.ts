const HIDDEN = '[hidden]';
// Shorter values would match unrelated text.
const MIN_LENGTH = 8;
const PREFIX_LENGTH = 4;

/** A set of secrets that are looked for in texts. A search takes hardly longer with thousands of them. */
export class SecretIndex {
  private readonly sorted: readonly string[];
  /** For each secret the place of the longest other one that it begins with; -1 without one. */
  private readonly shorter: readonly number[];
  /** 1 at the hash of the first characters of each secret. */
  private readonly prefixes = new Uint8Array(0x10000);
  private readonly longest: number;

  /** Secrets of fewer than 8 characters are left out. */
  constructor(secrets: Iterable<string>) {
    this.sorted = [...new Set(secrets)].filter((secret) => secret.length >= MIN_LENGTH).sort();
    this.shorter = shorterOf(this.sorted);
    this.longest = this.sorted.reduce((longest, { length }) => Math.max(longest, length), 0);
    for (const secret of this.sorted) this.prefixes[hashAt(secret, 0)] = 1;
  }

  /** The text with each part that a secret covers replaced; secrets that overlap are one part. */
  hide(text: string): string {
    if (this.sorted.length === 0 || text.length < MIN_LENGTH) return text;
    let clean = '';
    let taken = 0;
    let hiddenTo = 0;
    let hash = hashAt(text, 0);
    for (let at = 0; at <= text.length - MIN_LENGTH; at += 1) {
      const length = this.prefixes[hash] === 1 ? this.lengthAt(text, at) : 0;
      if (length > 0) {
        if (at >= hiddenTo) clean += text.slice(taken, at) + HIDDEN;
        hiddenTo = Math.max(hiddenTo, at + length);
        taken = hiddenTo;
      }
      hash = ((hash << 4) ^ text.charCodeAt(at + PREFIX_LENGTH)) & 0xffff;
    }
    return taken === 0 ? text : clean + text.slice(taken);
  }

  /** Characters of the longest secret that begins here; 0 without one. */
  private lengthAt(text: string, at: number): number {
    const rest = text.slice(at, at + this.longest);
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.sorted[middle]! <= rest) low = middle + 1;
      else high = middle;
    }
    // Every secret that the text begins with is the last one that is not greater than it, or one with which that begins.
    for (let index = low - 1; index >= 0; index = this.shorter[index]!) {
      const secret = this.sorted[index]!;
      if (rest.startsWith(secret)) return secret.length;
    }
    return 0;
  }
}

/** The last character counts fully, and none of those more than three places before it at all. */
function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + PREFIX_LENGTH; index += 1) hash = ((hash << 4) ^ text.charCodeAt(index)) & 0xffff;
  return hash;
}

function shorterOf(sorted: readonly string[]): number[] {
  const open: number[] = [];
  return sorted.map((secret, index) => {
    while (open.length > 0 && !secret.startsWith(sorted[open.at(-1)!]!)) open.pop();
    const shorter = open.at(-1) ?? -1;
    open.push(index);
    return shorter;
  });
}
