import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  backupsIn,
  deleteUnfinished,
  MANIFEST,
  publishHere,
  readManifest,
  removeBackup,
  writeBackup,
  type BackupSource,
  type Manifest,
} from '../../../core/backup/index.js';
import { AppError } from '../../../core/errors/index.js';
import type { BackupDestination, MakeOptions, StoredBackup } from './backup-destination.js';

/** Backups in a folder. */
export class FolderDestination implements BackupDestination {
  /** @param address absolute path of the folder */
  constructor(readonly address: string) {}

  addressOf(name: string): string {
    return join(this.address, name);
  }

  async make(source: BackupSource, now: Date, name: string, { signal, confirm }: MakeOptions = {}): Promise<void> {
    await mkdir(this.address, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw new AppError('STORAGE_UNAVAILABLE', `The folder ${this.address} cannot be used.`, 'Make it writable for the server.', error);
    });
    const folder = this.addressOf(name);
    const publish = async (partial: string): Promise<void> => {
      await confirm?.();
      await publishHere(partial, folder);
    };
    await writeBackup(source, now, folder, { signal, publish });
  }

  async list(): Promise<StoredBackup[]> {
    const found: StoredBackup[] = [];
    for (const folder of await backupsIn(this.address)) {
      const { createdAt } = await readManifest(folder);
      found.push({ name: basename(folder), createdAt: Date.parse(createdAt) });
    }
    return found;
  }

  async manifest(name: string): Promise<Manifest | undefined> {
    return readManifest(this.addressOf(name)).catch(() => undefined);
  }

  async fetch(name: string): Promise<string> {
    return this.addressOf(name);
  }

  async reject(name: string): Promise<void> {
    await rm(join(this.addressOf(name), MANIFEST), { force: true });
  }

  async remove(name: string): Promise<void> {
    await removeBackup(this.addressOf(name));
  }

  async removeUnfinished(): Promise<void> {
    await deleteUnfinished('schedule', this.address);
  }

  close(): void {
    // A folder has no connections.
  }
}
