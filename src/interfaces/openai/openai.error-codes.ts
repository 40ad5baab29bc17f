import type { ErrorDefinitions } from '../../core/errors/index.js';

export const OPENAI_ERRORS = {
  PREVIOUS_RESPONSE_NOT_FOUND: {
    kind: 'invalid',
    meaning: 'No response of this caller has the id in `previous_response_id`; it may not have been stored, or have been deleted.',
  },
  RESPONSE_NOT_FOUND: { kind: 'not_found', meaning: 'No response of this caller has this id.' },
  CONVERSATION_NOT_FOUND: { kind: 'not_found', meaning: 'No conversation of this caller has this id.' },
  ITEM_NOT_FOUND: { kind: 'not_found', meaning: 'No item of this conversation has this id.' },
} as const satisfies ErrorDefinitions;

type OpenAiErrors = typeof OPENAI_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends OpenAiErrors {}
}
