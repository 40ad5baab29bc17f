import type { AuditDefinitions } from '../../core/audit/index.js';

export const PLUGINS_AUDIT = {
  'delivery.replayed': 'A webhook delivery of a plugin was queued again.',
} as const satisfies AuditDefinitions;

type PluginsAudit = typeof PLUGINS_AUDIT;

declare module '../../core/audit/audit-actions.js' {
  interface AuditActions extends PluginsAudit {}
}
