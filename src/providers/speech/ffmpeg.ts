import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import { cutText } from '../../core/text/index.js';
import type { Container } from './container.js';
import { audioTooLong, noAudioTrack, noDecoder } from './recording-errors.js';

const TIME_LIMIT_MS = 60_000;
const MAX_STDERR_LENGTH = 2000;

interface FfmpegOptions {
  readonly clock: Clock;
  /** Name or path of the program. */
  readonly command: string;
  /** Search path; the environment variable PATH of the program. */
  readonly path?: string;
}

/** Runs the system's ffmpeg, if installed, for formats without a built-in decoder. */
export class Ffmpeg {
  constructor(private readonly options: FfmpegOptions) {}

  /**
   * Decodes the first audio track to mono signed 16-bit samples. The file is written to a temporary folder, because many such formats
   * cannot be read sequentially.
   *
   * @throws AppError UNSUPPORTED_MEDIA_TYPE without ffmpeg, NO_AUDIO_TRACK, AUDIO_TOO_LONG, MODEL_UNAVAILABLE on timeout; the signal's
   *   reason when it is aborted
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
        if (bytes > 2 * rate * maxSeconds) throw audioTooLong(maxSeconds);
        yield part;
      }
      if (bytes === 0) throw noAudioTrack(undefined);
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
    // The format is fixed and only local files may be opened, so that playlists cannot reference other resources.
    const from = ['-nostdin', '-v', 'error', '-protocol_whitelist', 'file,pipe', '-f', container.ffmpeg, '-i', input];
    const to = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-ac', '1', '-ar', String(rate), '-f', 's16le', 'pipe:1'];
    const child = spawn(command, [...from, ...to], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: path === undefined ? {} : { PATH: path },
      signal,
      killSignal: 'SIGKILL',
    });
    let complaints = '';
    child.stderr.on('data', (text: Buffer) => (complaints = cutText(complaints + text.toString(), MAX_STDERR_LENGTH)));
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
      if (status !== 0) throw noAudioTrack(new Error(`ffmpeg ended with status ${status}: ${complaints}`));
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? noDecoder(container.mediaType) : error;
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

function tooSlow(): AppError {
  return new AppError('MODEL_UNAVAILABLE', `ffmpeg did not finish within ${TIME_LIMIT_MS} ms.`, 'Send a shorter recording.');
}
