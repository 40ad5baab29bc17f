declare const brand: unique symbol;

/** A position in a channel, to go on behind it. Opaque: only the journal reads it, and readers keep the one that they got last. */
export type Cursor = string & { readonly [brand]: 'cursor' };

/** The cursor behind an entry. @param offset of the entry; 0 for the beginning */
export function cursorBehind(offset: number): Cursor {
  return String(offset) as Cursor;
}

/** The offset of the entry that a cursor is behind. */
export function offsetOf(cursor: Cursor): number {
  return Number(cursor);
}
