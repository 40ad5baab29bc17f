import { AppError } from '../errors/index.js';
import { parseMultipart, type FileSink } from './multipart.js';
import { UNSUPPORTED_BODY } from './validation.pipe.js';
import type { HttpRequest, HttpResponse } from './express.js';
import { firstCharacters } from '../text/index.js';

/** An uploaded file. */
export interface Upload<T> {
  /** The stored content; the caller keeps or removes it. */
  readonly content: T;
  /** Base name given by the sender; must not be used as a path. */
  readonly originalName: string;
  /** Media type declared by the sender, lower case, without parameters. */
  readonly declaredType: string;
  /** Charset declared by the sender. */
  readonly declaredCharset?: string;
}

const FIELD = 'file';
const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 20_000;
// Maximum size of a multipart body without the file, which goes to the storage as it arrives.
const OVERHEAD_BYTES = MAX_FIELDS * MAX_FIELD_BYTES;
const MAX_NAME_LENGTH = 255;

/**
 * Reads a multipart body with exactly one file, in the field `file`, into a sink. A rejected or aborted upload leaves nothing there.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, FILE_TOO_LARGE, PAYLOAD_TOO_LARGE, VALIDATION_ERROR, BAD_REQUEST; errors of the sink
 */
export async function receiveUpload<T extends { readonly size: number }>(
  request: HttpRequest,
  response: HttpResponse,
  { sink, limitBytes }: { readonly sink: FileSink<T>; readonly limitBytes: number },
): Promise<Upload<T>> {
  if (request.body !== UNSUPPORTED_BODY) throw missingFile();
  if (!/^multipart\/form-data\s*;/i.test(request.get('content-type') ?? '')) {
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The request body must be multipart/form-data.',
      `Send the file in its field "${FIELD}", with a boundary in the Content-Type.`,
    );
  }
  if (Number(request.get('content-length') ?? 0) > limitBytes + OVERHEAD_BYTES) throw tooLarge(limitBytes);
  const { files } = await parseMultipart(request, response, {
    sink,
    fileField: FIELD,
    limits: { files: 1, fileSize: limitBytes, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES },
    errorOf: (error) => errorOf(error, limitBytes),
    body: { maxBytes: limitBytes + OVERHEAD_BYTES, tooLarge: () => tooLarge(limitBytes), keeps: OVERHEAD_BYTES },
  });
  const [file] = files;
  if (!file) throw missingFile();
  const { part, written } = file;
  if (written.size === 0) {
    await sink.remove(written);
    throw new AppError('VALIDATION_ERROR', `${FIELD} must not be empty`, 'The uploaded file has 0 bytes.');
  }
  return {
    content: written,
    originalName: safeName(part.originalname),
    declaredType: (part.mimetype.split(';')[0] ?? '').trim().toLowerCase(),
    declaredCharset: part.charset,
  };
}

function errorOf(error: Error & { code?: string }, limitBytes: number): Error {
  if (error instanceof AppError) return error;
  if ('syscall' in error) return error;
  switch (error.code) {
    case 'LIMIT_FILE_SIZE':
      return tooLarge(limitBytes);
    case 'LIMIT_UNEXPECTED_FILE':
    case 'LIMIT_FILE_COUNT':
      return unexpectedFile();
    case 'LIMIT_FIELD_COUNT':
    case 'LIMIT_FIELD_VALUE':
    case 'LIMIT_FIELD_KEY':
      return new AppError(
        'PAYLOAD_TOO_LARGE',
        'The form fields of the upload are too large.',
        `The limit is ${MAX_FIELDS} fields of ${MAX_FIELD_BYTES} bytes.`,
      );
    default:
      return new AppError('BAD_REQUEST', 'The multipart body cannot be read.', `${error.message}; nothing was kept.`, error);
  }
}

function unexpectedFile(): AppError {
  return new AppError('VALIDATION_ERROR', `${FIELD} must be the only file of the upload`, `Send one file, in the field "${FIELD}".`);
}

function missingFile(): AppError {
  return new AppError('VALIDATION_ERROR', `${FIELD} must be a file`, `Send multipart/form-data with one file in the field "${FIELD}".`);
}

function tooLarge(limitBytes: number): AppError {
  return new AppError(
    'FILE_TOO_LARGE',
    `${FIELD} must have at most ${limitBytes} bytes`,
    'Send a smaller file, or raise UPLOAD_LIMIT_BYTES.',
  );
}

/** The base name without path separators and control characters. */
function safeName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  return firstCharacters(last.replaceAll(/\p{Cc}/gu, ''), MAX_NAME_LENGTH) || FIELD;
}
