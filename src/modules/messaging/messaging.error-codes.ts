import type { ErrorDefinitions } from '../../core/errors/index.js';

export const MESSAGING_ERRORS = {
  MESSAGE_SERVER_NOT_FOUND: { kind: 'not_found', meaning: 'No message server has this id.' },
  CHANNEL_NOT_FOUND: { kind: 'not_found', meaning: 'No channel has this id.' },
  MESSAGE_NOT_FOUND: { kind: 'not_found', meaning: 'No message has this id in this channel.' },
  PARTICIPANT_NOT_FOUND: { kind: 'not_found', meaning: 'The agent is not a participant of this channel or message server.' },
  MESSAGE_EXISTS: { kind: 'conflict', meaning: 'A message with this id and different content exists.' },
  TURN_IN_PROGRESS: { kind: 'conflict', meaning: 'The turn policy of the channel is "reject" and a turn is in progress.' },
  TURN_TIMEOUT: { kind: 'timeout', meaning: 'The reply was not ready within the time limit.' },
  TURN_CANCELLED: {
    kind: 'conflict',
    meaning:
      'The reply was cancelled by a newer message (turn policy "interrupt") or at the request of a client, or its message, channel or agent was deleted or stopped.',
  },
  EMPTY_REPLY: {
    kind: 'unavailable',
    meaning:
      'The language model ended without a word where a reply is expected, was stopped before the first word by its limit or a filter, or declines; the message is stored and the turn is recorded as failed.',
  },
  TURN_FAILED: {
    kind: 'internal',
    meaning: 'The reply failed because of a server error; the message is stored and the turn is recorded as failed.',
  },
} as const satisfies ErrorDefinitions;

type MessagingErrors = typeof MESSAGING_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends MessagingErrors {}
}
