import type { ErrorDefinitions } from '../../core/errors/index.js';

export const MESSAGING_ERRORS = {
  MESSAGE_SERVER_NOT_FOUND: { kind: 'not_found', meaning: 'No message server has this id.' },
  CHANNEL_NOT_FOUND: { kind: 'not_found', meaning: 'No channel has this id.' },
  MESSAGE_NOT_FOUND: { kind: 'not_found', meaning: 'No message has this id in this channel.' },
  PARTICIPANT_NOT_FOUND: { kind: 'not_found', meaning: 'The agent is not a participant of this channel or message server.' },
  MESSAGE_EXISTS: { kind: 'conflict', meaning: 'A message with this id and different content exists.' },
  TURN_IN_PROGRESS: { kind: 'conflict', meaning: 'The turn policy of the channel is "reject" and a turn is in progress.' },
} as const satisfies ErrorDefinitions;

type MessagingErrors = typeof MESSAGING_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends MessagingErrors {}
}
