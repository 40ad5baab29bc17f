import { AppError } from '../../core/errors/index.js';

export function tooLong(maxSeconds: number): AppError {
  return new AppError(
    'AUDIO_TOO_LONG',
    `The recording is longer than ${maxSeconds} seconds.`,
    'Send a shorter one, or raise AUDIO_MAX_SECONDS.',
  );
}

export function noAudio(cause: unknown): AppError {
  const details = 'It holds no audio track, or is damaged from the beginning.';
  return new AppError('NO_AUDIO_TRACK', 'There is no sound in the file that could be decoded.', details, cause);
}
