import { AppError } from '../../core/errors/index.js';
import {
  formFields,
  isMultipart,
  readBytes,
  readMultipart,
  textReader,
  UNSUPPORTED_BODY,
  withoutMark,
  type HttpRequest,
  type HttpResponse,
} from '../../core/http/index.js';
import type { RouteRequest, UploadedFile } from '../../plugin-sdk/index.js';
import type { RouteMatch } from './route-table.js';

const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;
const MAX_FILES = 20;
const MAX_FIELDS = 200;
const JSON_TYPE = /^application\/([^;\s]+\+)?json\s*(;|$)/;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/;

/** The body of a plugin route's request. */
interface RouteBody {
  readonly body: unknown;
  readonly rawBody: Buffer;
  readonly files: readonly UploadedFile[];
}

/** Reads bodies that the JSON parser skipped. @throws AppError PAYLOAD_TOO_LARGE, VALIDATION_ERROR for a malformed multipart body; as `ArrivingBody.watch` refuses */
export async function readBody(
  request: HttpRequest,
  response: HttpResponse,
  { mounted: { route } }: RouteMatch,
  limitBytes: number,
): Promise<RouteBody> {
  const parsed: unknown = request.body;
  const raw = (request as unknown as { rawBody?: Buffer }).rawBody;
  if (parsed !== UNSUPPORTED_BODY) return { body: parsed, rawBody: raw ?? Buffer.alloc(0), files: [] };
  const type = (request.headers['content-type'] ?? '').toLowerCase();
  if (route.isMultipart === true && isMultipart(request)) {
    const maxBytes = route.maxBytes ?? MAX_UPLOAD_BYTES;
    const { files, fields: body } = await readMultipart(request, response, {
      maxBytes,
      maxFiles: MAX_FILES,
      maxFields: MAX_FIELDS,
      maxFieldBytes: maxBytes,
      tooLarge: (bytes) => new AppError('PAYLOAD_TOO_LARGE', `The upload is larger than ${bytes} bytes`),
    });
    return { body, rawBody: Buffer.alloc(0), files };
  }
  const rawBody = await readBytes(
    request,
    limitBytes,
    () => new AppError('PAYLOAD_TOO_LARGE', `The request body is larger than ${limitBytes} bytes`),
  );
  try {
    return { body: parseBody(type, rawBody), rawBody, files: [] };
  } catch (error) {
    // The signature decides first whether its sender is told anything.
    if (route.webhook && isUnreadable(error)) return { body: undefined, rawBody, files: [] };
    throw error;
  }
}

/** Whether a body arrived whole, and is not what its Content-Type says. */
export function isUnreadable(error: unknown): boolean {
  const { type } = error as { type?: string };
  return type === 'charset.invalid' || type === 'entity.parse.failed';
}

/** Parses a body by its content type. @throws SyntaxError for invalid JSON; as `textReader` and its readers */
export function parseBody(contentType: string, rawBody: Buffer): unknown {
  const type = contentType.toLowerCase();
  if (rawBody.length === 0) return undefined;
  if (JSON_TYPE.test(type)) return JSON.parse(withoutMark(textReader(type)(rawBody))) as unknown;
  if (FORM_TYPE.test(type)) return formFields(rawBody, textReader(type));
  return type.startsWith('text/') ? withoutMark(textReader(type)(rawBody)) : rawBody;
}

export function toRouteRequest(request: HttpRequest, found: RouteMatch, read: RouteBody, signal: AbortSignal): RouteRequest {
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
