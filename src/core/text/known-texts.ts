/** Values computed from texts, kept for the newest texts, so that one that repeats is not parsed again. */
export class KnownTexts<Value extends string | number | readonly object[]> {
  private readonly values = new Map<string, Value>();
  private characters = 0;

  /** @param maxCharacters of all texts that are kept */
  constructor(private readonly maxCharacters: number) {}

  /** The value of a text; `parse` computes it when it is not kept. */
  of(text: string, parse: (text: string) => Value): Value {
    const known = this.values.get(text);
    if (known !== undefined) return known;
    const value = parse(text);
    this.values.set(text, value);
    this.characters += text.length;
    for (const oldest of this.values.keys()) {
      if (this.characters <= this.maxCharacters) break;
      this.values.delete(oldest);
      this.characters -= oldest.length;
    }
    return value;
  }
}
