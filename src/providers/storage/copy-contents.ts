import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { errorMessage } from '../../core/errors/index.js';
import { DamagedContentError, type FileStorage } from './file-storage.js';

const PARALLEL = 4;

/** How far a copy is. */
export interface CopyProgress {
  /** Contents that were found in the source. */
  found: number;
  /** Contents that were copied now. */
  copied: number;
  /** Bytes that were copied now. */
  bytes: number;
  /** Contents that were in the target already. */
  present: number;
  /** Contents that were deleted from the source. */
  deleted: number;
  /** Contents that were not copied, with the reason; the first 1,000. */
  readonly failures: { readonly hash: string; readonly reason: string }[];
  failed: number;
}

interface CopyOptions {
  /** Deletes each content from the source, once it was read from the target and has its hash. */
  readonly deleteSource: boolean;
  /** Called after each content. */
  readonly onProgress: (progress: Readonly<CopyProgress>) => void;
}

/**
 * Copies all contents from one storage to another. What is there with the right size stays, so a copy can be repeated. Each copied content is
 * read again from the target and compared with its hash. A content that cannot be copied does not stop the others.
 *
 * @throws AppError when the source cannot be listed
 */
export async function copyContents(source: FileStorage, target: FileStorage, options: CopyOptions): Promise<Readonly<CopyProgress>> {
  const progress: CopyProgress = { found: 0, copied: 0, bytes: 0, present: 0, deleted: 0, failures: [], failed: 0 };
  const hashes = source.hashes()[Symbol.asyncIterator]();
  const work = async (): Promise<void> => {
    for (let next = await hashes.next(); next.done !== true; next = await hashes.next()) {
      const hash = next.value;
      progress.found += 1;
      try {
        await copyContent(source, target, hash, options.deleteSource, progress);
      } catch (error) {
        progress.failed += 1;
        if (progress.failures.length < 1000) progress.failures.push({ hash, reason: errorMessage(error) });
      }
      options.onProgress(progress);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return progress;
}

async function copyContent(
  source: FileStorage,
  target: FileStorage,
  hash: string,
  deleteSource: boolean,
  progress: CopyProgress,
): Promise<void> {
  const size = (await source.stat(hash))?.size;
  // Deleted since it was listed.
  if (size === undefined) return;
  const present = (await target.stat(hash))?.size === size;
  if (present && (!deleteSource || (await isIntact(target, hash)))) progress.present += 1;
  else {
    // Otherwise the damaged copy would be taken for the content.
    if (present) await target.removeUnlessReferenced(hash, async () => false);
    await store(await source.read(hash), target, hash);
    progress.copied += 1;
    progress.bytes += size;
  }
  if (deleteSource && (await source.removeUnlessReferenced(hash, async () => false))) progress.deleted += 1;
}

async function store(content: Readable, target: FileStorage, hash: string): Promise<void> {
  const received = await target.receive(content);
  try {
    if (received.hash !== hash) throw new Error('it is damaged in the source: its bytes do not have its hash');
    await received.persist();
  } finally {
    await received.discard();
  }
  if (!(await isIntact(target, hash))) throw new Error('the target returned other bytes than it was sent');
}

async function isIntact(storage: FileStorage, hash: string): Promise<boolean> {
  const digest = createHash('sha256');
  try {
    await pipeline(await storage.read(hash), digest);
  } catch (error) {
    if (error instanceof DamagedContentError) return false;
    throw error;
  }
  return digest.digest('hex') === hash;
}
