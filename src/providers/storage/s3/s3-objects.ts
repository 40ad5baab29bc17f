import type { Readable } from 'node:stream';
import type { ListMultipartUploadsCommandOutput, S3Client } from '@aws-sdk/client-s3';
import type { S3Location } from '../../../core/config/index.js';
import { AppError } from '../../../core/errors/index.js';
import { Log } from '../../../core/logging/index.js';
import type { ByteRange, ContentHeaders } from '../file-storage.js';
import { loadS3Packages, s3Client, type S3Packages, type S3Settings } from './s3-client.js';
import { isMissing, isUnsupported, storeError } from './s3-errors.js';

const ATTEMPTS = 3;
const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PARTS = 10_000;
// Large enough for 160 GB of unknown length.
const UNSIZED_PART_BYTES = 16 * 1024 * 1024;
/** Parts of one upload that are in memory and on their way. */
const PARALLEL_PARTS = 2;

/** An object of the store. */
export interface S3Object {
  /** Without the prefix. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Epoch ms, by the clock of the store. */
  readonly modifiedAt: number;
}

/** An upload in parts that was begun and neither completed nor aborted. The store keeps, and charges, its parts. */
export interface UnfinishedUpload {
  /** Without the prefix. */
  readonly key: string;
  readonly id: string;
  /** Epoch ms, by the clock of the store. */
  readonly startedAt: number;
}

/** How an upload is sent. */
export interface PutOptions {
  /** Bytes, if they are known. */
  readonly size?: number;
  /** Stops the upload, which then fails with the reason. */
  readonly signal?: AbortSignal;
}

/**
 * The objects below one prefix of a bucket. Keys are given and returned without the prefix. Every method fails with AppError
 * STORAGE_UNAVAILABLE and a way out when the store cannot be reached or refuses.
 */
export class S3Objects {
  private readonly log = new Log('storage');

  private constructor(
    private readonly packages: S3Packages,
    private readonly client: S3Client,
    private readonly impatient: S3Client,
    private readonly settings: S3Settings,
    private readonly location: S3Location,
  ) {}

  /**
   * Loads the client. Sends nothing yet: see `check`.
   *
   * @throws AppError CONFIG_INVALID when the optional packages are not installed or the credentials are incomplete
   */
  static async open(settings: S3Settings, location: S3Location): Promise<S3Objects> {
    const packages = await loadS3Packages();
    const client = s3Client(packages, settings, ATTEMPTS);
    return new S3Objects(packages, client, s3Client(packages, settings, 1), settings, location);
  }

  /** The address of the prefix, such as `s3://bucket/folder/`. */
  get address(): string {
    return `s3://${this.location.bucket}/${this.location.prefix}`;
  }

  /** Ends the connections. */
  close(): void {
    this.client.destroy();
    this.impatient.destroy();
  }

  /** Lists one object, so that a wrong bucket, region, address or credential is known. */
  async check(): Promise<void> {
    await this.attempt(() => this.client.send(new this.packages.ListObjectsV2Command({ ...this.below(''), MaxKeys: 1 })));
  }

  /**
   * Stores an object, in parts if it is large. It appears completely or not at all, replaces an object with the same key, and is durable
   * when this resolves. A failed upload is aborted. Memory: at most 32 MiB plus 0.02 % of `size`.
   *
   * @throws the error of the content; the reason of the signal
   */
  async put(key: string, content: Readable | Uint8Array, { size, signal }: PutOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    const { s3ServerSideEncryption, s3KmsKeyId } = this.settings;
    const stopped = new AbortController();
    const upload = new this.packages.Upload({
      client: this.client,
      params: {
        ...this.at(key),
        Body: content,
        ...(s3ServerSideEncryption === 'none' ? {} : { ServerSideEncryption: s3ServerSideEncryption }),
        ...(s3KmsKeyId === undefined ? {} : { SSEKMSKeyId: s3KmsKeyId }),
      },
      partSize: size === undefined ? UNSIZED_PART_BYTES : Math.max(MIN_PART_BYTES, Math.ceil(size / MAX_PARTS)),
      queueSize: PARALLEL_PARTS,
      // Aborted below: the error of an abort must not replace the error of the upload.
      leavePartsOnError: true,
      abortController: stopped,
    });
    const stop = (): void => stopped.abort();
    signal?.addEventListener('abort', stop);
    let failure: unknown;
    const failed = (error: unknown): void => void (failure ??= error);
    if (!(content instanceof Uint8Array)) content.once('error', failed);
    try {
      await upload.done();
    } catch (error) {
      if (upload.uploadId !== undefined) await this.abandon({ key, id: upload.uploadId });
      if (!(content instanceof Uint8Array)) content.destroy();
      throw signal?.aborted ? signal.reason : (failure ?? storeError(error, this.address));
    } finally {
      signal?.removeEventListener('abort', stop);
      if (!(content instanceof Uint8Array)) content.off('error', failed);
    }
  }

  /** @returns undefined when there is no such object */
  async stat(key: string): Promise<S3Object | undefined> {
    const found = await this.unlessMissing(() => this.client.send(new this.packages.HeadObjectCommand(this.at(key))));
    return found && { key, size: found.ContentLength ?? 0, modifiedAt: found.LastModified?.getTime() ?? 0 };
  }

  /**
   * Opens an object, or a part of it; the caller must consume or destroy the stream.
   *
   * @returns undefined when there is no such object
   */
  async get(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const Range = range && `bytes=${range.start}-${Number.isFinite(range.end) ? range.end : ''}`;
    const command = new this.packages.GetObjectCommand({ ...this.at(key), Range });
    const found = await this.unlessMissing(() => this.client.send(command));
    // Of Node.js, the body is always a stream of Node.js.
    return found && (found.Body as Readable);
  }

  /** The objects whose keys begin with `prefix`, in the order of their keys. They may change meanwhile. */
  async *list(prefix = ''): AsyncGenerator<S3Object> {
    let after: string | undefined;
    do {
      const command = new this.packages.ListObjectsV2Command({ ...this.below(prefix), ContinuationToken: after });
      const page = await this.attempt(() => this.client.send(command));
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
        yield { key: this.withoutPrefix(Key), size: Size, modifiedAt: LastModified?.getTime() ?? 0 };
      }
      after = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (after !== undefined);
  }

  /**
   * Deletes an object; does nothing when there is none. The request is sent once: a repetition that the network holds back could delete what
   * is stored later.
   */
  async delete(key: string): Promise<void> {
    await this.attempt(() => this.impatient.send(new this.packages.DeleteObjectCommand(this.at(key))));
  }

  /** Uploads in parts that are not complete. Some stores do not list them, and return none. */
  async *unfinished(): AsyncGenerator<UnfinishedUpload> {
    let page: ListMultipartUploadsCommandOutput | undefined;
    do {
      const after = { KeyMarker: page?.NextKeyMarker, UploadIdMarker: page?.NextUploadIdMarker };
      const command = new this.packages.ListMultipartUploadsCommand({ ...this.below(''), ...after });
      page = await this.attempt(() => this.client.send(command).catch(unlessUnsupported));
      for (const { Key = '', UploadId = '', Initiated } of page?.Uploads ?? []) {
        yield { key: this.withoutPrefix(Key), id: UploadId, startedAt: Initiated?.getTime() ?? 0 };
      }
    } while (page?.IsTruncated === true);
  }

  /** Deletes the parts of an unfinished upload. @returns false when there is none any more */
  async abort({ key, id }: Pick<UnfinishedUpload, 'key' | 'id'>): Promise<boolean> {
    const command = new this.packages.AbortMultipartUploadCommand({ ...this.at(key), UploadId: id });
    return (await this.unlessMissing(() => this.client.send(command))) !== undefined;
  }

  /** An address at which anyone can read the object for a time. It is made without a request. @param seconds its lifetime */
  async signedUrl(key: string, { contentType, contentDisposition, cacheControl }: ContentHeaders, seconds: number): Promise<string> {
    const command = new this.packages.GetObjectCommand({
      ...this.at(key),
      ResponseContentType: contentType,
      ResponseContentDisposition: contentDisposition,
      ResponseCacheControl: cacheControl,
    });
    return this.attempt(() => this.packages.getSignedUrl(this.client, command, { expiresIn: seconds }));
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.location.bucket, Key: this.location.prefix + key };
  }

  private below(prefix: string): { Bucket: string; Prefix: string } {
    return { Bucket: this.location.bucket, Prefix: this.location.prefix + prefix };
  }

  private withoutPrefix(key: string): string {
    return key.slice(this.location.prefix.length);
  }

  /** Aborts an upload that failed already. */
  private async abandon(upload: Pick<UnfinishedUpload, 'key' | 'id'>): Promise<void> {
    try {
      await this.abort(upload);
    } catch (error) {
      this.log.warn('the parts of a failed upload are left in the store', { key: upload.key, reason: (error as AppError).message });
    }
  }

  private async unlessMissing<T>(request: () => Promise<T>): Promise<T | undefined> {
    return this.attempt(async () => {
      try {
        return await request();
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    });
  }

  private async attempt<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw storeError(error, this.address);
    }
  }
}

function unlessUnsupported(error: unknown): undefined {
  if (!isUnsupported(error)) throw error;
}
