import { match } from 'path-to-regexp';
import type { Plugin } from '../plugin.js';
import type { Route } from '../routes.js';

/** The route of a plugin for a method and a path. @throws Error when there is none */
export function routeFor(plugin: Plugin, method: string, path: string): { route: Route; params: Record<string, string> } {
  for (const route of plugin.routes ?? []) {
    const params = route.type === method ? paramsOf(route.path, path) : undefined;
    if (params) return { route, params };
  }
  throw new Error(`plugin ${plugin.name} has no route ${method} ${path}`);
}

/** The parameters of a path; undefined when the pattern does not match. */
function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const bare = `/${pattern.replace(/^\/+/, '').replace(/\/+$/, '')}`;
  const found = match<Partial<Record<string, string | string[]>>>(bare.endsWith('/*') ? `${bare.slice(0, -2)}{/*rest}` : bare)(path);
  return found === false
    ? undefined
    : Object.fromEntries(Object.entries(found.params).map(([name, value]) => [name, [value ?? ''].flat().join('/')]));
}
