import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import { newId } from '../../core/ids/index.js';
import { FileStorage, type ByteRange, type ReceivedContent } from './file-storage.js';

const HASH = /^[0-9a-f]{64}$/;
const SHARD = /^[0-9a-f]{2}$/;
// Far longer than any upload.
const ABANDONED_MS = 60 * 60_000;

/**
 * Stores contents as files in a folder: `ab/ab12…` for the hash `ab12…`, `incoming/*.part` while receiving, `*.gone` while deleting.
 * Processes may share the folder.
 */
export class LocalFileStorage extends FileStorage {
  constructor(
    private readonly folder: string,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async receive(content: Readable | Uint8Array): Promise<ReceivedContent> {
    const incoming = join(this.folder, 'incoming');
    await mkdir(incoming, { recursive: true });
    const path = join(incoming, `${newId()}.part`);
    const digest = createHash('sha256');
    let size = 0;
    const measure = new Transform({
      transform(chunk: Uint8Array, _encoding, next) {
        size += chunk.length;
        digest.update(chunk);
        next(null, chunk);
      },
    });
    const source = content instanceof Uint8Array ? Readable.from([content]) : content;
    const discard = (): Promise<void> => rm(path, { force: true });
    try {
      await pipeline(source, measure, createWriteStream(path, { flags: 'wx', flush: true }));
    } catch (error) {
      await discard();
      throw codeOf(error) === 'ENOSPC' ? new AppError('STORAGE_FULL', 'The disk is full.', 'The file was not stored.', error) : error;
    }
    const hash = digest.digest('hex');
    return { size, hash, read: (range) => openFile(path, range), persist: () => this.keep(path, hash), discard };
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
    const hidden = `${path}.gone`;
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
    for (const shard of await this.shards()) for (const name of await list(shard)) if (HASH.test(name)) yield name;
  }

  override async removeLeftovers(alone: boolean): Promise<void> {
    const before = alone ? Number.POSITIVE_INFINITY : this.clock.now() - ABANDONED_MS;
    for (const folder of [join(this.folder, 'incoming'), ...(await this.shards())]) {
      for (const name of await list(folder)) {
        if (!/\.(part|gone)$/.test(name)) continue;
        const path = join(folder, name);
        const found = await stat(path).catch(() => undefined);
        if (!found || found.mtimeMs >= before) continue;
        const hash = name.slice(0, -'.gone'.length);
        // Restore files of an interrupted deletion; the regular check for unreferenced contents follows.
        if (name.endsWith('.gone') && HASH.test(hash) && !(await this.stat(hash))) await rename(path, this.pathOf(hash));
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
    return (await list(this.folder)).filter((name) => SHARD.test(name)).map((name) => join(this.folder, name));
  }
}

async function openFile(path: string, range?: ByteRange): Promise<Readable> {
  try {
    return (await open(path)).createReadStream(range);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new AppError('MEDIA_NOT_FOUND', 'No file has this URL.', 'Its content is not on this machine.', error);
  }
}

async function list(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    const code = codeOf(error);
    if (code === 'ENOENT') return [];
    throw new AppError(
      'STORAGE_UNAVAILABLE',
      `The folder ${folder} of uploaded files cannot be read (${code ?? String(error)}).`,
      'Make it readable and writable, or set MEDIA_DIR to another folder.',
      error,
    );
  });
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

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}
