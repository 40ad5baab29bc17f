import { AppError } from '../../core/errors/index.js';
import type { Pcm } from './pcm.js';
import { SentenceSynthesizer, type UtteranceRequest } from './sentence-synthesizer.js';
import { loadSherpa, speechModelIn, type Sherpa, type SherpaTts } from './sherpa-models.js';
import type { Voice } from './speech-synthesizer.js';
import { SerialQueue } from './serial-queue.js';

/** A speech model in a local folder, run by sherpa-onnx in its own native threads. */
export class SherpaSynthesizer extends SentenceSynthesizer {
  override readonly provider = 'sherpa';
  override readonly engine = 'sherpa-onnx';
  override readonly languages = undefined;
  private readonly calls: SerialQueue;
  private loading: Promise<SherpaTts> | undefined;

  constructor(
    private readonly folder: string,
    queue: number,
    private readonly load: () => Sherpa = loadSherpa,
  ) {
    super();
    this.calls = new SerialQueue(this.engine, queue);
  }

  /** Numbered, because the models have no voice names. */
  override async voices(): Promise<readonly Voice[]> {
    const { numSpeakers } = await this.tts();
    return Array.from({ length: Math.max(1, numSpeakers) }, (_, i) => ({
      id: String(i),
      name: `Speaker ${i}`,
      language: 'mul',
      isDefault: i === 0,
    }));
  }

  override close(): Promise<void> {
    return this.calls.close();
  }

  protected override async synthesizeUtterance({ text, voice, speed, signal }: UtteranceRequest): Promise<Pcm> {
    return this.calls.run(signal, async () => {
      const engine = await this.tts();
      const { samples, sampleRate } = await engine.generateAsync({ text, sid: Number(voice), speed, onProgress: () => !signal.aborted });
      return { samples: Int16Array.from(samples, (value) => Math.max(-1, Math.min(1, value)) * 32_767), sampleRate };
    });
  }

  protected override hint(): string {
    return 'Check the model in SHERPA_TTS_DIR.';
  }

  private tts(): Promise<SherpaTts> {
    this.loading ??= speechModelIn(this.folder)
      .then(({ config }) => this.load().OfflineTts.createAsync(config))
      .catch((error: unknown) => {
        this.loading = undefined;
        throw error instanceof AppError
          ? error
          : new AppError('MODEL_UNAVAILABLE', 'sherpa-onnx cannot load the model.', this.hint(), error);
      });
    return this.loading;
  }
}
