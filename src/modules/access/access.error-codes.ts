import type { ErrorDefinitions } from '../../core/errors/index.js';

export const ACCESS_ERRORS = {
  KEY_NOT_FOUND: { kind: 'not_found', meaning: 'No API key has this id.' },
} as const satisfies ErrorDefinitions;

type AccessErrors = typeof ACCESS_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends AccessErrors {}
}
