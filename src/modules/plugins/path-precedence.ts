/**
 * First segments of the paths that are reserved for the server.
 *
 * The first match handles a request: (1) server routes under these segments, (2) plugin routes, (3) other server routes, (4) a plugin's
 * `STATIC /`, (5) the page at `/`. This list must not grow: new server routes get the third precedence, so that they never conflict with
 * existing plugins (decision 20).
 */
const SERVER_SEGMENTS: ReadonlySet<string> = new Set(['api', 'health', 'healthz', 'media', 'socket.io', 'websocket']);

/** Whether a path has the first precedence, regardless of case and encoding. */
export function isServerPath(path: string): boolean {
  return SERVER_SEGMENTS.has(firstSegment(path));
}

function firstSegment(path: string): string {
  const [, part = ''] = path.split('/', 2);
  return (part.includes('%') ? (decoded(part).split(/[\\/]/, 1)[0] ?? '') : part).toLowerCase();
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
