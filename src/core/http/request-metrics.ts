import type { NextFunction, Request, Response } from 'express';
import { DURATION_BOUNDS_MS, meter } from '../telemetry/index.js';

const REQUESTS = meter.histogram({
  name: 'http.requests',
  about:
    'HTTP requests by route, from the first line to the end of the response. Event streams last until the client disconnects; `aborted` got no response.',
  unit: 'ms',
  bounds: DURATION_BOUNDS_MS,
  labels: { method: null, route: null, status: ['1xx', '2xx', '3xx', '4xx', '5xx', 'aborted'] },
});

const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
/** Route label of requests that reach no operation of the server: plugin routes, requests rejected before routing, unknown paths. */
const NO_ROUTE = '(none)';

/** Counts and times requests. */
export function measureRequests(): (request: Request, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.on('close', () => {
      const route = (request.route as { path?: unknown } | undefined)?.path;
      REQUESTS.with({
        method: request.method,
        route: typeof route === 'string' ? route : NO_ROUTE,
        status: response.headersSent ? (CLASSES[Math.floor(response.statusCode / 100) - 1] ?? '5xx') : 'aborted',
      }).observe(performance.now() - startedAt);
    });
    next();
  };
}
