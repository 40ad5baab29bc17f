import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../../core/clock/index.js';
import type { Config } from '../../../core/config/index.js';
import { AppError, errorMessage } from '../../../core/errors/index.js';
import { newId } from '../../../core/ids/index.js';
import { Log } from '../../../core/logging/index.js';
import {
  DamagedContentError,
  FileStorage,
  type ByteRange,
  type ContentHeaders,
  type ReceivedContent,
  type SignedUrl,
  type StorageFault,
} from '../file-storage.js';
import { IncomingFiles, namesIn, type IncomingFile } from '../incoming-files.js';
import { ByteBudget } from './byte-budget.js';
import { StoreFailedError } from './s3-errors.js';
import { S3Objects } from './s3-objects.js';
import { verified } from './verified.js';

const CONTENT = /^([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;
const WAY_OUT = 'Try again later. The operator finds the reason in the log and in GET /api/server/problems.';
const SHARD = /^[0-9a-f]{2}$/;
/** Beginning of the keys of objects that hide a content while it is being deleted. */
const HIDING = 'gone/';
/** Key of the object that names the installation whose files these are. */
const OWNER = 'installation';
const EMPTY = new Uint8Array();
// A deletion that was delayed for longer may be taken for abandoned by others.
const DELETION_MS = 60_000;
const ABANDONED_DELETION_MS = 60 * 60_000;
// Longer than the largest file takes.
const ABANDONED_UPLOAD_MS = 6 * 60 * 60_000;
const UPLOAD_MEMORY_BYTES = 96 * 1024 * 1024;
/** Memory of one upload in parts. */
const PARTS_BYTES = 24 * 1024 * 1024;

type S3StorageConfig = Pick<Config, 'mediaDir' | 's3SignedUrlSeconds'>;

/**
 * Stores contents as objects: `ab/ab12…` for the hash `ab12…`, and `gone/ab12…/ID` while a process deletes it. A content is received in the
 * folder `incoming` of MEDIA_DIR and sent when it is kept, so what is refused or cut off never reaches the store. Processes may share the
 * prefix. It needs a store in which a stored or deleted object is seen by every later request, as Amazon S3 and its relatives promise.
 */
export class S3FileStorage extends FileStorage {
  private readonly incoming: IncomingFiles;
  private readonly uploads = new ByteBudget(UPLOAD_MEMORY_BYTES);
  private readonly log = new Log('storage');
  private failure: StorageFault | undefined;

  constructor(
    private readonly objects: S3Objects,
    private readonly config: S3StorageConfig,
    private readonly clock: Clock,
  ) {
    super();
    this.incoming = new IncomingFiles(config.mediaDir, clock, false);
  }

  /** Lists, writes and deletes, so that missing permissions are known before the first upload. */
  async check(): Promise<void> {
    const probe = `${HIDING}probe/${newId()}`;
    await this.objects.check();
    await this.objects.put(probe, EMPTY);
    await this.objects.delete(probe);
  }

  override get fault(): StorageFault | undefined {
    return this.failure;
  }

  override async claim(installation: string): Promise<void> {
    await this.warnOfFolder();
    const marker = await this.objects.get(OWNER);
    if (!marker) return this.objects.put(OWNER, Buffer.from(installation));
    if ((await text(marker)) === installation) return;
    const { address } = this.objects;
    throw new AppError(
      'CONFIG_INVALID',
      `${address} holds the files of another installation, which would be deleted here.`,
      `Set MEDIA_STORAGE to a folder of its own. If the files belong to this database, delete the object ${address}${OWNER}.`,
    );
  }

  override async receive(content: Readable | Uint8Array): Promise<ReceivedContent> {
    const file = await this.incoming.receive(content);
    const { size, hash, read, discard } = file;
    return { size, hash, read, discard, persist: () => this.keep(file) };
  }

  override async stat(hash: string): Promise<{ readonly size: number } | undefined> {
    return this.observed(async () => {
      const found = await this.objects.stat(keyOf(hash));
      if (!found) return undefined;
      for await (const _ of this.objects.list(hidingKeys(hash))) return undefined;
      return { size: found.size };
    });
  }

  override async read(hash: string, range?: ByteRange): Promise<Readable> {
    const body = await this.observed(() => this.objects.get(keyOf(hash), range));
    if (body) return verified(body, range ? undefined : hash, (cause) => this.unreadable(hash, cause));
    throw new AppError('MEDIA_NOT_FOUND', 'No file has this URL.', 'Its content is not in the store of files.');
  }

  // See decision 49 for why no content is lost that another process stores meanwhile.
  override async removeUnlessReferenced(hash: string, isReferred: () => Promise<boolean>): Promise<boolean> {
    return this.observed(async () => {
      if (!(await this.objects.stat(keyOf(hash)))) return false;
      const hiding = `${hidingKeys(hash)}${newId()}`;
      const startedAt = this.clock.now();
      await this.objects.put(hiding, EMPTY);
      let referred = true;
      try {
        referred = await isReferred();
      } finally {
        if (referred) await this.objects.delete(hiding);
      }
      if (referred) return false;
      if (this.clock.now() - startedAt > DELETION_MS) {
        await this.objects.delete(hiding);
        return false;
      }
      // If this fails, the content stays hidden, because the store may still delete it.
      await this.objects.delete(keyOf(hash));
      await this.objects.delete(hiding);
      return true;
    });
  }

  override async *hashes(): AsyncGenerator<string> {
    for await (const { key } of this.objects.list()) {
      const hash = CONTENT.exec(key)?.[2];
      if (hash !== undefined) yield hash;
    }
  }

  override async removeLeftovers(alone: boolean): Promise<void> {
    await this.incoming.removeLeftovers(alone);
    const before = (ageMs: number): number => (alone ? Number.POSITIVE_INFINITY : this.clock.now() - ageMs);
    for await (const { key, modifiedAt } of this.objects.list(HIDING)) {
      if (modifiedAt < before(ABANDONED_DELETION_MS)) await this.objects.delete(key);
    }
    for await (const upload of this.objects.unfinished()) {
      if (CONTENT.test(upload.key) && upload.startedAt < before(ABANDONED_UPLOAD_MS)) await this.objects.abort(upload);
    }
  }

  override async signedUrl(hash: string, headers: ContentHeaders): Promise<SignedUrl | undefined> {
    const seconds = this.config.s3SignedUrlSeconds;
    return seconds === 0 ? undefined : { url: await this.objects.signedUrl(keyOf(hash), headers, seconds), seconds };
  }

  override async close(): Promise<void> {
    this.objects.close();
  }

  private async keep(file: IncomingFile): Promise<void> {
    const { hash, size } = file;
    await this.observed(async () => {
      const stored = await this.objects.stat(keyOf(hash));
      if (stored?.size === size) return;
      await this.uploads.run(Math.min(size, PARTS_BYTES), async () => {
        const content = verified(await file.read(), hash, (cause) => this.unreadable(hash, cause));
        await this.objects.put(keyOf(hash), content, { size });
      });
    });
    await file.discard();
  }

  private async warnOfFolder(): Promise<void> {
    const { mediaDir } = this.config;
    if (!(await namesIn(mediaDir)).some((name) => SHARD.test(name))) return;
    const remedy = `npx parley-server storage move --from ${mediaDir} --to ${this.objects.address} --delete`;
    this.log.warn('MEDIA_DIR holds files that are not used, because MEDIA_STORAGE is set', { folder: mediaDir, remedy });
  }

  private unreadable(hash: string, cause: unknown): AppError {
    const { address } = this.objects;
    if (cause === undefined) return new DamagedContentError(hash, address);
    const message = `The content ${hash} cannot be read from ${address} (${errorMessage(cause)}).`;
    return new AppError('STORAGE_UNAVAILABLE', message, 'Try again.', cause);
  }

  /** Notices that the store fails, and that it works again. */
  private async observed<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      if (this.failure) this.log.info('the store of files works again', { failures: this.failure.count });
      this.failure = undefined;
      return result;
    } catch (error) {
      if (error instanceof StoreFailedError) {
        if (!this.failure) this.log.error('the store of files fails', error);
        const { message, details } = error;
        this.failure = { subject: this.objects.address, message, details, count: (this.failure?.count ?? 0) + 1, at: this.clock.now() };
        // Anyone may get this one, so it does not say where the store is.
        throw new AppError('STORAGE_UNAVAILABLE', 'The store of files does not work at present.', WAY_OUT, error);
      }
      throw error;
    }
  }
}

function keyOf(hash: string): string {
  return `${hash.slice(0, 2)}/${hash}`;
}

function hidingKeys(hash: string): string {
  return `${HIDING}${hash}/`;
}
