import type { IncomingHttpHeaders } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { isLoopback, type Config } from '../config/index.js';
import { AppError } from '../errors/index.js';

type Site = Pick<Config, 'host' | 'publicUrl' | 'corsOrigins' | 'allowedHosts'>;

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request was meant for this server. A page elsewhere can make its own name point to this machine (DNS rebinding), so a
 * server that anybody on the machine may use answers to the names of the machine only.
 */
export function isOwnHost({ host, publicUrl, allowedHosts }: Site, header: string | undefined): boolean {
  // Every browser names the host.
  if (header === undefined || (!isLoopback(host) && allowedHosts.length === 0)) return true;
  const name = nameIn(header);
  if (name === undefined) return false;
  // No page elsewhere can be at these names; probes and the command line on this machine call the server by them.
  if (LOCAL_NAMES.has(name) || name.endsWith('.localhost') || (isLoopback(host) && name === host)) return true;
  return allowedHosts.includes(name) || (publicUrl !== undefined && parsed(publicUrl)?.hostname === name);
}

/** Whether a page of this origin may do more here than read what every page may: our own, and those of CORS_ORIGIN. */
export function isOwnOrigin({ corsOrigins, publicUrl }: Site, origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return true;
  const from = parsed(origin);
  return (
    from !== undefined && (from.host === host?.toLowerCase() || (publicUrl !== undefined && from.origin === parsed(publicUrl)?.origin))
  );
}

/** Whether a page of another site has sent the browser here: by a picture, a link, a window. Such requests need not name an origin. */
export function isFromElsewhere(site: Site, { origin, host, 'sec-fetch-site': from }: IncomingHttpHeaders): boolean {
  return (from === 'cross-site' || from === 'same-site') && (origin === undefined || !isOwnOrigin(site, origin, host));
}

/** Refuses requests for another host, and what pages of other sites would change here. */
export function guardSite(site: Site): (request: Request, response: Response, next: NextFunction) => void {
  // Callers name one host again and again; taking a URL apart each time is dear.
  let lastOwn: string | undefined;
  return (request, _response, next) => {
    const { host, origin } = request.headers;
    if (host !== lastOwn && isOwnHost(site, host)) lastOwn = host;
    if (host !== lastOwn) {
      next(
        new AppError(
          'FORBIDDEN',
          'This server does not answer to the host name of the request.',
          'Use localhost, or name the host in SERVER_URL or ALLOWED_HOSTS.',
        ),
      );
    } else if (!READING.has(request.method) && !isOwnOrigin(site, origin, host)) {
      next(foreignPage());
    } else next();
  };
}

export function foreignPage(): AppError {
  return new AppError('FORBIDDEN', 'Pages of this origin may not call this server.', 'Name the origin in CORS_ORIGIN.');
}

function nameIn(host: string): string | undefined {
  return parsed(`http://${host}`)?.hostname;
}

function parsed(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}
