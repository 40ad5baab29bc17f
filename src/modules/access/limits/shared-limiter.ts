import type { Clock } from '../../../core/clock/index.js';
import type { Counted, Limiter } from './limiter.js';
import type { SharedCounters } from './shared-counters.repository.js';

/** Into how many portions a limit is divided at most: a process asks the database once per portion. */
const PORTIONS = 50;

/** Points that this process has taken from a shared counter. */
interface Holding {
  rest: number;
  /** Points that no process had taken when this one asked last. */
  readonly left: number;
  /** Epoch ms. */
  readonly endsAt: number;
}

/**
 * Counts the requests of all processes on one database, which admit no more than the limit together. Points are taken from a shared counter
 * in portions, so most requests need no statement; what a process does not use of a portion is lost to the others.
 */
export class SharedLimiter implements Limiter {
  private readonly holdings = new Map<number, Holding>();
  private readonly takings = new Map<number, Promise<boolean>>();
  private readonly portion: number;

  /** @param alone counts while the database does not respond */
  constructor(
    private readonly kind: string,
    private readonly windowMs: number,
    private readonly counters: SharedCounters,
    private readonly alone: Limiter,
    private readonly clock: Clock,
  ) {
    this.portion = Math.max(1, Math.floor(alone.limit / PORTIONS));
  }

  get limit(): number {
    return this.alone.limit;
  }

  async consume(bucket: number): Promise<Counted> {
    for (;;) {
      const counted = this.fromHolding(bucket);
      if (counted) return counted;
      // Several requests that find nothing left wait for one portion.
      const taking = this.takings.get(bucket) ?? this.take(bucket);
      if (!(await taking)) return this.alone.consume(bucket);
    }
  }

  /** Forgets what was held of windows that have ended. */
  forgetEnded(): void {
    const now = this.clock.now();
    for (const [bucket, { endsAt }] of this.holdings) if (endsAt <= now) this.holdings.delete(bucket);
  }

  /** @returns undefined when points have to be taken first */
  private fromHolding(bucket: number): Counted | undefined {
    const holding = this.holdings.get(bucket);
    const resetMs = (holding?.endsAt ?? 0) - this.clock.now();
    if (!holding || resetMs <= 0) return undefined;
    if (holding.rest > 0) {
      holding.rest -= 1;
      return { admitted: true, remaining: holding.rest + holding.left, resetMs };
    }
    return holding.left > 0 ? undefined : { admitted: false, remaining: 0, resetMs };
  }

  private take(bucket: number): Promise<boolean> {
    const { kind, limit, portion, windowMs } = this;
    const taking = this.counters
      .take({ kind, bucket, limit, portion, windowMs })
      .then((taken) => {
        if (taken) this.holdings.set(bucket, { rest: taken.granted, left: taken.left, endsAt: taken.endsAt });
        return taken !== undefined;
      })
      .finally(() => this.takings.delete(bucket));
    this.takings.set(bucket, taking);
    return taking;
  }
}
