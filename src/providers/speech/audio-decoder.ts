import type { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import { WorkerError, WorkerPool, type WorkerSession } from '../../core/workers/index.js';
import { detectContainer, type Container } from './container.js';
import { toEngineError } from './engine-errors.js';
import type { Ffmpeg } from './ffmpeg.js';
import { audioTooLong, noAudioTrack, noDecoder } from './recording-errors.js';

/** Sample rate of the recognizers, Hz. */
export const RECOGNITION_SAMPLE_RATE = 16_000;

/** A recording without a louder sample is silence: the noise of a sound card. */
export const SILENCE_PEAK = 100;

// Sample rate for ffmpeg when the caller names none, Hz.
const DEFAULT_SAMPLE_RATE = 24_000;

const IDLE_MS = 60_000;
// Time limit for decoding a part of a file; a hanging decoder is terminated.
const PART_MS = 20_000;
// Small enough that copying a part does not block the event loop.
const PART_BYTES = 256 * 1024;

export interface DecodedAudio {
  /** Mono samples, in pieces. */
  readonly pieces: readonly Int16Array[];
  /** Hz. */
  readonly sampleRate: number;
  /** Maximum absolute sample value, up to 32,768. */
  readonly peak: number;
  readonly seconds: number;
  readonly mediaType: string;
}

/** A decoded part of a file. */
interface Part {
  readonly samples: Int16Array;
  readonly sampleRate?: number;
  readonly peak: number;
}

interface PartOptions {
  readonly signal: AbortSignal;
  readonly rate: number | undefined;
  readonly maxSeconds: number;
}

interface Limits {
  readonly maxBytes: number;
  readonly maxSeconds: number;
}

interface AudioDecoderOptions extends Limits {
  readonly clock: Clock;
  /** Maximum number of waiting recordings. */
  readonly queue: number;
  /** Decodes formats that the built-in decoders do not support. */
  readonly ffmpeg: Ffmpeg;
}

/**
 * Decodes recordings in a worker thread. Memory is bounded by the longest allowed recording: decoding stops when the output exceeds it. AAC
 * and other licensed formats require ffmpeg on the system, which is also asked about what the built-in decoders cannot read.
 */
export class AudioDecoder {
  private readonly pool: WorkerPool;

  constructor(private readonly options: AudioDecoderOptions) {
    const script = new URL('./workers/decoder.worker.js', import.meta.url);
    const { clock, queue } = options;
    this.pool = new WorkerPool({ name: 'audio-decoder', script, maxThreads: 1, maxQueued: queue, idleMs: IDLE_MS, callMs: PART_MS, clock });
  }

  /**
   * Detects the container without decoding.
   *
   * @throws AppError VALIDATION_ERROR for an empty file, FILE_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
   */
  identify(file: Uint8Array, { maxBytes }: Limits = this.options): Container {
    if (file.byteLength === 0) throw new AppError('VALIDATION_ERROR', 'The audio file is empty.', 'Send a recording in the field "file".');
    if (file.byteLength > maxBytes) {
      throw new AppError(
        'FILE_TOO_LARGE',
        `The audio file has more than ${maxBytes} bytes.`,
        'Send a shorter recording, or raise AUDIO_MAX_BYTES.',
      );
    }
    const container = detectContainer(file);
    if (container !== undefined) return container;
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The file is not audio of a supported format.',
      'Send WAV, AIFF, CAF, AU, MP3, FLAC, Ogg, WebM, or MP4/M4A.',
    );
  }

  /**
   * @param rate sample rate of the result, Hz; defaults to that of the recording
   * @param limits defaults to the limits for uploads
   * @throws AppError as `identify`, UNSUPPORTED_MEDIA_TYPE also for a codec without a decoder, and NO_AUDIO_TRACK, AUDIO_TOO_LONG, AUDIO_BUSY, MODEL_UNAVAILABLE; the signal's reason when it is
   *   aborted
   */
  async decode(
    file: Uint8Array,
    { signal, rate, limits = this.options }: { signal: AbortSignal; rate?: number; limits?: Limits },
  ): Promise<DecodedAudio> {
    signal.throwIfAborted();
    const container = this.identify(file, limits);
    const parts = await this.partsOf(file, container, { signal, rate, maxSeconds: limits.maxSeconds });
    const samples = parts.reduce((sum, part) => sum + part.samples.length, 0);
    const sampleRate = parts.find((part) => part.sampleRate !== undefined)?.sampleRate ?? rate ?? DEFAULT_SAMPLE_RATE;
    return {
      pieces: parts.map((part) => part.samples),
      sampleRate,
      peak: parts.reduce((peak, part) => Math.max(peak, part.peak), 0),
      seconds: samples / sampleRate,
      mediaType: container.mediaType,
    };
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  /** What the built-in decoder cannot decode is tried with ffmpeg. Without it, the error is that of the decoder. */
  private async partsOf(file: Uint8Array, container: Container, options: PartOptions): Promise<Part[]> {
    if (container.decoder === undefined) return this.withFfmpeg(file, container, options);
    try {
      return await collected(this.inWorker(file, { ...container, decoder: container.decoder }, options));
    } catch (error) {
      if (!isUndecodable(error)) throw error;
      return await this.withFfmpeg(file, container, options).catch((other: unknown) => {
        throw isUndecodable(other) ? error : other;
      });
    }
  }

  private withFfmpeg(file: Uint8Array, container: Container, { rate = DEFAULT_SAMPLE_RATE, ...rest }: PartOptions): Promise<Part[]> {
    return collected(this.options.ffmpeg.decode(file, container, { ...rest, rate }));
  }

  private async *inWorker(
    file: Uint8Array,
    { decoder: format, mediaType }: Container & Required<Pick<Container, 'decoder'>>,
    { signal, rate, maxSeconds }: PartOptions,
  ): AsyncGenerator<Part, void> {
    let session: WorkerSession | undefined;
    try {
      session = await this.pool.open(signal);
      for (let from = 0; from < file.byteLength; from += PART_BYTES) {
        const bytes = Uint8Array.from(file.subarray(from, from + PART_BYTES));
        const first = from === 0 ? { format, maxSeconds, rate } : {};
        yield await session.call<Part>({ ...first, bytes }, [bytes.buffer]);
      }
      yield await session.call<Part>({});
    } catch (error) {
      throw (
        toAudioError(error, maxSeconds, mediaType) ??
        toEngineError(error, 'audio decoder', 'The file may be malformed; the log has the cause.')
      );
    } finally {
      session?.close();
    }
  }
}

function toAudioError(error: unknown, maxSeconds: number, mediaType: string): AppError | undefined {
  if (!(error instanceof WorkerError)) return undefined;
  if (error.code === 'AUDIO_TOO_LONG') return audioTooLong(maxSeconds);
  if (error.code === 'UNKNOWN_CODEC') return noDecoder(mediaType, { codec: true, cause: error });
  return error.code === 'NO_AUDIO_TRACK' ? noAudioTrack(error) : undefined;
}

/** Whether another decoder may do better. */
function isUndecodable(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'NO_AUDIO_TRACK' || error.code === 'UNSUPPORTED_MEDIA_TYPE');
}

async function collected(parts: AsyncIterable<Part>): Promise<Part[]> {
  const all: Part[] = [];
  for await (const part of parts) all.push(part);
  return all;
}
