import { integer, type SettingValues } from '../../core/config/index.js';

export const AUDIT_SETTINGS = {
  auditRetentionDays: integer('AUDIT_RETENTION_DAYS', 365, { min: 1, max: 36_500 }, { about: 'Retention of the audit log, days.' }),
} as const;

type AuditConfig = SettingValues<typeof AUDIT_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends AuditConfig {}
}
