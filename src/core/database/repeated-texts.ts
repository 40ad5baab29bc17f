const MIN_USES = 3;
// Of texts that are used once, the oldest is forgotten first.
const MAX_COUNTED = 1000;

/** Counts uses of query texts, so that only those that repeat are prepared, which costs more than running them once. */
export class RepeatedTexts {
  private readonly uses = new Map<string, number>();

  /** Counts a use. @returns whether the text has been used often enough to be prepared */
  repeats(text: string): boolean {
    const uses = (this.uses.get(text) ?? 0) + 1;
    this.uses.delete(text);
    if (uses >= MIN_USES) return true;
    this.uses.set(text, uses);
    const [oldest] = this.uses.keys();
    if (this.uses.size > MAX_COUNTED && oldest !== undefined) this.uses.delete(oldest);
    return false;
  }
}
