import { join, resolve } from 'node:path';
import { BACKUPS } from '../../../core/backup/index.js';
import { parseS3Location, type Config } from '../../../core/config/index.js';
import { AppError } from '../../../core/errors/index.js';
import { S3Objects } from '../../../providers/storage/index.js';
import type { BackupDestination } from './backup-destination.js';
import { FolderDestination } from './folder-destination.js';
import { S3Destination } from './s3-destination.js';

/**
 * Opens a place for backups. Nothing is sent to a store yet.
 *
 * @param address a folder, or `s3://BUCKET/FOLDER`; by default BACKUP_DESTINATION
 * @throws AppError CONFIG_INVALID when the address is not one, or packages or credentials for S3 are missing
 */
export async function openDestination(config: Config, address = config.backupDestination): Promise<BackupDestination> {
  if (!isS3(address)) return new FolderDestination(resolve(address));
  return new S3Destination(await S3Objects.open(config, locationOf(address)), resolve(config.dataDir));
}

/** `DATA_DIR/backups`, where backups are made by default, and before upgrades. */
export function localDestination({ dataDir }: Pick<Config, 'dataDir'>): BackupDestination {
  return new FolderDestination(join(resolve(dataDir), BACKUPS));
}

export function isS3(address: string): boolean {
  return address.startsWith('s3:');
}

function locationOf(address: string): ReturnType<typeof parseS3Location> {
  try {
    return parseS3Location(address);
  } catch (error) {
    throw new AppError('CONFIG_INVALID', `The address of the backups ${(error as Error).message}.`, 'Correct it.', error);
  }
}
