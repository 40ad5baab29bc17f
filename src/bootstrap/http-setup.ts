import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Config } from '../core/config/index.js';
import { withRequestId } from '../core/context/request-context.js';
import {
  callerOf,
  endResponse,
  guardOrigin,
  inTurn,
  measureRequests,
  rejectMalformedRequest,
  RequestBodies,
  spreadRequests,
  traceRequests,
} from '../core/http/index.js';
import { newId } from '../core/ids/index.js';
import { Journal } from '../core/journal/index.js';
import { Log } from '../core/logging/index.js';
import { Tracer } from '../core/telemetry/index.js';
import { isScrape, MetricsEndpoint } from '../interfaces/metrics/index.js';
import { actorOf } from '../modules/access/index.js';
import { AgentsService } from '../modules/agents/index.js';
import { RouteDispatcher } from '../modules/plugins/index.js';
import { Readiness } from '../modules/system/index.js';
import { catchUp, catchUpWithBody } from './catch-up.js';

const MAX_CHECK_INTERVAL_MS = 15_000;
/** Request headers that pages of other origins may send. */
const ALLOWED_HEADERS = [
  'Content-Type',
  'Authorization',
  'X-API-KEY',
  'X-Entity-Id',
  'X-Request-Id',
  'X-API-Dialect',
  'Last-Event-ID',
  'Idempotency-Key',
  'If-None-Match',
  'X-Parley-Position',
  'traceparent',
  'tracestate',
  'X-Conversation-Id',
  // Of clients of OpenAI's and Anthropic's protocols.
  'anthropic-beta',
  'anthropic-dangerous-direct-browser-access',
  'anthropic-version',
  'OpenAI-Beta',
  'OpenAI-Organization',
  'OpenAI-Project',
  ...['Arch', 'Async', 'Helper-Method', 'Lang', 'OS', 'Package-Version', 'Retry-Count', 'Runtime', 'Runtime-Version', 'Timeout'].map(
    (name) => `X-Stainless-${name}`,
  ),
];
/** Response headers that pages of other origins may read. */
const EXPOSED_HEADERS = [
  'ETag',
  'X-Next-Cursor',
  'X-Request-Id',
  'X-Parley-Position',
  'X-Session-Expires-At',
  'Retry-After',
  'Idempotency-Replayed',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Content-Location',
  'Server-Timing',
  'X-Channel-Id',
  'X-Conversation-Id',
  'X-Message-Id',
  'request-id',
  'X-Entity-Id',
  'X-Voice',
];
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Installs the middleware that every request passes before it reaches an operation. */
export function setUpHttp(app: NestExpressApplication, config: Config): void {
  app.set('etag', false);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  setTimeouts(app.getHttpServer(), config);
  sendJsonInOneWrite(app.getHttpAdapter().getInstance());
  if (config.trustedProxies.length > 0) app.set('trust proxy', config.trustedProxies);
  const forAll = [closeWhileDraining(app.get(Readiness)), secureHeaders(config), guardOrigin(config)];
  if (config.metrics === 'on') {
    const metrics = app.get(MetricsEndpoint);
    // Before what logs, measures and traces requests, and before plugins, whose routes must not take its place.
    app.use(
      onlyScrapes(
        inTurn(
          assignRequestId(() => undefined),
          ...forAll,
          metrics.handle.bind(metrics),
        ),
      ),
    );
  }
  app.use(inTurn(measureRequests(), spreadRequests(), assignRequestId(logRequest()), traceRequests(app.get(Tracer)), ...forAll));
  if (config.corsOrigins.length > 0) {
    app.enableCors({
      origin: config.corsOrigins.includes('*') ? true : config.corsOrigins,
      allowedHeaders: ALLOWED_HEADERS,
      exposedHeaders: EXPOSED_HEADERS,
      maxAge: 86_400,
    });
  }
  const plugins = app.get(RouteDispatcher);
  const upToDate = catchUp(app.get(Journal), app.get(AgentsService));
  const bodies = app.get(RequestBodies);
  bodies.whenReceived(catchUpWithBody(app.get(AgentsService)));
  app.use(inTurn(bodies.prepare.bind(bodies), upToDate, plugins.dispatchBeforeRouter.bind(plugins)));
}

/** Passes all other requests on. */
function onlyScrapes(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (isScrape(request)) void handler(request, response, next);
    else next();
  };
}

/** Limits how long a connection can be held by a request that does not arrive completely, or by a client that does not read. */
function setTimeouts(server: Server, { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, sendTimeoutMs }: Config): void {
  server.on('clientError', rejectMalformedRequest);
  // Only a request whose body is read is told to continue.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.headersTimeout = Math.min(headersTimeoutMs, requestTimeoutMs);
  server.requestTimeout = requestTimeoutMs;
  // Higher than the idle timeout of usual proxies: if the server closed the connection first, a reused one could fail.
  server.keepAliveTimeout = keepAliveTimeoutMs;
  // Inactivity. A client that waits for a response is exempt, and the headers have a time limit of their own.
  server.timeout = sendTimeoutMs;
  server.on('timeout', (socket: Socket & { _httpMessage?: object | null }) => {
    const idle = !socket._httpMessage && socket.bytesWritten > 0;
    if (idle || socket.writableLength > 0) socket.destroy();
  });
  // Interval at which Node checks these time limits, by default 30 s; read when the server starts listening.
  Object.assign(server, { connectionsCheckingInterval: Math.min(MAX_CHECK_INTERVAL_MS, Math.ceil(server.headersTimeout / 4)) });
}

/**
 * Sets security headers, which prevent foreign scripts and framing. They are the same for every response, so helmet computes them once.
 */
function secureHeaders({ publicUrl }: Config): (request: Request, response: Response, next: NextFunction) => void {
  const headers: [name: string, value: string][] = [];
  const recorder = { setHeader: (name: string, value: string) => headers.push([name, value]), removeHeader: () => undefined };
  const record = helmet({
    contentSecurityPolicy: {
      directives: {
        'img-src': ["'self'", 'data:', 'blob:'],
        'media-src': ["'self'", 'blob:'],
        'connect-src': ["'self'", 'ws:', 'wss:'],
        // The server itself uses plain HTTP.
        'upgrade-insecure-requests': null,
      },
    },
    strictTransportSecurity: publicUrl?.startsWith('https:') === true,
  });
  record({} as Request, recorder as unknown as Response, () => undefined);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

function logRequest(): (request: Request) => void {
  const log = new Log('http');
  return ({ method, path }) => log.debug('request', () => ({ method, path }));
}

/**
 * Uses the caller's X-Request-Id or generates one. It is in the response, in log lines and in journal entries.
 *
 * @param began called with each request, once it has its id
 */
function assignRequestId(began: (request: Request) => void): (request: Request, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
    response.setHeader('X-Request-Id', requestId);
    const work = (): void => {
      began(request);
      next();
    };
    withRequestId(requestId, work, {
      onCommit: (offset) => {
        if (!response.headersSent) response.setHeader('X-Parley-Position', offset);
      },
      actor: () => actorOf(callerOf(request), request.ip),
    });
  };
}

/** Asks clients to open their next connection elsewhere while the server is about to stop. */
function closeWhileDraining(readiness: Readiness): (request: Request, response: Response, next: NextFunction) => void {
  return (_request, response, next) => {
    if (readiness.draining) response.setHeader('Connection', 'close');
    next();
  };
}

/**
 * Replaces Express's `json`, which writes headers and body separately; one string in one write is measurably cheaper (bench/README.md).
 */
function sendJsonInOneWrite(instance: { response: Response }): void {
  instance.response.json = function json(this: Response, body: unknown): Response {
    const text = JSON.stringify(body) ?? 'null';
    if (!this.hasHeader('Content-Type')) this.setHeader('Content-Type', 'application/json; charset=utf-8');
    this.setHeader('Content-Length', Buffer.byteLength(text));
    endResponse(this, this.req.method === 'HEAD' ? undefined : text);
    return this;
  };
}
