// `parley/plugin-sdk/testing`: calls routes of a plugin without a server, for the plugin's tests.
import type { Plugin } from './plugin.js';
import type { RouteRequest, UploadedFile } from './requests.js';
import type { Route } from './routes.js';
import type { AgentRuntime, OutgoingMessage } from './runtime.js';
import { paramsOf } from './testing/match.js';
import { TestResponse } from './testing/response.js';
import { testRuntime } from './testing/runtime.js';

/** A file of a multipart request. */
export interface TestFile {
  readonly fieldname?: string;
  readonly originalname: string;
  readonly mimetype?: string;
  readonly content: string | Uint8Array;
}

export interface TestRequest {
  /** GET by default. */
  readonly method?: string;
  /** May contain a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes and text are sent unchanged and parsed by the content type; other values are sent as JSON. */
  readonly body?: unknown;
  readonly files?: readonly TestFile[];
}

export interface TestOptions {
  /** Take precedence over the defaults of the plugin's configuration. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly agent?: { readonly agentId?: string; readonly name?: string } & Readonly<Record<string, unknown>>;
  /** Content of the plugin's store; modified by the plugin. */
  readonly store?: Map<string, unknown>;
  /** Replacements for parts of the runtime. */
  readonly runtime?: Partial<AgentRuntime>;
}

export interface TestAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed if it is JSON, else text. */
  readonly body: unknown;
  /** Messages that the handler posted, in order. */
  readonly sent: readonly OutgoingMessage[];
  readonly logs: readonly { readonly level: string; readonly message: string }[];
  /** Error that the handler threw; as in the server, the status is 500 then. */
  readonly error?: unknown;
}

/**
 * Calls a route at the path that the plugin declares. Unlike the server, it does not verify webhook signatures and does not serve files of
 * STATIC routes. Resolves when the handler has responded or thrown.
 *
 * @throws Error when the plugin has no such route
 */
export async function callRoute(plugin: Plugin, request: TestRequest, options: TestOptions = {}): Promise<TestAnswer> {
  const [path = '/', search = ''] = request.path.split('?', 2);
  const method = (request.method ?? 'GET').toUpperCase();
  const found = findRoute(plugin, method, path);
  if (!found) throw new Error(`plugin ${plugin.name} has no route ${method} ${path}`);
  const ended = new AbortController();
  const { runtime, sent, logs } = testRuntime(plugin, options, ended.signal);
  const response = new TestResponse();
  const seen = requestOf(request, { method, path, search, params: found.params, signal: ended.signal });
  let error: unknown;
  try {
    await found.route.handler?.(seen, response, runtime);
    await response.ended;
  } catch (thrown) {
    error = thrown ?? new Error('nothing was thrown');
    response.fail();
  }
  ended.abort();
  return {
    status: response.statusCode,
    headers: response.headers(),
    body: response.body(),
    sent,
    logs,
    ...(error === undefined ? {} : { error }),
  };
}

function findRoute(plugin: Plugin, method: string, path: string): { route: Route; params: Record<string, string> } | undefined {
  for (const route of plugin.routes ?? []) {
    const params = route.type === method ? paramsOf(route.path, path) : undefined;
    if (params) return { route, params };
  }
  return undefined;
}

type Called = { method: string; path: string; search: string; params: Record<string, string>; signal: AbortSignal };

function requestOf({ query = {}, headers = {}, body, files = [] }: TestRequest, called: Called): RouteRequest {
  const uploaded = files.map(uploadedFile);
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const type = given['content-type'] ?? (files.length > 0 ? 'multipart/form-data' : body === undefined || raw ? '' : 'application/json');
  const bytes = body === undefined || files.length > 0 ? '' : raw ? body : JSON.stringify(body);
  const rawBody = typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    method: called.method,
    path: called.path,
    url: called.search === '' ? called.path : `${called.path}?${called.search}`,
    params: called.params,
    query: { ...Object.fromEntries(new URLSearchParams(called.search)), ...query },
    headers: type === '' ? given : { ...given, 'content-type': type },
    body: raw ? parsed(type, rawBody) : body,
    rawBody,
    ip: '127.0.0.1',
    file: uploaded[0],
    files: uploaded,
    signal: called.signal,
  };
}

function parsed(type: string, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (/^application\/([^;\s]+\+)?json\b/.test(type)) return JSON.parse(bytes.toString()) as unknown;
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(bytes.toString()));
  return type === '' || type.startsWith('text/') ? bytes.toString() : bytes;
}

function uploadedFile({ fieldname = 'file', originalname, mimetype = 'application/octet-stream', content }: TestFile): UploadedFile {
  const buffer = Buffer.from(content);
  return { fieldname, originalname, encoding: '7bit', mimetype, size: buffer.length, buffer };
}
