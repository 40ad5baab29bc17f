import multer from 'multer';
import { AppError } from '../errors/index.js';
import type { HttpRequest, HttpResponse } from './express.js';

/** A file of a multipart body, in memory. */
export interface UploadedPart {
  readonly fieldname: string;
  /** As the sender named it; not to be trusted as a path. */
  readonly originalname: string;
  readonly encoding: string;
  /** As the sender declared it. */
  readonly mimetype: string;
  readonly size: number;
  readonly buffer: Buffer;
}

export interface UploadLimits {
  /** Most bytes of all files together. */
  readonly maxBytes: number;
  readonly maxFiles: number;
  readonly maxFields: number;
  /** Most bytes of one field that is no file, and about those of all of them together. */
  readonly maxFieldBytes: number;
  /** What too large a file is refused with. */
  readonly tooLarge: (maxBytes: number) => AppError;
  /** Called before bytes of a file are kept; what it throws refuses the upload. */
  readonly keep?: (bytes: number) => void;
}

/** A name such as `a[b][3]` makes objects and lists; a list has as many places as its largest number says. */
export const FIELD_NAMES = { fieldNestingDepth: 20, fieldArrayIndexLimit: 1000 } as const;

// Names, headers and boundaries.
const FRAME_BYTES = 1024 * 1024;

export interface MultipartBody {
  readonly files: readonly UploadedPart[];
  readonly fields: Record<string, unknown>;
}

/** Whether the request announces a multipart body. */
export function isMultipart(request: HttpRequest): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
}

/**
 * Reads a multipart body into memory, never more than its limits allow: what exceeds them is read over, not kept.
 *
 * @throws AppError that `tooLarge` makes, PAYLOAD_TOO_LARGE for too many or too large fields, VALIDATION_ERROR for a body that
 *   cannot be read, and what `keep` throws
 */
export async function readMultipart(request: HttpRequest, response: HttpResponse, limits: UploadLimits): Promise<MultipartBody> {
  const storage = new BoundedMemory(limits);
  const read = multer({
    storage,
    limits: { files: limits.maxFiles, fields: limits.maxFields, fieldSize: limits.maxFieldBytes, ...FIELD_NAMES },
    defParamCharset: 'utf8',
  }).any();
  let arrived = 0;
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      arrived += chunk.length;
      if (arrived <= limits.maxBytes + limits.maxFieldBytes + FRAME_BYTES) return;
      const failure = limits.tooLarge(limits.maxBytes);
      storage.refuse(failure);
      reject(failure);
      // What still comes is read over.
      request.unpipe();
      request.resume();
    });
    void read(request as never, response as never, (error: unknown) => {
      if (!error) return resolve();
      const failure = uploadError(error as Error & { code?: string }, limits);
      storage.refuse(failure);
      reject(failure);
    });
  });
  const files = (request as unknown as { files?: UploadedPart[] }).files ?? [];
  return {
    files: files.map(({ fieldname, originalname, encoding, mimetype, size, buffer }) => ({
      fieldname,
      originalname,
      encoding,
      mimetype,
      size,
      buffer,
    })),
    fields: { ...(request.body as object) },
  };
}

function uploadError(error: Error & { code?: string }, limits: UploadLimits): AppError {
  if (error instanceof AppError) return error;
  switch (error.code) {
    case 'LIMIT_FIELD_VALUE':
      return new AppError('PAYLOAD_TOO_LARGE', `The upload has a field larger than ${limits.maxFieldBytes} bytes`);
    case 'LIMIT_FILE_COUNT':
      return new AppError('PAYLOAD_TOO_LARGE', `The upload has more than ${limits.maxFiles} files`);
    case 'LIMIT_FIELD_COUNT':
      return new AppError('PAYLOAD_TOO_LARGE', `The upload has more than ${limits.maxFields} fields`);
    default:
      return new AppError('VALIDATION_ERROR', `The multipart body cannot be read: ${error.message}`);
  }
}

/** Keeps the files of one upload in memory, and nothing of them once they are too large together. */
class BoundedMemory implements multer.StorageEngine {
  private total = 0;
  private refusal: unknown;

  constructor(private readonly limits: UploadLimits) {}

  /** Keeps nothing of what still comes. */
  refuse(reason: unknown): void {
    this.refusal ??= reason;
  }

  _handleFile(
    _request: unknown,
    file: Pick<Express.Multer.File, 'stream'>,
    done: (error?: unknown, info?: Partial<Express.Multer.File>) => void,
  ): void {
    const chunks: Buffer[] = [];
    file.stream.on('data', (chunk: Buffer) => {
      this.total += chunk.length;
      this.refusal ??= this.refusalOf(chunk.length);
      if (this.refusal === undefined) chunks.push(chunk);
      else chunks.length = 0;
    });
    file.stream.once('error', done);
    file.stream.once('end', () => {
      if (this.refusal !== undefined) return done(this.refusal);
      const buffer = Buffer.concat(chunks);
      done(null, { buffer, size: buffer.length });
    });
  }

  _removeFile(_request: unknown, _file: unknown, done: (error: Error | null) => void): void {
    done(null);
  }

  private refusalOf(bytes: number): unknown {
    const { maxBytes, tooLarge, keep } = this.limits;
    if (this.total > maxBytes) return tooLarge(maxBytes);
    try {
      keep?.(bytes);
      return undefined;
    } catch (error) {
      return error;
    }
  }
}
