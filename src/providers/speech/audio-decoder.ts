import type { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import { WorkerFault, WorkerPool, type WorkerSession } from '../../core/workers/index.js';
import { containerOf, type Container } from './container.js';
import { engineFault } from './engine-faults.js';
import type { Ffmpeg } from './ffmpeg.js';
import { noAudio, tooLong } from './recording-faults.js';

/** Samples per second that recognisers want. */
export const RECOGNISED_RATE = 16_000;

/** In a recording with no louder sample nobody speaks: that is the noise of a sound card. */
export const QUIET_PEAK = 100;

// Of what ffmpeg decodes for others.
const USUAL_RATE = 24_000;

const IDLE_MS = 60_000;
// A part of the file has to be decoded within this; a decoder that hangs is ended.
const PART_MS = 20_000;
// What is handed over at a time: copying it holds up nobody.
const PART_BYTES = 256 * 1024;

export interface Recording {
  /** One channel, in pieces. */
  readonly pieces: readonly Int16Array[];
  /** Samples per second. */
  readonly sampleRate: number;
  /** The loudest sample's distance from 0; at most 32,768. */
  readonly peak: number;
  readonly seconds: number;
  readonly mediaType: string;
}

/** What one part of a file became. */
interface Part {
  readonly samples: Int16Array;
  readonly sampleRate?: number;
  readonly peak: number;
}

interface Limits {
  readonly maxBytes: number;
  readonly maxSeconds: number;
}

interface AudioDecoderOptions extends Limits {
  readonly clock: Clock;
  /** Most recordings that wait. */
  readonly queue: number;
  /** Program that decodes what the built-in decoders do not. */
  readonly ffmpeg: Ffmpeg;
}

/**
 * Turns recordings into samples, in a worker thread, and in the memory that the longest allowed recording takes: what
 * unfolds to more is stopped while it does. AAC and what else needs licences is left to an ffmpeg of the system.
 */
export class AudioDecoder {
  private readonly pool: WorkerPool;

  constructor(private readonly options: AudioDecoderOptions) {
    const script = new URL('./workers/decoder.worker.js', import.meta.url);
    const { clock, queue } = options;
    this.pool = new WorkerPool({ name: 'audio-decoder', script, threads: 1, queue, idleMs: IDLE_MS, callMs: PART_MS, clock });
  }

  /**
   * What the file is, without decoding it.
   *
   * @throws AppError VALIDATION_ERROR when it is empty, FILE_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
   */
  identify(file: Uint8Array, { maxBytes }: Limits = this.options): Container {
    if (file.byteLength === 0) throw new AppError('VALIDATION_ERROR', 'The audio file is empty.', 'Send a recording in the field "file".');
    if (file.byteLength > maxBytes) {
      throw new AppError(
        'FILE_TOO_LARGE',
        `The audio file has more than ${maxBytes} bytes.`,
        'Send a shorter one, or raise AUDIO_MAX_BYTES.',
      );
    }
    const container = containerOf(file);
    if (container !== undefined) return container;
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The file is not audio of a known kind.', 'Send WAV, MP3, FLAC, Ogg, WebM, or MP4/M4A.');
  }

  /**
   * @param rate samples per second that are wanted; those of the recording when left out
   * @param limits in place of those for uploads
   * @throws AppError as `identify`, and NO_AUDIO_TRACK, AUDIO_TOO_LONG, AUDIO_BUSY, MODEL_UNAVAILABLE; the signal's reason
   */
  async decode(
    file: Uint8Array,
    { signal, rate, limits = this.options }: { signal: AbortSignal; rate?: number; limits?: Limits },
  ): Promise<Recording> {
    signal.throwIfAborted();
    const container = this.identify(file, limits);
    const { ffmpeg } = this.options;
    const { maxSeconds } = limits;
    const parts: Part[] = [];
    if (container.decoder === undefined) {
      for await (const part of ffmpeg.decode(file, container, { rate: rate ?? USUAL_RATE, maxSeconds, signal })) parts.push(part);
    } else {
      for await (const part of this.inWorker(file, container.decoder, { signal, rate, maxSeconds })) parts.push(part);
    }
    const samples = parts.reduce((sum, part) => sum + part.samples.length, 0);
    const sampleRate = parts.find((part) => part.sampleRate !== undefined)?.sampleRate ?? rate ?? USUAL_RATE;
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

  private async *inWorker(
    file: Uint8Array,
    format: string,
    { signal, rate, maxSeconds }: { signal: AbortSignal; rate?: number; maxSeconds: number },
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
        refusal(error, maxSeconds) ?? engineFault(error, 'audio decoder', 'The file may be made to break decoders; the log has the cause.')
      );
    } finally {
      session?.close();
    }
  }
}

function refusal(error: unknown, maxSeconds: number): AppError | undefined {
  if (!(error instanceof WorkerFault)) return undefined;
  if (error.code === 'AUDIO_TOO_LONG') return tooLong(maxSeconds);
  return error.code === 'NO_AUDIO_TRACK' ? noAudio(error) : undefined;
}
