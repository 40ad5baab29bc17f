import type { Clock } from '../../core/clock/index.js';
import { WorkerPool } from '../../core/workers/index.js';
import { engineFault } from './engine-faults.js';
import type { Pcm } from './pcm.js';
import { SentenceSynthesizer, type Utterance } from './sentence-synthesizer.js';
import type { Voice } from './speech-synthesizer.js';

const IDLE_MS = 2 * 60_000;
// The slowest voice speaks 50 times as fast as a person; the longest utterance is some 20 seconds of speech.
const UTTERANCE_MS = 15_000;
const HINT = 'Try again; the log has the cause.';

const VOICES: readonly Voice[] = [
  { id: 'rms', name: 'RMS', language: 'en-US', gender: 'male', description: 'The clearest.', isDefault: true },
  { id: 'slt', name: 'SLT', language: 'en-US', gender: 'female', isDefault: false },
  { id: 'awb', name: 'AWB', language: 'en-GB', gender: 'male', description: 'Scottish.', isDefault: false },
  { id: 'kal16', name: 'Kal', language: 'en-US', gender: 'male', description: 'The quickest to make, and a robot.', isDefault: false },
];

interface FliteOptions {
  readonly clock: Clock;
  /** Most worker threads. */
  readonly threads: number;
  /** Most utterances that wait for one. */
  readonly queue: number;
  readonly script?: URL;
}

/** The built-in English voices (CMU Flite as WebAssembly), in worker threads that take some 50 MB while they run. */
export class FliteSynthesizer extends SentenceSynthesizer {
  override readonly provider = 'embedded';
  override readonly engine = 'flite';
  override readonly languages = ['en'];
  private readonly pool: WorkerPool;

  constructor({ clock, threads, queue, script = new URL('./workers/voice.worker.js', import.meta.url) }: FliteOptions) {
    super();
    this.pool = new WorkerPool({ name: 'voice', script, threads, queue, idleMs: IDLE_MS, callMs: UTTERANCE_MS, clock });
  }

  override voices(): Promise<readonly Voice[]> {
    return Promise.resolve(VOICES);
  }

  override close(): Promise<void> {
    return this.pool.close();
  }

  protected override async utter({ text, voice, speed, signal }: Utterance): Promise<Pcm> {
    try {
      return await this.pool.run<Pcm>({ text, voice, speed }, { signal });
    } catch (error) {
      throw engineFault(error, this.engine, HINT);
    }
  }

  /** It passes over letters that English has not, and would give a moment of noise for them. */
  protected override canSay(text: string): boolean {
    return /[\p{Script=Latin}0-9]/u.test(text);
  }

  protected override wayOut(): string {
    return 'Other languages need another engine: set ELEVENLABS_API_KEY, OPENAI_API_KEY or SHERPA_TTS_DIR (see SPEECH_PROVIDER).';
  }
}
