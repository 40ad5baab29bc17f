import type { AuditDefinitions } from '../../core/audit/index.js';

export const MESSAGING_AUDIT = {
  'channel.deleted': 'A channel was deleted with its messages.',
  'message-server.deleted': 'A message server was deleted with its channels.',
} as const satisfies AuditDefinitions;

type MessagingAudit = typeof MESSAGING_AUDIT;

declare module '../../core/audit/audit-actions.js' {
  interface AuditActions extends MessagingAudit {}
}
