import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import type { Clock } from '../../core/clock/index.js';
import { secretsOf, type Config } from '../../core/config/index.js';
import { withoutTraceState } from '../../core/context/request-context.js';
import { AppError } from '../../core/errors/index.js';
import { limitBody } from './body-limit.js';
import { AllowedNetworks } from './allowed-networks.js';

/** Resolves a host name to all its addresses, like `dns.lookup` with `all`. */
export type Resolve = (host: string, done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void) => void;

/** Limits of a request. */
export interface OutboundLimits {
  /** Maximum size of the decompressed response, bytes. */
  readonly maxBytes: number;
  /** Time limit until the complete response has arrived, ms; absent when the signal of the request has limits of its own. */
  readonly timeoutMs?: number;
}

const ADDRESS_HINT = 'Use a public address; the operator allows other networks with OUTBOUND_ALLOWED_NETWORKS.';
// Shorter secrets could be ordinary words.
const MIN_SECRET_LENGTH = 8;
const MAX_ORIGINS = 256;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
// Callers have limits of their own, which may be longer than those of undici.
const UNLIMITED = { headersTimeout: 0, bodyTimeout: 0 };
const resolveBySystem: Resolve = (host, done) => systemLookup(host, { all: true }, done);

/**
 * Requests to addresses from agents' settings, requests and models. They can reach only public addresses and the networks of
 * OUTBOUND_ALLOWED_NETWORKS. A host name is resolved once, and the connection uses the checked address.
 */
export class Outbound {
  private readonly networks: AllowedNetworks;
  private readonly secrets: readonly string[];
  private origins = new Set<string>();
  private agent: Promise<Agent> | undefined;

  constructor(
    config: Config,
    private readonly clock: Clock,
    private readonly resolve: Resolve = resolveBySystem,
  ) {
    this.networks = new AllowedNetworks(config.outboundAllowedNetworks);
    this.secrets = secretsOf(config).filter(({ length }) => length >= MIN_SECRET_LENGTH);
  }

  /**
   * Like `fetch`, but does not follow redirects.
   *
   * @throws AppError VALIDATION_ERROR for an address that is not allowed, a redirect, or a response that exceeds the limit (also while the
   *   body is read); MODEL_UNAVAILABLE on timeout; the signal's reason when it is aborted; otherwise as `fetch`
   */
  async fetch(address: string, init: RequestInit, limits: OutboundLimits): Promise<Response> {
    return (await this.follow(address, init, { ...limits, maxRedirects: 0 })).response;
  }

  /**
   * Like `fetch`, but follows redirects, each to an address that is allowed like the first one; none leads from https to http. For requests
   * without a body and without credentials.
   *
   * @returns the response, and the address that it came from
   * @throws as `fetch`, and AppError VALIDATION_ERROR for more than `maxRedirects`
   */
  async follow(
    address: string,
    init: RequestInit,
    limits: OutboundLimits & { readonly maxRedirects: number },
  ): Promise<{ response: Response; url: string }> {
    const ended = new AbortController();
    const { timeoutMs } = limits;
    const giveUp = timeoutMs === undefined ? () => undefined : this.clock.after(timeoutMs, () => ended.abort(tooSlow(timeoutMs)));
    const signal = init.signal ? AbortSignal.any([ended.signal, init.signal]) : ended.signal;
    try {
      let url = this.parseAddress(address);
      for (let redirects = 0; ; redirects++) {
        const response = await this.request(url, { ...init, signal });
        if (response.status < 300 || response.status >= 400 || response.status === 304) {
          const limit = { maxBytes: limits.maxBytes, tooLarge: () => tooLarge(limits.maxBytes), signal, done: giveUp };
          return { response: limitBody(response, limit), url: url.href };
        }
        await response.body?.cancel();
        url = this.targetOf(response, url, limits.maxRedirects, redirects);
      }
    } catch (error) {
      giveUp();
      signal.throwIfAborted();
      throw unwrapFetchError(error);
    }
  }

  /** Refuses what `fetch` refuses, without a request. @throws AppError VALIDATION_ERROR, also for a host name that is unknown */
  async assertAllowed(address: string): Promise<void> {
    const url = this.parseAddress(address);
    if (isNumeric(literalOf(url))) return;
    await new Promise<void>((resolve, reject) => {
      this.lookup(url.hostname, { all: true }, (error) => (error ? reject(unknownHost(error)) : resolve()));
    });
  }

  /** A `fetch` function for a service in an agent's settings; each request goes through `fetch` of this class. */
  serviceFetch(limits: OutboundLimits): typeof fetch {
    return (input, init = {}) => this.fetch(input instanceof Request ? input.url : String(input), init, limits);
  }

  /** Whether addresses of this machine may be called. */
  get allowsLoopback(): boolean {
    return this.networks.allows('127.0.0.1');
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await (await this.agent)?.destroy();
  }

  private async request(url: URL, init: RequestInit): Promise<Response> {
    this.assertNoSecrets(url, init);
    const undici = await import('./undici.js');
    const dispatcher = await this.dispatcher(url.origin);
    return withoutTraceState(() => undici.fetch(url, { ...(init as object), redirect: 'manual', dispatcher }));
  }

  private targetOf({ status, headers }: Response, from: URL, maxRedirects: number, redirects: number): URL {
    if (maxRedirects === 0) throw addressError('The address redirects, and redirects are not followed', 'Use the target address.');
    const location = headers.get('location') ?? '';
    if (!REDIRECTS.has(status) || location === '' || !URL.canParse(location, from.href)) {
      throw addressError(`The address responded with ${status}, and does not say where it redirects to`, 'Use the target address.');
    }
    if (redirects === maxRedirects) throw addressError(`The address redirects more than ${maxRedirects} times`, 'Use the target address.');
    const target = this.parseAddress(new URL(location, from).href);
    if (from.protocol === 'https:' && target.protocol === 'http:') {
      throw addressError('The address redirects from https to http', 'Use the target address, if its content need not be protected.');
    }
    return target;
  }

  private parseAddress(address: string): URL {
    if (!URL.canParse(address)) throw addressError('The address is not a valid URL', 'It must begin with http:// or https://.');
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw addressError('The scheme of the address is not supported', ADDRESS_HINT);
    }
    if (url.username !== '' || url.password !== '') throw addressError('The address contains a user name or a password', 'Remove them.');
    // Host names are checked when they are resolved; the URL parser normalizes IP addresses in any notation.
    const literal = literalOf(url);
    if (isNumeric(literal) && !this.networks.allows(literal)) throw privateNetwork();
    return url;
  }

  /** Prevents sending the operator's secrets to other addresses. */
  private assertNoSecrets(url: URL, { headers, body }: RequestInit): void {
    const sent = [url.href, ...new Headers(headers).values(), typeof body === 'string' ? body : ''];
    if (this.secrets.some((secret) => sent.some((text) => text.includes(secret)))) {
      throw addressError(
        'A secret of the server must not be sent to this address',
        "Give the agent a key of its own in its settings' secrets.",
      );
    }
  }

  private dispatcher(origin: string): Promise<Dispatcher> {
    // Undici agents keep every origin. Replacing the agent lets requests in progress finish, and idle connections close themselves.
    if (this.origins.size >= MAX_ORIGINS && !this.origins.has(origin)) {
      this.origins = new Set();
      this.agent = undefined;
    }
    this.origins.add(origin);
    this.agent ??= import('./undici.js').then((undici) => new undici.Agent({ connect: { lookup: this.lookup }, ...UNLIMITED }));
    return this.agent;
  }

  /** Lookup for the connecting socket, so that no second lookup can return another address. */
  private readonly lookup: LookupFunction = (host, { all }, done) => {
    this.resolve(host, (error, addresses) => {
      const allowed = error ? [] : addresses.filter(({ address }) => this.networks.allows(address));
      const [first] = allowed;
      if (error || first === undefined) done(error ?? privateNetwork(), '', 0);
      else if (all === true) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}

function literalOf({ hostname }: URL): string {
  return /^\[.*\]$/.test(hostname) ? hostname.slice(1, -1) : hostname;
}

function isNumeric(host: string): boolean {
  return host.includes(':') || /^[\d.]+$/.test(host);
}

function unknownHost(error: Error): AppError {
  return error instanceof AppError ? error : addressError('The host name of the address is unknown', 'Correct the address.');
}

/** `fetch` wraps connection errors. */
function unwrapFetchError(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof AppError ? cause : error;
}

function addressError(what: string, wayOut: string): AppError {
  return new AppError('VALIDATION_ERROR', `${what}.`, wayOut);
}

/** Does not reveal the resolved address, because the caller may be scanning the network. */
function privateNetwork(): AppError {
  return addressError('The address is not allowed: it is not public', ADDRESS_HINT);
}

function tooLarge(maxBytes: number): AppError {
  return addressError(`The response from the address is larger than ${maxBytes} bytes`, 'Use an address with a smaller response.');
}

function tooSlow(timeoutMs: number): AppError {
  return new AppError('MODEL_UNAVAILABLE', `The service did not respond within ${timeoutMs} ms.`, 'Try again, or use another service.');
}
