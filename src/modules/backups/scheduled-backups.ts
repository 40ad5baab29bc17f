import { Inject, Injectable } from '@nestjs/common';
import { backupName } from '../../core/backup/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { storageError, type Store } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { Log } from '../../core/logging/index.js';
import { JobEnvironment, JobRunner, LeaseLost, type FailedEnd, type JobFailure, type Lease } from '../../core/queue/index.js';
import { expiredBackups } from './backup-retention.js';
import { BackupRunsRepository, type BackupRun } from './backup-runs.repository.js';
import { BackupSchedule } from './backup-schedule.js';
import { BackupSlot } from './backup-slot.js';
import { BACKUP_METRICS } from './backups.metrics.js';
import type { BackupDestination } from './destinations/backup-destination.js';
import { openDestination } from './destinations/open-destination.js';
import { assertValid, backupSource, verifyFound } from './verification.js';

const FIRST_CHECK_MS = 1000;
const CHECK_MS = 5000;
const LEASE_MS = 60_000;
const RETRY = { attempts: 5, backoffMs: 5 * 60_000, factor: 2, isExact: true };
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
export class ScheduledBackups extends JobRunner<Job, BackupRun> {
  /** Undefined without BACKUP_SCHEDULE. */
  readonly schedule: BackupSchedule | undefined;
  /** The first instant that is not stored, epoch ms. */
  private nextAt = 0;

  constructor(
    environment: JobEnvironment,
    private readonly runs: BackupRunsRepository,
    private readonly slot: BackupSlot,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super(environment, {
      table: runs.table,
      leaseMs: LEASE_MS,
      onlyLeader: true,
      tickMs: CHECK_MS,
      firstTickMs: FIRST_CHECK_MS,
      retry: RETRY,
      keyOf: ({ tick }) => [tick],
      compare: (a, b) => (a.tick < b.tick ? 1 : -1),
      fieldsOf: ({ tick }) => ({ tick }),
      log: new Log('backups'),
      failure: 'scheduled backup failed',
    });
    const { backupSchedule, backupTimeZone } = config;
    this.schedule = backupSchedule === undefined ? undefined : new BackupSchedule(backupSchedule, backupTimeZone);
  }

  override async onApplicationBootstrap(): Promise<void> {
    if (this.schedule) await super.onApplicationBootstrap();
  }

  protected override async tick(isLeader: boolean): Promise<void> {
    const now = this.environment.clock.now();
    if (!isLeader) {
      this.nextAt = 0;
      BACKUP_METRICS.failing.set(0);
      return;
    }
    if (!this.schedule || now < this.nextAt) return;
    if (this.nextAt === 0) await this.reportFormer();
    const tick = new Date(this.schedule.latest(now)).toISOString();
    await this.environment.store.unitOfWork.commit(this.runs.plan(tick, now));
    this.nextAt = this.schedule.next(now);
    this.wake();
  }

  /** What this process or the former leader did before. */
  private async reportFormer(): Promise<void> {
    const [[newest], last] = await Promise.all([this.runs.newest(1), this.runs.newestComplete()]);
    BACKUP_METRICS.failing.set(newest?.error ? 1 : 0);
    if (last) reportSuccess(last);
  }

  protected override find(now: number, _group: string, limit: number): ReturnType<BackupRunsRepository['due']> {
    return this.runs.due(now, limit);
  }

  protected override claim({ tick }: Job, { claim }: Lease): Promise<BackupRun | undefined> {
    return this.runs.claim(tick, claim());
  }

  protected override async process(run: BackupRun, { owner, signal }: Lease): Promise<void> {
    const startedAt = this.environment.clock.now();
    const leave = this.slot.take(backupName('schedule', new Date(startedAt)));
    if (!leave) return this.queue.release(run, startedAt + BUSY_PAUSE_MS);
    const ended = (outcome: 'completed' | 'failed' | 'interrupted'): void =>
      BACKUP_METRICS.attempts.with({ outcome }).observe(this.environment.clock.now() - startedAt);
    try {
      await this.attempt(run, startedAt, { owner, signal }, () => ended('completed'));
    } catch (error) {
      ended(signal.aborted || error instanceof LeaseLost ? 'interrupted' : 'failed');
      throw error;
    } finally {
      leave();
    }
  }

  protected override failureOf(error: unknown): JobFailure {
    BACKUP_METRICS.failing.set(1);
    const known = storageError(error);
    if (known instanceof AppError) return { error: known, retry: RETRY };
    const details = 'The cause is in the log of the server.';
    return { error: new AppError('INTERNAL_ERROR', 'The backup failed unexpectedly.', details, error), retry: RETRY };
  }

  protected override crashed(): AppError {
    BACKUP_METRICS.attempts.with({ outcome: 'failed' }).observe(0);
    const details = 'The log of the server has the reason: it may have run out of memory, or have been killed.';
    return new AppError('SERVER_STOPPING', 'The server ended during each attempt at the backup.', details);
  }

  protected override report({ tick }: Job, { attempts }: BackupRun, { error }: JobFailure, { dueAt }: FailedEnd): void {
    this.log.error('scheduled backup failed', error, { tick, attempts, again: dueAt === null ? null : new Date(dueAt).toISOString() });
  }

  private async attempt(
    run: BackupRun,
    startedAt: number,
    { owner, signal }: Pick<Lease, 'owner' | 'signal'>,
    onComplete: () => void,
  ): Promise<void> {
    const { tick } = run;
    const { clock, store } = this.environment;
    const destination = await openDestination(this.config);
    try {
      const done = await this.make(destination, run, startedAt, owner, signal);
      await store.unitOfWork.commit([this.runs.setResult(tick, done), this.end(run, owner, 'complete'), this.runs.prune()]);
      onComplete();
      BACKUP_METRICS.failing.set(0);
      reportSuccess({ ...run, ...done, startedAt, endedAt: clock.now() });
      this.log.info('scheduled backup complete', { tick, address: destination.addressOf(done.name), size: done.size });
      await this.deleteExpired(destination);
    } finally {
      destination.close();
    }
  }

  private async make(
    destination: BackupDestination,
    run: BackupRun,
    now: number,
    owner: string,
    signal: AbortSignal,
  ): Promise<Pick<BackupRun, 'size' | 'verifiedAt'> & { readonly name: string }> {
    const { unitOfWork, schema } = this.environment.store;
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
    return { name, size: manifest?.size ?? null, verifiedAt: this.config.backupVerify ? this.environment.clock.now() : null };
  }

  private async verify(destination: BackupDestination, name: string, schema: Store['schema'], signal: AbortSignal): Promise<void> {
    const found = await verifyFound(this.config, schema, { destination, name }, this.environment.clock, signal);
    if (found.isDamaged) await destination.reject(name);
    assertValid(destination.addressOf(name), found);
  }

  /** The new backup is complete, so a failed deletion is only a warning; the next one deletes the same. */
  private async deleteExpired(destination: BackupDestination): Promise<void> {
    const { backupKeep, backupKeepDays } = this.config;
    try {
      const expired = expiredBackups(await destination.list(), backupKeep, backupKeepDays, this.environment.clock.now());
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
