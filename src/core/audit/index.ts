export { auditActions, registerAuditActions, type AuditDefinitions } from './audit-actions.js';
export { auditEntry, type AuditedChange } from './audit-entry.js';
export { AuditEntryRow } from './audit-entry.entity.js';
