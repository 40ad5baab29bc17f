import type { ErrorDefinitions } from '../../core/errors/index.js';

export const LOGS_ERRORS = {
  LOG_NOT_FOUND: { kind: 'not_found', meaning: 'The agent has no log entry with this id, or it is no longer kept.' },
} as const satisfies ErrorDefinitions;

type LogErrors = typeof LOGS_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends LogErrors {}
}
