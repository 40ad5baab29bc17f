import { AppError } from '../../core/errors/index.js';

export function audioTooLong(maxSeconds: number): AppError {
  return new AppError(
    'AUDIO_TOO_LONG',
    `The recording is longer than ${maxSeconds} seconds.`,
    'Send a shorter recording, or raise AUDIO_MAX_SECONDS.',
  );
}

export function noAudioTrack(cause: unknown): AppError {
  const details = 'It has no audio track, or its beginning is damaged. Record it again, or convert it to WAV.';
  return new AppError('NO_AUDIO_TRACK', 'The file contains no audio that can be decoded.', details, cause);
}

/** Without a decoder of its own, and without ffmpeg. @param codec whether the codec is unknown, and not the container */
export function noDecoder(mediaType: string, { codec = false, cause }: { codec?: boolean; cause?: unknown } = {}): AppError {
  return new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    codec
      ? `The recording is ${mediaType} with a codec that is not built in.`
      : `The recording is ${mediaType}, which has no built-in decoder.`,
    'Send WAV, AIFF, CAF or AU with samples (PCM), MP3, FLAC, Ogg or WebM, or install ffmpeg on the server (FFMPEG_PATH).',
    cause,
  );
}
