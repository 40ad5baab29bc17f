import type { AuditDefinitions } from '../../core/audit/index.js';

export const KNOWLEDGE_AUDIT = {
  'document.added': 'A document was added.',
  'document.replaced': 'The content of a document was replaced.',
  'document.deleted': 'A document was deleted.',
} as const satisfies AuditDefinitions;

type KnowledgeAudit = typeof KNOWLEDGE_AUDIT;

declare module '../../core/audit/audit-actions.js' {
  interface AuditActions extends KnowledgeAudit {}
}
