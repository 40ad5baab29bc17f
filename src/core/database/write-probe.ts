import type { UnitOfWork } from './unit-of-work.js';

// Rewrites a row, so that a full disk and a read-only replica are found. No process waits for the row of another.
const REWRITE = 'UPDATE migrations SET name = name WHERE id = (SELECT id FROM migrations ORDER BY id LIMIT 1';

/** Commits a write that changes nothing. @throws AppError STORAGE_UNAVAILABLE, STORAGE_FULL or SERVER_STOPPING, or the error of the database */
export async function probeWrite(unitOfWork: UnitOfWork): Promise<void> {
  await unitOfWork.run('probe', async (transaction) => {
    await transaction.apply([{ sql: `${REWRITE} ${transaction.locking('FOR UPDATE SKIP LOCKED')})`, params: [] }]);
  });
}
