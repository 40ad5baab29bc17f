import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Clock } from '../../core/clock/index.js';
import { FileStorage, type ByteRange, type ReceivedContent } from './file-storage.js';
import { codeOf, IncomingFiles, leftovers, namesIn, openFile } from './incoming-files.js';

const HASH = /^[0-9a-f]{64}$/;
const SHARD = /^[0-9a-f]{2}$/;
const HIDDEN = '.gone';

/**
 * Stores contents as files in a folder: `ab/ab12…` for the hash `ab12…`, `incoming/*.part` while receiving, `*.gone` while deleting.
 * Processes may share the folder.
 */
export class LocalFileStorage extends FileStorage {
  private readonly incoming: IncomingFiles;

  constructor(
    private readonly folder: string,
    private readonly clock: Clock,
  ) {
    super();
    this.incoming = new IncomingFiles(folder, clock, true);
  }

  override async receive(content: Readable | Uint8Array): Promise<ReceivedContent> {
    const { path, size, hash, read, discard } = await this.incoming.receive(content);
    return { size, hash, read, persist: () => this.keep(path, hash), discard };
  }

  override async stat(hash: string): Promise<{ readonly size: number } | undefined> {
    return stat(this.pathOf(hash)).then(
      ({ size }) => ({ size }),
      () => undefined,
    );
  }

  override async read(hash: string, range?: ByteRange): Promise<Readable> {
    return openFile(this.pathOf(hash), range);
  }

  override async removeUnlessReferenced(hash: string, isReferred: () => Promise<boolean>): Promise<boolean> {
    const path = this.pathOf(hash);
    const hidden = `${path}${HIDDEN}`;
    try {
      await rename(path, hidden);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    }
    if (await isReferred()) {
      await rename(hidden, path);
      return false;
    }
    await rm(hidden, { force: true });
    return true;
  }

  override async *hashes(): AsyncGenerator<string> {
    for (const shard of await this.shards()) for (const name of await namesIn(shard)) if (HASH.test(name)) yield name;
  }

  override async removeLeftovers(alone: boolean): Promise<void> {
    await this.incoming.removeLeftovers(alone);
    for (const shard of await this.shards()) {
      for (const path of await leftovers(shard, /\.gone$/, this.clock, alone)) {
        const hash = basename(path, HIDDEN);
        // Restore files of an interrupted deletion; the regular check for unreferenced contents follows.
        if (HASH.test(hash) && !(await this.stat(hash))) await rename(path, this.pathOf(hash));
        else await rm(path, { force: true });
      }
    }
  }

  private pathOf(hash: string): string {
    return join(this.folder, hash.slice(0, 2), hash);
  }

  private async keep(path: string, hash: string): Promise<void> {
    const target = this.pathOf(hash);
    await mkdir(dirname(target), { recursive: true });
    await rename(path, target);
    await syncFolder(dirname(target));
  }

  private async shards(): Promise<string[]> {
    return (await namesIn(this.folder)).filter((name) => SHARD.test(name)).map((name) => join(this.folder, name));
  }
}

/** A new file name is durable only after its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
