import type { AuditDefinitions } from '../../core/audit/index.js';

export const LOGS_AUDIT = {
  'log.deleted': 'An entry of the log of an agent was deleted.',
  'logs.cleared': 'The recent lines of the server log were cleared.',
} as const satisfies AuditDefinitions;

type LogsAudit = typeof LOGS_AUDIT;

declare module '../../core/audit/audit-actions.js' {
  interface AuditActions extends LogsAudit {}
}
