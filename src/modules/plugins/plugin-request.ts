import type { IncomingMessage } from 'node:http';
import multer from 'multer';
import { AppError } from '../../core/errors/index.js';
import { UNREAD_BODY, type HttpRequest, type HttpResponse } from '../../core/http/index.js';
import type { RouteRequest, UploadedFile } from '../../plugin-sdk/index.js';
import type { FoundRoute } from './route-table.js';

const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;
const MOST_FILES = 20;
const MOST_FIELDS = 200;
const JSON_TYPE = /^application\/([^;\s]+\+)?json\s*(;|$)/;

/** The body as a plugin route gets it: what the JSON parser left unread is read here. */
interface ReadBody {
  readonly body: unknown;
  readonly rawBody: Buffer;
  readonly files: readonly UploadedFile[];
}

/** @throws AppError PAYLOAD_TOO_LARGE, VALIDATION_ERROR for a broken multipart body */
export async function readBody(
  request: HttpRequest,
  response: HttpResponse,
  { mounted: { route } }: FoundRoute,
  limitBytes: number,
): Promise<ReadBody> {
  const parsed: unknown = request.body;
  const raw = (request as unknown as { rawBody?: Buffer }).rawBody;
  if (parsed !== UNREAD_BODY) return { body: parsed, rawBody: raw ?? Buffer.alloc(0), files: [] };
  const type = (request.headers['content-type'] ?? '').toLowerCase();
  if (route.isMultipart === true && type.startsWith('multipart/form-data')) {
    const files = await upload(request, response, route.maxBytes ?? MAX_UPLOAD_BYTES);
    return { body: { ...(request.body as object) }, rawBody: Buffer.alloc(0), files };
  }
  const rawBody = await bytesOf(request, limitBytes);
  return { body: parsedBody(type, rawBody), rawBody, files: [] };
}

/** What a handler gets for the bytes of a body. @throws SyntaxError for JSON that is none */
export function parsedBody(contentType: string, rawBody: Buffer): unknown {
  const type = contentType.toLowerCase();
  if (rawBody.length === 0) return undefined;
  if (JSON_TYPE.test(type)) {
    const [, charset = 'utf-8'] = /charset="?([\w-]+)/.exec(type) ?? [];
    return JSON.parse(new TextDecoder(charset).decode(rawBody)) as unknown;
  }
  if (type.startsWith('application/x-www-form-urlencoded')) return formOf(rawBody);
  return type.startsWith('text/') ? rawBody.toString('utf8') : rawBody;
}

export function routeRequest(request: HttpRequest, found: FoundRoute, read: ReadBody, signal: AbortSignal): RouteRequest {
  return {
    method: request.method,
    path: request.path,
    url: request.originalUrl,
    params: found.params,
    query: request.query as RouteRequest['query'],
    headers: request.headers,
    body: read.body,
    rawBody: read.rawBody,
    ip: request.ip ?? '',
    file: read.files[0],
    files: read.files,
    signal,
  };
}

async function upload(request: HttpRequest, response: HttpResponse, maxBytes: number): Promise<UploadedFile[]> {
  const read = multer({
    storage: new BoundedMemory(maxBytes),
    limits: { files: MOST_FILES, fields: MOST_FIELDS, fieldSize: maxBytes },
    defParamCharset: 'utf8',
  }).any();
  await new Promise<void>((resolve, reject) => {
    void read(request as never, response as never, (error: unknown) => {
      if (!error) resolve();
      else reject(uploadError(error as Error & { code?: string }, maxBytes));
    });
  });
  const files = (request as unknown as { files?: UploadedFile[] }).files ?? [];
  return files.map(({ fieldname, originalname, encoding, mimetype, size, buffer }) => ({
    fieldname,
    originalname,
    encoding,
    mimetype,
    size,
    buffer,
  }));
}

function uploadError(error: Error & { code?: string }, maxBytes: number): AppError {
  if (error instanceof AppError) return error;
  if (error.code === 'LIMIT_FIELD_VALUE') return tooLarge(maxBytes);
  if (error.code === 'LIMIT_FILE_COUNT') return new AppError('PAYLOAD_TOO_LARGE', `The upload has more than ${MOST_FILES} files`);
  if (error.code === 'LIMIT_FIELD_COUNT') return new AppError('PAYLOAD_TOO_LARGE', `The upload has more than ${MOST_FIELDS} fields`);
  return new AppError('VALIDATION_ERROR', `The multipart body cannot be read: ${error.message}`);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The upload is larger than ${maxBytes} bytes`);
}

/** Keeps the files of one upload in memory, and nothing of them once they are too large together. */
class BoundedMemory implements multer.StorageEngine {
  private total = 0;

  constructor(private readonly maxBytes: number) {}

  _handleFile(
    _request: unknown,
    file: Pick<Express.Multer.File, 'stream'>,
    done: (error?: unknown, info?: Partial<Express.Multer.File>) => void,
  ): void {
    const chunks: Buffer[] = [];
    file.stream.on('data', (chunk: Buffer) => {
      this.total += chunk.length;
      if (this.total <= this.maxBytes) chunks.push(chunk);
      else chunks.length = 0;
    });
    file.stream.once('error', done);
    file.stream.once('end', () => {
      const buffer = Buffer.concat(chunks);
      if (this.total <= this.maxBytes) done(null, { buffer, size: buffer.length });
      else done(tooLarge(this.maxBytes));
    });
  }

  _removeFile(_request: unknown, _file: unknown, done: (error: Error | null) => void): void {
    done(null);
  }
}

/** Not by iterating: leaving an iteration early would cut the connection before the refusal is out. */
function bytesOf(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) chunks.push(chunk);
      else reject(new AppError('PAYLOAD_TOO_LARGE', `The request body is larger than ${limitBytes} bytes`));
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the request was cut off')));
  });
}

function formOf(bytes: Buffer): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    const before = fields[name];
    fields[name] = before === undefined ? value : [before, value].flat();
  }
  return fields;
}
