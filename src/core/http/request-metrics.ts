import type { NextFunction, Request, Response } from 'express';
import { DURATION_BOUNDS_MS, meter } from '../telemetry/index.js';

const REQUESTS = meter.histogram({
  name: 'http.requests',
  exportedAs: 'http.request.duration',
  about:
    'HTTP requests by route, from the first line to the end of the response. Event streams last until the client disconnects; `aborted` got no response.',
  unit: 'ms',
  bounds: DURATION_BOUNDS_MS,
  labels: { method: null, route: null, status: ['1xx', '2xx', '3xx', '4xx', '5xx', 'aborted'] },
});

/** Event streams that are open. */
export const EVENT_STREAMS = meter.gauge({ name: 'http.event_streams', about: 'Event streams to clients of this process that are open.' });

const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
/** Route label of requests that reach no operation of the server: plugin routes, requests rejected before routing, unknown paths. */
const NO_ROUTE = '(none)';

/** The class of a response's status; `aborted` when the client got none. */
export function statusClassOf({ headersSent, statusCode }: Response): (typeof CLASSES)[number] | 'aborted' {
  return headersSent ? (CLASSES[Math.floor(statusCode / 100) - 1] ?? '5xx') : 'aborted';
}

/** Counts and times requests. */
export function measureRequests(): (request: Request, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.on('close', () => {
      const route = (request.route as { path?: unknown } | undefined)?.path;
      REQUESTS.with({
        method: request.method,
        route: typeof route === 'string' ? route : NO_ROUTE,
        status: statusClassOf(response),
      }).observe(performance.now() - startedAt);
    });
    next();
  };
}
