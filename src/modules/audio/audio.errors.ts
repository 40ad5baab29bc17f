import type { ErrorCode } from '../../core/errors/index.js';

const ENGINE: readonly ErrorCode[] = ['LANGUAGE_NOT_SUPPORTED', 'AUDIO_BUSY', 'MODEL_UNAVAILABLE', 'MODEL_REJECTED'];

/** What speech in an agent's voice is refused with. */
export const SPEECH_REFUSALS: readonly ErrorCode[] = ['VALIDATION_ERROR', 'UNKNOWN_VOICE', ...ENGINE];

/** What a recording is refused with. */
export const AUDIO_REFUSALS: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'FILE_TOO_LARGE',
  'AUDIO_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'NO_AUDIO_TRACK',
  ...ENGINE,
];

/** What an agent's answer fails with. */
export const TURN_REFUSALS: readonly ErrorCode[] = [
  'MESSAGE_EXISTS',
  'TURN_IN_PROGRESS',
  'TURN_CANCELLED',
  'SESSION_EXPIRED',
  'TURN_FAILED',
  'TURN_TIMEOUT',
];
