import { integer, type SettingValues } from '../config/index.js';

export const JOURNAL_SETTINGS = {
  journalRetentionHours: integer(
    'JOURNAL_RETENTION_HOURS',
    168,
    { min: 1, max: 87_600 },
    { about: 'Retention of journal entries, from which disconnected clients resume, hours.' },
  ),
} as const;

type JournalConfig = SettingValues<typeof JOURNAL_SETTINGS>;

declare module '../config/config.js' {
  interface Config extends JournalConfig {}
}
