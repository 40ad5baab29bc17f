import type { Readable } from 'node:stream';

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

/** Content-addressed file storage. Names and owners are in the rows that refer to a hash. */
export abstract class FileStorage {
  /**
   * Receives a content completely. A failed stream leaves no files behind.
   *
   * @throws AppError STORAGE_FULL; the error of the stream
   */
  abstract receive(content: Readable | Uint8Array): Promise<ReceivedContent>;

  /** Size in bytes; undefined when the content is not stored. */
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
   * Deletes files that unfinished calls left behind after a crash.
   *
   * @param alone whether no other process uses the storage, so that every unfinished file is a leftover
   */
  abstract removeLeftovers(alone: boolean): Promise<void>;
}
