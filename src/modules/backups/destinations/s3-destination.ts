import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import {
  backupFolder,
  deleteUnfinished,
  kindOfBackup,
  MANIFEST,
  parseManifest,
  readManifest,
  startOfBackup,
  writeBackup,
  type BackupSource,
  type Manifest,
} from '../../../core/backup/index.js';
import { storageError } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import type { S3Objects } from '../../../providers/storage/index.js';
import type { BackupDestination, MakeOptions, StoredBackup } from './backup-destination.js';

/** Files that are transferred at the same time. */
const LANES = 4;

/**
 * Backups below a prefix of a bucket. A backup is written to `DATA_DIR/backups` first, because databases are copied to files, and deleted
 * there when it is in the bucket.
 */
export class S3Destination implements BackupDestination {
  constructor(
    private readonly objects: S3Objects,
    private readonly dataDir: string,
  ) {}

  get address(): string {
    return this.objects.address;
  }

  addressOf(name: string): string {
    return `${this.address}${name}`;
  }

  async make(source: BackupSource, now: Date, name: string, { signal, confirm }: MakeOptions = {}): Promise<void> {
    await this.objects.check();
    const publish = async (partial: string): Promise<void> => {
      const { files } = await readManifest(partial);
      await inLanes(Object.keys(files), signal, (path) => this.put(partial, `${name}/${path}`, path, signal));
      await confirm?.();
      await this.put(partial, `${name}/${MANIFEST}`, MANIFEST, signal);
      await rm(partial, { recursive: true, force: true });
    };
    await writeBackup(source, now, backupFolder(this.dataDir, name), { signal, publish });
  }

  async list(): Promise<StoredBackup[]> {
    const found: StoredBackup[] = [];
    for (const name of (await this.names()).complete) {
      const createdAt = startOfBackup(name);
      found.push({ name, createdAt: Number.isNaN(createdAt) ? Date.parse((await this.manifest(name))?.createdAt ?? '') : createdAt });
    }
    return found.sort((a, b) => a.createdAt - b.createdAt);
  }

  async manifest(name: string): Promise<Manifest | undefined> {
    const stream = await this.objects.get(`${name}/${MANIFEST}`);
    if (!stream) return undefined;
    try {
      return parseManifest(await text(stream));
    } catch (error) {
      throw new AppError('BACKUP_INVALID', `${this.addressOf(name)}/${MANIFEST} cannot be read.`, 'Use another backup.', error);
    }
  }

  async fetch(name: string, into: string, signal?: AbortSignal): Promise<string> {
    const manifest = await this.manifest(name);
    if (!manifest) throw new AppError('BACKUP_INVALID', `${this.addressOf(name)} contains no complete backup.`, 'Use another backup.');
    await mkdir(into, { recursive: true, mode: 0o700 });
    const paths = Object.keys(manifest.files);
    const leading = paths.find((path) => path.startsWith('/') || path.split('/').includes('..'));
    if (leading !== undefined) {
      throw new AppError('BACKUP_INVALID', `The manifest of ${this.addressOf(name)} leads out of the backup.`, 'Use another backup.');
    }
    await inLanes(paths, signal, (path) => this.get(`${name}/${path}`, join(into, path), signal));
    await this.get(`${name}/${MANIFEST}`, join(into, MANIFEST), signal);
    return into;
  }

  async reject(name: string): Promise<void> {
    await this.objects.delete(`${name}/${MANIFEST}`);
  }

  async remove(name: string): Promise<void> {
    await this.reject(name);
    for await (const { key } of this.objects.list(`${name}/`)) await this.objects.delete(key);
  }

  async removeUnfinished(): Promise<void> {
    await deleteUnfinished('schedule', join(this.dataDir, 'backups'));
    for await (const upload of this.objects.unfinished()) {
      if (isScheduled(upload.key.split('/')[0] ?? '')) await this.objects.abort(upload);
    }
    for (const name of (await this.names()).unfinished) if (isScheduled(name)) await this.remove(name);
  }

  close(): void {
    this.objects.close();
  }

  /** The names below the prefix, by whether they have a manifest. */
  private async names(): Promise<{ readonly complete: string[]; readonly unfinished: string[] }> {
    const names = new Map<string, boolean>();
    for await (const { key } of this.objects.list()) {
      const [name = '', ...path] = key.split('/');
      if (path.length > 0) names.set(name, names.get(name) === true || path.join('/') === MANIFEST);
    }
    const withManifest = (wanted: boolean): string[] => [...names].flatMap(([name, has]) => (has === wanted ? [name] : []));
    return { complete: withManifest(true), unfinished: withManifest(false) };
  }

  private async put(folder: string, key: string, path: string, signal?: AbortSignal): Promise<void> {
    const file = join(folder, path);
    const { size } = await stat(file);
    await this.objects.put(key, createReadStream(file), { size, signal });
  }

  /** Leaves out an object that is not there. */
  private async get(key: string, file: string, signal?: AbortSignal): Promise<void> {
    const content = await this.objects.get(key);
    if (!content) return;
    try {
      await mkdir(dirname(file), { recursive: true });
      await pipeline(content, createWriteStream(file, { mode: 0o600, flush: true }), { signal });
    } catch (error) {
      signal?.throwIfAborted();
      const known = storageError(error);
      if (known instanceof AppError) throw known;
      throw new AppError('STORAGE_UNAVAILABLE', `${this.address}${key} could not be read.`, 'Try again.', error);
    }
  }
}

function isScheduled(name: string): boolean {
  return kindOfBackup(name) === 'schedule';
}

/** Calls `work` for each item, a few at a time; the first error ends it. */
async function inLanes<T>(items: readonly T[], signal: AbortSignal | undefined, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items].reverse();
  const lane = async (): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      signal?.throwIfAborted();
      await work(item);
    }
  };
  const failure = new AbortController();
  const lanes = Array.from({ length: LANES }, () =>
    lane().catch((error: unknown) => {
      waiting.length = 0;
      if (!failure.signal.aborted) failure.abort(error);
    }),
  );
  await Promise.all(lanes);
  failure.signal.throwIfAborted();
}
