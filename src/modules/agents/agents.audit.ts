import type { AuditDefinitions } from '../../core/audit/index.js';

export const AGENTS_AUDIT = {
  'agent.created': 'An agent was created, over HTTP or from a character file.',
  'agent.updated': 'The character, the settings or the secrets of an agent changed; `fields` names what.',
  'agent.started': 'An agent was started.',
  'agent.stopped': 'An agent was stopped.',
  'agent.deleted': 'An agent was deleted with all its data.',
} as const satisfies AuditDefinitions;

type AgentsAudit = typeof AGENTS_AUDIT;

declare module '../../core/audit/audit-actions.js' {
  interface AuditActions extends AgentsAudit {}
}
