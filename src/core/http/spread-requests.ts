import type { RequestHandler } from 'express';
import { timeSlices } from '../clock/index.js';
import { isProbe } from './probes.js';

/** Has requests that arrive together begin one after another, without holding the event loop. Probes do not wait. */
export function spreadRequests(): RequestHandler {
  return (request, _response, next) => {
    if (isProbe(request)) next();
    else timeSlices.add(next);
  };
}
