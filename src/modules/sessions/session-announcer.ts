import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, type Cancel } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { withRequestId } from '../../core/context/request-context.js';
import { UnitOfWork } from '../../core/database/index.js';
import { Journal } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import { SessionChanges } from './session-changes.js';
import { dueAt } from './session-policy.js';
import { StaleSession } from './sessions.errors.js';
import { SessionsRepository } from './sessions.repository.js';
import type { Session } from './sessions.types.js';

const PAGE = 100;
const RETRY_MS = 1000;
const HOUR_MS = 3_600_000;

/**
 * Says what time does to sessions: warns before an expiry, once for each, and reports the expiry, once. One timer
 * stands at the next deadline of all sessions; it is computed from the database, so what passed while no process ran
 * is made up for at the start. Several processes may do this at once: the change of the row decides who speaks.
 */
@Injectable()
export class SessionAnnouncer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private looking: Promise<void> | undefined;
  private forgetting: Promise<void> | undefined;
  private again = false;
  private stopped = false;
  private wakeAt = Number.POSITIVE_INFINITY;
  private cancelWake: Cancel = () => undefined;
  private cancelForget: Cancel = () => undefined;
  private stopListening: () => void = () => undefined;
  private failed = false;
  /** True while more is due than one page: those who list sessions do not wait for the rest. */
  private behind = false;
  private readonly untilBehind = new Set<() => void>();
  private readonly log = new Log('sessions');

  constructor(
    private readonly repository: SessionsRepository,
    private readonly changes: SessionChanges,
    private readonly unitOfWork: UnitOfWork,
    private readonly journal: Journal,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.stopListening = this.journal.listen((entry) => {
      if (entry.type !== 'session.created' && entry.type !== 'session.renewed' && entry.type !== 'session.updated') return;
      // A deadline that moves away is met where it was, and found to be later; only an earlier one cannot wait for that. While
      // a look is under way, what it will set the timer to is not known yet.
      if (this.looking || Math.min(entry.payload.warnsAt, entry.payload.expiresAt) < this.wakeAt) void this.catchUp();
    });
    void this.catchUp();
    this.keepForgetting();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.stopListening();
    this.cancelWake();
    this.cancelForget();
    await Promise.all([this.looking, this.forgetting]);
  }

  /** False while announcements fail. */
  get healthy(): boolean {
    return !this.failed;
  }

  /** Announces what is due, and sets the timer to what comes next. Never rejects: what could not be written is tried again soon. */
  catchUp(): Promise<void> {
    this.again = true;
    // Not in the name of the request that happened to wake it.
    this.looking ??= withRequestId('session-announcer', () => this.look()).finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  /**
   * As `catchUp` while no more than a page is due. When much is, it goes on without the caller: what a session is follows from the time
   * alone, whether or not it was announced.
   */
  catchUpOnLittle(): Promise<void> {
    const caughtUp = this.catchUp();
    if (this.behind) return Promise.resolve();
    return new Promise((resolve) => {
      this.untilBehind.add(resolve);
      void caughtUp.then(() => {
        this.untilBehind.delete(resolve);
        resolve();
      });
    });
  }

  private async look(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      try {
        this.wake(await this.announceDue());
        this.failed = false;
      } catch (error) {
        this.failed = true;
        this.log.error('sessions could not be announced; trying again shortly', error);
        this.wake(this.clock.now() + RETRY_MS);
        return;
      }
    }
  }

  /** @returns the next deadline, if there is one */
  private async announceDue(): Promise<number | undefined> {
    for (;;) {
      const next = await this.repository.firstDeadline();
      const now = this.clock.now();
      if (next === undefined || next > now || this.stopped) {
        this.behind = false;
        return next;
      }
      const due = await this.repository.due(now, PAGE);
      this.behind = due.length === PAGE;
      if (this.behind) {
        for (const resolve of this.untilBehind) resolve();
        this.untilBehind.clear();
      }
      // All at once, so that they share commits.
      const outcomes = await Promise.allSettled(due.map((session) => this.announce(session, now)));
      const fault = outcomes.find((outcome) => outcome.status === 'rejected');
      if (fault) throw fault.reason;
    }
  }

  private async announce(session: Session, now: number): Promise<void> {
    const event = dueAt(session, now);
    if (event === undefined) throw new Error(`session ${session.id} has a deadline at which nothing is to be announced`);
    try {
      const { statements } = event === 'session.warning' ? this.changes.warning(session, now) : this.changes.expiry(session, now);
      await this.unitOfWork.commit(statements);
    } catch (error) {
      // Somebody changed or announced it first; the next look meets what they left.
      if (!(error instanceof StaleSession)) throw error;
    }
  }

  private wake(at = Number.POSITIVE_INFINITY): void {
    if (this.stopped || at === this.wakeAt) return;
    this.cancelWake();
    this.wakeAt = at;
    if (at === Number.POSITIVE_INFINITY) return;
    this.cancelWake = this.clock.at(at, () => {
      this.wakeAt = Number.POSITIVE_INFINITY;
      void this.catchUp();
    });
  }

  /** Removes what was closed longer ago than it is remembered, now and every hour. */
  private keepForgetting(): void {
    this.forgetting = this.forgetClosed()
      .catch((error: unknown) => this.log.error('closed sessions could not be removed; trying again in an hour', error))
      .finally(() => {
        if (!this.stopped) this.cancelForget = this.clock.after(HOUR_MS, () => this.keepForgetting());
      });
  }

  private async forgetClosed(): Promise<void> {
    const closedUpTo = this.clock.now() - this.config.sessionTombstoneHours * HOUR_MS;
    for (let removed = PAGE; removed === PAGE && !this.stopped;) {
      const outcomes = await this.unitOfWork.commit([this.repository.forget(closedUpTo, PAGE)]);
      removed = outcomes[0]?.changed ?? 0;
    }
  }
}
