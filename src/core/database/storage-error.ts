import { AppError } from '../errors/index.js';

const UNAVAILABLE = new Set([
  'SQLITE_READONLY',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_BUSY',
  // Operating system: no file descriptors left, or a read-only disk.
  'EMFILE',
  'ENFILE',
  'EROFS',
  'EIO',
  // PostgreSQL: connection refused, or too many connections.
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P03',
  '53300',
  // PostgreSQL: read-only standby.
  '25006',
]);

// PostgreSQL: a character that it cannot store. SQLite can, so no earlier check rejects it.
const UNSTORABLE = new Set(['22021', '22P05']);

// PostgreSQL: the connection broke or was terminated.
const CONNECTION_LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '08003', '08006']);
// Messages of driver errors without a code.
const CONNECTION_LOST_MESSAGES = /^Connection terminated|not queryable$/;

/** Converts an error of the disk or the database to an `AppError`; returns any other error unchanged. */
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
      'Stop the server and restore a backup: npx parley-server restore latest.',
      error,
    );
  }
  if (UNSTORABLE.has(code)) {
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
  if (CONNECTION_LOST.has(code) || CONNECTION_LOST_MESSAGES.test((error as { message?: string }).message ?? '')) {
    return new AppError(
      'STORAGE_UNAVAILABLE',
      'The connection to the database was lost.',
      'The outcome of this request is unknown; send it again with the same clientMessageId or Idempotency-Key.',
      error,
    );
  }
  return error;
}

/** True for a temporary failure of the disk or the database, after which the write can be retried. */
export function isStorageError(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'STORAGE_FULL' || error.code === 'STORAGE_UNAVAILABLE');
}
