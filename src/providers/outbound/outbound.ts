import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import type { Clock } from '../../core/clock/index.js';
import { secretsOf, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { boundedBody } from './bounded-body.js';
import { Networks } from './networks.js';

/** Resolves a name to all its addresses, as `dns.lookup` with `all`. */
export type Resolve = (host: string, done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void) => void;

/** How much one request may take. */
export interface OutboundLimits {
  /** Bytes of the answer, unpacked. */
  readonly maxBytes: number;
  /** Time until the whole answer has arrived, ms. */
  readonly timeoutMs: number;
}

const WAY_OUT = 'Name an address of the internet; the operator allows other networks with OUTBOUND_ALLOWED_NETWORKS.';
// A shorter one is a word that conversations have in them.
const SHORTEST_SECRET = 8;
const MOST_ORIGINS = 256;
const resolveBySystem: Resolve = (host, done) => systemLookup(host, { all: true }, done);

/**
 * Requests to addresses that a caller gave: an agent's settings, a request, a model. They reach the internet, the networks of
 * OUTBOUND_ALLOWED_NETWORKS and the very services that the operator configured, and nothing else. A name is resolved once, and what was
 * checked is what is connected to.
 */
export class Outbound {
  private readonly networks: Networks;
  private readonly operatorOrigins: ReadonlySet<string>;
  private readonly secrets: readonly string[];
  private origins = new Set<string>();
  private agents: Promise<{ readonly guarded: Agent; readonly open: Agent }> | undefined;

  constructor(
    config: Config,
    private readonly clock: Clock,
    private readonly resolve: Resolve = resolveBySystem,
  ) {
    this.networks = new Networks(config.outboundAllowedNetworks);
    const { openaiBaseUrl, openaiAudioBaseUrl, anthropicBaseUrl, ollamaBaseUrl, elevenlabsBaseUrl } = config;
    const configured = [openaiBaseUrl, openaiAudioBaseUrl, anthropicBaseUrl, ollamaBaseUrl, elevenlabsBaseUrl];
    this.operatorOrigins = new Set(configured.flatMap((url) => (url === undefined ? [] : [new URL(url).origin])));
    this.secrets = secretsOf(config).filter(({ length }) => length >= SHORTEST_SECRET);
  }

  /**
   * Asks as `fetch` does. Follows no redirection.
   *
   * @throws AppError VALIDATION_ERROR for an address that may not be asked, that redirects, or whose answer is larger than the limit (also
   *   while the body is read); MODEL_UNAVAILABLE when the time is up; the signal's reason when it is aborted; otherwise what `fetch` throws
   */
  async fetch(address: string, init: RequestInit, limits: OutboundLimits): Promise<Response> {
    const url = this.checked(address);
    this.refuseSecrets(url, init);
    const ended = new AbortController();
    const giveUp = this.clock.after(limits.timeoutMs, () => ended.abort(tooSlow(limits.timeoutMs)));
    const signal = init.signal ? AbortSignal.any([ended.signal, init.signal]) : ended.signal;
    try {
      const undici = await import('undici');
      const dispatcher = await this.dispatcherFor(url);
      const response = await undici.fetch(url, { ...(init as object), redirect: 'manual', signal, dispatcher });
      if (response.status >= 300 && response.status < 400 && response.status !== 304) {
        await response.body?.cancel();
        throw refused('The address redirects, which is not followed', 'Name the address to which it leads.');
      }
      return boundedBody(response, { maxBytes: limits.maxBytes, tooLarge: () => tooLarge(limits.maxBytes), done: giveUp });
    } catch (error) {
      giveUp();
      signal.throwIfAborted();
      throw reasonOf(error);
    }
  }

  /** `fetch` for a service whose address an agent's settings name; each request is one of `fetch` of this class. */
  serviceFetch(limits: OutboundLimits): typeof fetch {
    return (input, init = {}) => this.fetch(input instanceof Request ? input.url : String(input), init, limits);
  }

  /** Lets go of idle connections. */
  async close(): Promise<void> {
    const agents = await this.agents;
    await Promise.all([agents?.guarded.destroy(), agents?.open.destroy()]);
  }

  private checked(address: string): URL {
    if (!URL.canParse(address)) throw refused('The address is none', 'It must begin with http:// or https://.');
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('The address has a scheme that is not asked', WAY_OUT);
    if (url.username !== '' || url.password !== '') throw refused('The address has a user or a password in it', 'Leave them out.');
    // A name is looked at when it is resolved; the parser has brought numbers in any spelling into the usual one.
    const literal = /^\[.*\]$/.test(url.hostname) ? url.hostname.slice(1, -1) : url.hostname;
    const isNumber = literal.includes(':') || /^[\d.]+$/.test(literal);
    if (isNumber && !this.isOperators(url) && !this.networks.allows(literal)) throw privateNetwork();
    return url;
  }

  /** A service that the operator configured may be anywhere. */
  private isOperators(url: URL): boolean {
    return this.operatorOrigins.has(url.origin);
  }

  /** An address given by others never gets the operator's keys. */
  private refuseSecrets(url: URL, { headers, body }: RequestInit): void {
    const sent = [url.href, ...new Headers(headers).values(), typeof body === 'string' ? body : ''];
    if (this.secrets.some((secret) => sent.some((text) => text.includes(secret)))) {
      throw refused('A key of the server must not be sent to this address', "Give the agent a key of its own in its settings' secrets.");
    }
  }

  private async dispatcherFor(url: URL): Promise<Dispatcher> {
    // An agent of undici never forgets an origin. What is under way at the one that is left goes on; idle connections close themselves.
    if (this.origins.size >= MOST_ORIGINS && !this.origins.has(url.origin)) {
      this.origins = new Set();
      this.agents = undefined;
    }
    this.origins.add(url.origin);
    this.agents ??= import('undici').then((undici) => ({
      guarded: new undici.Agent({ connect: { lookup: this.lookup } }),
      open: new undici.Agent(),
    }));
    const { guarded, open } = await this.agents;
    return this.isOperators(url) ? open : guarded;
  }

  /** Answers the connecting socket, so that no second look-up can say something else. */
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

/** `fetch` wraps what went wrong with the connection. */
function reasonOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof AppError ? cause : error;
}

function refused(what: string, wayOut: string): AppError {
  return new AppError('VALIDATION_ERROR', `${what}.`, wayOut);
}

/** Names neither the address nor what it resolves to: who asks may be looking for what is there. */
function privateNetwork(): AppError {
  return refused('The address may not be asked: it is not one of the internet', WAY_OUT);
}

function tooLarge(maxBytes: number): AppError {
  return refused(`The answer from the address is larger than ${maxBytes} bytes`, 'Name an address with a smaller one.');
}

function tooSlow(timeoutMs: number): AppError {
  return new AppError('MODEL_UNAVAILABLE', `The service did not answer within ${timeoutMs} ms.`, 'Try again, or name another service.');
}
