import type { DataSource } from 'typeorm';
import type { Clock } from '../../../core/clock/index.js';
import { Log } from '../../../core/logging/index.js';

/** Time without attempts after a failed one, ms. */
const RETRY_MS = 5000;

// One instant for the whole statement, and of one clock for all processes.
const NOW = '(extract(epoch FROM statement_timestamp()) * 1000)::bigint';
const TAKE = `INSERT INTO rate_limit_counters AS c (kind, bucket, taken, ends_at) VALUES ($1, $2, $4, ${NOW} + $5::bigint)
  ON CONFLICT (kind, bucket) DO UPDATE SET
    taken = CASE WHEN c.ends_at <= ${NOW} THEN 0 ELSE least(c.taken, $3::bigint) END + $4::bigint,
    ends_at = CASE WHEN c.ends_at <= ${NOW} THEN ${NOW} + $5::bigint ELSE c.ends_at END
  RETURNING taken, ends_at - ${NOW} AS remaining`;

export interface Taking {
  readonly kind: string;
  readonly bucket: number;
  /** Points per window. */
  readonly limit: number;
  /** Points to take, at most `limit`. */
  readonly portion: number;
  readonly windowMs: number;
}

export interface Taken {
  /** Points that were granted; fewer than asked for at the end of the limit, then none. */
  readonly granted: number;
  /** Points that are left to take. */
  readonly left: number;
  /** Time at which the window ends or shortly before, epoch ms. */
  readonly endsAt: number;
}

/** Counters in a table that all processes share (PostgreSQL). */
export class SharedCounters {
  private readonly log = new Log('rate-limits');
  private failing = false;
  private retryAt = 0;

  constructor(
    private readonly source: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Takes points, in a statement that commits by itself. @returns undefined while the database does not respond */
  async take({ kind, bucket, limit, portion, windowMs }: Taking): Promise<Taken | undefined> {
    // The window ends no later than this, however long the response takes.
    const askedAt = this.clock.now();
    if (askedAt < this.retryAt) return undefined;
    try {
      const rows = await this.source.query<{ taken: number; remaining: number }[]>(TAKE, [kind, bucket, limit, portion, windowMs]);
      const { taken = 0, remaining = 0 } = rows[0] ?? {};
      if (this.failing) this.log.info('rate limits are counted for all processes again');
      this.failing = false;
      return {
        granted: Math.max(0, Math.min(portion, limit - (taken - portion))),
        left: Math.max(0, limit - taken),
        endsAt: askedAt + remaining,
      };
    } catch (error) {
      if (!this.failing) {
        this.log.warn('rate limits are counted for this process alone: the shared counters cannot be used', { error: String(error) });
      }
      this.failing = true;
      this.retryAt = askedAt + RETRY_MS;
      return undefined;
    }
  }

  /** Deletes the counters whose window has ended. */
  async deleteEnded(): Promise<void> {
    await this.source.query(`DELETE FROM rate_limit_counters WHERE ends_at <= ${NOW}`);
  }
}
