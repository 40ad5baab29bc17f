import { stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { verifyBackup, type Verification } from '../../core/backup/index.js';
import type { Config } from '../../core/config/index.js';
import type { Schema } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
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
  now: Date,
  signal?: AbortSignal,
): Promise<Verification> {
  const fetch = (into: string): Promise<string> => destination.fetch(name, into, signal);
  return verifyBackup(config, fetch, { schema, now, signal, isStoredElsewhere: storageOutside(config) });
}

/** @throws AppError BACKUP_INVALID when the verification found a fault */
export function assertFaultless(address: string, { faults }: Verification): void {
  if (faults.length === 0) return;
  throw new AppError('BACKUP_INVALID', `The backup ${address} cannot be trusted.`, `${faults.join('; ')}. Use another backup.`);
}

/** How to find contents whose folder is not in the data directory; undefined when every backup contains them. */
function storageOutside({ dataDir, mediaDir }: Config): ((hash: string) => Promise<boolean>) | undefined {
  const path = relative(resolve(dataDir), mediaDir);
  if (!isAbsolute(path) && !path.startsWith('..')) return undefined;
  return (hash) =>
    stat(join(mediaDir, hash.slice(0, 2), hash)).then(
      () => true,
      () => false,
    );
}
