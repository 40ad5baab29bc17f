import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../core/config/index.js';
import { fileContent, sendContent, type HttpRequest, type HttpResponse } from '../../core/http/index.js';

/** Where the build writes the console; the same for compiled files and for sources. */
const ROOT = fileURLToPath(new URL('../../../dist/console/', import.meta.url));
/** Name of a file with the hash of its content. */
const ASSET = /^[\w.-]+-[\w-]{8}\.(js|css|woff2|svg)$/;

/** What the build has compressed ahead, the smallest first. Browsers list gzip before br without meaning to prefer it. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * Only this server's files, without inline scripts and styles. `ws:` and `wss:` are in `connect-src`, because Safari before 15.4 does not
 * count sockets of the same host as `'self'`.
 */
function policy(host: string | undefined): string {
  const sockets = host === undefined ? '' : ` ws://${host} wss://${host}`;
  return (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; " +
    `connect-src 'self'${sockets}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`
  );
}

// A host that is no host could add directives to the policy.
const HOST = /^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/i;

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Parley</title>
<h1>Parley</h1><p>The console is not built. Run <code>npm run build</code> and load this page again. The API is described at
<a href="/api/docs">/api/docs</a>.</p></html>
`;

/** Whether a request is one of a browser that is to have the console. */
export function wantsPage(request: HttpRequest, { console }: Pick<Config, 'console'>): boolean {
  return console === 'on' && request.accepts(['json', 'html']) === 'html';
}

/**
 * Sends the page of the console; scripts in it decide what it shows at which address.
 *
 * @param folder the built console
 */
export async function sendPage(request: HttpRequest, response: HttpResponse, folder = ROOT): Promise<void> {
  const host = request.get('host');
  response.vary('Accept').vary('Accept-Encoding');
  response.set({
    'Content-Security-Policy': policy(host !== undefined && HOST.test(host) ? host : undefined),
    'Permissions-Policy': 'microphone=(self), camera=(), geolocation=()',
    'Cache-Control': 'no-cache',
  });
  response.type('html');
  const page = await content(join(folder, 'index.html'));
  if (!page) {
    response.status(503).send(NOT_BUILT);
    return;
  }
  // Of the content: pages of two builds have the same size, and packages give all files the same time.
  response.set('ETag', `W/"${createHash('sha256').update(page).digest('base64url')}"`);
  for (const [encoding, extension] of ENCODINGS) {
    const compressed = request.acceptsEncodings(encoding) === encoding ? await content(join(folder, `index.html${extension}`)) : undefined;
    if (!compressed) continue;
    response.set('Content-Encoding', encoding).send(compressed);
    return;
  }
  response.send(page);
}

/** Sends a script, style sheet, font or picture of the console. @returns false when it does not exist */
export async function sendAsset(request: HttpRequest, response: HttpResponse, name: string): Promise<boolean> {
  if (!ASSET.test(name)) return false;
  const path = join(ROOT, 'console-assets', name);
  const plain = await fileContent(path);
  if (!plain) return false;
  response.vary('Accept-Encoding').set('Cache-Control', 'public, max-age=31536000, immutable').type(plain.extension);
  for (const [encoding, extension] of ENCODINGS) {
    const compressed = request.acceptsEncodings(encoding) === encoding ? await fileContent(path + extension) : undefined;
    if (!compressed) continue;
    response.set('Content-Encoding', encoding);
    await sendContent(request, response, compressed);
    return true;
  }
  await sendContent(request, response, plain);
  return true;
}

async function content(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
