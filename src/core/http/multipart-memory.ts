import type { Readable } from 'node:stream';
import { AppError } from '../errors/index.js';
import type { HttpRequest, HttpResponse } from './express.js';
import { parseMultipart, type FilePart, type FileSink } from './multipart.js';

/** A file of a multipart body, in memory. */
export interface UploadedPart extends FilePart {
  readonly size: number;
  readonly buffer: Buffer;
}

export interface UploadLimits {
  /** Maximum size of all files together, bytes. */
  readonly maxBytes: number;
  readonly maxFiles: number;
  readonly maxFields: number;
  /** Maximum size of one non-file field, bytes; also the approximate maximum of all of them together. */
  readonly maxFieldBytes: number;
  /** Error for files that exceed `maxBytes`. */
  readonly tooLarge: (maxBytes: number) => AppError;
  /** Called before bytes of a file are buffered; an error that it throws rejects the upload. */
  readonly reserve?: (bytes: number) => void;
}

// Part names, headers and boundaries.
const OVERHEAD_BYTES = 1024 * 1024;

export interface MultipartBody {
  readonly files: readonly UploadedPart[];
  readonly fields: Record<string, unknown>;
}

/**
 * Reads a multipart body into memory, within the limits. A body beyond them is refused as soon as it is, and its rest discarded.
 *
 * @throws AppError of `tooLarge`, PAYLOAD_TOO_LARGE for too many or too large fields, VALIDATION_ERROR for a malformed body, and the
 *   errors of `reserve`; as `ArrivingBody.watch` refuses
 */
export async function readMultipart(request: HttpRequest, response: HttpResponse, limits: UploadLimits): Promise<MultipartBody> {
  const { files, fields } = await parseMultipart(request, response, {
    sink: new BoundedMemory(limits),
    limits: { files: limits.maxFiles, fields: limits.maxFields, fieldSize: limits.maxFieldBytes },
    errorOf: (error) => errorOf(error, limits),
    body: {
      maxBytes: limits.maxBytes + limits.maxFieldBytes + OVERHEAD_BYTES,
      tooLarge: () => limits.tooLarge(limits.maxBytes),
    },
  });
  return { files: files.map(({ part, written }) => ({ ...part, size: written.length, buffer: written })), fields };
}

function errorOf(error: Error & { code?: string }, limits: UploadLimits): AppError {
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

/** Buffers the files of one upload in memory, within their limits. */
class BoundedMemory implements FileSink<Buffer> {
  private total = 0;

  constructor(private readonly limits: UploadLimits) {}

  write(content: Readable): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const fail = (error: Error): void => {
        chunks.length = 0;
        reject(error);
        content.off('data', keep).resume();
      };
      const keep = (chunk: Buffer): void => {
        try {
          this.admit(chunk.length);
          chunks.push(chunk);
        } catch (error) {
          fail(error as Error);
        }
      };
      content.on('data', keep);
      content.once('error', fail);
      content.once('end', () => resolve(Buffer.concat(chunks)));
    });
  }

  remove(): Promise<void> {
    return Promise.resolve();
  }

  private admit(bytes: number): void {
    const { maxBytes, tooLarge, reserve } = this.limits;
    this.total += bytes;
    if (this.total > maxBytes) throw tooLarge(maxBytes);
    reserve?.(bytes);
  }
}
