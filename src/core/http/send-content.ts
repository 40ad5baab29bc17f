import { open, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HttpRequest, HttpResponse } from './express.js';

/** Stored content of which ranges can be sent. */
export interface SendableContent {
  /** Bytes. */
  readonly size: number;
  /** Entity tag, quoted as in the header. Different content has a different tag. */
  readonly etag: string;
  /** Epoch ms. */
  readonly modifiedAt: number;
  /** Opens a byte range (inclusive, from 0), or the whole content. */
  open(range?: { readonly start: number; readonly end: number }): Promise<Readable>;
  /** Where else the content can be read, and for how long clients may use this address; undefined sends it from here. */
  elsewhere?(): Promise<{ readonly url: string; readonly maxAgeS: number } | undefined>;
}

/** A local file as content, with its extension. Undefined when the path is not a file. */
export async function fileContent(path: string): Promise<(SendableContent & { readonly extension: string }) | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  return {
    size: found.size,
    etag: `W/"${found.size.toString(16)}-${found.mtime.getTime().toString(16)}"`,
    modifiedAt: found.mtime.getTime(),
    extension: extname(path),
    open: async (range) => (await open(path)).createReadStream(range),
  };
}

/**
 * Sends content, with support for conditional requests (304, 412) and a byte range (206, 416). A request for several ranges gets the whole
 * content. Content that can be read elsewhere is redirected to with 307. The caller sets headers such as Content-Type before.
 *
 * @throws the errors of `open`; nothing is sent then, and the headers of the content are removed
 */
export async function sendContent(request: HttpRequest, response: HttpResponse, content: SendableContent): Promise<void> {
  const { size, etag } = content;
  const modified = new Date(content.modifiedAt).toUTCString();
  response.set({ ETag: etag, 'Last-Modified': modified, 'Accept-Ranges': 'bytes' });
  if (preconditionFailed(request, etag, modified)) return empty(response, 412);
  if (request.fresh) return empty(response, 304);
  // A signed address is for GET only.
  const elsewhere = request.method === 'HEAD' ? undefined : await content.elsewhere?.();
  if (elsewhere) {
    removeHeaders(response);
    response.set({ Location: elsewhere.url, 'Cache-Control': `private, max-age=${elsewhere.maxAgeS}` });
    return void response.status(307).end();
  }
  const ranges = rangeApplies(request, etag, modified) ? request.range(size, { combine: true }) : undefined;
  if (ranges === -1) return empty(response.set('Content-Range', `bytes */${size}`), 416);
  const [range] = Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges : [];
  // Also for HEAD, which then fails as GET does.
  const body = await opened(response, content.open(range));
  if (range) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  response.set('Content-Length', String(range ? range.end - range.start + 1 : size));
  if (request.method === 'HEAD') {
    body.destroy();
    return void response.end();
  }
  await pipeline(body, response).catch((error: unknown) => {
    // The client disconnected.
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

async function opened(response: HttpResponse, body: Promise<Readable>): Promise<Readable> {
  try {
    return await body;
  } catch (error) {
    removeHeaders(response);
    throw error;
  }
}

/** Removes the headers that describe the content. */
function removeHeaders(response: HttpResponse): void {
  for (const name of ['Content-Type', 'Content-Disposition', 'Cache-Control', 'ETag', 'Last-Modified', 'Accept-Ranges']) {
    response.removeHeader(name);
  }
}

function empty(response: HttpResponse, status: number): void {
  for (const name of ['Content-Disposition', ...(status === 304 ? ['Content-Type'] : [])]) response.removeHeader(name);
  response.status(status).end();
}

function preconditionFailed(request: HttpRequest, etag: string, modified: string): boolean {
  const match = request.get('if-match');
  if (match !== undefined) return match.trim() !== '*' && !match.split(',').some((tag) => opaque(tag) === opaque(etag));
  const unmodifiedSince = Date.parse(request.get('if-unmodified-since') ?? '');
  return Date.parse(modified) > unmodifiedSince;
}

function rangeApplies(request: HttpRequest, etag: string, modified: string): boolean {
  const condition = request.get('if-range');
  if (condition === undefined) return true;
  return condition.includes('"') ? condition.includes(etag) : Date.parse(modified) <= Date.parse(condition);
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
