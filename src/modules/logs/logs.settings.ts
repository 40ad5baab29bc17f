import { integer, type SettingValues } from '../../core/config/index.js';

export const LOGS_SETTINGS = {
  agentLogRetentionHours: integer('AGENT_LOG_RETENTION_HOURS', 168, { min: 1, max: 87_600 }, { about: 'Retention of agent logs, hours.' }),
  agentLogLimit: integer(
    'AGENT_LOG_LIMIT',
    100_000,
    { min: 100, max: 10_000_000 },
    { about: 'Maximum number of entries in the log of an agent.' },
  ),
} as const;

type LogConfig = SettingValues<typeof LOGS_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends LogConfig {}
}
