import { readdir } from 'node:fs/promises';
import { isOwnPath } from './path-ranks.js';
import type { LoadedPlugin } from './plugin-host.js';
import { overlaps, type BuiltInRoute, type MountedRoute } from './route-table.js';

/** What a route and others have in common. */
export interface RouteShadows {
  /** What the server, or a plugin's `STATIC /`, would answer without it. */
  readonly shadows: string[];
  /** What answers in its place. */
  readonly shadowedBy: string[];
}

/** @param plugins in the order in which they were loaded; `loaded` is one of them */
export async function shadowsOf(
  mounted: MountedRoute,
  loaded: LoadedPlugin,
  plugins: readonly LoadedPlugin[],
  builtIn: readonly BuiltInRoute[],
): Promise<RouteShadows> {
  const first = plugins.find(({ routes }) => routes.some(({ catchAll }) => catchAll));
  if (!mounted.catchAll) {
    const newer = builtIn.filter((route) => !isOwnPath(route.path) && overlaps(mounted, route));
    return { shadows: newer.map(({ method, path }) => `${method} ${path}`), shadowedBy: [] };
  }
  if (first !== undefined && first !== loaded) return { shadows: [], shadowedBy: [`STATIC / of plugin ${first.plugin.name}`] };
  const others = plugins.flatMap(({ plugin, routes }) =>
    routes
      .filter(({ catchAll, methods, matches }) => !catchAll && methods.includes('GET') && matches('/') !== false)
      .map(({ route, path }) => `${route.type} ${path} of plugin ${plugin.name}`),
  );
  const root = loaded.roots.get(mounted);
  // A folder that is gone hides nothing.
  const names = root === undefined || root.file !== undefined ? [] : await readdir(root.root).catch(() => []);
  const below = names.filter((name) => isOwnPath(`/${name}`)).map((name) => `the server, below /${name}`);
  return { shadows: others.length > 0 ? [] : ['GET /'], shadowedBy: [...others, ...below] };
}
