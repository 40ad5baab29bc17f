import type { ErrorDefinitions } from '../../core/errors/index.js';

export const AGENTS_ERRORS = {
  AGENT_NOT_FOUND: { kind: 'not_found', meaning: 'No running agent has this id.' },
  CHARACTER_INVALID: { kind: 'invalid', meaning: 'The character has missing, unknown or mistyped fields.' },
} as const satisfies ErrorDefinitions;

type AgentErrors = typeof AGENTS_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends AgentErrors {}
}
