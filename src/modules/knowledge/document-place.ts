import type { Piece } from './knowledge.types.js';

/** Where a piece is in its document, for people: "page 3, Refunds › Deadlines"; empty without page and heading. */
export function placeOf({ page, heading }: Pick<Piece, 'page' | 'heading'>): string {
  return [page === null ? '' : `page ${page}`, heading].filter((part) => part !== '').join(', ');
}
