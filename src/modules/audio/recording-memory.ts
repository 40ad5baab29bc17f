import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';

const RETRY_SECONDS = 5;

/** A part of the memory for recordings. */
export interface Held {
  /** @throws AppError FILE_TOO_LARGE, AUDIO_BUSY */
  keep(bytes: number): void;
  /** Gives all of it back; doing so again does nothing. */
  release(): void;
}

/** Bounds what recordings take in memory together, whichever way they come in. */
@Injectable()
export class RecordingMemory {
  private held = 0;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Bytes that are held at the moment. */
  get used(): number {
    return this.held;
  }

  /** A part for one recording. */
  open(): Held {
    let own = 0;
    return {
      keep: (bytes) => {
        const { audioMaxBytes, audioBufferBytes } = this.config;
        if (own + bytes > audioMaxBytes) throw recordingTooLarge(audioMaxBytes);
        if (this.held + bytes > audioBufferBytes) {
          throw new AppError(
            'AUDIO_BUSY',
            'Too many recordings are being received at the moment.',
            'Wait as Retry-After says, or raise AUDIO_BUFFER_BYTES.',
          ).retryAfter(RETRY_SECONDS);
        }
        own += bytes;
        this.held += bytes;
      },
      release: () => {
        this.held -= own;
        own = 0;
      },
    };
  }
}

export function recordingTooLarge(limitBytes: number): AppError {
  return new AppError(
    'FILE_TOO_LARGE',
    `The recording is larger than ${limitBytes} bytes`,
    'Send a shorter one, or raise AUDIO_MAX_BYTES.',
  );
}
