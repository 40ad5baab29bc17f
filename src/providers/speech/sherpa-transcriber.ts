import { AppError } from '../../core/errors/index.js';
import { QUIET_PEAK, RECOGNISED_RATE, type AudioDecoder, type Recording } from './audio-decoder.js';
import { loadSherpa, recognitionModelIn, type Sherpa, type SherpaEar } from './sherpa-models.js';
import { Transcriber, type Transcript, type TranscriptionRequest, type TranscriptSegment } from './transcriber.js';
import { Turns } from './turns.js';

// Whisper hears 30 seconds at a time; the others are no worse for it.
const WINDOW_SECONDS = 28;

interface SherpaEarOptions {
  readonly folder: string;
  readonly queue: number;
  readonly decoder: AudioDecoder;
  readonly load?: () => Sherpa;
}

/** A recognition model that the user supplies, run by sherpa-onnx in native threads of its own. */
export class SherpaTranscriber extends Transcriber {
  override readonly provider = 'sherpa';
  override readonly engine = 'sherpa-onnx';
  override readonly languages = undefined;
  private readonly turns: Turns;
  private loading: Promise<SherpaEar> | undefined;

  constructor(private readonly options: SherpaEarOptions) {
    super();
    this.turns = new Turns(this.engine, options.queue);
  }

  override async transcribe({ audio, language, signal }: TranscriptionRequest): Promise<Transcript> {
    signal.throwIfAborted();
    const recording = await this.options.decoder.decode(audio, { signal, rate: RECOGNISED_RATE });
    const silent = recording.peak < QUIET_PEAK;
    const segments = silent ? [] : await this.turns.take(signal, () => this.recognise(recording, signal));
    return {
      text: segments.map(({ text }) => text).join(' '),
      segments,
      provider: this.provider,
      engine: this.engine,
      language,
      durationSeconds: recording.seconds,
      mediaType: recording.mediaType,
    };
  }

  override close(): Promise<void> {
    return this.turns.close();
  }

  private async recognise({ pieces, seconds }: Recording, signal: AbortSignal): Promise<TranscriptSegment[]> {
    const ear = await this.earOnce();
    const segments: TranscriptSegment[] = [];
    let startSeconds = 0;
    for (const window of windows(pieces, WINDOW_SECONDS * RECOGNISED_RATE)) {
      signal.throwIfAborted();
      const stream = ear.createStream();
      stream.acceptWaveform({ samples: window, sampleRate: RECOGNISED_RATE });
      const { text } = await ear.decodeAsync(stream);
      const endSeconds = Math.min(seconds, startSeconds + window.length / RECOGNISED_RATE);
      if (text.trim() !== '') segments.push({ text: text.trim(), startSeconds, endSeconds });
      startSeconds = endSeconds;
    }
    return segments;
  }

  private earOnce(): Promise<SherpaEar> {
    const { folder, load = loadSherpa } = this.options;
    this.loading ??= recognitionModelIn(folder)
      .then(({ config }) => load().OfflineRecognizer.createAsync(config))
      .catch((error: unknown) => {
        this.loading = undefined;
        if (error instanceof AppError) throw error;
        throw new AppError('MODEL_UNAVAILABLE', 'sherpa-onnx cannot load the model.', 'Check the model in SHERPA_STT_DIR.', error);
      });
    return this.loading;
  }
}

function* windows(pieces: readonly Int16Array[], length: number): Generator<Float32Array<ArrayBuffer>, void> {
  let window = new Float32Array(length);
  let filled = 0;
  for (const piece of pieces) {
    for (const sample of piece) {
      window[filled++] = sample / 32_768;
      if (filled < length) continue;
      yield window;
      window = new Float32Array(length);
      filled = 0;
    }
  }
  if (filled > 0) yield window.slice(0, filled);
}
