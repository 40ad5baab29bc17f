import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { auditEntry } from '../../core/audit/index.js';
import {
  backupFolder,
  backupName,
  backupsOf,
  deleteUnfinished,
  kindOfBackup,
  readManifest,
  removeBackup,
  sizeOf,
  sizeOfSource,
  sizeOfUnfinished,
  startOfBackup,
  writeBackup,
  type BackupKind,
} from '../../core/backup/index.js';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { engineOf, storageError, UnitOfWork } from '../../core/database/index.js';
import { AppError, errorBody, type ErrorBody } from '../../core/errors/index.js';
import { Log } from '../../core/logging/index.js';
import { BackupRunsRepository, type BackupRun } from './backup-runs.repository.js';
import { BackupSlot } from './backup-slot.js';
import { ScheduledBackups } from './scheduled-backups.js';
import { backupSource } from './verification.js';

/** File beside the backups that says why one failed. */
const FAILED = '.failed';
const NAME = /^[\w-][\w.-]{0,199}$/;
/** Backups of the schedule in a report. */
const MAX_RUNS = 20;
const ADVICE =
  'Several servers may share this database. Use pg_dump or the backups of your database, or run npx parley-server backup, which also copies the files of DATA_DIR.';

/** A backup in `DATA_DIR/backups`. */
export interface Backup {
  readonly name: string;
  /** Absolute path. */
  readonly folder: string;
  readonly kind: BackupKind;
  readonly state: 'running' | 'complete' | 'failed';
  /** Epoch ms. */
  readonly createdAt: number;
  /** Bytes of a complete backup. */
  readonly size: number | null;
  /** Bytes written of a running backup. */
  readonly bytesDone: number | null;
  readonly bytesTotal: number | null;
  readonly version: string | null;
  readonly error: ErrorBody | null;
}

export interface BackupList {
  readonly backups: readonly Backup[];
  /** Why backups cannot be started, with the way out. */
  readonly advice: string | null;
  /** Null without BACKUP_SCHEDULE. */
  readonly schedule: ScheduleReport | null;
}

/** Backups of the schedule. */
export interface ScheduleReport {
  readonly expression: string;
  readonly timeZone: string;
  readonly destination: string;
  /** When the next one is due, epoch ms. */
  readonly nextAt: number;
  readonly lastSuccess: BackupRun | null;
  /** The newest first. */
  readonly runs: readonly BackupRun[];
}

interface Running {
  readonly name: string;
  readonly createdAt: number;
  readonly stop: AbortController;
  bytesTotal: number;
  ended: Promise<void>;
}

interface Failure extends ErrorBody {
  /** Epoch ms. */
  readonly createdAt: number;
}

/**
 * Makes backups that are asked for over HTTP, and lists and deletes those in the data directory. At most one runs; only on SQLite, whose data
 * directory belongs to one process: of several servers on PostgreSQL, one would not know of the backups of another.
 */
@Injectable()
export class BackupsService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Log('backups');
  private running: Running | undefined;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly runs: BackupRunsRepository,
    private readonly scheduled: ScheduledBackups,
    private readonly slot: BackupSlot,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** What a killed process began will not be completed. */
  async onModuleInit(): Promise<void> {
    if (!this.isSupported) return;
    const details = 'Start a new one.';
    for (const name of await deleteUnfinished('request', this.folderOf('.'))) {
      await this.recordFailure(name, startOfBackup(name), new AppError('SERVER_STOPPING', 'The server ended during the backup.', details));
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.running?.stop.abort(new AppError('SERVER_STOPPING', 'The server was stopped during the backup.', 'Start a new one.'));
    await this.running?.ended;
  }

  /** The newest first. */
  async list(): Promise<BackupList> {
    const { dataDir } = this.config;
    const names = (await backupsOf(dataDir)).map((folder) => basename(folder));
    const failed = (await this.entries()).filter((name) => name.endsWith(FAILED)).map((name) => name.slice(0, -FAILED.length));
    const found = await Promise.all([...names, ...failed, ...(this.running ? [this.running.name] : [])].map((name) => this.find(name)));
    const backups = new Map(found.flatMap((backup) => (backup ? [[backup.name, backup] as const] : [])));
    return {
      backups: [...backups.values()].sort((a, b) => b.createdAt - a.createdAt),
      advice: this.isSupported ? null : ADVICE,
      schedule: await this.reportSchedule(),
    };
  }

  private async reportSchedule(): Promise<ScheduleReport | null> {
    const { schedule } = this.scheduled;
    const { backupSchedule: expression, backupTimeZone: timeZone, backupDestination: destination } = this.config;
    if (!schedule || expression === undefined) return null;
    const [runs, lastSuccess = null] = await Promise.all([this.runs.newest(MAX_RUNS), this.runs.newestComplete()]);
    return { expression, timeZone, destination, nextAt: schedule.next(this.clock.now()), lastSuccess, runs };
  }

  /** @throws AppError BACKUP_NOT_FOUND */
  async read(name: string): Promise<Backup> {
    const backup = await this.find(name);
    if (!backup) throw new AppError('BACKUP_NOT_FOUND', 'The server has no backup with this name.', 'Choose a name of the list.');
    return backup;
  }

  /**
   * Starts a backup; it goes on in the background.
   *
   * @throws AppError CONFLICT while one is running, BACKUP_NOT_SUPPORTED on PostgreSQL
   */
  async start(): Promise<Backup> {
    if (!this.isSupported) throw new AppError('BACKUP_NOT_SUPPORTED', 'This server makes no backups over HTTP.', ADVICE);
    const createdAt = this.clock.now();
    const name = backupName('request', new Date(createdAt));
    const leave = this.slot.take(name);
    if (!leave) throw new AppError('CONFLICT', `The backup ${this.slot.current} is running.`, 'GET /api/server/backups has its progress.');
    const running: Running = { name, createdAt, stop: new AbortController(), bytesTotal: 0, ended: Promise.resolve() };
    this.running = running;
    try {
      running.bytesTotal = await sizeOfSource(backupSource(this.config));
      await this.unitOfWork.commit([auditEntry('backup.started', { target: ['backup', name], summary: 'Started a backup.' }, createdAt)]);
      await this.forgetFailures();
    } catch (error) {
      this.running = undefined;
      leave();
      throw error;
    }
    running.ended = this.make(running).finally(leave);
    return this.describeRunning(running);
  }

  /** @throws AppError BACKUP_NOT_FOUND, CONFLICT for the one that is running */
  async delete(name: string): Promise<void> {
    const { state, folder } = await this.read(name);
    if (state === 'running') throw new AppError('CONFLICT', 'The backup is running.', 'Delete it when it has ended.');
    const entry = { target: ['backup', name], summary: 'Deleted a backup.' } as const;
    await this.unitOfWork.commit([auditEntry('backup.deleted', entry, this.clock.now())]);
    await removeBackup(folder);
    await rm(`${folder}${FAILED}`, { force: true });
  }

  private get isSupported(): boolean {
    return engineOf(this.config.databaseUrl) === 'sqlite';
  }

  private async make({ name, createdAt, stop }: Running): Promise<void> {
    try {
      await writeBackup(backupSource(this.config), new Date(createdAt), this.folderOf(name), { signal: stop.signal });
      this.log.info('backup complete', { name });
    } catch (error) {
      // An interrupted statement of SQLite fails with an error of its own.
      await this.recordFailure(name, createdAt, stop.signal.aborted ? stop.signal.reason : storageError(error));
    } finally {
      this.running = undefined;
    }
  }

  private async recordFailure(name: string, createdAt: number, error: unknown): Promise<void> {
    const known =
      error instanceof AppError
        ? error
        : new AppError('INTERNAL_ERROR', 'The backup failed unexpectedly.', 'The cause is in the log of the server.', error);
    this.log.error('backup failed', known, { name });
    const record: Failure = { createdAt, ...errorBody(known) };
    const path = `${backupFolder(this.config.dataDir, name)}${FAILED}`;
    // On a full disk, the log has the only record.
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      .then(() => writeFile(path, JSON.stringify(record), { mode: 0o600 }))
      .catch((fault: unknown) => this.log.error('the failure of a backup cannot be recorded', fault, { name }));
  }

  /** Those of former backups: the list has the latest only. */
  private async forgetFailures(): Promise<void> {
    for (const name of await this.entries()) {
      if (name.endsWith(FAILED)) await rm(backupFolder(this.config.dataDir, name), { force: true });
    }
  }

  private async find(name: string): Promise<Backup | undefined> {
    if (!NAME.test(name)) return undefined;
    if (this.running?.name === name) return this.describeRunning(this.running);
    const folder = this.folderOf(name);
    const common = { name, folder, kind: kindOfBackup(name), size: null, bytesDone: null, bytesTotal: null, version: null, error: null };
    const manifest = await readManifest(folder).catch(() => undefined);
    if (manifest) {
      const { createdAt, parley: version, size = await sizeOf(folder) } = manifest;
      return { ...common, state: 'complete', createdAt: Date.parse(createdAt), size, version };
    }
    const record = await readFile(`${folder}${FAILED}`, 'utf8').catch(() => undefined);
    if (record === undefined) return undefined;
    const { createdAt, ...error } = JSON.parse(record) as Failure;
    return { ...common, state: 'failed', createdAt, error };
  }

  private async describeRunning({ name, createdAt, bytesTotal }: Running): Promise<Backup> {
    const bytesDone = Math.min(await sizeOfUnfinished(this.config.dataDir, name), bytesTotal);
    const folder = this.folderOf(name);
    return { name, folder, kind: 'request', state: 'running', createdAt, size: null, bytesDone, bytesTotal, version: null, error: null };
  }

  private entries(): Promise<string[]> {
    return readdir(this.folderOf('.')).catch(() => []);
  }

  private folderOf(name: string): string {
    return resolve(backupFolder(this.config.dataDir, name));
  }
}
