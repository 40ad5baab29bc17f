import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import multer from 'multer';
import { AppError } from '../errors/index.js';
import { newId } from '../ids/index.js';
import { FIELD_NAMES } from './multipart.js';
import { UNREAD_BODY } from './validation.pipe.js';
import type { HttpRequest, HttpResponse } from './express.js';

/** A file that came in, still under a temporary name. */
export interface Upload {
  /** Where it lies; whoever asked for the upload moves it away or discards it. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of its content, hexadecimal. */
  readonly hash: string;
  /** Last part of the name that the sender gave it; nothing to build a path from. */
  readonly originalName: string;
  /** Media type that the sender says it has, lower case, without parameters. */
  readonly declaredType: string;
  /** The other fields of the form. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Removes the file if it still lies there. */
  discard(): Promise<void>;
}

const FIELD = 'file';
const MOST_FIELDS = 50;
const LARGEST_FIELD_BYTES = 100_000;
// Everything in a multipart body but the file.
const FRAME_BYTES = MOST_FIELDS * LARGEST_FIELD_BYTES;
const LONGEST_NAME = 255;

/**
 * Reads a multipart body with exactly one file, in the field `file`, and writes the file into a folder while it comes in. What is
 * refused, or cut off by its sender, leaves nothing behind.
 *
 * @param folder where the file is put; made when it is not there
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for a body of another kind, FILE_TOO_LARGE, VALIDATION_ERROR, STORAGE_FULL
 */
export async function receiveUpload(
  request: HttpRequest,
  response: HttpResponse,
  { folder, limitBytes }: { folder: string; limitBytes: number },
): Promise<Upload> {
  if (request.body !== UNREAD_BODY) throw noFile();
  if (!/^multipart\/form-data\s*;/i.test(request.get('content-type') ?? '')) {
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The request body must be multipart/form-data.',
      `Send the file in its field "${FIELD}", with a boundary in the Content-Type.`,
    );
  }
  if (Number(request.get('content-length') ?? 0) > limitBytes + FRAME_BYTES) throw tooLarge(limitBytes);
  await mkdir(folder, { recursive: true });
  const storage = new FolderStorage(folder);
  const read = multer({
    storage,
    limits: { files: 1, fileSize: limitBytes, fields: MOST_FIELDS, fieldSize: LARGEST_FIELD_BYTES, ...FIELD_NAMES },
    defParamCharset: 'utf8',
  }).single(FIELD);
  await new Promise<void>((resolve, reject) => {
    void read(request as never, response as never, (error: unknown) => {
      if (error) reject(uploadError(error as Error & { code?: string }, limitBytes));
      else resolve();
    });
  });
  const { file } = request as unknown as { file?: Stored };
  if (!file) throw noFile();
  const discard = (): Promise<void> => rm(file.path, { force: true });
  if (file.size === 0) {
    await discard();
    throw new AppError('VALIDATION_ERROR', `${FIELD} must not be empty`, 'The uploaded file has 0 bytes.');
  }
  return {
    path: file.path,
    size: file.size,
    hash: file.hash,
    originalName: plainName(file.originalname),
    declaredType: (file.mimetype.split(';')[0] ?? '').trim().toLowerCase(),
    fields: { ...(request.body as Record<string, unknown>) },
    discard,
  };
}

interface Stored extends Express.Multer.File {
  readonly hash: string;
}

/** Writes files under names of its own and reads their hash on the way; on disk when it says so. */
class FolderStorage implements multer.StorageEngine {
  constructor(private readonly folder: string) {}

  _handleFile(
    _request: unknown,
    file: Pick<Express.Multer.File, 'stream'>,
    done: (error?: unknown, info?: Partial<Express.Multer.File> & { hash: string }) => void,
  ): void {
    const path = join(this.folder, `${newId()}.part`);
    const hash = createHash('sha256');
    let size = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        size += chunk.length;
        hash.update(chunk);
        next(null, chunk);
      },
    });
    pipeline(file.stream, measure, createWriteStream(path, { flags: 'wx', flush: true })).then(
      () => done(null, { path, size, hash: hash.digest('hex') }),
      (error: unknown) => {
        void rm(path, { force: true }).finally(() => done(error));
      },
    );
  }

  _removeFile(_request: unknown, { path }: { path?: string }, done: (error: Error | null) => void): void {
    if (path === undefined) done(null);
    else rm(path, { force: true }).then(() => done(null), done);
  }
}

function uploadError(error: Error & { code?: string }, limitBytes: number): Error {
  if (error instanceof AppError) return error;
  if (error.code === 'ENOSPC') return new AppError('STORAGE_FULL', 'The disk is full.', 'The file was not kept.', error);
  if ('syscall' in error) return error;
  switch (error.code) {
    case 'LIMIT_FILE_SIZE':
      return tooLarge(limitBytes);
    case 'LIMIT_UNEXPECTED_FILE':
    case 'LIMIT_FILE_COUNT':
      return new AppError('VALIDATION_ERROR', `${FIELD} must be the one file of the upload`, `Send one file, in the field "${FIELD}".`);
    case 'LIMIT_FIELD_COUNT':
    case 'LIMIT_FIELD_VALUE':
    case 'LIMIT_FIELD_KEY':
      return new AppError(
        'PAYLOAD_TOO_LARGE',
        'The form beside the file is too large.',
        `It may have ${MOST_FIELDS} fields of ${LARGEST_FIELD_BYTES} bytes.`,
      );
    default:
      return new AppError('BAD_REQUEST', 'The multipart body cannot be read.', `${error.message}; nothing was kept.`, error);
  }
}

function noFile(): AppError {
  return new AppError('VALIDATION_ERROR', `${FIELD} must be a file`, `Send multipart/form-data with one file in the field "${FIELD}".`);
}

function tooLarge(limitBytes: number): AppError {
  return new AppError(
    'FILE_TOO_LARGE',
    `${FIELD} must have at most ${limitBytes} bytes`,
    'Send a smaller file, or raise UPLOAD_LIMIT_BYTES.',
  );
}

/** The last part of a name, without what could be mistaken for a path or breaks a line. */
function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  return [...last.replaceAll(/\p{Cc}/gu, '')].slice(0, LONGEST_NAME).join('') || FIELD;
}
