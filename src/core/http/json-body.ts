import express, { type NextFunction, type RequestHandler } from 'express';
import { inCurrentRequest } from '../context/request-context.js';
import type { HttpRequest } from './express.js';
import { UNSUPPORTED_BODY } from './validation.pipe.js';

/** UTF-8 is the only encoding of JSON; parameters other than the charset are left to Express. */
const PLAIN_JSON = /^application\/json(?:; ?charset=utf-8)?$/i;
const BYTE_ORDER_MARK = 0xfeff;

type BodyRequest = HttpRequest & { rawBody?: Buffer };

/**
 * Parses JSON bodies and keeps their exact bytes as `rawBody`, over which signatures are computed. An empty body counts as absent; a body with
 * another media type is marked as `UNSUPPORTED_BODY`, so that it can be rejected with 415.
 *
 * Plain bodies of a known length are read here. Express reads all others: chunked, compressed, too long ones and unusual media types. Its reader
 * allows for streams of any kind, which costs as much as the rest of a small request.
 *
 * @param limit bytes
 */
export function readJsonBody(limit: number): RequestHandler {
  // Not strict: the validation pipe rejects JSON that is not an object, with a more specific message.
  const json = express.json({ limit, strict: false, type: ['application/json', 'application/*+json'], verify: keepRawBody });
  return (request: BodyRequest, response, next) => {
    const { headers } = request;
    const length = Number(headers['content-length'] ?? 0);
    const isChunked = headers['transfer-encoding'] !== undefined;
    if (!isChunked && !(length > 0)) next();
    else if (!isChunked && length <= limit && headers['content-encoding'] === undefined && PLAIN_JSON.test(headers['content-type'] ?? '')) {
      readPlain(request, next);
    } else {
      json(request, response, (error?: unknown) => {
        if (error === undefined && request.rawBody?.length === 0) request.body = undefined;
        else if (error === undefined && request.body === undefined) request.body = UNSUPPORTED_BODY;
        next(error);
      });
    }
  };
}

function readPlain(request: BodyRequest, next: NextFunction): void {
  const chunks: Buffer[] = [];
  let isOver = false;
  // Events of the request are not in its context.
  const proceed = inCurrentRequest((error?: unknown) => {
    if (isOver) return;
    isOver = true;
    next(error);
  });
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('error', () => proceed(failure(new Error('request aborted'), 'request.aborted')));
  request.on('end', () => {
    request.rawBody = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    try {
      request.body = parse(request.rawBody.toString());
    } catch (error) {
      proceed(failure(error, 'entity.parse.failed'));
      return;
    }
    proceed();
  });
}

function parse(text: string): unknown {
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  return json === '' ? {} : JSON.parse(json);
}

/** An error with the status and type that Express's reader gives it. */
function failure(error: unknown, type: string): unknown {
  return Object.assign(error as Error, { status: 400, type });
}

function keepRawBody(request: object, _response: object, bytes: Buffer): void {
  (request as BodyRequest).rawBody = bytes;
}
