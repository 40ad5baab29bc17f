import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** The state of a counter after a request was counted. */
export interface Counted {
  readonly admitted: boolean;
  /** Requests that are left in the window. */
  readonly remaining: number;
  /** Time until the window ends, ms. */
  readonly resetMs: number;
}

/** Counts requests in windows of a fixed length, each of which begins with its first request. */
export interface Limiter {
  /** Requests per window. */
  readonly limit: number;
  consume(bucket: number): Promise<Counted>;
}

/** Counts the requests of this process. */
export class LocalLimiter implements Limiter {
  private readonly counters: RateLimiterMemory;

  constructor(
    readonly limit: number,
    windowSeconds: number,
  ) {
    this.counters = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  }

  async consume(bucket: number): Promise<Counted> {
    const result = await this.counters.consume(String(bucket)).catch((over: unknown) => {
      if (over instanceof RateLimiterRes) return over;
      throw over;
    });
    return { admitted: result.consumedPoints <= this.limit, remaining: result.remainingPoints, resetMs: result.msBeforeNext };
  }
}
