import { AppError } from '../../core/errors/index.js';
import type { Pcm } from './pcm.js';
import { SentenceSynthesizer, type Utterance } from './sentence-synthesizer.js';
import { loadSherpa, speechModelIn, type Sherpa, type SherpaVoice } from './sherpa-models.js';
import type { Voice } from './speech-synthesizer.js';
import { Turns } from './turns.js';

/** A speech model that the user supplies, run by sherpa-onnx in native threads of its own. */
export class SherpaSynthesizer extends SentenceSynthesizer {
  override readonly provider = 'sherpa';
  override readonly engine = 'sherpa-onnx';
  override readonly languages = undefined;
  private readonly turns: Turns;
  private loading: Promise<SherpaVoice> | undefined;

  constructor(
    private readonly folder: string,
    queue: number,
    private readonly load: () => Sherpa = loadSherpa,
  ) {
    super();
    this.turns = new Turns(this.engine, queue);
  }

  /** Numbered: the models do not name them. */
  override async voices(): Promise<readonly Voice[]> {
    const { numSpeakers } = await this.engineOnce();
    return Array.from({ length: Math.max(1, numSpeakers) }, (_, i) => ({
      id: String(i),
      name: `Speaker ${i}`,
      language: 'mul',
      isDefault: i === 0,
    }));
  }

  override close(): Promise<void> {
    return this.turns.close();
  }

  protected override async utter({ text, voice, speed, signal }: Utterance): Promise<Pcm> {
    return this.turns.take(signal, async () => {
      const engine = await this.engineOnce();
      const { samples, sampleRate } = await engine.generateAsync({ text, sid: Number(voice), speed, onProgress: () => !signal.aborted });
      return { samples: Int16Array.from(samples, (value) => Math.max(-1, Math.min(1, value)) * 32_767), sampleRate };
    });
  }

  protected override wayOut(): string {
    return 'Check the model in SHERPA_TTS_DIR.';
  }

  private engineOnce(): Promise<SherpaVoice> {
    this.loading ??= speechModelIn(this.folder)
      .then(({ config }) => this.load().OfflineTts.createAsync(config))
      .catch((error: unknown) => {
        this.loading = undefined;
        throw error instanceof AppError
          ? error
          : new AppError('MODEL_UNAVAILABLE', 'sherpa-onnx cannot load the model.', this.wayOut(), error);
      });
    return this.loading;
  }
}
