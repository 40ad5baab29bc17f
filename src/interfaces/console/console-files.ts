import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../core/config/index.js';
import { fileContent, sendContent, type HttpRequest, type HttpResponse } from '../../core/http/index.js';

/** Where the build writes the console; the same for compiled files and for sources. */
const ROOT = fileURLToPath(new URL('../../../dist/console/', import.meta.url));
/** Name of a file with the hash of its content. */
const ASSET = /^[\w.-]+-[\w-]{8}\.(js|css|woff2|svg)$/;

/** The file that the build has compressed ahead, by what the client accepts, best first. */
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

/** Sends the page of the console; scripts in it decide what it shows at which address. */
export async function sendPage(request: HttpRequest, response: HttpResponse): Promise<void> {
  const host = request.get('host');
  response.vary('Accept');
  response.set({
    'Content-Security-Policy': policy(host !== undefined && HOST.test(host) ? host : undefined),
    'Permissions-Policy': 'microphone=(self), camera=(), geolocation=()',
    'Cache-Control': 'no-cache',
  });
  if (!(await sendFile(request, response, 'index.html'))) response.status(503).type('html').send(NOT_BUILT);
}

/** Sends a script, style sheet, font or picture of the console. @returns false when it does not exist */
export async function sendAsset(request: HttpRequest, response: HttpResponse, name: string): Promise<boolean> {
  if (!ASSET.test(name)) return false;
  response.set('Cache-Control', 'public, max-age=31536000, immutable');
  if (await sendFile(request, response, join('console-assets', name))) return true;
  response.removeHeader('Cache-Control');
  return false;
}

async function sendFile(request: HttpRequest, response: HttpResponse, path: string): Promise<boolean> {
  const plain = await fileContent(join(ROOT, path));
  if (!plain) return false;
  response.vary('Accept-Encoding').type(plain.extension);
  const accepted = request.acceptsEncodings(ENCODINGS.map(([encoding]) => encoding));
  for (const [encoding, extension] of ENCODINGS) {
    if (accepted !== encoding) continue;
    const compressed = await fileContent(join(ROOT, path + extension));
    if (!compressed) continue;
    response.set('Content-Encoding', encoding);
    await sendContent(request, response, compressed);
    return true;
  }
  await sendContent(request, response, plain);
  return true;
}
