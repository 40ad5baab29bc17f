import type { ErrorDefinitions } from '../../core/errors/index.js';

export const MODELS_ERRORS = {
  MODEL_UNAVAILABLE: {
    kind: 'unavailable',
    meaning:
      'The language model was unreachable, failed repeatedly or has no quota left; the message is stored and the turn is recorded as failed.',
  },
  MODEL_REJECTED: {
    kind: 'unavailable',
    meaning:
      'The language model rejected the request, for example because of a wrong key or an unknown model name; the details name the setting.',
  },
} as const satisfies ErrorDefinitions;

type ModelErrors = typeof MODELS_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends ModelErrors {}
}
