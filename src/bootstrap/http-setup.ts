import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import helmet from 'helmet';
import type { NextFunction, Request, Response } from 'express';
import type { Config } from '../core/config/index.js';
import { withRequestId } from '../core/context/request-context.js';
import { guardSite, refuseUnreadable, UNREAD_BODY } from '../core/http/index.js';
import { newId } from '../core/ids/index.js';
import { Log } from '../core/logging/index.js';
import { RouteDispatcher } from '../modules/plugins/index.js';

const LOOK_AT_MOST_EVERY_MS = 15_000;
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** What every request passes before it reaches an operation. */
export function setUpHttp(app: NestExpressApplication, config: Config): void {
  app.set('etag', false);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  limitArrival(app.getHttpServer(), config);
  writeJsonAtOnce(app.getHttpAdapter().getInstance());
  if (config.trustedProxies.length > 0) app.set('trust proxy', config.trustedProxies);
  app.use(nameRequest());
  app.use(secureHeaders(config));
  app.use(guardSite(config));
  if (config.corsOrigins.length > 0) {
    app.enableCors({
      origin: config.corsOrigins.includes('*') ? true : config.corsOrigins,
      allowedHeaders: [
        'Content-Type',
        'Authorization',
        'X-API-KEY',
        'X-Entity-Id',
        'X-Request-Id',
        'X-API-Dialect',
        'Last-Event-ID',
        'Idempotency-Key',
      ],
      exposedHeaders: [
        'X-Request-Id',
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
        'X-Message-Id',
        'X-Entity-Id',
        'X-Voice',
      ],
      maxAge: 86_400,
    });
  }
  app.use(readBody(config));
  const plugins = app.get(RouteDispatcher);
  app.use((request: Request, response: Response, next: NextFunction) => {
    plugins.dispatchFirst(request, response, next).catch(next);
  });
}

/** A request that never ends, in its head or in its body, holds a connection no longer than it may take to arrive. */
function limitArrival(server: Server, { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, sendTimeoutMs }: Config): void {
  server.on('clientError', refuseUnreadable);
  server.headersTimeout = Math.min(headersTimeoutMs, requestTimeoutMs);
  server.requestTimeout = requestTimeoutMs;
  // Whoever uses a connection again must not find it closed in that moment: a client has to be the first to give it up.
  server.keepAliveTimeout = keepAliveTimeoutMs;
  // Nothing moves on the connection. A client may wait for an answer; a first head has a time limit of its own.
  server.timeout = sendTimeoutMs;
  server.on('timeout', (socket: Socket & { _httpMessage?: object | null }) => {
    const idle = !socket._httpMessage && socket.bytesWritten > 0;
    if (idle || socket.writableLength > 0) socket.destroy();
  });
  // Node looks at its connections now and then, by default every 30 s; read when the server begins to listen.
  Object.assign(server, { connectionsCheckingInterval: Math.min(LOOK_AT_MOST_EVERY_MS, Math.ceil(server.headersTimeout / 4)) });
}

/**
 * For answers as for pages: nothing of other sites runs in them, and no other site frames them. They are the same for every
 * answer, so helmet is asked for them once.
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
        // The server itself speaks plain HTTP.
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

/** Reads a JSON body. An empty one counts as none; one in another media type is told apart from none, so that it can be answered 415. */
function readBody(config: Config): (request: Request & { rawBody?: Buffer }, response: Response, next: NextFunction) => void {
  // Not strict: a body that is JSON but no object is refused where its operation is known, and as what it is.
  const json = express.json({
    limit: config.bodyLimitBytes,
    strict: false,
    type: ['application/json', 'application/*+json'],
    verify: keepRawBody,
  });
  return (request, response, next) => {
    if (!announcesBody(request)) next();
    else {
      json(request, response, (error?: unknown) => {
        if (error === undefined && request.rawBody?.length === 0) request.body = undefined;
        else if (error === undefined && request.body === undefined) request.body = UNREAD_BODY;
        next(error);
      });
    }
  };
}

function announcesBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The exact bytes of the body, which signatures are computed over. */
function keepRawBody(request: object, _response: object, bytes: Buffer): void {
  (request as { rawBody?: Buffer }).rawBody = bytes;
}

/** Takes the caller's X-Request-Id or makes one; it is in the answer, in every log line and in journal entries. */
function nameRequest(): (request: Request, response: Response, next: NextFunction) => void {
  const log = new Log('http');
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
    response.setHeader('X-Request-Id', requestId);
    withRequestId(requestId, () => {
      log.debug('request', () => ({ method: request.method, path: request.path }));
      next();
    });
  };
}

/**
 * Express turns larger JSON bodies into a buffer and writes head and body apart; one string in one write is measurably
 * cheaper (bench/README.md).
 */
function writeJsonAtOnce(instance: { response: Response }): void {
  instance.response.json = function json(this: Response, body: unknown): Response {
    const text = JSON.stringify(body) ?? 'null';
    if (!this.hasHeader('Content-Type')) this.setHeader('Content-Type', 'application/json; charset=utf-8');
    this.setHeader('Content-Length', Buffer.byteLength(text));
    this.end(this.req.method === 'HEAD' ? undefined : text);
    return this;
  };
}
