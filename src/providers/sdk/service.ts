import { createHash } from 'node:crypto';
import type { OwnService } from '../../core/config/index.js';
import { serviceFetch, type Outbound } from '../outbound/index.js';

// More than the longest answer that is taken, with what a stream has around each of its words.
const MOST_BYTES = 64 * 1024 * 1024;

/** Where a service is and how it is entered. */
export interface Service {
  readonly name: string;
  readonly baseUrl: string;
  readonly key?: string;
  /** The only way to ask it. */
  readonly fetch: typeof fetch;
}

/** A service as the operator configured it. */
export type OperatorsService = Omit<Service, 'fetch'>;

/** How an agent's own service is asked. */
export interface OwnLimits {
  readonly outbound: Outbound;
  /** Time for one request, ms. */
  readonly timeoutMs: number;
}

/**
 * The operator's service with what an agent names of its own over it: its address is asked without the operator's key and through the guard
 * for outbound requests; its key alone is used at the operator's address.
 */
export function serviceOf(operators: OperatorsService, own: OwnService | undefined, { outbound, timeoutMs }: OwnLimits): Service {
  const { name, baseUrl, key } = operators;
  if (own?.address === undefined) return { name, baseUrl, key: own?.key ?? key, fetch: serviceFetch(baseUrl) };
  return { name, baseUrl: own.address, key: own.key, fetch: outbound.serviceFetch({ maxBytes: MOST_BYTES, timeoutMs }) };
}

/** Tells what an agent names of its own from what all others do; does not show the key. */
export function ownServiceId({ address, key }: OwnService): string {
  return createHash('sha256')
    .update(JSON.stringify([address ?? null, key ?? null]))
    .digest('base64');
}

/**
 * For SDKs that insist on a key, and look for one in the environment when they get none.
 *
 * @param header what the SDK sends the key in; left out of requests to a service without a key
 */
export function keyOrNone({ key, fetch: ask }: Service, header: string): { readonly apiKey: string; readonly fetch: typeof fetch } {
  if (key !== undefined) return { apiKey: key, fetch: ask };
  const keyless: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete(header);
    return ask(input, { ...init, headers });
  };
  return { apiKey: 'none', fetch: keyless };
}
