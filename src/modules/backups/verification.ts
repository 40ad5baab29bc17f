import { isAbsolute, relative, resolve, sep } from 'node:path';
import { verifyBackup, type BackupSource, type Verification } from '../../core/backup/index.js';
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
  // An older backup may lack files that newer ones contain.
  const storage = storageOutside({ ...config, backupUploads: false }) !== undefined ? await openFileStorage(config, clock) : undefined;
  try {
    const isStoredElsewhere = storage && (async (hash: string) => (await storage.stat(hash)) !== undefined);
    const fetch = (into: string): Promise<string> => destination.fetch(name, into, signal);
    return await verifyBackup(config, fetch, { schema, now: new Date(clock.now()), signal, isStoredElsewhere });
  } finally {
    await storage?.close();
  }
}

/** @throws AppError BACKUP_INVALID when the verification found a fault */
export function assertValid(address: string, { faults }: Verification): void {
  if (faults.length === 0) return;
  throw new AppError('BACKUP_INVALID', `The backup ${address} cannot be trusted.`, `${faults.join('; ')}. Use another backup.`);
}

/** Where uploaded files are that a backup does not contain: a folder or the address of a store; undefined when it contains all. */
export function storageOutside(config: Config): string | undefined {
  if (config.mediaStorage !== undefined) return `s3://${config.mediaStorage.bucket}/${config.mediaStorage.prefix}`;
  return config.backupUploads ? undefined : folderOutside(config);
}

/** What `writeBackup` backs up with this configuration. */
export function backupSource(config: Config): BackupSource {
  return { ...config, uploads: config.backupUploads && config.mediaStorage === undefined ? folderOutside(config) : undefined };
}

/** The folder of uploaded files, unless it is in the data directory. */
function folderOutside({ dataDir, mediaDir }: Config): string | undefined {
  const path = relative(resolve(dataDir), mediaDir);
  return isAbsolute(path) || path.split(sep)[0] === '..' ? mediaDir : undefined;
}
