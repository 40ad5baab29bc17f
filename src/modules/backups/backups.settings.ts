import { resolve } from 'node:path';
import { dataFolder, flag, integer, parseS3Location, text, type SettingValues } from '../../core/config/index.js';
import { BackupSchedule, isTimeZone } from './backup-schedule.js';

const destination = dataFolder('BACKUP_DESTINATION', 'backups', {
  about: 'Where scheduled backups are kept: a folder, or s3://BUCKET/FOLDER with the S3_ settings. Each installation needs one of its own.',
});

const schedule = text('BACKUP_SCHEDULE', undefined, {
  about:
    'When backups are made: a cron expression of five fields (minute, hour, day of month, month, day of week), or @hourly, @daily, @weekly or @monthly. Unset: not by themselves.',
});

const timeZone = text('BACKUP_TIME_ZONE', 'UTC', { about: 'Time zone of BACKUP_SCHEDULE, such as Europe/Berlin.' });

export const BACKUP_SETTINGS = {
  backupSchedule: {
    ...schedule,
    read: (raw: string | undefined): string | undefined => {
      if (raw !== undefined) BackupSchedule.check(raw);
      return raw;
    },
  },
  backupTimeZone: {
    ...timeZone,
    read: (raw: string | undefined, dataDir: string): string => {
      const zone = timeZone.read(raw, dataDir);
      if (!isTimeZone(zone)) throw new Error(`must be a time zone such as Europe/Berlin, not "${zone}"`);
      return zone;
    },
  },
  backupDestination: {
    ...destination,
    read: (raw: string | undefined, dataDir: string): string => {
      if (raw === undefined) return destination.read(raw, dataDir);
      if (raw.startsWith('s3:')) {
        parseS3Location(raw);
        return raw;
      }
      if (/^[a-z][a-z0-9+.-]+:/i.test(raw)) throw new Error(`must be a folder or an address such as s3://bucket/folder, not "${raw}"`);
      return resolve(raw);
    },
  },
  backupKeep: integer(
    'BACKUP_KEEP',
    7,
    { min: 1, max: 10_000 },
    { about: 'Number of scheduled backups to keep. Older ones are deleted after a new one is complete.' },
  ),
  backupKeepDays: integer(
    'BACKUP_KEEP_DAYS',
    0,
    { min: 0, max: 36_500 },
    {
      about:
        'Age at which scheduled backups are deleted even if there are fewer than BACKUP_KEEP, days; 0: never. The newest always stays.',
    },
  ),
  backupUploads: flag('BACKUP_UPLOADS', false, {
    about:
      'Whether backups contain the uploaded files of a MEDIA_DIR outside of DATA_DIR. Those in an S3-compatible store are in no backup.',
  }),
  backupVerify: flag('BACKUP_VERIFY', false, {
    about:
      'Restore each scheduled backup to a scratch place after it was made, and compare it with its manifest. Needs as much free space as the restored data.',
  }),
} as const;

type BackupConfig = SettingValues<typeof BACKUP_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends BackupConfig {}
}
