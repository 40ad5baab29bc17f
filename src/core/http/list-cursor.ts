import { AppError } from '../errors/index.js';

/** A place in a list that is ordered by time, then by id. */
export interface ListPosition {
  /** Epoch ms. */
  readonly at: number;
  /** Absent when only a time was given. */
  readonly id?: string;
}

const CURSOR = /^(\d{1,15})_([0-9a-f-]{36})$/;

/** The text by which a caller comes back to a place. It holds also when what stands there is deleted. */
export function cursorText({ at, id }: Required<ListPosition>): string {
  return Buffer.from(`${at}_${id}`).toString('base64url');
}

/**
 * A place out of a query parameter: epoch milliseconds, a date in any common form, or a cursor of an earlier page.
 *
 * @throws AppError VALIDATION_ERROR naming the parameter
 */
export function positionOf(name: string, raw: string | undefined): ListPosition | undefined {
  if (raw === undefined || raw === '') return undefined;
  const place = placeOf(raw);
  if (place) return place;
  const instant = instantOf(raw);
  if (instant !== undefined) return { at: instant };
  throw new AppError(
    'VALIDATION_ERROR',
    `${name} must be a time or a cursor`,
    'Send epoch milliseconds, an ISO 8601 instant, or a nextCursor of an earlier page.',
  );
}

/** A cursor of an earlier page and nothing else. @throws AppError VALIDATION_ERROR naming the parameter */
export function cursorOf(name: string, raw: string | undefined): Required<ListPosition> | undefined {
  if (raw === undefined || raw === '') return undefined;
  const place = placeOf(raw);
  if (place) return place;
  throw new AppError('VALIDATION_ERROR', `${name} must be a cursor`, 'Send the nextCursor of an earlier page.');
}

/** @throws AppError VALIDATION_ERROR naming the parameter */
export function timeOf(name: string, raw: string | undefined): number | undefined {
  if (raw === undefined || raw === '') return undefined;
  const instant = instantOf(raw);
  if (instant !== undefined) return instant;
  throw new AppError('VALIDATION_ERROR', `${name} must be a time`, 'Send epoch milliseconds or an ISO 8601 instant.');
}

function placeOf(raw: string): Required<ListPosition> | undefined {
  const [cursor, at, id] = CURSOR.exec(Buffer.from(raw, 'base64url').toString('latin1')) ?? [];
  // Decoding passes over what is not base64url, so only the way back shows that nothing else was there.
  if (cursor === undefined || id === undefined || Buffer.from(cursor).toString('base64url') !== raw) return undefined;
  return { at: Number(at), id };
}

/** Clients send dates as they print them, too: `Sat Nov 21 2026 08:00:00 GMT+0000`. */
function instantOf(raw: string): number | undefined {
  if (/^\d{1,15}$/.test(raw)) return Number(raw);
  const instant = /^(\d{4}-\d\d-\d\d|[A-Z][a-z]{2} [A-Z][a-z]{2} \d)/.test(raw) ? Date.parse(raw) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}
