import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { WorkerPool } from '../../core/workers/index.js';
import { toEngineError } from './engine-errors.js';
import type { Pcm } from './pcm.js';
import { toPcm16, wavHeader } from './wav.js';
import { Resampler } from './workers/resampler.js';

export const AUDIO_FORMATS = ['wav', 'mp3', 'ogg', 'pcm'] as const;
export type AudioFormat = (typeof AUDIO_FORMATS)[number];

export const MEDIA_TYPES: Readonly<Record<AudioFormat, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  pcm: 'audio/pcm',
};

/** Samples per second of PCM, which has no header that could say it: what clients of OpenAI expect. */
const PCM_RATE = 24_000;

const IDLE_MS = 60_000;
const PIECE_MS = 15_000;
// An open file occupies a slot for as long as its reader reads, but uses little CPU.
const FILES = 64;
const QUEUE = 64;

/** Encodes samples as audio files, streaming. MP3 and Ogg are encoded in a worker thread. */
@Injectable()
export class AudioEncoder {
  private readonly pool: WorkerPool;

  constructor(clock: Clock) {
    const script = new URL('./workers/encoder.worker.js', import.meta.url);
    this.pool = new WorkerPool({
      name: 'audio-encoder',
      script,
      maxThreads: 1,
      sessionsPerThread: FILES,
      maxQueued: QUEUE,
      idleMs: IDLE_MS,
      callMs: PIECE_MS,
      clock,
    });
  }

  /**
   * Yields the file in chunks. MP3 and Ogg Vorbis have about 64 kbit/s. All samples must have the sample rate of the first. The header of a
   * streamed WAV file has an unknown length. PCM is 16-bit little-endian at 24 kHz. Without samples, yields nothing.
   *
   * @throws AppError AUDIO_BUSY, MODEL_UNAVAILABLE; errors of `pieces`; the signal's reason when it is aborted
   */
  async *encode(pieces: AsyncIterable<Pcm>, format: AudioFormat, { signal }: { signal: AbortSignal }): AsyncGenerator<Uint8Array, void> {
    if (format === 'wav') yield* asWav(pieces, signal);
    else if (format === 'pcm') yield* asPcm(pieces, signal);
    else yield* this.compress(pieces, format, signal);
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private async *compress(pieces: AsyncIterable<Pcm>, format: AudioFormat, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
    const giveUp = new AbortController();
    try {
      const session = await this.pool.open(AbortSignal.any([signal, giveUp.signal]));
      let rate: number | undefined;
      for await (const { samples, sampleRate } of pieces) {
        if (rate === undefined) await session.call({ format, sampleRate: (rate = sampleRate) });
        const bytes = await session.call<Uint8Array>({ samples });
        if (bytes.length > 0) yield bytes;
      }
      if (rate !== undefined) yield await session.call<Uint8Array>({});
    } catch (error) {
      throw toEngineError(error, format, 'Request WAV, which needs no encoder.');
    } finally {
      giveUp.abort(new Error('The reader stopped reading the file.'));
    }
  }
}

async function* asWav(pieces: AsyncIterable<Pcm>, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  let first = true;
  for await (const { samples, sampleRate } of pieces) {
    signal.throwIfAborted();
    if (first) yield wavHeader(sampleRate);
    first = false;
    yield toPcm16(samples);
  }
}

async function* asPcm(pieces: AsyncIterable<Pcm>, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  let resampler: Resampler | undefined;
  for await (const { samples, sampleRate } of pieces) {
    signal.throwIfAborted();
    resampler ??= new Resampler(sampleRate, PCM_RATE);
    yield toPcm16(clipped(resampler.push(Float32Array.from(samples))));
  }
  if (resampler) yield toPcm16(clipped(resampler.flush()));
}

/** The filter overshoots at steep edges. */
function clipped(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample))));
}
