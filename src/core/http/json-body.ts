import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type InputType, type ZlibOptions } from 'node:zlib';
import { AppError } from '../errors/index.js';
import { arrivingBody, readBytes } from './arriving-body.js';
import { textReader, withoutMark, type TextReader } from './body-text.js';
import type { HttpRequest } from './express.js';
import { hasMoreValues } from './json-values.js';
import { UNSUPPORTED_BODY } from './validation.pipe.js';

const JSON_TYPE = /^\s*application\/(?:json|[\w.!#$&^-]+\+json)\s*(?:;|$)/i;

type Unpack = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;
const ENCODINGS: Readonly<Record<string, Unpack | undefined>> = {
  gzip: promisify<InputType, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<InputType, ZlibOptions, Buffer>(inflate),
  br: promisify<InputType, object, Buffer>(brotliDecompress),
};

type BodyRequest = HttpRequest & { rawBody?: Buffer };

/**
 * Reads and parses a JSON body, and keeps its exact bytes as `rawBody`, over which signatures are computed. An empty body counts as absent. A
 * body with another media type stays unread and is marked as `UNSUPPORTED_BODY`, so that it can be rejected with 415.
 *
 * @param limit bytes, also of a compressed body once it is unpacked
 * @param most values in its lists and objects
 * @returns a promise only when there is something to read
 * @throws errors with the status and type that body-parser gives them; AppError VALIDATION_ERROR for too many values, as `textReader`, and
 *   as `ArrivingBody.watch` refuses
 */
export function readJsonBody(request: BodyRequest, limit: number, most: number): Promise<void> | undefined {
  const { headers } = request;
  const length = Number(headers['content-length'] ?? 0);
  const isChunked = headers['transfer-encoding'] !== undefined;
  if (!isChunked && !(length > 0)) return undefined;
  const type = headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type)) {
    request.body = UNSUPPORTED_BODY;
    return undefined;
  }
  const text = textReader(type);
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  const unpack = ENCODINGS[encoding];
  if (encoding !== 'identity' && unpack === undefined) {
    throw failure(new Error(`unsupported content encoding "${encoding}"`), 'encoding.unsupported', 415);
  }
  if (length > limit) throw tooLarge();
  return read(request, { limit, most }, text, unpack);
}

async function read(
  request: BodyRequest,
  { limit, most }: { readonly limit: number; readonly most: number },
  textOf: TextReader,
  unpack: Unpack | undefined,
): Promise<void> {
  const arrived = await readBytes(request, limit, tooLarge);
  const bytes = unpack && arrived.length > 0 ? await unpacked(request, arrived, unpack, limit) : arrived;
  request.rawBody = bytes;
  if (bytes.length === 0) return;
  const text = withoutMark(textOf(bytes));
  if (hasMoreValues(text, most)) throw tooManyValues(most);
  try {
    request.body = text === '' ? {} : (JSON.parse(text) as unknown);
  } catch (error) {
    throw failure(error, 'entity.parse.failed');
  }
}

async function unpacked(request: BodyRequest, packed: Buffer, unpack: Unpack, limit: number): Promise<Buffer> {
  // How much it becomes shows only afterwards.
  arrivingBody(request).hold(limit);
  try {
    return await unpack(packed, { maxOutputLength: limit });
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : failure(error, 'encoding.invalid');
  }
}

function tooManyValues(most: number): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    `The request body has more than ${most} values in its lists and objects.`,
    'Keys count as values too. Send fewer in each request.',
  );
}

function tooLarge(): Error {
  return failure(new Error('request entity too large'), 'entity.too.large', 413);
}

function failure(error: unknown, type: string, status = 400): Error {
  return Object.assign(error as Error, { status, type });
}
