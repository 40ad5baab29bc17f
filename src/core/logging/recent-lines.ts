import type { DestinationStream } from 'pino';

/** A log line. */
export type LogLine = Readonly<Record<string, unknown>> & {
  /** ISO 8601. */
  readonly time: string;
  readonly level: string;
  readonly msg: string;
  readonly part: string;
};

const MAX_CHARACTERS = 2_000_000;

/** Ring buffer of recent log lines. They are stored as text, because most are never read. */
export class RecentLines implements DestinationStream {
  private lines: string[] = [];
  private characters = 0;
  /** Index of the first valid line; the array is trimmed from time to time. */
  private first = 0;
  private readonly listeners = new Set<(line: LogLine) => void>();

  /** Appends a line of JSON. */
  write(text: string): void {
    this.lines.push(text);
    this.characters += text.length;
    while (this.characters > MAX_CHARACTERS) this.characters -= this.lines[this.first++]?.length ?? 0;
    if (this.first > 1000) {
      this.lines.splice(0, this.first);
      this.first = 0;
    }
    if (this.listeners.size === 0) return;
    const line = parse(text);
    for (const listener of this.listeners) listener(line);
  }

  /** All lines, newest first. */
  *newestFirst(): Generator<LogLine> {
    for (let at = this.lines.length - 1; at >= this.first; at -= 1) yield parse(this.lines[at] ?? '');
  }

  /** @returns the number of deleted lines */
  clear(): number {
    const count = this.lines.length - this.first;
    this.lines = [];
    this.first = 0;
    this.characters = 0;
    return count;
  }

  /** Calls `listener` with each new line. It must not throw, block or log. @returns a function that ends the subscription */
  subscribe(listener: (line: LogLine) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

function parse(text: string): LogLine {
  return JSON.parse(text) as LogLine;
}
