import { readyJson } from '../http/index.js';

const COMMA = Buffer.from(',');
const LIST = { start: '[', end: ']' };

/** The JSON text of a list. */
export class ReadyList {
  private readonly responses = new Map<string, unknown>();

  /** @param texts JSON text of each element, in order */
  constructor(private readonly texts: readonly Buffer[]) {}

  /**
   * The response with the list between two texts.
   *
   * @returns typed as the view in its body
   */
  response<View>(before: string, after: string): View {
    const ready = this.responses.get(before) ?? this.make(before, after);
    this.responses.set(before, ready);
    return ready as View;
  }

  // The texts around the list are part of the bytes that its tag stands for.
  private make(before: string, after: string): unknown {
    const parts: Buffer[] = [Buffer.from(before + LIST.start)];
    this.texts.forEach((text, index) => {
      if (index > 0) parts.push(COMMA);
      parts.push(text);
    });
    parts.push(Buffer.from(LIST.end + after));
    return readyJson(Buffer.concat(parts));
  }
}
