import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';
import type { Config } from '../config/index.js';

/** Reads whose address a request comes from, past the proxies of TRUSTED_PROXIES: what `request.ip` is where express has not been. */
export function callerAddress({ trustedProxies }: Pick<Config, 'trustedProxies'>): (request: IncomingMessage) => string {
  const trusts = proxyAddress.compile(trustedProxies);
  return (request) => proxyAddress(request, trusts) ?? '';
}
