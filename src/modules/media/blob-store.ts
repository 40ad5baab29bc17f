import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CONFIG, type Config } from '../../core/config/index.js';
import { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import { newId } from '../../core/ids/index.js';

const HASH = /^[0-9a-f]{64}$/;
const MINUTE_MS = 60_000;
// Far longer than an upload takes; where only one process can be, nothing younger is spared either.
const ABANDONED_MS = 60 * MINUTE_MS;

/** Contents by their hash, as files: the same content lies there once, whoever has sent it. */
@Injectable()
export class BlobStore {
  private readonly folder: string;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly clock: Clock,
  ) {
    this.folder = config.mediaDir;
  }

  /** Where contents come in, on the same file system. */
  get incoming(): string {
    return join(this.folder, 'incoming');
  }

  pathOf(hash: string): string {
    return join(this.folder, hash.slice(0, 2), hash);
  }

  /** Writes a content as if it had come in. */
  async receive(bytes: Uint8Array): Promise<{ path: string; hash: string; size: number; discard: () => Promise<void> }> {
    await mkdir(this.incoming, { recursive: true });
    const path = join(this.incoming, `${newId()}.part`);
    await writeFile(path, bytes, { flag: 'wx', flush: true });
    const hash = createHash('sha256').update(bytes).digest('hex');
    return { path, hash, size: bytes.length, discard: () => rm(path, { force: true }) };
  }

  /** Takes over a file that came in; on disk under its hash when this resolves. */
  async keep(path: string, hash: string): Promise<void> {
    const target = this.pathOf(hash);
    await mkdir(dirname(target), { recursive: true });
    await rename(path, target);
    await syncFolder(dirname(target));
  }

  async has(hash: string): Promise<boolean> {
    return stat(this.pathOf(hash)).then(
      () => true,
      () => false,
    );
  }

  /** Removes a content unless it is still referred to: asked again when nobody can find it any more, so that a new reference wins. */
  async removeUnless(hash: string, isReferred: () => Promise<boolean>): Promise<boolean> {
    const path = this.pathOf(hash);
    const hidden = `${path}.gone`;
    try {
      await rename(path, hidden);
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return false;
      throw error;
    }
    if (await isReferred()) {
      await rename(hidden, path);
      return false;
    }
    await rm(hidden, { force: true });
    return true;
  }

  /** Every hash that has a file. */
  async *hashes(): AsyncGenerator<string> {
    for (const shard of await list(this.folder)) {
      if (!/^[0-9a-f]{2}$/.test(shard)) continue;
      for (const name of await list(join(this.folder, shard))) if (HASH.test(name)) yield name;
    }
  }

  /** Removes what uploads and removals that did not come to their end have left. @param alone whether no other process can be at work */
  async removeLeftovers(alone: boolean): Promise<void> {
    const before = alone ? Number.POSITIVE_INFINITY : this.clock.now() - ABANDONED_MS;
    const folders = [
      this.incoming,
      ...(await list(this.folder)).filter((name) => /^[0-9a-f]{2}$/.test(name)).map((name) => join(this.folder, name)),
    ];
    for (const folder of folders) {
      for (const name of await list(folder)) {
        if (!/\.(part|gone)$/.test(name)) continue;
        const path = join(folder, name);
        const found = await stat(path).catch(() => undefined);
        if (!found || found.mtimeMs >= before) continue;
        const hash = name.slice(0, -'.gone'.length);
        // Hidden by a removal that was cut short: whether it is referred to is looked up with all others.
        if (name.endsWith('.gone') && HASH.test(hash) && !(await this.has(hash))) await rename(path, this.pathOf(hash));
        else await rm(path, { force: true });
      }
    }
  }
}

async function list(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    const { code } = error as { code?: string };
    if (code === 'ENOENT') return [];
    throw new AppError(
      'STORAGE_UNAVAILABLE',
      `The folder ${folder} of uploaded files cannot be read (${code ?? String(error)}).`,
      'Make it readable and writable, or set MEDIA_DIR to another folder.',
      error,
    );
  });
}

/** A new name is on disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
