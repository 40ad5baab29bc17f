import type { Readable } from 'node:stream';
import { AppError } from '../../core/errors/index.js';

/** A byte range; both positions are inclusive and count from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A completely received content that is not yet stored. */
export interface ReceivedContent {
  /** Bytes. */
  readonly size: number;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  /** Reads the content; the caller must consume or destroy the stream. */
  read(range?: ByteRange): Promise<Readable>;
  /** Stores the content under its hash; durable when this resolves. */
  persist(): Promise<void>;
  /** Deletes the content; does nothing after `persist`. */
  discard(): Promise<void>;
}

/** Headers of a content that is read at a signed address. */
export interface ContentHeaders {
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
}

/** An address at which clients can read a content without a credential. */
export interface SignedUrl {
  readonly url: string;
  /** For how long it can be used. */
  readonly seconds: number;
}

/** Why the storage does not work at present. */
export interface StorageFault {
  /** The storage, such as its address. */
  readonly subject: string;
  readonly message: string;
  readonly details: string;
  /** Failures since it worked. */
  readonly count: number;
  /** Of the latest failure, epoch ms. */
  readonly at: number;
}

/** The bytes of a stored content do not have its hash. */
export class DamagedContentError extends AppError {
  /** @param place where the content is stored */
  constructor(hash: string, place: string) {
    super(
      'STORAGE_UNAVAILABLE',
      `The content ${hash} in ${place} is damaged: its bytes do not have its hash.`,
      'Restore it from a backup.',
    );
  }
}

/** Content-addressed file storage. Names and owners are in the rows that refer to a hash. */
export abstract class FileStorage {
  /**
   * Receives a content completely. A failed stream leaves no files behind.
   *
   * @throws AppError STORAGE_FULL; the error of the stream
   */
  abstract receive(content: Readable | Uint8Array): Promise<ReceivedContent>;

  /** Size in bytes; undefined when the content is not stored, or is being deleted. @throws AppError STORAGE_UNAVAILABLE */
  abstract stat(hash: string): Promise<{ readonly size: number } | undefined>;

  /**
   * Reads a content or a range of it; the caller must consume or destroy the stream.
   *
   * @throws AppError MEDIA_NOT_FOUND when the content is not stored
   */
  abstract read(hash: string, range?: ByteRange): Promise<Readable>;

  /**
   * Deletes an unreferenced content. `isReferred` is called after the content was hidden, so that a concurrently added reference keeps the
   * content.
   *
   * @returns whether the content was deleted
   */
  abstract removeUnlessReferenced(hash: string, isReferred: () => Promise<boolean>): Promise<boolean>;

  /** The hash of every stored content. @throws AppError STORAGE_UNAVAILABLE */
  abstract hashes(): AsyncIterable<string>;

  /**
   * Deletes what unfinished calls left behind after a crash.
   *
   * @param alone whether no other process uses the storage, so that everything unfinished is a leftover; otherwise only old things are
   */
  abstract removeLeftovers(alone: boolean): Promise<void>;

  /**
   * An address at which clients can read the content for a time without a credential; undefined when the storage has none. The caller has
   * checked that the client may read the content.
   */
  async signedUrl(_hash: string, _headers: ContentHeaders): Promise<SignedUrl | undefined> {
    return undefined;
  }

  /** Why the storage does not work; undefined while it does. */
  get fault(): StorageFault | undefined {
    return undefined;
  }

  /**
   * Reserves a storage that others can reach for one installation: another one would delete its contents as unreferenced.
   *
   * @throws AppError CONFIG_INVALID when it belongs to another installation
   */
  async claim(_installation: string): Promise<void> {
    return undefined;
  }

  /** Ends its connections. */
  async close(): Promise<void> {
    return undefined;
  }
}
