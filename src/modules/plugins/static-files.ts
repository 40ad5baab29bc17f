import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import send from 'send';
import type { HttpRequest, HttpResponse } from '../../core/http/index.js';

/**
 * The file or folder that a STATIC route serves, with links resolved.
 *
 * @throws Error when it is not there, or not inside the plugin's folder
 */
export async function staticRoot(folder: string, filePath: string): Promise<{ root: string; file?: string }> {
  const [home, target] = await Promise.all([realpath(folder), realpath(resolve(folder, filePath))]).catch(() => {
    throw new Error(`its file path ${filePath} does not exist`);
  });
  if (target !== home && !target.startsWith(home + sep)) throw new Error(`its file path ${filePath} leads out of the plugin's folder`);
  return (await stat(target)).isDirectory() ? { root: target } : { root: dirname(target), file: basename(target) };
}

/**
 * Serves one file of a STATIC route, with conditional requests and ranges. What lies outside its root, through links neither,
 * and what begins with a dot is not found.
 *
 * @param rest what follows the route's path in the request, still encoded
 * @returns false when there is no such file; nothing is sent then
 */
export async function serveFile(
  request: HttpRequest,
  response: HttpResponse,
  place: { root: string; file?: string },
  rest: string,
): Promise<boolean> {
  const wanted = place.file === undefined ? decoded(rest) : rest === '' ? place.file : undefined;
  if (wanted === undefined) return false;
  const path = resolve(place.root, wanted === '' ? '.' : wanted);
  let real: string;
  try {
    real = await realpath(path);
    if ((await stat(real)).isDirectory()) {
      real = await realpath(resolve(real, 'index.html'));
      // Without the slash the page's own links would lead to the folder above.
      if (isInside(real, place.root) && !request.path.endsWith('/')) {
        const [address = '', ...query] = request.originalUrl.split('?');
        response.redirect(301, [`${address}/`, ...query].join('?'));
        return true;
      }
    }
  } catch {
    return false;
  }
  if (!isInside(real, place.root)) return false;
  return new Promise((done, fail) => {
    send(request, encodeURI(relative(place.root, real)).replaceAll('?', '%3F').replaceAll('#', '%23'), {
      root: place.root,
      dotfiles: 'ignore',
      index: false,
    })
      .on('error', (error: Error & { status?: number; headers?: Record<string, string> }) => {
        if (error.status === 404) done(false);
        else if (error.status === 412 || error.status === 416) {
          for (const [name, value] of Object.entries(error.headers ?? {})) response.setHeader(name, value);
          response.status(error.status).end();
        } else fail(error);
      })
      .on('end', () => done(true))
      .pipe(response);
    response.once('close', () => done(true));
  });
}

function isInside(path: string, root: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function decoded(rest: string): string | undefined {
  try {
    const path = decodeURIComponent(rest);
    const parts = path.split(/[\\/]/);
    return path.includes('\0') || parts.includes('..') || parts.some((part) => part.startsWith('.')) ? undefined : path;
  } catch {
    return undefined;
  }
}
