import type { IncomingMessage } from 'node:http';
import { AppError } from '../../core/errors/index.js';
import { isMultipart, readMultipart, UNREAD_BODY, type HttpRequest, type HttpResponse } from '../../core/http/index.js';
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
  if (route.isMultipart === true && isMultipart(request)) {
    const maxBytes = route.maxBytes ?? MAX_UPLOAD_BYTES;
    const { files, fields: body } = await readMultipart(request, response, {
      maxBytes,
      maxFiles: MOST_FILES,
      maxFields: MOST_FIELDS,
      maxFieldBytes: maxBytes,
      tooLarge: (bytes) => new AppError('PAYLOAD_TOO_LARGE', `The upload is larger than ${bytes} bytes`),
    });
    return { body, rawBody: Buffer.alloc(0), files };
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
    if (Array.isArray(before)) before.push(value);
    else fields[name] = before === undefined ? value : [before, value];
  }
  return fields;
}
