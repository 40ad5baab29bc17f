import type { ErrorDefinitions } from '../../core/errors/index.js';

export const TURNS_ERRORS = {
  JOB_NOT_FOUND: { kind: 'not_found', meaning: 'No job has this id, or it is no longer kept.' },
  RUN_NOT_FOUND: { kind: 'not_found', meaning: 'The agent has no run with this id.' },
} as const satisfies ErrorDefinitions;

type TurnErrors = typeof TURNS_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends TurnErrors {}
}
