import type { AuditDefinitions } from '../../core/audit/index.js';

export const SERVER_MODEL_AUDIT = {
  'server-model.updated': "The server's model was chosen over HTTP. The entry has service, model and address, not the key.",
  'server-model.removed': "The server's model was taken back to what the environment says.",
} as const satisfies AuditDefinitions;

type ServerModelAudit = typeof SERVER_MODEL_AUDIT;

declare module '../../core/audit/audit-actions.js' {
  interface AuditActions extends ServerModelAudit {}
}
