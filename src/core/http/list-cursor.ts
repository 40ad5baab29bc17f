import { AppError } from '../errors/index.js';

/** A position in a list ordered by time and id. */
export interface ListPosition {
  /** Epoch ms. */
  readonly at: number;
  /** Absent for a position given as a time. */
  readonly id?: string;
}

const CURSOR = /^(\d{1,15})_([0-9a-f-]{36})$/;

/** Encodes a position as a cursor. The cursor stays valid when the element at the position is deleted. */
export function encodeCursor({ at, id }: Required<ListPosition>): string {
  return Buffer.from(`${at}_${id}`).toString('base64url');
}

/**
 * Parses a position from a query parameter: epoch milliseconds, a date in a common format, or a cursor of an earlier page.
 *
 * @throws AppError VALIDATION_ERROR naming the parameter
 */
export function parsePosition(name: string, raw: string | undefined): ListPosition | undefined {
  if (raw === undefined || raw === '') return undefined;
  const place = decodeCursor(raw);
  if (place) return place;
  const instant = decodeTime(raw);
  if (instant !== undefined) return { at: instant };
  throw new AppError(
    'VALIDATION_ERROR',
    `${name} must be a time or a cursor`,
    'Send epoch milliseconds, an ISO 8601 instant, or a nextCursor of an earlier page.',
  );
}

/** Parses a cursor of an earlier page. @throws AppError VALIDATION_ERROR naming the parameter */
export function parseCursor(name: string, raw: string | undefined): Required<ListPosition> | undefined {
  if (raw === undefined || raw === '') return undefined;
  const place = decodeCursor(raw);
  if (place) return place;
  throw new AppError('VALIDATION_ERROR', `${name} must be a cursor`, 'Send the nextCursor of an earlier page.');
}

/** @throws AppError VALIDATION_ERROR naming the parameter */
export function parseTime(name: string, raw: string | undefined): number | undefined {
  if (raw === undefined || raw === '') return undefined;
  const instant = decodeTime(raw);
  if (instant !== undefined) return instant;
  throw new AppError('VALIDATION_ERROR', `${name} must be a time`, 'Send epoch milliseconds or an ISO 8601 instant.');
}

function decodeCursor(raw: string): Required<ListPosition> | undefined {
  const [cursor, at, id] = CURSOR.exec(Buffer.from(raw, 'base64url').toString('latin1')) ?? [];
  // Buffer ignores invalid base64url characters, so the cursor is encoded again and compared.
  if (cursor === undefined || id === undefined || Buffer.from(cursor).toString('base64url') !== raw) return undefined;
  return { at: Number(at), id };
}

/** Also accepts the output of `Date.toString()`, which clients send: `Sat Nov 21 2026 08:00:00 GMT+0000`. */
function decodeTime(raw: string): number | undefined {
  if (/^\d{1,15}$/.test(raw)) return Number(raw);
  const instant = /^(\d{4}-\d\d-\d\d|[A-Z][a-z]{2} [A-Z][a-z]{2} \d)/.test(raw) ? Date.parse(raw) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}
