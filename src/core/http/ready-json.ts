import { createHash } from 'node:crypto';
import type { HttpRequest, HttpResponse } from './express.js';
import { endResponse } from './unread-responses.js';

/**
 * A response whose JSON text is ready: the complete body, with the operation's envelope. `EnvelopeAdapter` sends it as it is, in one write.
 * With an `etag`, a request whose `If-None-Match` has it gets 304 without a body.
 */
export class ReadyJson {
  /**
   * @param body UTF-8 text of the whole body. Bytes cost less than text when the same body is sent repeatedly
   * @param etag entity tag, quoted as in the header; different bodies of one URL have different tags
   */
  constructor(
    readonly body: string | Buffer,
    readonly etag?: string,
  ) {}

  /** Prevents serialization by other code. */
  toJSON(): never {
    throw new Error('a ready body can only be sent as the whole response of an operation');
  }
}

/**
 * A `ReadyJson` with an entity tag, typed as the payload in its body for the OpenAPI document. The tag is strong: equal tags mean equal bytes,
 * whichever process responds.
 */
export function readyJson<View>(body: Buffer): View {
  return new ReadyJson(body, `"${createHash('sha1').update(body).digest('base64url')}"`) as View;
}

/** Sends a ready body; the caller has set the status and the headers that do not depend on the body. */
export function sendReadyJson(request: HttpRequest, response: HttpResponse, { body, etag }: ReadyJson): void {
  if (etag !== undefined) {
    response.setHeader('ETag', etag);
    if (matches(request.headers['if-none-match'], etag)) {
      response.statusCode = 304;
      response.end();
      return;
    }
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', typeof body === 'string' ? Buffer.byteLength(body) : body.length);
  endResponse(response, request.method === 'HEAD' ? undefined : body);
}

/**
 * Whether If-None-Match has a tag (RFC 9110 section 13.1.2). Not `request.fresh`: it never is with `Cache-Control: no-cache`, which `fetch`
 * adds to each request with If-None-Match.
 */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const own = opaque(etag);
  return header.trim() === '*' || header.split(',').some((tag) => opaque(tag) === own);
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
