import { AppError } from '../../core/errors/index.js';

export function audioTooLong(maxSeconds: number): AppError {
  return new AppError(
    'AUDIO_TOO_LONG',
    `The recording is longer than ${maxSeconds} seconds.`,
    'Send a shorter recording, or raise AUDIO_MAX_SECONDS.',
  );
}

export function noAudioTrack(cause: unknown): AppError {
  const details = 'It has no audio track, or its beginning is damaged.';
  return new AppError('NO_AUDIO_TRACK', 'The file contains no audio that can be decoded.', details, cause);
}
