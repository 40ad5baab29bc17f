/** Finds the texts at which a response ends, also where a service divides them, and holds back what may be the beginning of one. */
export class StopTexts {
  private readonly texts: readonly string[];
  private held = '';
  private isOver = false;

  constructor(texts: readonly string[]) {
    // A well-formed text begins and ends between characters, and so does what is found or held here.
    this.texts = texts.filter((text) => text !== '').map((text) => text.toWellFormed());
  }

  /** Whether one has come: the response has ended. */
  get hasStopped(): boolean {
    return this.isOver;
  }

  /** @returns what can be given out */
  add(text: string): string {
    const whole = this.held + text;
    const found = this.find(whole);
    this.isOver = found !== undefined;
    const end = found ?? Math.min(...this.texts.map((each) => beginningOf(each, whole)), whole.length);
    this.held = this.isOver ? '' : whole.slice(end);
    return whole.slice(0, end);
  }

  /** @returns what was held: it is no stop text */
  end(): string {
    const { held } = this;
    this.held = '';
    return held;
  }

  /** Forgets the text so far. */
  reset(): void {
    this.held = '';
  }

  /** Position of the one that is complete first, however the text is divided; of those that end together, of the longest. */
  private find(text: string): number | undefined {
    let first: { at: number; end: number } | undefined;
    for (const each of this.texts) {
      const at = text.indexOf(each);
      const end = at + each.length;
      if (at >= 0 && (first === undefined || end < first.end || (end === first.end && at < first.at))) first = { at, end };
    }
    return first?.at;
  }
}

/** Position at which the end of a text may begin a stop text; the end when it does not. */
function beginningOf(stop: string, text: string): number {
  const first = stop.charAt(0);
  let at = text.indexOf(first, Math.max(0, text.length - stop.length + 1));
  while (at >= 0 && !stop.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
  return at < 0 ? text.length : at;
}
