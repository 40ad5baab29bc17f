import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import { newId } from '../../core/ids/index.js';
import type { ByteRange } from './file-storage.js';

// Far longer than any upload.
const ABANDONED_MS = 60 * 60_000;

/** A file that was received completely. */
export interface IncomingFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  readonly read: (range?: ByteRange) => Promise<Readable>;
  readonly discard: () => Promise<void>;
}

/** Files that are being received, in the folder `incoming` of a folder. Processes may share it. */
export class IncomingFiles {
  private readonly folder: string;

  /** @param flush whether a received file is on disk, so that it can be moved into place */
  constructor(
    folder: string,
    private readonly clock: Clock,
    private readonly flush: boolean,
  ) {
    this.folder = join(folder, 'incoming');
  }

  /** @throws AppError STORAGE_FULL; the error of the stream. Nothing is left behind then. */
  async receive(content: Readable | Uint8Array): Promise<IncomingFile> {
    await mkdir(this.folder, { recursive: true });
    const path = join(this.folder, `${newId()}.part`);
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
      await pipeline(source, measure, createWriteStream(path, { flags: 'wx', flush: this.flush }));
    } catch (error) {
      await discard();
      throw codeOf(error) === 'ENOSPC' ? new AppError('STORAGE_FULL', 'The disk is full.', 'The file was not stored.', error) : error;
    }
    return { path, size, hash: digest.digest('hex'), read: (range) => openFile(path, range), discard };
  }

  /** Deletes files that a crash left behind. @param alone whether no other process uses the folder */
  async removeLeftovers(alone: boolean): Promise<void> {
    for (const path of await leftovers(this.folder, /\.part$/, this.clock, alone)) await rm(path, { force: true });
  }
}

/** The files of a folder with such a name that no process can be working on any more. @throws AppError STORAGE_UNAVAILABLE */
export async function leftovers(folder: string, name: RegExp, clock: Clock, alone: boolean): Promise<string[]> {
  const before = alone ? Number.POSITIVE_INFINITY : clock.now() - ABANDONED_MS;
  const found: string[] = [];
  for (const path of (await namesIn(folder)).filter((each) => name.test(each)).map((each) => join(folder, each))) {
    const file = await stat(path).catch(() => undefined);
    if (file && file.mtimeMs < before) found.push(path);
  }
  return found;
}

/** The names in a folder; none when it does not exist. @throws AppError STORAGE_UNAVAILABLE */
export async function namesIn(folder: string): Promise<string[]> {
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

/** @throws AppError MEDIA_NOT_FOUND */
export async function openFile(path: string, range?: ByteRange): Promise<Readable> {
  try {
    return (await open(path)).createReadStream(range);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new AppError('MEDIA_NOT_FOUND', 'No file has this URL.', 'Its content is not on this machine.', error);
  }
}

export function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}
