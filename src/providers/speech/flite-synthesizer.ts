import type { Clock } from '../../core/clock/index.js';
import { WorkerPool } from '../../core/workers/index.js';
import { toEngineError } from './engine-errors.js';
import type { Pcm } from './pcm.js';
import { SentenceSynthesizer, type UtteranceRequest } from './sentence-synthesizer.js';
import type { Voice } from './speech-synthesizer.js';

const IDLE_MS = 2 * 60_000;
// The slowest voice synthesizes 50 times faster than real time; the longest utterance is about 20 seconds of speech.
const UTTERANCE_MS = 15_000;
const HINT = 'Try again; the log has the cause.';

const VOICES: readonly Voice[] = [
  { id: 'rms', name: 'RMS', language: 'en-US', gender: 'male', description: 'The clearest voice.', isDefault: true },
  { id: 'slt', name: 'SLT', language: 'en-US', gender: 'female', isDefault: false },
  { id: 'awb', name: 'AWB', language: 'en-GB', gender: 'male', description: 'Scottish.', isDefault: false },
  { id: 'kal16', name: 'Kal', language: 'en-US', gender: 'male', description: 'The fastest voice; sounds robotic.', isDefault: false },
];

interface FliteOptions {
  readonly clock: Clock;
  /** Maximum number of worker threads. */
  readonly threads: number;
  /** Maximum number of waiting utterances. */
  readonly queue: number;
  readonly script?: URL;
}

/** The built-in English voices (CMU Flite as WebAssembly), in worker threads that use about 50 MB each while they run. */
export class FliteSynthesizer extends SentenceSynthesizer {
  override readonly provider = 'embedded';
  override readonly engine = 'flite';
  override readonly languages = ['en'];
  private readonly pool: WorkerPool;

  constructor({ clock, threads, queue, script = new URL('./workers/voice.worker.js', import.meta.url) }: FliteOptions) {
    super();
    this.pool = new WorkerPool({
      name: 'voice',
      script,
      maxThreads: threads,
      maxQueued: queue,
      idleMs: IDLE_MS,
      callMs: UTTERANCE_MS,
      clock,
    });
  }

  override voices(): Promise<readonly Voice[]> {
    return Promise.resolve(VOICES);
  }

  override close(): Promise<void> {
    return this.pool.close();
  }

  protected override async synthesizeUtterance({ text, voice, speed, signal }: UtteranceRequest): Promise<Pcm> {
    try {
      return await this.pool.run<Pcm>({ text, voice, speed }, { signal });
    } catch (error) {
      throw toEngineError(error, this.engine, HINT);
    }
  }

  /** The engine ignores non-English letters and would produce a short noise for them. */
  protected override canSpeak(text: string): boolean {
    return /[\p{Script=Latin}0-9]/u.test(text);
  }

  protected override hint(): string {
    return 'Other languages require another engine: set ELEVENLABS_API_KEY, OPENAI_API_KEY or SHERPA_TTS_DIR (see SPEECH_PROVIDER).';
  }
}
