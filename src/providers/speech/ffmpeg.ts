import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import type { Container } from './container.js';
import { noAudio, tooLong } from './recording-faults.js';

const TIME_LIMIT_MS = 60_000;
const MOST_COMPLAINTS = 2000;

interface FfmpegOptions {
  readonly clock: Clock;
  /** Name or path of the program. */
  readonly command: string;
  /** Where it is searched. */
  readonly path?: string;
}

/** The ffmpeg of the system, if there is one, for what the built-in decoders do not read. */
export class Ffmpeg {
  constructor(private readonly options: FfmpegOptions) {}

  /**
   * The first audio track as one channel of signed 16 bit samples. The program sees the file alone, in a folder that is
   * removed again: many such files can not be read from their beginning to their end.
   *
   * @throws AppError UNSUPPORTED_MEDIA_TYPE when there is no ffmpeg, NO_AUDIO_TRACK, AUDIO_TOO_LONG, MODEL_UNAVAILABLE
   *   when it takes too long; the signal's reason when it is aborted
   */
  async *decode(
    file: Uint8Array,
    container: Container,
    { rate, maxSeconds, signal }: { rate: number; maxSeconds: number; signal: AbortSignal },
  ): AsyncGenerator<{ samples: Int16Array; peak: number }, void> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-audio-'));
    const limit = new AbortController();
    const cancel = this.options.clock.after(TIME_LIMIT_MS, () => limit.abort(tooSlow()));
    const over = AbortSignal.any([signal, limit.signal]);
    try {
      const input = join(folder, 'recording');
      await writeFile(input, file, { mode: 0o600, signal: over });
      let bytes = 0;
      for await (const part of this.run(input, container, rate, over)) {
        bytes += 2 * part.samples.length;
        if (bytes > 2 * rate * maxSeconds) throw tooLong(maxSeconds);
        yield part;
      }
      if (bytes === 0) throw noAudio(undefined);
    } catch (error) {
      over.throwIfAborted();
      throw error;
    } finally {
      cancel();
      limit.abort();
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async *run(
    input: string,
    container: Container,
    rate: number,
    signal: AbortSignal,
  ): AsyncGenerator<{ samples: Int16Array; peak: number }, void> {
    const { command, path } = this.options;
    // The format is given, and nothing but this file may be opened: playlists and the like lead nowhere.
    const from = ['-nostdin', '-v', 'error', '-protocol_whitelist', 'file,pipe', '-f', container.ffmpeg, '-i', input];
    const to = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-ac', '1', '-ar', String(rate), '-f', 's16le', 'pipe:1'];
    const child = spawn(command, [...from, ...to], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: path === undefined ? {} : { PATH: path },
      signal,
      killSignal: 'SIGKILL',
    });
    let complaints = '';
    child.stderr.on('data', (text: Buffer) => (complaints = (complaints + text.toString()).slice(0, MOST_COMPLAINTS)));
    const ended = once(child, 'close');
    ended.catch(() => undefined);
    try {
      let odd: Buffer = Buffer.alloc(0);
      for await (const data of child.stdout) {
        const bytes = Buffer.concat([odd, data as Buffer]);
        odd = bytes.subarray(bytes.length & ~1);
        yield samplesOf(bytes);
      }
      const [status] = (await ended) as [number | null];
      if (status !== 0) throw noAudio(new Error(`ffmpeg ended with status ${status}: ${complaints}`));
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? missing(container) : error;
    } finally {
      child.kill('SIGKILL');
    }
  }
}

function samplesOf(bytes: Buffer): { samples: Int16Array; peak: number } {
  const samples = new Int16Array(bytes.length >> 1);
  let peak = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const sample = bytes.readInt16LE(2 * i);
    samples[i] = sample;
    if (Math.abs(sample) > peak) peak = Math.abs(sample);
  }
  return { samples, peak };
}

function missing({ mediaType }: Container): AppError {
  return new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The recording is ${mediaType}, for which there is no built-in decoder.`,
    'Send WAV, MP3, FLAC, Ogg or WebM, or install ffmpeg on the server (FFMPEG_PATH).',
  );
}

function tooSlow(): AppError {
  return new AppError('MODEL_UNAVAILABLE', `ffmpeg was not done within ${TIME_LIMIT_MS} ms.`, 'Send a shorter recording.');
}
