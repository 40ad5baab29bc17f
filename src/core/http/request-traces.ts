import type { NextFunction, Request, Response } from 'express';
import { withTrace } from '../context/request-context.js';
import type { Tracer } from '../telemetry/index.js';
import { isProbe } from './probes.js';

/** A route that the router of the server does not know. */
interface PluginRoute {
  /** Template of the path. */
  readonly path: string;
  readonly plugin: string;
}

const pluginRoutes = new WeakMap<Request, PluginRoute>();

/** Names the plugin route that handles a request. */
export function setPluginRoute(request: Request, route: PluginRoute): void {
  pluginRoutes.set(request, route);
}

/**
 * A server span for each request except probes, from its headers to the end of its response. It continues the trace of a caller that sends
 * `traceparent`.
 */
export function traceRequests(tracer: Tracer): (request: Request, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    if (!tracer.enabled || isProbe(request)) {
      next();
      return;
    }
    const { method, headers } = request;
    const span = tracer.begin(method, {}, { kind: 'server', parent: tracer.received(headers) });
    if (!span.context.sampled) {
      withTrace(span.context, next);
      return;
    }
    response.once('close', () => {
      span.set('http.request.method', method);
      span.set('url.path', request.path);
      span.set('url.scheme', request.protocol);
      span.set('server.address', request.hostname);
      span.set('network.protocol.version', request.httpVersion);
      span.set('user_agent.original', headers['user-agent']);
      const plugin = pluginRoutes.get(request);
      const own: unknown = (request.route as { path?: unknown } | undefined)?.path;
      const route = plugin?.path ?? (typeof own === 'string' ? own : undefined);
      if (route !== undefined) {
        span.rename(`${method} ${route}`);
        span.set('http.route', route);
      }
      span.set('parley.plugin', plugin?.plugin);
      if (response.headersSent) {
        span.set('http.response.status_code', response.statusCode);
        if (response.statusCode >= 500) span.fail(String(response.statusCode));
      } else span.fail('aborted');
      span.end();
    });
    withTrace(span.context, next);
  };
}
