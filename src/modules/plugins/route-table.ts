import { match, type MatchFunction } from 'path-to-regexp';
import type { Route } from '../../plugin-sdk/index.js';
import { isOwnPath } from './path-ranks.js';

/** A route as it is looked up. */
export interface MountedRoute {
  readonly plugin: string;
  readonly route: Route;
  /** With a leading slash. */
  readonly path: string;
  readonly methods: readonly string[];
  /** Whether it is `STATIC /`, which serves what nothing else answers. */
  readonly catchAll: boolean;
  /** First part of whatever it matches, in lower case; undefined when that may vary. */
  readonly head: string | undefined;
  /** A path that it matches. */
  readonly sample: string;
  readonly matches: MatchFunction<Partial<Record<string, string | string[]>>>;
}

export interface FoundRoute {
  readonly mounted: MountedRoute;
  readonly params: Record<string, string>;
  /** Behind the path of a STATIC route: the file that is asked for, encoded as it came. */
  readonly rest: string;
}

/** A path that something else already answers. */
export interface BuiltInRoute {
  readonly method: string;
  readonly path: string;
}

const RESERVED = /^\/(socket\.io)(\/|$)/i;
const SAMPLE = 'parley-sample';

/** Makes a plugin's routes ready to be looked up. @throws Error naming a path that cannot be understood */
export function mount(plugin: string, routes: readonly Route[]): MountedRoute[] {
  return routes.map((route) => {
    const path = `/${route.path.replace(/^\/+/, '').replace(/\/+$/, '')}`;
    const isStatic = route.type === 'STATIC';
    try {
      const matches = match<Partial<Record<string, string | string[]>>>(isStatic ? `${path === '/' ? '' : path}{/*file}` : prefixed(path), {
        decode: isStatic ? false : decodeURIComponent,
        encodePath: escaped,
      });
      const methods = isStatic || route.type === 'GET' ? ['GET', 'HEAD'] : [route.type];
      return { plugin, route, path, methods, catchAll: isStatic && path === '/', head: headOf(path), sample: sample(path), matches };
    } catch (error) {
      throw new Error(`its path ${route.path} cannot be understood: ${(error as Error).message}`, { cause: error });
    }
  });
}

/** Looks a route up: one that serves what nothing else answers, or one of the others. @throws URIError for a path with broken escapes */
export function find(routes: readonly MountedRoute[], method: string, path: string, catchAll = false): FoundRoute | undefined {
  const head = partOf(path);
  for (const mounted of routes) {
    if (mounted.catchAll !== catchAll || !mounted.methods.includes(method) || apart(mounted.head, head)) continue;
    const found = mounted.matches(path);
    if (found === false) continue;
    const { file, ...params } = found.params;
    const rest = [file ?? []].flat().join('/');
    return { mounted, params: flat(mounted.route.type === 'STATIC' ? params : found.params), rest };
  }
  return undefined;
}

/** What a new route would clash with, in words; undefined when its path is free. Paths of other ranks are no clash (path-ranks.ts). */
export function clash(candidate: MountedRoute, builtIn: readonly BuiltInRoute[], mounted: readonly MountedRoute[]): string | undefined {
  const label = `${candidate.route.type} ${candidate.path}`;
  if (RESERVED.test(candidate.path)) return `${label} lies in a path that is reserved`;
  const mine = candidate.sample;
  const own = candidate.catchAll ? undefined : builtIn.find((route) => isOwnPath(route.path) && overlaps(candidate, route));
  if (own) return `${label} collides with the built-in route ${own.method} ${own.path}`;
  const other = mounted.find((earlier) => {
    if (earlier.catchAll || candidate.catchAll) return earlier.catchAll && candidate.catchAll && earlier.plugin === candidate.plugin;
    if (apart(earlier.head, candidate.head) || !earlier.methods.some((method) => candidate.methods.includes(method))) return false;
    if (earlier.matches(mine) !== false) return true;
    // Within a plugin the first that matches answers, so `/a/b` may stand before `/a/:id`.
    return earlier.plugin !== candidate.plugin && candidate.matches(earlier.sample) !== false;
  });
  return (
    other &&
    `${label} collides with ${other.route.type} ${other.path} of ${other.plugin === candidate.plugin ? 'the same plugin' : `plugin ${other.plugin}`}`
  );
}

/** Whether some request could be answered by both. */
export function overlaps(candidate: MountedRoute, { method, path }: BuiltInRoute): boolean {
  return (
    candidate.methods.includes(method) &&
    !apart(candidate.head, headOf(path)) &&
    (match(path)(candidate.sample) !== false || candidate.matches(sample(path)) !== false)
  );
}

/** A path that the pattern matches, with a sample in the place of what may vary. */
function sample(pattern: string): string {
  return escaped(
    pattern
      .replace(/\{[^}]*\}/g, '')
      .replace(/[:*]\w+/g, SAMPLE)
      .replace(/\/\*$/, `/${SAMPLE}`),
  );
}

/** As clients write it in a request; what is escaped already stays as it is. */
function escaped(path: string): string {
  return encodeURI(path).replace(/%25(?=[0-9a-f]{2})/gi, '%');
}

function partOf(path: string): string {
  return (path.split('/', 2)[1] ?? '').toLowerCase();
}

/** The first part of a pattern, when it is plain text; comparing it is much cheaper than matching. */
function headOf(pattern: string): string | undefined {
  const part = partOf(pattern);
  return /^[\w.~-]+$/.test(part) ? part : undefined;
}

function apart(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** An ending `/*` takes in everything below, as plugins of older servers write it. */
function prefixed(path: string): string {
  return path.endsWith('/*') ? `${path.slice(0, -2)}{/*rest}` : path;
}

function flat(params: Partial<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? value.join('/') : (value ?? '')]));
}
