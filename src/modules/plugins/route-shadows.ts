import { readdir } from 'node:fs/promises';
import { isServerPath } from './path-precedence.js';
import type { LoadedPlugin } from './loaded-plugin.js';
import { overlaps, type BuiltInRoute, type MountedRoute } from './route-table.js';

/** How a route overlaps with others. */
export interface RouteShadows {
  /** Routes that this route takes precedence over. */
  readonly shadows: string[];
  /** Routes that take precedence over this route. */
  readonly shadowedBy: string[];
}

/** @param plugins all plugins in load order, including `loaded` */
export async function findShadows(
  mounted: MountedRoute,
  loaded: LoadedPlugin,
  plugins: readonly LoadedPlugin[],
  builtIn: readonly BuiltInRoute[],
): Promise<RouteShadows> {
  const first = plugins.find(({ routes }) => routes.some(({ catchAll }) => catchAll));
  if (!mounted.catchAll) {
    const newer = builtIn.filter((route) => !isServerPath(route.path) && overlaps(mounted, route));
    return { shadows: newer.map(({ method, path }) => `${method} ${path}`), shadowedBy: [] };
  }
  if (first !== undefined && first !== loaded) return { shadows: [], shadowedBy: [`STATIC / of plugin ${first.plugin.name}`] };
  const others = plugins.flatMap(({ plugin, routes }) =>
    routes
      .filter(({ catchAll, methods, matches }) => !catchAll && methods.includes('GET') && matches('/') !== false)
      .map(({ route, path }) => `${route.type} ${path} of plugin ${plugin.name}`),
  );
  const root = loaded.roots.get(mounted);
  // A deleted folder shadows nothing.
  const names = root === undefined || root.file !== undefined ? [] : await readdir(root.root).catch(() => []);
  const below = names.filter((name) => isServerPath(`/${name}`)).map((name) => `the server, below /${name}`);
  return { shadows: others.length > 0 ? [] : ['GET /'], shadowedBy: [...others, ...below] };
}
