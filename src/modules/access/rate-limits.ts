import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import type { Caller, HttpResponse } from '../../core/http/index.js';
import { networkOf } from './network.js';

// Callers share counters beyond so many of them, so that what they cost is bounded.
const COUNTERS = 65_536;

/** What is counted apart. `credentials`: wrong ones; `sessions`: those that are created without a credential. */
export type Limited = 'requests' | 'uploads' | 'sessions' | 'credentials';

const WORDS: Readonly<Record<Limited, string>> = {
  requests: 'requests',
  uploads: 'uploads',
  sessions: 'new sessions',
  credentials: 'wrong credentials',
};

/** How much a caller may do in a while: an address that has no credential, else a key. Each process counts for itself. */
@Injectable()
export class RateLimits {
  private readonly limiters: Record<Limited, RateLimiterMemory> | undefined;
  private readonly windowSeconds: number;
  /** Nobody knows with whom a counter is shared, and so nobody can use up another's. */
  private readonly salt = randomBytes(32);

  constructor(@Inject(CONFIG) config: Config) {
    const { rateLimit, rateLimitWindowSeconds: duration } = config;
    this.windowSeconds = duration;
    const of = (points: number): RateLimiterMemory => new RateLimiterMemory({ points, duration });
    // Whoever needs no credential is on this machine: a benchmark, a script, a person.
    if (rateLimit === 'on' || (rateLimit === 'auto' && config.apiKey !== undefined)) {
      this.limiters = {
        requests: of(config.rateLimitRequests),
        uploads: of(config.rateLimitUploads),
        sessions: of(config.rateLimitSessions),
        credentials: of(config.rateLimitCredentials),
      };
    }
  }

  /** Whether anything is counted at all. */
  get counting(): boolean {
    return this.limiters !== undefined;
  }

  /**
   * Counts one. The administrator's own key is not limited.
   *
   * @param response told how much is left
   * @throws AppError RATE_LIMIT_EXCEEDED
   */
  take(what: Limited, { id }: Caller, address: string, response?: HttpResponse): void | Promise<void> {
    const limiter = this.limiters?.[what];
    if (!limiter || id === 'administrator') return;
    return this.count(what, limiter, id === 'nobody' || id === 'everybody' ? networkOf(address) : id, response);
  }

  private async count(what: Limited, limiter: RateLimiterMemory, who: string, response?: HttpResponse): Promise<void> {
    const result = await limiter
      .consume(String(createHmac('sha256', this.salt).update(who).digest().readUInt32BE() % COUNTERS))
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
      `More than ${limiter.points} ${WORDS[what]} in ${this.windowSeconds} seconds.`,
      `Wait ${seconds} seconds, as Retry-After says.`,
    ).retryAfter(seconds);
  }
}
