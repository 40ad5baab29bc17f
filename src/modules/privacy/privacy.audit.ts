import type { AuditDefinitions } from '../../core/audit/index.js';

export const PRIVACY_AUDIT = {
  'user.forgotten': 'It was requested to forget a user. The entry names the request, not the user.',
} as const satisfies AuditDefinitions;

type PrivacyAudit = typeof PRIVACY_AUDIT;

declare module '../../core/audit/audit-actions.js' {
  interface AuditActions extends PrivacyAudit {}
}
