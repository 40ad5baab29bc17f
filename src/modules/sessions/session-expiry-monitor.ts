import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, type Cancel } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { withRequestId } from '../../core/context/request-context.js';
import { UnitOfWork } from '../../core/database/index.js';
import { Journal } from '../../core/journal/index.js';
import { Leadership } from '../../core/leadership/index.js';
import { Log } from '../../core/logging/index.js';
import { SessionChanges } from './session-changes.js';
import { dueEvent } from './session-lifetime.js';
import { StaleSessionError } from './sessions.errors.js';
import { SessionsRepository } from './sessions.repository.js';
import type { Session } from './sessions.types.js';

const BATCH = 100;
const RETRY_MS = 1000;
const HOUR_MS = 3_600_000;
/** How late the leader learns of sessions of other processes at most. */
const POLL_MS = 1000;

/**
 * Announces the warning and the expiry of each session, once each. One timer is set to the next deadline of all sessions, which is
 * read from the database, so deadlines that passed while no process ran are processed at start. Of several processes, the leader has the
 * timer; the process whose row update succeeds makes the announcement.
 */
@Injectable()
export class SessionExpiryMonitor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private running: Promise<void> | undefined;
  private purging: Promise<void> | undefined;
  private rerun = false;
  private stopped = false;
  private wakeAt = Number.POSITIVE_INFINITY;
  private cancelWake: Cancel = () => undefined;
  private cancelPurge: Cancel = () => undefined;
  private stopListening: () => void = () => undefined;
  private failed = false;
  /** True while more than one batch is due; callers then do not wait for the rest. */
  private hasBacklog = false;
  private readonly backlogWaiters = new Set<() => void>();
  private readonly log = new Log('sessions');

  constructor(
    private readonly repository: SessionsRepository,
    private readonly changes: SessionChanges,
    private readonly unitOfWork: UnitOfWork,
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly leadership: Leadership,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.stopListening = this.journal.subscribe((entry) => {
      if (entry.type !== 'session.created' && entry.type !== 'session.renewed' && entry.type !== 'session.updated') return;
      // Only an earlier deadline needs a new timer; when a later one's old timer fires, nothing is due. During a run, the next timer is
      // not known yet.
      if (this.running || Math.min(entry.payload.warnsAt, entry.payload.expiresAt) < this.wakeAt) this.lead();
    });
    this.leadership.onElected(() => this.lead());
    this.lead();
    this.schedulePurge();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.stopListening();
    this.cancelWake();
    this.cancelPurge();
    await Promise.all([this.running, this.purging]);
  }

  /** False if the last run failed. */
  get healthy(): boolean {
    return !this.failed;
  }

  /** Announces due events and sets the timer to the next deadline. Never rejects; failures are retried. */
  processDue(): Promise<void> {
    this.rerun = true;
    // Do not log under the id of the request that triggered the run.
    this.running ??= withRequestId('session-expiry-monitor', () => this.run()).finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /**
   * As `processDue`, but resolves early if more than one batch is due. A session's state depends on the time only, not on its
   * announcement.
   */
  processDueUnlessBacklog(): Promise<void> {
    const caughtUp = this.processDue();
    if (this.hasBacklog) return Promise.resolve();
    return new Promise((resolve) => {
      this.backlogWaiters.add(resolve);
      void caughtUp.then(() => {
        this.backlogWaiters.delete(resolve);
        resolve();
      });
    });
  }

  private lead(): void {
    if (this.leadership.isLeader) void this.processDue();
  }

  private async run(): Promise<void> {
    while (this.rerun && !this.stopped) {
      this.rerun = false;
      try {
        this.setTimer(this.nextRun(await this.announceDueSessions()));
        this.failed = false;
      } catch (error) {
        this.failed = true;
        this.log.error('session events could not be announced; retrying', error);
        this.setTimer(this.clock.now() + RETRY_MS);
        return;
      }
    }
  }

  private nextRun(deadline = Number.POSITIVE_INFINITY): number {
    return this.leadership.isShared ? Math.min(deadline, this.clock.now() + POLL_MS) : deadline;
  }

  /** @returns the next deadline; undefined if there is none */
  private async announceDueSessions(): Promise<number | undefined> {
    for (;;) {
      const next = await this.repository.firstDeadline();
      const now = this.clock.now();
      if (next === undefined || next > now || this.stopped) {
        this.hasBacklog = false;
        return next;
      }
      const due = await this.repository.due(now, BATCH);
      this.hasBacklog = due.length === BATCH;
      if (this.hasBacklog) {
        for (const resolve of this.backlogWaiters) resolve();
        this.backlogWaiters.clear();
      }
      // In parallel, so that they share commits.
      const outcomes = await Promise.allSettled(due.map((session) => this.announce(session, now)));
      const fault = outcomes.find((outcome) => outcome.status === 'rejected');
      if (fault) throw fault.reason;
    }
  }

  private async announce(session: Session, now: number): Promise<void> {
    const event = dueEvent(session, now);
    if (event === undefined) throw new Error(`session ${session.id} has a deadline without a due event`);
    try {
      const { statements } = event === 'session.warning' ? this.changes.warning(session, now) : this.changes.expiry(session, now);
      await this.unitOfWork.commit(statements);
    } catch (error) {
      // The session was changed or announced concurrently; the next run reads it again.
      if (!(error instanceof StaleSessionError)) throw error;
    }
  }

  private setTimer(at: number): void {
    if (this.stopped || at === this.wakeAt) return;
    this.cancelWake();
    this.wakeAt = at;
    if (at === Number.POSITIVE_INFINITY) return;
    this.cancelWake = this.clock.at(at, () => {
      this.wakeAt = Number.POSITIVE_INFINITY;
      this.lead();
    });
  }

  /** Deletes closed sessions whose retention is over, now and every hour. */
  private schedulePurge(): void {
    this.purging = this.purgeClosed()
      .catch((error: unknown) => this.log.error('closed sessions could not be deleted; retrying in an hour', error))
      .finally(() => {
        if (!this.stopped) this.cancelPurge = this.clock.after(HOUR_MS, () => this.schedulePurge());
      });
  }

  private async purgeClosed(): Promise<void> {
    if (!this.leadership.isLeader) return;
    const closedUpTo = this.clock.now() - this.config.sessionTombstoneHours * HOUR_MS;
    for (let removed = BATCH; removed === BATCH && !this.stopped;) {
      const outcomes = await this.unitOfWork.commit([this.repository.deleteClosed(closedUpTo, BATCH)]);
      removed = outcomes[0]?.changed ?? 0;
    }
  }
}
