import type { ErrorCode } from '../../core/errors/index.js';

const ENGINE: readonly ErrorCode[] = ['LANGUAGE_NOT_SUPPORTED', 'AUDIO_BUSY', 'MODEL_UNAVAILABLE', 'MODEL_REJECTED'];

/** Error codes of speech synthesis. */
export const SYNTHESIS_ERRORS: readonly ErrorCode[] = ['VALIDATION_ERROR', 'UNKNOWN_VOICE', ...ENGINE];

/** Error codes of uploaded recordings. */
export const RECORDING_ERRORS: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'FILE_TOO_LARGE',
  'AUDIO_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'NO_AUDIO_TRACK',
  ...ENGINE,
];

/** Error codes of an agent's reply. */
export const TURN_ERRORS: readonly ErrorCode[] = [
  'MESSAGE_EXISTS',
  'TURN_IN_PROGRESS',
  'TURN_CANCELLED',
  'TURN_FAILED',
  'TURN_TIMEOUT',
  'EMPTY_REPLY',
];
