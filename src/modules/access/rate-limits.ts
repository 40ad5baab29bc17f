import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import type { Caller, HttpResponse } from '../../core/http/index.js';
import { networkOf } from './network.js';

// A fixed number of counters bounds the memory; beyond it, callers share counters.
const COUNTERS = 65_536;

/** Kinds of separate limits. `credentials`: wrong credentials; `sessions`: sessions created without a credential. */
export type RateLimitKind = 'requests' | 'uploads' | 'sessions' | 'credentials';

const LABELS: Readonly<Record<RateLimitKind, string>> = {
  requests: 'requests',
  uploads: 'uploads',
  sessions: 'new sessions',
  credentials: 'wrong credentials',
};

/** Rate limits per credential, or per address without one. Each process counts separately. */
@Injectable()
export class RateLimits {
  private readonly limiters: Record<RateLimitKind, RateLimiterMemory> | undefined;
  private readonly windowSeconds: number;
  /** Makes shared counters unpredictable, so that a caller cannot exhaust another's limit on purpose. */
  private readonly salt = randomBytes(32);

  constructor(@Inject(CONFIG) config: Config) {
    const { rateLimit, rateLimitWindowSeconds: duration } = config;
    this.windowSeconds = duration;
    const of = (points: number): RateLimiterMemory => new RateLimiterMemory({ points, duration });
    // Without API_KEY the server listens on loopback only, so callers are local: no limits by default.
    if (rateLimit === 'on' || (rateLimit === 'auto' && config.apiKey !== undefined)) {
      this.limiters = {
        requests: of(config.rateLimitRequests),
        uploads: of(config.rateLimitUploads),
        sessions: of(config.rateLimitSessions),
        credentials: of(config.rateLimitCredentials),
      };
    }
  }

  get enabled(): boolean {
    return this.limiters !== undefined;
  }

  /**
   * Counts one request. The administrator's key has no limit.
   *
   * @param response gets the RateLimit headers
   * @throws AppError RATE_LIMIT_EXCEEDED
   */
  consume(kind: RateLimitKind, { id }: Caller, address: string, response?: HttpResponse): void | Promise<void> {
    const limiter = this.limiters?.[kind];
    if (!limiter || id === 'administrator') return;
    return this.count(kind, limiter, id === 'nobody' || id === 'everybody' ? networkOf(address) : id, response);
  }

  private async count(kind: RateLimitKind, limiter: RateLimiterMemory, key: string, response?: HttpResponse): Promise<void> {
    const result = await limiter
      .consume(String(createHmac('sha256', this.salt).update(key).digest().readUInt32BE() % COUNTERS))
      .catch((over: unknown) => {
        if (over instanceof RateLimiterRes) return over;
        throw over;
      });
    const seconds = Math.ceil(result.msBeforeNext / 1000);
    response?.set({
      'RateLimit-Policy': `${limiter.points};w=${this.windowSeconds}`,
      'RateLimit-Limit': String(limiter.points),
      'RateLimit-Remaining': String(result.remainingPoints),
      'RateLimit-Reset': String(seconds),
    });
    if (result.consumedPoints <= limiter.points) return;
    throw new AppError(
      'RATE_LIMIT_EXCEEDED',
      `More than ${limiter.points} ${LABELS[kind]} in ${this.windowSeconds} seconds.`,
      `Wait ${seconds} seconds, as Retry-After says.`,
    ).retryAfter(seconds);
  }
}
