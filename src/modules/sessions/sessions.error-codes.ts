import type { ErrorDefinitions } from '../../core/errors/index.js';

export const SESSIONS_ERRORS = {
  SESSION_NOT_FOUND: { kind: 'not_found', meaning: 'No session has this id.' },
  SESSION_EXPIRED: { kind: 'gone', meaning: 'The session has expired; create a new one.' },
  SESSION_RENEWAL_FAILED: { kind: 'unprocessable', meaning: 'The session has reached its maximum duration and cannot be renewed.' },
} as const satisfies ErrorDefinitions;

type SessionErrors = typeof SESSIONS_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends SessionErrors {}
}
