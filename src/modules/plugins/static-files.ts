import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { fileContent, sendContent, type HttpRequest, type HttpResponse } from '../../core/http/index.js';

/**
 * Resolves the file or folder that a STATIC route serves, following symbolic links.
 *
 * @throws Error when it does not exist or lies outside the plugin's folder
 */
export async function resolveStaticRoot(folder: string, filePath: string): Promise<{ root: string; file?: string }> {
  const [home, target] = await Promise.all([realpath(folder), realpath(resolve(folder, filePath))]).catch(() => {
    throw new Error(`its file path ${filePath} does not exist`);
  });
  if (target !== home && !target.startsWith(home + sep)) throw new Error(`its file path ${filePath} is outside the plugin's folder`);
  return (await stat(target)).isDirectory() ? { root: target } : { root: dirname(target), file: basename(target) };
}

/**
 * Serves a file of a STATIC route, with conditional requests and ranges. Files outside the root, also through symbolic links, and names
 * that begin with a dot are not served.
 *
 * @param rest the request path after the route's path, still percent-encoded
 * @returns false, without sending a response, when the file does not exist
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
      // Without the trailing slash, relative links of the page would resolve against the parent folder.
      if (isInside(real, place.root) && !request.path.endsWith('/')) {
        const [address = '', ...query] = request.originalUrl.split('?');
        response.redirect(301, [`${address}/`, ...query].join('?'));
        return true;
      }
    }
  } catch {
    return false;
  }
  if (!isInside(real, place.root) || hasDotName(relative(place.root, real))) return false;
  const content = await fileContent(real);
  if (!content) return false;
  response.type(content.extension);
  if (!response.hasHeader('Cache-Control')) response.set('Cache-Control', 'public, max-age=0');
  await sendContent(request, response, content);
  return true;
}

function isInside(path: string, root: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function hasDotName(path: string): boolean {
  return path.split(/[\\/]/).some((part) => part.startsWith('.'));
}

function decoded(rest: string): string | undefined {
  try {
    const path = decodeURIComponent(rest);
    return path.includes('\0') || hasDotName(path) ? undefined : path;
  } catch {
    return undefined;
  }
}
