import type { TestRequest } from '../testing-types.js';

interface RequestContent {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly rawBody: Buffer;
  /** Parsed. */
  readonly body: unknown;
}

/** The headers and the body of a request as the server would receive and parse them. */
export function contentOf({ headers = {}, body, files = [] }: TestRequest): RequestContent {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const type = given['content-type'] ?? (files.length > 0 ? 'multipart/form-data' : body === undefined || raw ? '' : 'application/json');
  const bytes = body === undefined || files.length > 0 ? '' : raw ? body : JSON.stringify(body);
  const rawBody = typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { headers: type === '' ? given : { ...given, 'content-type': type }, rawBody, body: raw ? parsed(type, rawBody) : body };
}

function parsed(type: string, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (/^application\/([^;\s]+\+)?json\b/.test(type)) return JSON.parse(bytes.toString()) as unknown;
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(bytes.toString()));
  return type === '' || type.startsWith('text/') ? bytes.toString() : bytes;
}
