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
    storage: multer.memoryStorage(),
    limits: { fileSize: maxBytes, files: MOST_FILES, fields: MOST_FIELDS, fieldSize: maxBytes },
    defParamCharset: 'utf8',
  }).any();
  await new Promise<void>((resolve, reject) => {
    void read(request as never, response as never, (error: unknown) => {
      if (!error) resolve();
      else if ((error as { code?: string }).code === 'LIMIT_FILE_SIZE') {
        reject(new AppError('PAYLOAD_TOO_LARGE', `The upload is larger than ${maxBytes} bytes`));
      } else reject(new AppError('VALIDATION_ERROR', `The multipart body cannot be read: ${(error as Error).message}`));
    });
  });
  const files = (request as unknown as { files?: UploadedFile[] }).files ?? [];
  if (files.reduce((sum, { size }) => sum + size, 0) > maxBytes) {
    throw new AppError('PAYLOAD_TOO_LARGE', `The upload is larger than ${maxBytes} bytes`);
  }
  return files.map(({ fieldname, originalname, encoding, mimetype, size, buffer }) => ({
    fieldname,
    originalname,
    encoding,
    mimetype,
    size,
    buffer,
  }));
}

async function bytesOf(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limitBytes) throw new AppError('PAYLOAD_TOO_LARGE', `The request body is larger than ${limitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function formOf(bytes: Buffer): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    const before = fields[name];
    fields[name] = before === undefined ? value : [before, value].flat();
  }
  return fields;
}
