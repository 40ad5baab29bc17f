import type { AuditDefinitions } from '../../core/audit/index.js';

export const SYSTEM_AUDIT = {
  'environment.updated': 'Variables of ENV_FILE changed; `fields` names them.',
  'server.stopped': 'The server was stopped over HTTP.',
} as const satisfies AuditDefinitions;

type SystemAudit = typeof SYSTEM_AUDIT;

declare module '../../core/audit/audit-actions.js' {
  interface AuditActions extends SystemAudit {}
}
