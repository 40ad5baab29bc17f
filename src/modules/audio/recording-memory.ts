import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';

const RETRY_SECONDS = 5;

/** The memory of one recording. */
export interface MemoryReservation {
  /** @throws AppError FILE_TOO_LARGE, AUDIO_BUSY */
  add(bytes: number): void;
  /** Frees the reservation. Idempotent. */
  release(): void;
}

/** Limits the memory of all recordings together, for every interface. */
@Injectable()
export class RecordingMemory {
  private held = 0;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Reserved bytes. */
  get used(): number {
    return this.held;
  }

  /** Opens an empty reservation for one recording. */
  reserve(): MemoryReservation {
    let own = 0;
    return {
      add: (bytes) => {
        const { audioMaxBytes, audioBufferBytes } = this.config;
        if (own + bytes > audioMaxBytes) throw recordingTooLarge(audioMaxBytes);
        if (this.held + bytes > audioBufferBytes) {
          throw new AppError(
            'AUDIO_BUSY',
            'Too many recordings are being received.',
            'Retry after the time in Retry-After, or raise AUDIO_BUFFER_BYTES.',
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
    'Send a shorter recording, or raise AUDIO_MAX_BYTES.',
  );
}
