import type { Clock } from '../../core/clock/index.js';
import { Log } from '../../core/logging/index.js';
import { WorkerError, WorkerPool } from '../../core/workers/index.js';

const MAX_QUEUED = 1000;
const IDLE_MS = 60_000;
// Including the start of the thread.
const CALL_MS = 10_000;
const HEAP_MIB = 64;

/** A language that a text may have. */
export interface DetectedLanguage {
  /** ISO 639-1 code. */
  readonly lang: string;
  /** 0 to 1; 1 when only one language fits. */
  readonly accuracy: number;
}

/** Tells the language of texts, in a thread that starts with the first one and stops after an idle minute. */
export class LanguageDetector {
  private readonly log = new Log('models');
  private readonly pool: WorkerPool;

  constructor(clock: Clock) {
    this.pool = new WorkerPool({
      name: 'language-detector',
      script: new URL('./language.worker.js', import.meta.url),
      maxThreads: 1,
      maxQueued: MAX_QUEUED,
      idleMs: IDLE_MS,
      callMs: CALL_MS,
      heapMiB: HEAP_MIB,
      clock,
    });
  }

  /**
   * The most likely of these languages; undefined when none fits, or when the thread fails, which is logged.
   *
   * @throws the signal's reason when it is aborted
   */
  async detect(text: string, languages: readonly string[], signal: AbortSignal): Promise<DetectedLanguage | undefined> {
    try {
      return await this.pool.run<DetectedLanguage | undefined>({ text, languages }, { signal });
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error;
      this.log.warn('the language of a message could not be detected; its words are compared', { error: error.message });
      return undefined;
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
  }
}
