import { isAbsolute, relative, resolve } from 'node:path';
import { verifyBackup, type Verification } from '../../core/backup/index.js';
import type { Clock } from '../../core/clock/index.js';
import type { Config } from '../../core/config/index.js';
import type { Schema } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { openFileStorage } from '../../providers/storage/index.js';
import type { FoundBackup } from './find-backup.js';

/**
 * Rehearses the restore of a backup, see `verifyBackup`.
 *
 * @param signal ends it with an error
 */
export async function verifyFound(
  config: Config,
  schema: Schema,
  { destination, name }: FoundBackup,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Verification> {
  const storage = storageOutside(config) !== undefined ? await openFileStorage(config, clock) : undefined;
  try {
    const isStoredElsewhere = storage && (async (hash: string) => (await storage.stat(hash)) !== undefined);
    const fetch = (into: string): Promise<string> => destination.fetch(name, into, signal);
    return await verifyBackup(config, fetch, { schema, now: new Date(clock.now()), signal, isStoredElsewhere });
  } finally {
    await storage?.close();
  }
}

/** @throws AppError BACKUP_INVALID when the verification found a fault */
export function assertFaultless(address: string, { faults }: Verification): void {
  if (faults.length === 0) return;
  throw new AppError('BACKUP_INVALID', `The backup ${address} cannot be trusted.`, `${faults.join('; ')}. Use another backup.`);
}

/** Where uploaded files are when that is a place that no backup contains; undefined when backups contain them. */
export function storageOutside({ dataDir, mediaDir, mediaStorage }: Config): string | undefined {
  if (mediaStorage !== undefined) return `s3://${mediaStorage.bucket}/${mediaStorage.prefix}`;
  const path = relative(resolve(dataDir), mediaDir);
  return isAbsolute(path) || path.split('/')[0] === '..' ? mediaDir : undefined;
}
