import type { ErrorDefinitions } from '../../core/errors/index.js';

export const TURNS_ERRORS = {
  JOB_NOT_FOUND: { kind: 'not_found', meaning: 'No job has this id, or it is no longer kept.' },
  RUN_NOT_FOUND: { kind: 'not_found', meaning: 'The agent has no run with this id.' },
  TURN_TIMEOUT: { kind: 'timeout', meaning: 'The answer was not ready within the time limit.' },
  TURN_CANCELLED: {
    kind: 'conflict',
    meaning:
      'The answer was cancelled by a newer message (turn policy "interrupt") or at the request of a client, or its message, channel or agent was deleted or stopped.',
  },
  EMPTY_REPLY: {
    kind: 'unavailable',
    meaning:
      'The language model ended without a word where an answer is expected, was stopped before the first word by its limit or a filter, or declines; the message is stored and the turn is recorded as failed.',
  },
  TURN_FAILED: {
    kind: 'internal',
    meaning: 'The answer failed because of a server error; the message is stored and the turn is recorded as failed.',
  },
} as const satisfies ErrorDefinitions;

type TurnErrors = typeof TURNS_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends TurnErrors {}
}
