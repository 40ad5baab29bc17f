import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { WorkerPool } from '../../core/workers/index.js';
import { engineFault } from './engine-faults.js';
import type { Pcm } from './pcm.js';
import { littleEndian, wavHeader } from './wav.js';

export const AUDIO_FORMATS = ['wav', 'mp3', 'ogg'] as const;
export type AudioFormat = (typeof AUDIO_FORMATS)[number];

export const MEDIA_TYPES: Readonly<Record<AudioFormat, string>> = { wav: 'audio/wav', mp3: 'audio/mpeg', ogg: 'audio/ogg' };

const IDLE_MS = 60_000;
const PIECE_MS = 15_000;
// A file in the making takes a place for as long as its reader takes to read, and next to no work.
const FILES = 64;
const QUEUE = 64;

/** Turns samples into files that players know, while they are made. MP3 and Ogg are encoded in a worker thread. */
@Injectable()
export class AudioEncoder {
  private readonly pool: WorkerPool;

  constructor(clock: Clock) {
    const script = new URL('./workers/encoder.worker.js', import.meta.url);
    this.pool = new WorkerPool({
      name: 'audio-encoder',
      script,
      threads: 1,
      perThread: FILES,
      queue: QUEUE,
      idleMs: IDLE_MS,
      callMs: PIECE_MS,
      clock,
    });
  }

  /**
   * The file, piece by piece; MP3 and Ogg Vorbis have 64 kbit/s and the quality of about that. All samples must have
   * the rate of the first. A WAV file that is made while it is sent says that its length is unknown. No samples make
   * no bytes.
   *
   * @throws AppError AUDIO_BUSY, MODEL_UNAVAILABLE; what the pieces throw; the signal's reason when it is aborted
   */
  async *encode(pieces: AsyncIterable<Pcm>, format: AudioFormat, { signal }: { signal: AbortSignal }): AsyncGenerator<Uint8Array, void> {
    if (format === 'wav') yield* asWav(pieces, signal);
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
      throw engineFault(error, format, 'Ask for WAV, which needs no encoder.');
    } finally {
      giveUp.abort(new Error('The reader of the file went away.'));
    }
  }
}

async function* asWav(pieces: AsyncIterable<Pcm>, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  let first = true;
  for await (const { samples, sampleRate } of pieces) {
    signal.throwIfAborted();
    if (first) yield wavHeader(sampleRate);
    first = false;
    yield littleEndian(samples);
  }
}
