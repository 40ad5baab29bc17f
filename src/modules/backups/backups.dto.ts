import type { Backup, BackupList } from './backups.service.js';

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

export class BackupsView {
  /** The newest first. */
  backups!: BackupView[];

  /** Why this server makes no backups over HTTP, and what to do instead; null when it does. */
  advice!: string | null;
}

export function presentBackup({ createdAt, ...backup }: Backup): BackupView {
  return { ...backup, createdAt: new Date(createdAt).toISOString() };
}

export function presentBackups({ backups, advice }: BackupList): BackupsView {
  return { backups: backups.map(presentBackup), advice };
}
