import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { backupName } from '../../core/backup/index.js';
import { Clock, PeriodicTask } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { STORE, storageError, type Store } from '../../core/database/index.js';
import { AppError, errorBody } from '../../core/errors/index.js';
import { Leadership } from '../../core/leadership/index.js';
import { Log } from '../../core/logging/index.js';
import { LeaseLost, Queue, type Lease } from '../../core/queue/index.js';
import { expiredBackups } from './backup-retention.js';
import { BackupRunsRepository, type BackupRun } from './backup-runs.repository.js';
import { BackupSchedule } from './backup-schedule.js';
import { BackupSlot } from './backup-slot.js';
import { BACKUP_METRICS } from './backups.metrics.js';
import type { BackupDestination } from './destinations/backup-destination.js';
import { openDestination } from './destinations/open-destination.js';
import { assertFaultless, backupSource, verifyFound } from './verification.js';

const FIRST_CHECK_MS = 1000;
const CHECK_MS = 5000;
const LEASE_MS = 60_000;
const HEARTBEAT_MS = 15_000;
const GROUP = 'backup';
/** Of one backup of the schedule. */
const MAX_ATTEMPTS = 5;
/** Before the second attempt; each further pause is twice as long. */
const FIRST_PAUSE_MS = 5 * 60_000;
/** While a backup that was asked for runs. */
const BUSY_PAUSE_MS = 10_000;

interface Job {
  readonly tick: string;
}

/**
 * Makes the backups of BACKUP_SCHEDULE. The leader of a fleet stores a row for each instant of the schedule and makes the backup, so there is
 * one backup for each instant, also after a crash or a change of the leader. Of the instants that were missed while no server ran, only the
 * latest is made up for, soon after the start. A failed backup is tried again, up to five times until the next instant. After a success,
 * those that BACKUP_KEEP and BACKUP_KEEP_DAYS leave out are deleted.
 */
@Injectable()
export class ScheduledBackups implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Undefined without BACKUP_SCHEDULE. */
  readonly schedule: BackupSchedule | undefined;
  private readonly log = new Log('backups');
  private readonly queue: Queue<Job>;
  private readonly check: PeriodicTask;
  /** The first instant that is not stored, epoch ms. */
  private nextAt = 0;

  constructor(
    private readonly runs: BackupRunsRepository,
    private readonly slot: BackupSlot,
    private readonly leadership: Leadership,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(STORE) private readonly store: Store,
  ) {
    const { backupSchedule, backupTimeZone } = config;
    this.schedule = backupSchedule === undefined ? undefined : new BackupSchedule(backupSchedule, backupTimeZone);
    this.queue = new Queue<Job>(
      {
        table: runs.table,
        leaseMs: LEASE_MS,
        heartbeatMs: HEARTBEAT_MS,
        groupConcurrency: 1,
        groups: () => [GROUP],
        keyOf: ({ tick }) => [tick],
        groupOf: () => GROUP,
        compare: (a, b) => (a.tick < b.tick ? 1 : -1),
        find: async (now, _group, limit) => (leadership.isLeader ? runs.due(now, limit) : { jobs: [] }),
        run: (job, lease) => this.run(job, lease),
        fieldsOf: ({ tick }) => ({ tick }),
        log: this.log,
      },
      clock,
      store,
    );
    this.check = new PeriodicTask(
      clock,
      CHECK_MS,
      () => this.plan(),
      (error) => this.log.error('it cannot be checked whether a backup is due; retrying', error),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.schedule) return;
    await this.queue.recover();
    this.queue.start();
    this.check.start();
    this.check.runSoon(FIRST_CHECK_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.check.stop();
    await this.queue.drain(0);
  }

  private async plan(): Promise<void> {
    const now = this.clock.now();
    if (!this.leadership.isLeader) {
      this.nextAt = 0;
      BACKUP_METRICS.failing.set(0);
      return;
    }
    if (!this.schedule || now < this.nextAt) return;
    if (this.nextAt === 0) await this.reportFormer();
    const tick = new Date(this.schedule.latest(now)).toISOString();
    await this.store.unitOfWork.commit(this.runs.plan(tick, now));
    this.nextAt = this.schedule.next(now);
    void this.queue.lookUp(GROUP);
  }

  /** What this process or the former leader did before. */
  private async reportFormer(): Promise<void> {
    const [[newest], last] = await Promise.all([this.runs.newest(1), this.runs.newestComplete()]);
    BACKUP_METRICS.failing.set(newest?.error ? 1 : 0);
    if (last) reportSuccess(last);
  }

  private async run(job: Job, lease: Lease): Promise<void> {
    const run = await this.runs.claim(job.tick, lease.claim());
    if (!run) return;
    const now = this.clock.now();
    const leave = this.slot.take(backupName('schedule', new Date(now)));
    if (!leave) return this.queue.release(job, now + BUSY_PAUSE_MS);
    try {
      await this.attempt(run, now, lease);
    } finally {
      leave();
    }
  }

  private async attempt(run: BackupRun, startedAt: number, { owner, signal }: Lease): Promise<void> {
    const { tick, attempts } = run;
    const ended = (outcome: 'completed' | 'failed' | 'interrupted'): void =>
      BACKUP_METRICS.attempts.with({ outcome }).observe(this.clock.now() - startedAt);
    let destination: BackupDestination | undefined;
    try {
      if (attempts > MAX_ATTEMPTS) {
        const details = 'The log of the server has the reason: it may have run out of memory, or have been killed.';
        throw new AppError('SERVER_STOPPING', 'The server ended during each attempt at the backup.', details);
      }
      destination = await openDestination(this.config);
      const done = await this.make(destination, run, startedAt, owner, signal);
      await this.store.unitOfWork.commit([
        this.runs.setResult(tick, done),
        this.runs.table.end([tick], owner, 'complete', this.clock.now()),
        this.runs.prune(),
      ]);
      ended('completed');
      BACKUP_METRICS.failing.set(0);
      reportSuccess({ ...run, ...done, startedAt, endedAt: this.clock.now() });
      this.log.info('scheduled backup complete', { tick, address: destination.addressOf(done.name), size: done.size });
      await this.deleteExpired(destination);
    } catch (error) {
      if (signal.aborted || error instanceof LeaseLost) {
        ended('interrupted');
        throw signal.aborted ? signal.reason : error;
      }
      ended('failed');
      BACKUP_METRICS.failing.set(1);
      await this.fail(run, owner, error);
    } finally {
      destination?.close();
    }
  }

  private async make(
    destination: BackupDestination,
    run: BackupRun,
    now: number,
    owner: string,
    signal: AbortSignal,
  ): Promise<Pick<BackupRun, 'size' | 'verifiedAt'> & { readonly name: string }> {
    const { unitOfWork, schema } = this.store;
    const held = this.runs.table.assertHeld([run.tick], owner);
    // An earlier attempt may have made it, and failed or crashed afterwards.
    let name = run.name;
    let manifest = name === null ? undefined : await destination.manifest(name);
    if (name === null || !manifest) {
      name = backupName('schedule', new Date(now));
      await unitOfWork.commit([held, this.runs.setMade(run.tick, { name, address: destination.addressOf(name) })]);
      await destination.removeUnfinished();
      await destination.make(backupSource(this.config), new Date(now), name, {
        signal,
        confirm: async () => void (await unitOfWork.commit([held])),
      });
      manifest = await destination.manifest(name);
    }
    if (this.config.backupVerify) await this.verify(destination, name, schema, signal);
    return { name, size: manifest?.size ?? null, verifiedAt: this.config.backupVerify ? this.clock.now() : null };
  }

  private async verify(destination: BackupDestination, name: string, schema: Store['schema'], signal: AbortSignal): Promise<void> {
    const found = await verifyFound(this.config, schema, { destination, name }, this.clock, signal);
    if (found.isDamaged) await destination.reject(name);
    assertFaultless(destination.addressOf(name), found);
  }

  private async fail({ tick, attempts }: BackupRun, owner: string, error: unknown): Promise<void> {
    const known = storageError(error);
    const fault =
      known instanceof AppError
        ? known
        : new AppError('INTERNAL_ERROR', 'The backup failed unexpectedly.', 'The cause is in the log of the server.', error);
    const now = this.clock.now();
    const dueAt = attempts < MAX_ATTEMPTS ? now + FIRST_PAUSE_MS * 2 ** (attempts - 1) : null;
    this.log.error('scheduled backup failed', fault, { tick, attempts, again: dueAt === null ? null : new Date(dueAt).toISOString() });
    const end = this.runs.table.end([tick], owner, dueAt === null ? 'failed' : 'queued', now, {
      error: JSON.stringify(errorBody(fault)),
      dueAt,
    });
    await this.queue.storeEnd({ tick }, () => this.store.unitOfWork.commit([end]));
  }

  /** The new backup is complete, so a failed deletion is only a warning; the next one deletes the same. */
  private async deleteExpired(destination: BackupDestination): Promise<void> {
    const { backupKeep, backupKeepDays } = this.config;
    try {
      const expired = expiredBackups(await destination.list(), backupKeep, backupKeepDays, this.clock.now());
      for (const { name } of expired) await destination.remove(name);
      if (expired.length > 0) this.log.info('deleted old scheduled backups', { names: expired.map(({ name }) => name) });
    } catch (error) {
      this.log.error('old scheduled backups could not be deleted; the next backup tries again', error);
    }
  }
}

function reportSuccess({ startedAt, endedAt, size }: Pick<BackupRun, 'startedAt' | 'endedAt' | 'size'>): void {
  BACKUP_METRICS.lastSuccess.set(endedAt ?? 0);
  BACKUP_METRICS.lastDuration.set((endedAt ?? 0) - (startedAt ?? 0));
  BACKUP_METRICS.lastSize.set(size ?? 0);
}
