import type { ErrorDefinitions } from '../../core/errors/index.js';

export const KNOWLEDGE_ERRORS = {
  DOCUMENT_NOT_FOUND: { kind: 'not_found', meaning: 'The agent has no document with this id.' },
  DOCUMENT_LIMIT_REACHED: { kind: 'conflict', meaning: 'The agent has as many documents as KNOWLEDGE_DOCUMENT_LIMIT allows.' },
  DOCUMENT_UNREADABLE: {
    kind: 'unprocessable',
    meaning: 'A document is broken, encrypted, without text, or larger than the reader allows.',
  },
  DOCUMENT_UNAVAILABLE: { kind: 'unavailable', meaning: 'A document could not be downloaded from its address.' },
} as const satisfies ErrorDefinitions;

type KnowledgeErrors = typeof KNOWLEDGE_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends KnowledgeErrors {}
}
