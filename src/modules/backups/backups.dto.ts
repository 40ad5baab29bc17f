import type { BackupRun } from './backup-runs.repository.js';
import type { Backup, BackupList, ScheduleReport } from './backups.service.js';

/** Why a backup failed. */
export class BackupFaultView {
  /** @example STORAGE_FULL */
  code!: string;

  /** One sentence. */
  message!: string;

  /** What to do, or more information. */
  details!: string;
}

/** A backup: a folder with a snapshot of the database and the files of the data directory. */
export class BackupView {
  /** Its folder in `DATA_DIR/backups`. @example 2026-11-25T14-06-27-000Z-requested */
  name!: string;

  /** Path of the folder on the server, for `parley restore`. */
  folder!: string;

  /** How it came about: by `parley backup`, over HTTP, before an upgrade, or by `BACKUP_SCHEDULE`. */
  kind!: 'command' | 'request' | 'upgrade' | 'schedule';

  state!: 'running' | 'complete' | 'failed';

  /** When it began. @format date-time */
  createdAt!: string;

  /** Bytes; null unless it is complete. */
  size!: number | null;

  /** Bytes written until now; null unless it is running. */
  bytesDone!: number | null;

  /** Bytes to write, about; null unless it is running. */
  bytesTotal!: number | null;

  /** Version of Parley that made it; null unless it is complete. */
  version!: string | null;

  /** Null unless it failed. */
  error!: BackupFaultView | null;
}

export class BackupDetailsView {
  backup!: BackupView;
}

/** A backup of the schedule, and what became of it. */
export class BackupRunView {
  /** When it was due. @format date-time */
  dueAt!: string;

  /** `waiting`: it has not begun, or is tried again at `nextAttemptAt`. */
  state!: 'waiting' | 'running' | 'complete' | 'failed';

  /** How often it was tried. */
  attempts!: number;

  /** Address of the backup, for `parley restore`; null before the first attempt. @example s3://backups/parley/2026-11-25T03-00-04-112Z-scheduled */
  address!: string | null;

  /** Begin of the last attempt. @format date-time */
  startedAt!: string | null;

  /** End of the last attempt. @format date-time */
  endedAt!: string | null;

  /** Bytes; null unless it is complete. */
  size!: number | null;

  /** When the rehearsal of its restore found no fault; null without `BACKUP_VERIFY`. @format date-time */
  verifiedAt!: string | null;

  /** Why the last attempt failed. */
  error!: BackupFaultView | null;

  /** @format date-time */
  nextAttemptAt!: string | null;
}

/** Backups that the server makes by itself. In a fleet, all servers report the same. */
export class BackupScheduleView {
  /** `BACKUP_SCHEDULE`. @example 0 3 * * * */
  expression!: string;

  /** `BACKUP_TIME_ZONE`. */
  timeZone!: string;

  /** `BACKUP_DESTINATION`: a folder on the server, or an address in a store. */
  destination!: string;

  /** When the next one is due. @format date-time */
  nextAt!: string;

  /** The newest complete one; null before the first. */
  lastSuccess!: BackupRunView | null;

  /** The newest 20, the newest first. */
  runs!: BackupRunView[];
}

export class BackupsView {
  /** The newest first. */
  backups!: BackupView[];

  /** Null without `BACKUP_SCHEDULE`. */
  schedule!: BackupScheduleView | null;

  /** Why this server makes no backups over HTTP, and what to do instead; null when it does. */
  advice!: string | null;
}

export function presentBackup({ createdAt, ...backup }: Backup): BackupView {
  return { ...backup, createdAt: new Date(createdAt).toISOString() };
}

export function presentBackups({ backups, advice, schedule }: BackupList): BackupsView {
  return { backups: backups.map(presentBackup), schedule: schedule && presentSchedule(schedule), advice };
}

function presentSchedule({ nextAt, lastSuccess, runs, ...settings }: ScheduleReport): BackupScheduleView {
  return {
    ...settings,
    nextAt: new Date(nextAt).toISOString(),
    lastSuccess: lastSuccess && presentRun(lastSuccess),
    runs: runs.map(presentRun),
  };
}

function presentRun({ tick, status, attempts, address, size, error, ...run }: BackupRun): BackupRunView {
  const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
  return {
    ...{ dueAt: tick, state: status === 'queued' ? 'waiting' : status, attempts, address, size, error },
    startedAt: time(run.startedAt),
    endedAt: status === 'running' ? null : time(run.endedAt),
    verifiedAt: time(run.verifiedAt),
    nextAttemptAt: status === 'queued' ? time(run.dueAt) : null,
  };
}
