import type { ErrorDefinitions } from '../../core/errors/index.js';

export const PRIVACY_ERRORS = {
  FORGET_REQUEST_NOT_FOUND: { kind: 'not_found', meaning: 'No request with this id was made to forget this user.' },
} as const satisfies ErrorDefinitions;

type PrivacyErrors = typeof PRIVACY_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends PrivacyErrors {}
}
