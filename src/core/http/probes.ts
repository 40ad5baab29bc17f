import type { Request } from 'express';

// Asked every few seconds by load balancers.
const PROBES = new Set(['/livez', '/readyz', '/startupz', '/healthz', '/metrics']);

/** Whether a request asks only whether, or how, the server runs. */
export function isProbe({ path }: Request): boolean {
  return PROBES.has(path);
}
