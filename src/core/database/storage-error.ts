import { AppError } from '../errors/index.js';

const UNAVAILABLE = new Set([
  'SQLITE_READONLY',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_BUSY',
  // The system: no file descriptors are left, or the disk only reads.
  'EMFILE',
  'ENFILE',
  'EROFS',
  'EIO',
  // PostgreSQL: the connection cannot be made, or there are too many.
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P03',
  '53300',
  // PostgreSQL: a standby, which only reads.
  '25006',
]);

// PostgreSQL: a character that it keeps in no text. SQLite does, so this is found by nobody before.
const UNKEEPABLE = new Set(['22021', '22P05']);

// PostgreSQL: the connection broke, or was ended by an administrator or a crash.
const LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '08003', '08006']);
// What the driver says without a code.
const LOST_MESSAGES = /^Connection terminated|not queryable$/;

/** What a fault of the disk or the database means to a caller; every other error as it is. */
export function storageError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = (error as { code?: string }).code ?? '';
  if (code === 'SQLITE_FULL' || code === '53100' || code === 'ENOSPC') {
    return new AppError('STORAGE_FULL', 'The disk is full.', 'Nothing was written; free some space and send the request again.', error);
  }
  if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB') {
    return new AppError(
      'DATABASE_CORRUPT',
      'The database file is damaged.',
      'Stop the server and restore a backup: parley restore latest.',
      error,
    );
  }
  if (UNKEEPABLE.has(code)) {
    return new AppError('BAD_REQUEST', 'Text must not contain the character NUL.', 'Leave it out of path, query and body.', error);
  }
  if (UNAVAILABLE.has(code)) {
    return new AppError(
      'STORAGE_UNAVAILABLE',
      'The storage cannot be used at the moment.',
      'Nothing was written; try again shortly.',
      error,
    );
  }
  if (LOST.has(code) || LOST_MESSAGES.test((error as { message?: string }).message ?? '')) {
    return new AppError(
      'STORAGE_UNAVAILABLE',
      'The connection to the database was lost.',
      'It is not known whether this was written; send it again with the same clientMessageId or Idempotency-Key.',
      error,
    );
  }
  return error;
}

/** True for a fault of the disk or the database that passes: what was to be written is still to be written. */
export function isStorageFault(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'STORAGE_FULL' || error.code === 'STORAGE_UNAVAILABLE');
}
