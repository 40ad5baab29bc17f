import { AppError } from '../errors/index.js';

declare const brand: unique symbol;

/**
 * A position in a channel, to go on behind it: `offset`, or `offset.attempt.position` within a running reply. It belongs to one channel.
 * Opaque: readers keep the one that they got last.
 */
export type Cursor = string & { readonly [brand]: 'cursor' };

/** How much of a running reply a reader has. */
export interface ReplyPosition {
  /** Attempt at the reply, from 1. */
  readonly attempt: number;
  /** UTF-16 units since the last reset of the attempt. */
  readonly position: number;
}

const FORMAT = /^(\d{1,15})(?:\.(\d{1,9})\.(\d{1,15}))?$/;

/**
 * The cursor behind an entry.
 *
 * @param offset of the entry; 0 for the beginning
 * @param reply  how much of the running reply comes before it, if one is running
 */
export function cursorBehind(offset: number, reply?: ReplyPosition): Cursor {
  return (reply === undefined ? String(offset) : `${offset}.${reply.attempt}.${reply.position}`) as Cursor;
}

/** The offset of the entry that a cursor is behind. */
export function offsetOf(cursor: Cursor): number {
  return Number(FORMAT.exec(cursor)?.[1]);
}

/** How much of a running reply comes before a cursor; undefined for a cursor that does not say. */
export function replyPositionOf(cursor: Cursor): ReplyPosition | undefined {
  const [, , attempt, position] = FORMAT.exec(cursor) ?? [];
  return attempt === undefined ? undefined : { attempt: Number(attempt), position: Number(position) };
}

/**
 * The cursor in what a client sent: a text, or an offset as a number.
 *
 * @param name of the field, for the error
 * @throws AppError VALIDATION_ERROR
 */
export function parseCursor(value: unknown, name: string): Cursor {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && FORMAT.test(text)) return text as Cursor;
  throw new AppError(
    'VALIDATION_ERROR',
    `${name} must be a cursor, such as "37" or "37.1.128"`,
    'Send the id (of a server-sent event), the cursor or the offset of the last event that was received in this channel, or leave it out.',
  );
}
