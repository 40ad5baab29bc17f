/**
 * First parts of the paths that have been the server's own since plugins can bring routes.
 *
 * A path is answered by the first of these that can: (1) the server below these parts, (2) routes of plugins, (3) the server
 * elsewhere, (4) a plugin's `STATIC /`, (5) the page at `/`. So this list does not grow: whatever else the server comes to
 * answer is of the third rank by itself, and no plugin that has worked is kept from loading by it (decision 20).
 */
const OWN_PARTS: ReadonlySet<string> = new Set(['api', 'health', 'healthz', 'media', 'socket.io', 'websocket']);

/** Whether a path is of the first rank, however its first part is written. */
export function isOwnPath(path: string): boolean {
  return OWN_PARTS.has(firstPart(path));
}

function firstPart(path: string): string {
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
