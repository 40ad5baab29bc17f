import type { AuditDefinitions } from '../../core/audit/index.js';

export const BACKUP_AUDIT = {
  'backup.started': 'A backup was started over HTTP.',
  'backup.deleted': 'A backup, or the record of a failed one, was deleted over HTTP.',
} as const satisfies AuditDefinitions;

type BackupAudit = typeof BACKUP_AUDIT;

declare module '../../core/audit/audit-actions.js' {
  interface AuditActions extends BackupAudit {}
}
