import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';
import type { Config } from '../config/index.js';

/** Determines the client address of a request behind TRUSTED_PROXIES, as `request.ip` does, for requests that Express has not handled. */
export function callerAddress({ trustedProxies }: Pick<Config, 'trustedProxies'>): (request: IncomingMessage) => string {
  const trusts = proxyAddress.compile(trustedProxies);
  return (request) => proxyAddress(request, trusts) ?? '';
}
