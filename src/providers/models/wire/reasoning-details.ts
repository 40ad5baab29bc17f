import { isFields, textOf, type Fields } from './values.js';

/** Fields of a detail whose pieces are joined. */
const TEXTS = ['text', 'summary', 'data'] as const;

/** The `reasoning_details` of a response: each from its pieces, with all its fields, so that it can be handed back. */
export class ReasoningDetails {
  private readonly details = new Map<string, Record<string, unknown>>();

  /** @returns the words of the pieces */
  add(pieces: readonly unknown[]): string {
    return pieces
      .filter(isFields)
      .map((piece) => this.join(piece))
      .join('');
  }

  all(): Fields[] {
    return [...this.details.values()];
  }

  private join(piece: Fields): string {
    const key = JSON.stringify([piece['index'] ?? piece['id'] ?? null, piece['type']]);
    const detail = this.details.get(key) ?? {};
    this.details.set(key, detail);
    for (const [name, value] of Object.entries(piece)) {
      const isPiece = (TEXTS as readonly string[]).includes(name) && typeof value === 'string';
      if (isPiece) detail[name] = textOf(detail[name]) + value;
      else if (value !== null && value !== undefined) detail[name] = value;
    }
    return textOf(piece['text']) || textOf(piece['summary']);
  }
}
