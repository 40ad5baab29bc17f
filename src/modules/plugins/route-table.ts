import { match, type MatchFunction } from 'path-to-regexp';
import type { Route } from '../../plugin-sdk/index.js';
import { isServerPath } from './path-precedence.js';

/** A compiled route. */
export interface MountedRoute {
  readonly plugin: string;
  readonly route: Route;
  /** With a leading slash. */
  readonly path: string;
  readonly methods: readonly string[];
  /** Whether it is `STATIC /`, which serves requests without another match. */
  readonly catchAll: boolean;
  /** First path segment in lower case; undefined when it is a parameter. */
  readonly head: string | undefined;
  /** An example of a matching path. */
  readonly sample: string;
  readonly matches: MatchFunction<Partial<Record<string, string | string[]>>>;
}

export interface RouteMatch {
  readonly mounted: MountedRoute;
  readonly params: Record<string, string>;
  /** For STATIC routes: the rest of the path, still percent-encoded. */
  readonly rest: string;
}

/** A route of the server. */
export interface BuiltInRoute {
  readonly method: string;
  readonly path: string;
}

const RESERVED = /^\/(socket\.io)(\/|$)/i;
const SAMPLE = 'parley-sample';

/** Compiles a plugin's routes. @throws Error naming an invalid path */
export function mountRoutes(plugin: string, routes: readonly Route[]): MountedRoute[] {
  return routes.map((route) => {
    const path = `/${route.path.replace(/^\/+/, '').replace(/\/+$/, '')}`;
    const isStatic = route.type === 'STATIC';
    try {
      const matches = match<Partial<Record<string, string | string[]>>>(isStatic ? `${path === '/' ? '' : path}{/*file}` : prefixed(path), {
        decode: isStatic ? false : decodeURIComponent,
        encodePath: escaped,
      });
      const methods = isStatic || route.type === 'GET' ? ['GET', 'HEAD'] : [route.type];
      return { plugin, route, path, methods, catchAll: isStatic && path === '/', head: literalHead(path), sample: sample(path), matches };
    } catch (error) {
      throw new Error(`its path ${route.path} is not valid: ${(error as Error).message}`, { cause: error });
    }
  });
}

/** Finds the first matching route. @param catchAll whether to look for `STATIC /` only. @throws URIError for invalid percent-encoding */
export function matchRoute(routes: readonly MountedRoute[], method: string, path: string, catchAll = false): RouteMatch | undefined {
  const head = firstSegment(path);
  for (const mounted of routes) {
    if (mounted.catchAll !== catchAll || !mounted.methods.includes(method) || differ(mounted.head, head)) continue;
    const found = mounted.matches(path);
    if (found === false) continue;
    const { file, ...params } = found.params;
    const rest = [file ?? []].flat().join('/');
    return { mounted, params: flat(mounted.route.type === 'STATIC' ? params : found.params), rest };
  }
  return undefined;
}

/** Describes the conflict of a new route; undefined without one. Routes of different precedence do not conflict (path-precedence.ts). */
export function findConflict(
  candidate: MountedRoute,
  builtIn: readonly BuiltInRoute[],
  mounted: readonly MountedRoute[],
): string | undefined {
  const label = `${candidate.route.type} ${candidate.path}`;
  if (RESERVED.test(candidate.path)) return `${label} uses a reserved path`;
  const mine = candidate.sample;
  const own = candidate.catchAll ? undefined : builtIn.find((route) => isServerPath(route.path) && overlaps(candidate, route));
  if (own) return `${label} conflicts with the built-in route ${own.method} ${own.path}`;
  const other = mounted.find((earlier) => {
    if (earlier.catchAll || candidate.catchAll) return earlier.catchAll && candidate.catchAll && earlier.plugin === candidate.plugin;
    if (differ(earlier.head, candidate.head) || !earlier.methods.some((method) => candidate.methods.includes(method))) return false;
    if (earlier.matches(mine) !== false) return true;
    // Within a plugin the first match is used, so `/a/b` may precede `/a/:id`.
    return earlier.plugin !== candidate.plugin && candidate.matches(earlier.sample) !== false;
  });
  return (
    other &&
    `${label} conflicts with ${other.route.type} ${other.path} of ${other.plugin === candidate.plugin ? 'the same plugin' : `plugin ${other.plugin}`}`
  );
}

/** Whether a request could match both. */
export function overlaps(candidate: MountedRoute, { method, path }: BuiltInRoute): boolean {
  return (
    candidate.methods.includes(method) &&
    !differ(candidate.head, literalHead(path)) &&
    (match(path)(candidate.sample) !== false || candidate.matches(sample(path)) !== false)
  );
}

/** A path that matches the pattern, with sample values for its parameters. */
function sample(pattern: string): string {
  return escaped(
    pattern
      .replace(/\{[^}]*\}/g, '')
      .replace(/[:*]\w+/g, SAMPLE)
      .replace(/\/\*$/, `/${SAMPLE}`),
  );
}

/** Percent-encodes a path as clients do; existing escapes stay unchanged. */
function escaped(path: string): string {
  return encodeURI(path).replace(/%25(?=[0-9a-f]{2})/gi, '%');
}

function firstSegment(path: string): string {
  return (path.split('/', 2)[1] ?? '').toLowerCase();
}

/** The first segment of a pattern if it is literal; comparing it is much cheaper than matching. */
function literalHead(pattern: string): string | undefined {
  const part = firstSegment(pattern);
  return /^[\w.~-]+$/.test(part) ? part : undefined;
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** A trailing `/*` matches everything below, as in Express 4. */
function prefixed(path: string): string {
  return path.endsWith('/*') ? `${path.slice(0, -2)}{/*rest}` : path;
}

function flat(params: Partial<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? value.join('/') : (value ?? '')]));
}
