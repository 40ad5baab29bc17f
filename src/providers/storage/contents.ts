import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import { FileStorage, type ReceivedContent } from './file-storage.js';

/** Returns the hashes among these that rows of a module refer to. */
type FindReferences = (hashes: readonly string[]) => Promise<Iterable<string>>;

/** The stored contents that rows refer to. Modules may refer to the same content; it is deleted once no row of any module does. */
@Injectable()
export class Contents {
  private readonly referrers: FindReferences[] = [];
  /** The last write or deletion of each content, which the next one waits for, so that no content is deleted before its row is written. */
  private readonly latest = new Map<string, Promise<unknown>>();

  constructor(private readonly storage: FileStorage) {}

  /** Registers a module that keeps contents. Call it before the application has started, because orphans are deleted then. */
  register(referrer: FindReferences): void {
    this.referrers.push(referrer);
  }

  /**
   * Stores a content together with the rows that refer to it.
   *
   * @param refer  commits the rows, once the content is durable
   * @param forget deletes the rows again, when another process has deleted the same content in between
   * @throws AppError STORAGE_UNAVAILABLE, after `forget` if the rows were committed; the errors of `refer`
   */
  async keep<T>(content: ReceivedContent, refer: () => Promise<T>, forget: (referred: T) => Promise<unknown>): Promise<T> {
    return this.inTurn(content.hash, async () => {
      await content.persist();
      const referred = await refer();
      try {
        if (await this.storage.stat(content.hash)) return referred;
        throw new AppError('STORAGE_UNAVAILABLE', 'The file could not be stored.', 'Send it again.');
      } catch (error) {
        await forget(referred);
        throw error;
      }
    });
  }

  /** Deletes the contents among these to which no row refers. @returns the number of deleted contents */
  async removeUnused(hashes: readonly string[]): Promise<number> {
    const inUse = await this.inUse(hashes);
    let removed = 0;
    for (const hash of new Set(hashes)) {
      if (inUse.has(hash)) continue;
      const isReferred = async (): Promise<boolean> => (await this.inUse([hash])).has(hash);
      if (await this.inTurn(hash, () => this.storage.removeUnlessReferenced(hash, isReferred))) removed += 1;
    }
    return removed;
  }

  private async inUse(hashes: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const find of this.referrers) for (const hash of await find(hashes)) found.add(hash);
    return found;
  }

  private async inTurn<T>(hash: string, work: () => Promise<T>): Promise<T> {
    const result = (this.latest.get(hash) ?? Promise.resolve()).then(work);
    const settled = result.catch(() => undefined);
    this.latest.set(hash, settled);
    try {
      return await result;
    } finally {
      if (this.latest.get(hash) === settled) this.latest.delete(hash);
    }
  }
}
