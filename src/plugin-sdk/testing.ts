// `parley-server/plugin-sdk/testing`: calls routes and components of a plugin without a server, for the plugin's tests.
import type { Plugin } from './plugin.js';
import type { RouteRequest, UploadedFile } from './requests.js';
import type { Route } from './routes.js';
import type { RouteTestResult, TestFile, TestOptions, TestRequest } from './testing-types.js';
import { contentOf } from './testing/content.js';
import { routeFor } from './testing/match.js';
import { TestResponse } from './testing/response.js';
import { testRuntime } from './testing/runtime.js';
import { rejectionReason } from './testing/verification.js';
import type { WebhookOptions } from './webhooks.js';
import { webhookBody } from './webhooks/payload.js';

export * from './testing-components.js';
export * from './testing-types.js';
export * from './testing-webhooks.js';

const LIMIT_MS = 5000;
const ACK_LIMIT_MS = 30_000;
const DELIVERY_ID = '00000000-0000-4000-8000-0000000000dd';

/**
 * Calls a route at the path that the plugin declares. Unlike the server, it does not serve files of STATIC routes. The signature of a webhook
 * is verified when `settings` has its secret, or when it needs none; `signRequest` signs. For a webhook with `mode: 'ack'`, a handler that
 * ends without a response has succeeded, with status 202. A handler that does not begin to respond within its time limit has status 504.
 *
 * @throws Error when the plugin has no such route
 */
export async function callRoute(plugin: Plugin, request: TestRequest, options: TestOptions = {}): Promise<RouteTestResult> {
  const [path = '/', search = ''] = request.path.split('?', 2);
  const method = (request.method ?? 'GET').toUpperCase();
  const { route, params } = routeFor(plugin, method, path);
  const ended = new AbortController();
  const { runtime, sent, logs } = testRuntime(plugin, options, ended.signal);
  const response = new TestResponse();
  const seen = requestOf(request, { method, path, search, params, signal: ended.signal, webhook: route.webhook });
  let error: unknown;
  try {
    const rejected = route.webhook && (await rejectionReason(route.webhook, seen, runtime));
    if (rejected === undefined) await handled(route, response, () => route.handler?.(seen, response, runtime));
    else response.refuse(401, rejected);
  } catch (thrown) {
    error = thrown ?? new Error('nothing was thrown');
    response.refuse(500, 'Internal error');
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

/** Settles when the handler has responded, or, for a webhook that is acknowledged before, when it has ended; or at the time limit. */
async function handled(route: Route, response: TestResponse, handler: () => unknown): Promise<void> {
  const acknowledges = route.webhook?.mode === 'ack';
  const limitMs = route.timeoutMs ?? (acknowledges ? ACK_LIMIT_MS : LIMIT_MS);
  const call = async (): Promise<void> => {
    await handler();
    if (acknowledges) response.acknowledge();
    else await response.ended;
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      // A response that has begun may take longer.
      if (!response.headersSent || acknowledges) resolve(void response.refuse(504, `No answer within ${limitMs} ms`));
    }, limitMs);
  });
  try {
    await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}

interface Called {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly params: Record<string, string>;
  readonly signal: AbortSignal;
  readonly webhook: WebhookOptions | undefined;
}

function requestOf(request: TestRequest, called: Called): RouteRequest {
  const { query = {}, files = [], deliveryId = DELIVERY_ID, attempt = 1 } = request;
  const { headers, rawBody, body } = contentOf(request);
  return {
    method: called.method,
    path: called.path,
    url: called.search === '' ? called.path : `${called.path}?${called.search}`,
    params: called.params,
    query: { ...Object.fromEntries(new URLSearchParams(called.search)), ...query },
    headers,
    body: called.webhook ? webhookBody(called.webhook, { headers, body }) : body,
    rawBody,
    ip: '127.0.0.1',
    file: files.map(uploadedFile)[0],
    files: files.map(uploadedFile),
    signal: called.signal,
    ...(called.webhook ? { deliveryId, attempt } : {}),
  };
}

function uploadedFile({ fieldname = 'file', originalname, mimetype = 'application/octet-stream', content }: TestFile): UploadedFile {
  const buffer = Buffer.from(content);
  return { fieldname, originalname, encoding: '7bit', mimetype, size: buffer.length, buffer };
}
