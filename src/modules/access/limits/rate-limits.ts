import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { engineOf, STORE, type Store } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { networkOf, type Caller, type HttpResponse } from '../../../core/http/index.js';
import { InstallationIds } from '../../../core/ids/index.js';
import type { RetentionSweep } from '../../../core/retention/index.js';
import { LocalLimiter, type Counted, type Limiter } from './limiter.js';
import { SharedCounters } from './shared-counters.repository.js';
import { SharedLimiter } from './shared-limiter.js';

// A fixed number of counters bounds the memory; beyond it, callers share counters.
const COUNTERS = 65_536;

/**
 * Kinds of separate limits. `credentials`: wrong credentials; `sessions`: sessions created without a credential; `plugins`: requests to plugin
 * routes that require no credential of the server.
 */
export type RateLimitKind = 'requests' | 'uploads' | 'sessions' | 'credentials' | 'plugins';

const LABELS: Readonly<Record<RateLimitKind, string>> = {
  requests: 'requests',
  uploads: 'uploads',
  sessions: 'new sessions',
  credentials: 'wrong credentials',
  plugins: 'requests to plugin routes',
};

/** Rate limits per credential, or per address without one. On PostgreSQL they hold for all processes on the database together. */
@Injectable()
export class RateLimits implements RetentionSweep {
  readonly removes = 'rate limit counters';
  readonly everyMs = 60_000;
  private readonly limiters: Record<RateLimitKind, Limiter> | undefined;
  private readonly shared: SharedLimiter[] = [];
  private readonly counters: SharedCounters | undefined;
  private readonly windowSeconds: number;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(STORE) store: Pick<Store, 'readSource'>,
    private readonly ids: InstallationIds,
    clock: Clock,
  ) {
    const { rateLimit } = config;
    this.windowSeconds = config.rateLimitWindowSeconds;
    // Without API_KEY the server listens on loopback only, so callers are local: no limits by default.
    if (rateLimit !== 'on' && (rateLimit !== 'auto' || config.apiKey === undefined)) return;
    if (engineOf(config.databaseUrl) === 'postgres') this.counters = new SharedCounters(store.readSource, clock);
    const of = (kind: RateLimitKind, points: number): Limiter => this.limiterOf(kind, new LocalLimiter(points, this.windowSeconds), clock);
    this.limiters = {
      requests: of('requests', config.rateLimitRequests),
      uploads: of('uploads', config.rateLimitUploads),
      sessions: of('sessions', config.rateLimitSessions),
      credentials: of('credentials', config.rateLimitCredentials),
      plugins: of('plugins', config.rateLimitPlugins),
    };
  }

  get enabled(): boolean {
    return this.limiters !== undefined;
  }

  /**
   * Counts one request. The administrator's key has no limit.
   *
   * @param response gets the RateLimit headers, of the limit with the least remaining
   * @throws AppError RATE_LIMIT_EXCEEDED
   */
  consume(kind: RateLimitKind, caller: Caller, address: string, response?: HttpResponse): void | Promise<void> {
    const limiter = this.limiters?.[kind];
    if (!limiter || caller.id === 'administrator') return;
    return this.count(kind, limiter, keysOf(caller, address), response);
  }

  async sweep(): Promise<void> {
    for (const limiter of this.shared) limiter.forgetEnded();
    await this.counters?.deleteEnded();
  }

  private limiterOf(kind: RateLimitKind, local: LocalLimiter, clock: Clock): Limiter {
    if (!this.counters) return local;
    const limiter = new SharedLimiter(kind, this.windowSeconds * 1000, this.counters, local, clock);
    this.shared.push(limiter);
    return limiter;
  }

  private async count(kind: RateLimitKind, limiter: Limiter, keys: readonly string[], response?: HttpResponse): Promise<void> {
    let least: Counted | undefined;
    for (const key of keys) {
      const counted = await limiter.consume(this.bucketOf(key));
      if (!least || counted.remaining < least.remaining || !counted.admitted) least = counted;
      if (!counted.admitted) break;
    }
    if (!least) return;
    const { limit } = limiter;
    const seconds = Math.ceil(least.resetMs / 1000);
    response?.set({
      'RateLimit-Policy': `${limit};w=${this.windowSeconds}`,
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(least.remaining),
      'RateLimit-Reset': String(seconds),
    });
    if (least.admitted) return;
    throw new AppError(
      'RATE_LIMIT_EXCEEDED',
      `More than ${limit} ${LABELS[kind]} in ${this.windowSeconds} seconds.`,
      `Wait ${seconds} seconds, as Retry-After says.`,
    ).retryAfter(seconds);
  }

  /** Callers cannot tell who shares a counter with them, so they cannot exhaust another's limit on purpose. The same in every process. */
  private bucketOf(key: string): number {
    return Number.parseInt(this.ids.of('rate limit', [key]).slice(0, 8), 16) % COUNTERS;
  }
}

/**
 * What a request is counted for. A session's token counts for its session, and for what is behind the session too: the user, if a credential
 * vouched for it, else the address. So more sessions do not raise the limit.
 */
function keysOf({ id, session }: Caller, address: string): string[] {
  if (session) return [id, session.vouched ? `user:${session.userId}` : networkOf(address)];
  return [id === 'nobody' || id === 'everybody' ? networkOf(address) : id];
}
