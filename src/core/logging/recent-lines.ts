/** A log line as it was written. */
export type LogLine = Readonly<Record<string, unknown>> & {
  /** ISO 8601. */
  readonly time: string;
  readonly level: string;
  readonly msg: string;
  readonly part: string;
};

const MOST_CHARACTERS = 2_000_000;

/** The newest lines of this process's log, up to a bound. Kept as text: nobody may ever ask for them. */
export class RecentLines {
  private lines: string[] = [];
  private characters = 0;
  /** Lines before this one were dropped; the list itself is cut now and then. */
  private first = 0;
  private readonly listeners = new Set<(line: LogLine) => void>();

  /** Takes a line of JSON; the writing end of a stream. */
  write(text: string): void {
    this.lines.push(text);
    this.characters += text.length;
    while (this.characters > MOST_CHARACTERS) this.characters -= this.lines[this.first++]?.length ?? 0;
    if (this.first > 1000) {
      this.lines.splice(0, this.first);
      this.first = 0;
    }
    if (this.listeners.size === 0) return;
    const line = parse(text);
    for (const listener of this.listeners) listener(line);
  }

  /** From the newest on. */
  *newestFirst(): Generator<LogLine> {
    for (let at = this.lines.length - 1; at >= this.first; at -= 1) yield parse(this.lines[at] ?? '');
  }

  /** @returns how many there were */
  clear(): number {
    const count = this.lines.length - this.first;
    this.lines = [];
    this.first = 0;
    this.characters = 0;
    return count;
  }

  /** Hears each line as it is written. Must not throw or wait, and not write to the log. */
  listen(listener: (line: LogLine) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

function parse(text: string): LogLine {
  return JSON.parse(text) as LogLine;
}
