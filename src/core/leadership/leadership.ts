import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { PeriodicTask, SystemClock } from '../clock/index.js';
import { STORE, type Store } from '../database/index.js';
import { newId } from '../ids/index.js';
import { Log } from '../logging/index.js';

const NAME = 'background';
const LEASE_MS = 2000;
const RENEW_MS = 500;

// The condition comes first, so that the other processes only read: how long the lease lasts, ms.
const CLAIM = `WITH claimed AS (INSERT INTO leases AS held (name, owner, until)
    SELECT $1::varchar, $2::varchar, clock_timestamp() + $3 * interval '1 millisecond'
    WHERE NOT EXISTS (SELECT 1 FROM leases WHERE name = $1 AND owner <> $2 AND until > clock_timestamp())
    ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
      WHERE held.owner = excluded.owner OR held.until <= clock_timestamp()
    RETURNING owner)
  SELECT EXISTS (SELECT 1 FROM claimed) AS "isHeld",
    (SELECT ceil(extract(epoch FROM until - clock_timestamp()) * 1000)::integer FROM leases WHERE name = $1) AS "lastsMs"`;
// Another process has just claimed a lease that had ended.
const LEAST_WAIT_MS = 50;
const RELEASE = 'DELETE FROM leases WHERE name = $1 AND owner = $2';

interface LeaseRow {
  readonly isHeld: boolean;
  /** Null when no process had the lease before. */
  readonly lastsMs: number | null;
}

/**
 * Elects the process that does background work, such as announcements and retention. It holds a lease of 2 s, by the time of the database,
 * and renews it every 0.5 s. The others look when it would end, so one takes over 2 s after a crash. On SQLite the only process leads.
 *
 * Leadership saves work; it does not guard data: a process that is paused may still act for an instant after another has taken over
 * (docs/decisions/0041).
 */
@Injectable()
export class Leadership implements OnModuleInit, BeforeApplicationShutdown {
  private readonly owner = newId();
  private readonly listeners = new Set<() => void>();
  private readonly renewal: PeriodicTask;
  private readonly log = new Log('leadership');
  /** Monotonic ms. */
  private heldUntil = 0;
  private failing = false;

  constructor(@Inject(STORE) private readonly store: Pick<Store, 'readSource'>) {
    if (!this.isShared) this.heldUntil = Number.POSITIVE_INFINITY;
    this.renewal = new PeriodicTask(
      new SystemClock(),
      RENEW_MS,
      () => this.renew(),
      (error) => this.onFailure(error),
    );
  }

  /** Whether several processes may use the database, so that one does not hear of all that happens. */
  get isShared(): boolean {
    return this.store.readSource.options.type === 'postgres';
  }

  get isLeader(): boolean {
    return performance.now() < this.heldUntil;
  }

  /** Calls `listener` each time this process becomes the leader after the start. */
  onElected(listener: () => void): void {
    this.listeners.add(listener);
  }

  async onModuleInit(): Promise<void> {
    if (!this.isShared) return;
    await this.renew();
    this.renewal.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (!this.isShared) return;
    await this.renewal.stop();
    this.heldUntil = 0;
    // Without the release, the lease ends by itself.
    await this.store.readSource.query(RELEASE, [NAME, this.owner]).catch((error: unknown) => this.onFailure(error));
  }

  private async renew(): Promise<void> {
    const askedAt = performance.now();
    const [lease] = await this.store.readSource.query<LeaseRow[]>(CLAIM, [NAME, this.owner, LEASE_MS]);
    const led = this.isLeader;
    this.heldUntil = lease?.isHeld ? askedAt + LEASE_MS : 0;
    if (!lease?.isHeld) this.renewal.runSoon(Math.min(Math.max(lease?.lastsMs ?? 0, LEAST_WAIT_MS), LEASE_MS));
    if (this.failing) this.log.info('the lease of background work can be claimed again');
    this.failing = false;
    if (led || !this.isLeader) return;
    for (const listener of this.listeners) listener();
  }

  private onFailure(error: unknown): void {
    if (!this.failing) this.log.warn('the lease of background work cannot be claimed; retrying', { error: String(error) });
    this.failing = true;
  }
}
