import { createHash } from 'node:crypto';
import type { ServiceOverride } from '../services/index.js';
import { serviceFetch, type Outbound } from '../outbound/index.js';

// More than the longest accepted response, including the framing of its stream.
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** URL and credentials of a service. */
export interface Service {
  readonly name: string;
  readonly baseUrl: string;
  readonly key?: string;
  /** Must be used for all requests to the service. */
  readonly fetch: typeof fetch;
}

/** A service in the operator's configuration. */
export interface OperatorService extends Omit<Service, 'fetch'> {
  /** Sends the requests to an address that was given over HTTP; absent for one of the environment. */
  readonly guard?: Outbound;
}

/** Options for requests to an agent's own service. */
export interface AgentServiceOptions {
  readonly outbound: Outbound;
  /** Time limit of a request, ms; absent when each request has limits of its own. */
  readonly timeoutMs?: number;
}

/**
 * The operator's service, overridden by an agent's own settings. An agent's address is used without the operator's key and through the
 * outbound guard, unless it is the operator's own; an agent's key without an address is used at the operator's address.
 */
export function resolveService(
  operators: OperatorService,
  own: ServiceOverride | undefined,
  { outbound, timeoutMs }: AgentServiceOptions,
): Service {
  const { name, baseUrl, key, guard } = operators;
  const limits = { maxBytes: MAX_RESPONSE_BYTES, timeoutMs };
  // Any other path could be one that the operator's service has for its administrator.
  if (own?.address !== undefined && withoutSlash(own.address) !== withoutSlash(baseUrl)) {
    return { name, baseUrl: own.address, key: own.key, fetch: outbound.serviceFetch(limits) };
  }
  const fetch = guard?.serviceFetch(limits) ?? serviceFetch(baseUrl);
  return { name, baseUrl, key: own?.address === undefined ? (own?.key ?? key) : own.key, fetch };
}

function withoutSlash(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}

/** A cache key for an agent's own service that does not reveal its API key. */
export function serviceFingerprint({ address, key }: ServiceOverride): string {
  return createHash('sha256')
    .update(JSON.stringify([address ?? null, key ?? null]))
    .digest('base64');
}

/**
 * For SDKs that require a key and otherwise read one from the environment.
 *
 * @param header the header with the key, which is removed from requests to a service without a key
 */
export function apiKeyOptions({ key, fetch: ask }: Service, header: string): { readonly apiKey: string; readonly fetch: typeof fetch } {
  if (key !== undefined) return { apiKey: key, fetch: ask };
  const keyless: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete(header);
    return ask(input, { ...init, headers });
  };
  return { apiKey: 'none', fetch: keyless };
}
