import { auditEntry } from '../../core/audit/index.js';
import type { Statement } from '../../core/database/index.js';
import type { Document } from './knowledge.types.js';

const VERBS = { 'document.added': 'Added', 'document.replaced': 'Replaced', 'document.deleted': 'Deleted' } as const;

/** The audit log's entry about a document. Documents of the character change with its file and have none. */
export function documentEntry(
  action: keyof typeof VERBS,
  { id, agentId, name }: Pick<Document, 'id' | 'agentId' | 'name'>,
  at: number,
): Statement {
  return auditEntry(action, { target: ['document', id], agentId, summary: `${VERBS[action]} the document "${name}".` }, at);
}
