import type { IncomingHttpHeaders } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { isLoopback, type Config } from '../config/index.js';
import { AppError } from '../errors/index.js';

type OriginRules = Pick<Config, 'host' | 'publicUrl' | 'corsOrigins' | 'allowedHosts'>;

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether the Host header names this server. Protects against DNS rebinding: an attacker can point a host name of their own to this
 * machine, so a server on loopback accepts only known host names.
 */
export function isAllowedHost({ host, publicUrl, allowedHosts }: OriginRules, header: string | undefined): boolean {
  // Every browser sends the header.
  if (header === undefined || (!isLoopback(host) && allowedHosts.length === 0)) return true;
  const name = hostnameOf(header);
  if (name === undefined) return false;
  // No foreign page can have these names, and local probes and the command line use them.
  if (LOCAL_NAMES.has(name) || name.endsWith('.localhost') || (isLoopback(host) && name === host)) return true;
  return allowedHosts.includes(name) || (publicUrl !== undefined && parsed(publicUrl)?.hostname === name);
}

/** Whether pages of an origin may make changes: the server's own origin, and those of CORS_ORIGIN. */
export function isAllowedOrigin({ corsOrigins, publicUrl }: OriginRules, origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return true;
  const from = parsed(origin);
  return (
    from !== undefined && (from.host === host?.toLowerCase() || (publicUrl !== undefined && from.origin === parsed(publicUrl)?.origin))
  );
}

/** Whether a page of another site caused the request, for example with an image or a link. Such requests may lack the Origin header. */
export function isCrossSite(site: OriginRules, { origin, host, 'sec-fetch-site': from }: IncomingHttpHeaders): boolean {
  return (from === 'cross-site' || from === 'same-site') && (origin === undefined || !isAllowedOrigin(site, origin, host));
}

/** Middleware that rejects requests for unknown hosts, and changes requested by pages of foreign origins. */
export function guardOrigin(site: OriginRules): (request: Request, response: Response, next: NextFunction) => void {
  // Clients repeat one host, and parsing a URL for each request is expensive.
  let lastOwn: string | undefined;
  return (request, _response, next) => {
    const { host, origin } = request.headers;
    if (host !== lastOwn && isAllowedHost(site, host)) lastOwn = host;
    if (host !== lastOwn) {
      next(
        new AppError(
          'FORBIDDEN',
          'The host name of the request is not allowed.',
          'Use localhost, or add the host to SERVER_URL or ALLOWED_HOSTS.',
        ),
      );
    } else if (!SAFE_METHODS.has(request.method) && !isAllowedOrigin(site, origin, host)) {
      next(originNotAllowed());
    } else next();
  };
}

export function originNotAllowed(): AppError {
  return new AppError('FORBIDDEN', 'Pages of this origin may not call this server.', 'Name the origin in CORS_ORIGIN.');
}

function hostnameOf(host: string): string | undefined {
  return parsed(`http://${host}`)?.hostname;
}

function parsed(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}
