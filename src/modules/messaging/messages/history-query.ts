import { AppError } from '../../../core/errors/index.js';
import type { MessagesQuery } from './messages.dto.js';
import type { HistoryPosition, HistoryQuery } from './messages.types.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
// ISO 8601, or the format of JavaScript's Date.toString, which the original's client sends.
const INSTANT = /^\d{4}-\d\d-\d\d|^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} \d\d:\d\d:\d\d GMT[+-]\d{4}/;

/**
 * Reads the paging parameters of a message list. `before` and `after` are epoch milliseconds, ISO instants or opaque cursors. A
 * numeric `limit` is clamped to 1 to 100; any other value counts as 50 (contract 2.10).
 *
 * @throws AppError VALIDATION_ERROR naming the parameter
 */
export function historyQuery({ limit, before, after }: MessagesQuery): HistoryQuery {
  return { limit: limitOf(limit), before: cursorOf('before', before), after: cursorOf('after', after) };
}

function limitOf(raw: unknown): number {
  const value = typeof raw === 'string' && /^-?\d+$/.test(raw) ? Number(raw) : DEFAULT_LIMIT;
  return Math.min(Math.max(value, 1), MAX_LIMIT);
}

function cursorOf(name: string, raw: unknown): HistoryPosition | undefined {
  if (raw === undefined || raw === '') return undefined;
  if (typeof raw === 'string') {
    if (/^\d{1,15}$/.test(raw)) return { at: Number(raw) };
    const opaque = /^m(\d{1,15})$/.exec(Buffer.from(raw, 'base64url').toString('latin1'));
    // Buffer ignores characters outside base64url, so encode again to verify that there were none.
    if (opaque && Buffer.from(opaque[0]).toString('base64url') === raw) return { seq: Number(opaque[1]) };
    const instant = INSTANT.test(raw) ? Date.parse(raw) : Number.NaN;
    if (!Number.isNaN(instant)) return { at: instant };
  }
  throw new AppError(
    'VALIDATION_ERROR',
    `Invalid pagination parameter '${name}': it is neither a time nor a cursor`,
    'Send epoch milliseconds, an ISO 8601 instant, or a nextCursor of an earlier page.',
  );
}
