import type { AuditDefinitions } from '../../core/audit/index.js';

export const ACCESS_AUDIT = {
  'key.created': 'An API key was created.',
  'key.revoked': 'An API key was revoked.',
} as const satisfies AuditDefinitions;

type AccessAudit = typeof ACCESS_AUDIT;

declare module '../../core/audit/audit-actions.js' {
  interface AuditActions extends AccessAudit {}
}
