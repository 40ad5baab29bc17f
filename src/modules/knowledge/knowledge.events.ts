import type { ErrorBody } from '../../core/errors/index.js';
import type { EventDefinitions } from '../../core/journal/index.js';

interface KnowledgeEvents {
  /** Has no channel. */
  'knowledge.updated': {
    agentId: string;
    documentId: string;
    name: string;
    status: 'pending' | 'processing' | 'ready' | 'failed' | 'deleted';
    progress: { done: number; total: number };
    error: ErrorBody | null;
  };
}

export const KNOWLEDGE_EVENTS: EventDefinitions<KnowledgeEvents> = {
  'knowledge.updated': {
    about: 'A document of an agent was added, replaced, read further or deleted.',
    fields: ({ agentId, documentId, name, status, progress, error }) => ({ agentId, documentId, name, status, progress, error }),
  },
};

declare module '../../core/journal/events.js' {
  interface JournalPayloads extends KnowledgeEvents {}
}
