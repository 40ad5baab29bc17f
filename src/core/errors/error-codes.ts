/**
 * What went wrong, in the product's own terms. The kind alone decides the HTTP status (see `statusOf`),
 * so adding a kind without a status does not compile.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'unprocessable'
  | 'too_large'
  | 'unsupported'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | 'timeout'
  | 'not_received'
  | 'not_implemented'
  | 'storage_full';

interface CodeEntry {
  readonly kind: ErrorKind;
  /** One sentence for `docs/reference/errors.md`; a test compares the two in both directions. */
  readonly meaning: string;
}

/** Every code a client can meet. A code is never reused for another meaning. */
export const ERROR_CODES = {
  VALIDATION_ERROR: { kind: 'invalid', meaning: 'A body field, query parameter or header has the wrong shape or value.' },
  INVALID_ID: { kind: 'invalid', meaning: 'An id in the path is not a UUID (8-4-4-4-12 hexadecimal digits, any version).' },
  INVALID_JSON: { kind: 'invalid', meaning: 'The request body is not valid JSON.' },
  BAD_REQUEST: { kind: 'invalid', meaning: 'The request could not be understood for a reason named in the message.' },
  UNAUTHORIZED: {
    kind: 'unauthenticated',
    meaning: 'The operation needs a credential and none was sent, or one that is wrong, expired or revoked.',
  },
  FORBIDDEN: { kind: 'forbidden', meaning: 'The credential does not allow this.' },
  NOT_FOUND: { kind: 'not_found', meaning: 'There is no operation at this path.' },
  AGENT_NOT_FOUND: { kind: 'not_found', meaning: 'No running agent has this id.' },
  MESSAGE_SERVER_NOT_FOUND: { kind: 'not_found', meaning: 'No message server has this id.' },
  CHANNEL_NOT_FOUND: { kind: 'not_found', meaning: 'No channel has this id.' },
  MESSAGE_NOT_FOUND: { kind: 'not_found', meaning: 'No message has this id in this channel.' },
  PARTICIPANT_NOT_FOUND: { kind: 'not_found', meaning: 'The agent does not take part in this channel or message server.' },
  JOB_NOT_FOUND: { kind: 'not_found', meaning: 'No job has this id, or it is no longer kept.' },
  SESSION_NOT_FOUND: { kind: 'not_found', meaning: 'No session has this id.' },
  MEMORY_NOT_FOUND: { kind: 'not_found', meaning: 'The agent has no memory with this id.' },
  WORLD_NOT_FOUND: { kind: 'not_found', meaning: 'The agent has no world with this id.' },
  KEY_NOT_FOUND: { kind: 'not_found', meaning: 'No API key has this id.' },
  ROOM_NOT_FOUND: { kind: 'not_found', meaning: 'The agent has no room with this id.' },
  PLUGIN_NOT_FOUND: { kind: 'not_found', meaning: 'No plugin has this name.' },
  LOG_NOT_FOUND: { kind: 'not_found', meaning: 'The agent has no log entry with this id, or it is no longer kept.' },
  RUN_NOT_FOUND: { kind: 'not_found', meaning: 'The agent has no run with this id.' },
  MEDIA_NOT_FOUND: { kind: 'not_found', meaning: 'There is no file at this address, or it was removed with what it belonged to.' },
  DELIVERY_NOT_FOUND: { kind: 'not_found', meaning: 'The plugin has received no webhook delivery with this id, or it is no longer kept.' },
  CONFLICT: { kind: 'conflict', meaning: 'The request contradicts the present state.' },
  MESSAGE_EXISTS: { kind: 'conflict', meaning: 'A message with this id exists and its content differs.' },
  ROOM_EXISTS: { kind: 'conflict', meaning: 'A room with this id exists and belongs to another agent.' },
  IDEMPOTENCY_KEY_REUSED: { kind: 'unprocessable', meaning: 'The Idempotency-Key came with another request before.' },
  IDEMPOTENCY_KEY_NOT_RANDOM: {
    kind: 'conflict',
    meaning:
      'The Idempotency-Key came before, and without a credential only a random UUID (version 4) shows that both requests have one sender.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    kind: 'conflict',
    meaning: 'The request with this Idempotency-Key is still being worked on; send it again as Retry-After says.',
  },
  IDEMPOTENCY_OUTCOME_UNKNOWN: {
    kind: 'conflict',
    meaning: 'The request with this Idempotency-Key was cut off after it had changed something, and cannot be repeated.',
  },
  TURN_IN_PROGRESS: { kind: 'conflict', meaning: 'The turn policy of the channel is "reject" and an answer is still being made.' },
  UNKNOWN_VOICE: { kind: 'invalid', meaning: 'The speech engine has no voice of this name; the details list those it has.' },
  LANGUAGE_NOT_SUPPORTED: {
    kind: 'unprocessable',
    meaning: 'The speech engine does not speak or understand this language; the details say what to configure.',
  },
  NO_AUDIO_TRACK: { kind: 'unprocessable', meaning: 'The file is a container that holds no audio track.' },
  AUDIO_TOO_LONG: { kind: 'too_large', meaning: 'The recording is longer than AUDIO_MAX_SECONDS.' },
  AUDIO_BUSY: { kind: 'unavailable', meaning: 'Too much speech is being made or recognised at the moment; wait as Retry-After says.' },
  SESSION_EXPIRED: { kind: 'gone', meaning: 'The session reached its expiry; create a new one.' },
  SESSION_RENEWAL_FAILED: { kind: 'unprocessable', meaning: 'The session reached its maximum duration and cannot be renewed.' },
  PAYLOAD_TOO_LARGE: { kind: 'too_large', meaning: 'The request body is larger than the limit.' },
  FILE_TOO_LARGE: { kind: 'too_large', meaning: 'The uploaded file is larger than the limit.' },
  REQUEST_TIMEOUT: { kind: 'not_received', meaning: 'The request did not arrive in time; the connection is closed.' },
  UNSUPPORTED_MEDIA_TYPE: { kind: 'unsupported', meaning: 'The request body has a media type this operation does not read.' },
  RATE_LIMIT_EXCEEDED: { kind: 'rate_limited', meaning: 'Too many requests; wait as Retry-After says.' },
  MODEL_UNAVAILABLE: {
    kind: 'unavailable',
    meaning: 'The language model could not be reached or kept failing; the message is stored and the turn is recorded as failed.',
  },
  MODEL_REJECTED: {
    kind: 'unavailable',
    meaning: 'The language model refused the request (for example a wrong key or an unknown model name).',
  },
  TURN_TIMEOUT: { kind: 'timeout', meaning: 'The answer was not ready within the time limit.' },
  TURN_CANCELLED: {
    kind: 'conflict',
    meaning: 'Cancelled: by a newer message (turn policy "interrupt"), or because its message, channel or agent went away.',
  },
  TURN_FAILED: {
    kind: 'internal',
    meaning: 'The answer could not be made because of a fault in the server; the message is stored and the turn is recorded as failed.',
  },
  TEE_NOT_AVAILABLE: { kind: 'not_implemented', meaning: 'The machine has no trusted hardware that makes quotes.' },
  SERVER_STOPPING: { kind: 'unavailable', meaning: 'The server is shutting down; try again shortly.' },
  STORAGE_FULL: { kind: 'storage_full', meaning: 'The disk is full; nothing was written.' },
  STORAGE_UNAVAILABLE: { kind: 'unavailable', meaning: 'The database cannot be written at the moment; nothing was written.' },
  DATABASE_CORRUPT: { kind: 'unavailable', meaning: 'The database file is damaged; restore a backup.' },
  BACKUP_INVALID: { kind: 'invalid', meaning: 'A folder holds no backup that can be restored here (command line only).' },
  INTERNAL_ERROR: { kind: 'internal', meaning: 'An unexpected fault; the log holds the cause under the request id.' },
  SECRET_UNREADABLE: { kind: 'internal', meaning: 'A stored secret was sealed with another SECRET_KEY than the present one.' },
  CONFIG_INVALID: { kind: 'internal', meaning: 'The server cannot start with this configuration (start-up only).' },
  CHARACTER_INVALID: { kind: 'invalid', meaning: 'A character does not have the fields and types of a character.' },
  DATA_DIR_IN_USE: { kind: 'conflict', meaning: 'Another process uses this data directory (start-up only).' },
} as const satisfies Record<string, CodeEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;
