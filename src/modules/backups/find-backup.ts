import { basename, dirname, resolve } from 'node:path';
import type { Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import type { BackupDestination } from './destinations/backup-destination.js';
import { isS3, localDestination, openDestination } from './destinations/open-destination.js';

const LATEST = 'latest';

/** A backup at a destination, which the caller closes. */
export interface FoundBackup {
  readonly destination: BackupDestination;
  readonly name: string;
}

/**
 * Finds a backup by what an operator typed: the address of a backup, of a place with backups, of which the newest is meant, the same with
 * `/latest`, or only `latest` for the newest in `DATA_DIR/backups` and BACKUP_DESTINATION.
 *
 * @throws AppError BACKUP_INVALID when there is none; CONFIG_INVALID or STORAGE_UNAVAILABLE when the place cannot be used
 */
export async function findBackup(config: Config, address: string): Promise<FoundBackup> {
  if (address === LATEST) return newestOf([localDestination(config), await openDestination(config)]);
  const path = isS3(address) ? address.replace(/\/+$/, '') : resolve(address);
  const [parent, name] = [dirname(path), basename(path)];
  if (name === LATEST) return newestOf([await openDestination(config, parent)]);
  if (!isS3(address) || /^s3:\/\/[^/]+\/./.test(path)) {
    const destination = await openDestination(config, parent);
    try {
      if (await destination.manifest(name)) return { destination, name };
    } catch (error) {
      destination.close();
      throw error;
    }
    destination.close();
  }
  return newestOf([await openDestination(config, path)]);
}

async function newestOf(destinations: readonly BackupDestination[]): Promise<FoundBackup> {
  try {
    const found = await Promise.all(
      destinations.map(async (destination) => (await destination.list()).map((backup) => ({ ...backup, destination }))),
    );
    const newest = found.flat().reduce<(typeof found)[0][0] | undefined>((a, b) => (a && a.createdAt >= b.createdAt ? a : b), undefined);
    if (!newest) {
      const places = [...new Set(destinations.map(({ address }) => address))].join(' or ');
      throw new AppError('BACKUP_INVALID', `${places} contains no complete backup.`, 'Pass the address of a backup; it has a backup.json.');
    }
    for (const other of destinations) if (other !== newest.destination) other.close();
    return newest;
  } catch (error) {
    for (const destination of destinations) destination.close();
    throw error;
  }
}
