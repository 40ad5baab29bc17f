import type { ErrorDefinitions } from '../../core/errors/index.js';

export const SPEECH_ERRORS = {
  UNKNOWN_VOICE: { kind: 'invalid', meaning: 'The speech engine has no voice with this name; the details list the available voices.' },
  LANGUAGE_NOT_SUPPORTED: {
    kind: 'unprocessable',
    meaning: 'The speech engine does not support this language; the details name the setting to change.',
  },
  NO_AUDIO_TRACK: { kind: 'unprocessable', meaning: 'The file contains no audio track.' },
  AUDIO_TOO_LONG: { kind: 'too_large', meaning: 'The recording is longer than AUDIO_MAX_SECONDS.' },
  AUDIO_BUSY: { kind: 'unavailable', meaning: 'The speech engines are busy; retry after the time in Retry-After.' },
} as const satisfies ErrorDefinitions;

type SpeechErrors = typeof SPEECH_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends SpeechErrors {}
}
