import type { ErrorDefinitions } from '../errors/index.js';

export const IDEMPOTENCY_ERRORS = {
  IDEMPOTENCY_KEY_REUSED: { kind: 'unprocessable', meaning: 'The Idempotency-Key was already used for a different request.' },
  IDEMPOTENCY_KEY_NOT_RANDOM: {
    kind: 'conflict',
    meaning: 'The Idempotency-Key was used before. Without a credential only a random UUID (version 4) may be repeated.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    kind: 'conflict',
    meaning: 'The request with this Idempotency-Key is still in progress; retry after the time in Retry-After.',
  },
  IDEMPOTENCY_OUTCOME_UNKNOWN: {
    kind: 'conflict',
    meaning: 'The request with this Idempotency-Key was interrupted after it made changes, and cannot be repeated.',
  },
} as const satisfies ErrorDefinitions;

type IdempotencyErrors = typeof IDEMPOTENCY_ERRORS;

declare module '../errors/error-codes.js' {
  interface ErrorCodes extends IdempotencyErrors {}
}
