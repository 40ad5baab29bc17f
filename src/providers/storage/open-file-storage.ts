import type { Clock } from '../../core/clock/index.js';
import type { Config } from '../../core/config/index.js';
import type { FileStorage } from './file-storage.js';
import { LocalFileStorage } from './local-file-storage.js';
import { S3FileStorage } from './s3/s3-file-storage.js';
import { S3Objects } from './s3/s3-objects.js';

/** The parts of the configuration that the storage needs. */
type StorageConfig = Parameters<typeof S3Objects.open>[0] & Pick<Config, 'mediaStorage' | 'mediaDir' | 's3SignedUrlSeconds'>;

/**
 * The storage that is configured: MEDIA_STORAGE or the folder MEDIA_DIR.
 *
 * @throws AppError STORAGE_UNAVAILABLE or CONFIG_INVALID when the S3-compatible store cannot be used
 */
export async function openFileStorage(config: StorageConfig, clock: Clock): Promise<FileStorage> {
  if (config.mediaStorage === undefined) return new LocalFileStorage(config.mediaDir, clock);
  const objects = await S3Objects.open(config, config.mediaStorage);
  const storage = new S3FileStorage(objects, config, clock);
  try {
    await storage.check();
    return storage;
  } catch (error) {
    objects.close();
    throw error;
  }
}
