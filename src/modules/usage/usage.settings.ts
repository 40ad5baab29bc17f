import { integer, type SettingValues } from '../../core/config/index.js';

export const USAGE_SETTINGS = {
  usageRetentionHours: integer('USAGE_RETENTION_HOURS', 8784, { min: 1, max: 87_600 }, { about: 'Retention of usage rows, hours.' }),
} as const;

type UsageConfig = SettingValues<typeof USAGE_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends UsageConfig {}
}
