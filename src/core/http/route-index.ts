import type { Express } from 'express';
import type { HttpRequest, HttpResponse } from './express.js';

type Done = (error?: unknown) => void;
type Handler = (request: HttpRequest, response: HttpResponse, next: Done) => unknown;

/** A layer of Express's router: a middleware, or a route with its pattern. */
interface Layer {
  readonly route?: { readonly stack: readonly { readonly method?: string; readonly handle: Handler }[] };
  readonly rawPath: unknown;
  /** Whether it is a middleware for every path. */
  readonly slash: boolean;
  readonly handle: Handler;
  match(path: string): false | { readonly params: HttpRequest['params'] };
}

/** What `handle` reads of its router. */
interface Routes {
  readonly stack: readonly Layer[];
  readonly params: object;
  readonly mergeParams?: boolean;
}

interface Router extends Routes {
  handle: (this: Routes, request: HttpRequest, response: HttpResponse, done: Done) => void;
}

/** A node of the tree of patterns, one level for each segment. The numbers are positions in the router's stack. */
interface Node {
  /** Patterns that end here. */
  readonly ends: number[];
  /** Patterns that may match any path from here on. */
  readonly open: number[];
  readonly fixed: Map<string, Node>;
  /** Below a segment that may be anything. */
  variable?: Node;
}

const FIXED_SEGMENT = /^[\w.~-]+$/;
const VARIABLE_SEGMENT = /^:\w+$/;

/**
 * Makes the router try only the routes whose segments can match a path; Express tries all of them, one after the other. Middleware for every
 * path and routes with one handler are called directly. All else is left to Express, from where it comes up: errors, OPTIONS, escaped paths,
 * HEAD for a route without GET, paths that nothing matches. No middleware may change `request.url`.
 */
export function indexRoutes(app: Express): void {
  const router = app.router as unknown as Router;
  const express = router.handle;
  let index: RouteIndex | undefined;
  router.handle = (request, response, done) => {
    if (index?.length !== router.stack.length) index = new RouteIndex(router);
    const path = pathOf(request);
    if (path === undefined) {
      express.call(router, request, response, done);
      return;
    }
    request.baseUrl = '';
    request.originalUrl ||= request.url;
    request.params = {};
    const routes = index.routesFor(path);
    const leaveToExpress = (position: number, error: unknown): void => {
      const rest = routes.stack.slice(position);
      express.call({ ...routes, stack: error ? [failing(error), ...rest] : rest }, request, response, done);
    };
    callHandlers({ request, response, path, stack: routes.stack, leaveToExpress }, 0);
  };
}

/** A request on its way through the routes that can match its path. */
interface Passage {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly path: string;
  readonly stack: readonly Layer[];
  readonly leaveToExpress: (position: number, error: unknown) => void;
}

/** Calls the handlers from a position on, each when the one before it calls `next`. */
function callHandlers(passage: Passage, position: number, error?: unknown): void {
  const { request, response, path, stack, leaveToExpress } = passage;
  const found = error ? undefined : nextHandler(stack, position, request, path);
  if (found === undefined) {
    leaveToExpress(position, error);
    return;
  }
  const next: Done = (failure) => callHandlers(passage, found.position + 1, failure);
  request.next = next;
  try {
    const pending = found.handle(request, response, next);
    if (pending instanceof Promise) pending.catch((failure: unknown) => next(failure ?? new Error('Rejected promise')));
  } catch (failure) {
    next(failure);
  }
}

/** The next handler that can be called directly, if nothing before it is left to Express. */
function nextHandler(
  stack: readonly Layer[],
  first: number,
  request: HttpRequest,
  path: string,
): { readonly handle: Handler; readonly position: number } | undefined {
  const { method } = request;
  if (method === 'OPTIONS' || path.includes('%')) return undefined;
  for (let position = first; position < stack.length; position++) {
    const layer = stack[position]!;
    const { route } = layer;
    if (route === undefined) return layer.slash && layer.handle.length < 4 ? { handle: layer.handle, position } : undefined;
    const only = route.stack.length === 1 ? route.stack[0]! : undefined;
    const own = only?.method?.toUpperCase();
    if (own === undefined || only!.handle.length > 3) return undefined;
    if (own !== method && !(own === 'GET' && method === 'HEAD')) {
      if (method === 'HEAD') return undefined;
      continue;
    }
    const matched = layer.match(path);
    if (!matched) continue;
    request.route = route;
    request.params = matched.params;
    return { handle: only!.handle, position };
  }
  return undefined;
}

/** A layer that passes an error on to Express. */
function failing(error: unknown): Layer {
  const fail: Handler = (_request, _response, next) => next(error);
  return Object.assign(
    { rawPath: '/', slash: true, handle: fail, handleRequest: fail },
    { match: () => ({ path: '', params: {}, keys: [] }) },
  );
}

class RouteIndex {
  readonly length: number;
  private readonly root = newNode();
  private readonly middleware: number[] = [];
  private readonly known = new Map<string, Routes>();

  constructor(private readonly router: Router) {
    this.length = router.stack.length;
    for (const [position, { route, rawPath }] of router.stack.entries()) {
      if (route === undefined) this.middleware.push(position);
      else if (typeof rawPath === 'string' && rawPath.startsWith('/')) this.add(rawPath, position);
      else this.root.open.push(position);
    }
  }

  /** The middleware, and the routes that can match a path. There are few different combinations. */
  routesFor(path: string): Routes {
    const found: number[] = [];
    collect(this.root, segmentsOf(path.toLowerCase()), 0, found);
    const key = found.join();
    let known = this.known.get(key);
    if (known === undefined) {
      const { stack, params, mergeParams } = this.router;
      const positions = new Set([...this.middleware, ...found]);
      known = { stack: stack.filter((_, position) => positions.has(position)), params, mergeParams };
      this.known.set(key, known);
    }
    return known;
  }

  private add(pattern: string, position: number): void {
    let node = this.root;
    for (const segment of segmentsOf(pattern.toLowerCase())) {
      if (VARIABLE_SEGMENT.test(segment)) node = node.variable ??= newNode();
      else if (FIXED_SEGMENT.test(segment)) {
        let next = node.fixed.get(segment);
        if (next === undefined) node.fixed.set(segment, (next = newNode()));
        node = next;
      } else {
        node.open.push(position);
        return;
      }
    }
    node.ends.push(position);
  }
}

function collect(node: Node, segments: readonly string[], level: number, found: number[]): void {
  found.push(...node.open);
  const segment = segments[level];
  if (segment === undefined) {
    found.push(...node.ends);
    return;
  }
  const next = node.fixed.get(segment);
  if (next !== undefined) collect(next, segments, level + 1, found);
  if (node.variable !== undefined) collect(node.variable, segments, level + 1, found);
}

function newNode(): Node {
  return { ends: [], open: [], fixed: new Map() };
}

function pathOf(request: HttpRequest): string | undefined {
  try {
    return request.path;
  } catch {
    return undefined;
  }
}

/** The segments of a path, without the slashes around it. */
function segmentsOf(path: string): string[] {
  let end = path.length;
  while (end > 1 && path.endsWith('/', end)) end -= 1;
  return end <= 1 ? [] : path.slice(1, end).split('/');
}
