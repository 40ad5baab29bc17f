import { AppError } from '../../core/errors/index.js';
import { SILENCE_PEAK, RECOGNITION_SAMPLE_RATE, type AudioDecoder, type DecodedAudio } from './audio-decoder.js';
import { loadSherpa, recognitionModelIn, type Sherpa, type SherpaRecognizer } from './sherpa-models.js';
import { Transcriber, type Transcript, type TranscriptionRequest, type TranscriptSegment } from './transcriber.js';
import { SerialQueue } from './serial-queue.js';

// Whisper processes 30 seconds at a time; other models work as well with windows of this length.
const WINDOW_SECONDS = 28;

interface SherpaTranscriberOptions {
  readonly folder: string;
  readonly queue: number;
  readonly decoder: AudioDecoder;
  readonly load?: () => Sherpa;
}

/** A recognition model in a local folder, run by sherpa-onnx in its own native threads. */
export class SherpaTranscriber extends Transcriber {
  override readonly provider = 'sherpa';
  override readonly engine = 'sherpa-onnx';
  override readonly languages = undefined;
  private readonly calls: SerialQueue;
  private loading: Promise<SherpaRecognizer> | undefined;

  constructor(private readonly options: SherpaTranscriberOptions) {
    super();
    this.calls = new SerialQueue(this.engine, options.queue);
  }

  override async transcribe({ audio, language, signal }: TranscriptionRequest): Promise<Transcript> {
    signal.throwIfAborted();
    const recording = await this.options.decoder.decode(audio, { signal, rate: RECOGNITION_SAMPLE_RATE });
    const silent = recording.peak < SILENCE_PEAK;
    const segments = silent ? [] : await this.calls.run(signal, () => this.recognise(recording, signal));
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
    return this.calls.close();
  }

  private async recognise({ pieces, seconds }: DecodedAudio, signal: AbortSignal): Promise<TranscriptSegment[]> {
    const ear = await this.recognizer();
    const segments: TranscriptSegment[] = [];
    let startSeconds = 0;
    for (const window of windows(pieces, WINDOW_SECONDS * RECOGNITION_SAMPLE_RATE)) {
      signal.throwIfAborted();
      const stream = ear.createStream();
      stream.acceptWaveform({ samples: window, sampleRate: RECOGNITION_SAMPLE_RATE });
      const { text } = await ear.decodeAsync(stream);
      const endSeconds = Math.min(seconds, startSeconds + window.length / RECOGNITION_SAMPLE_RATE);
      if (text.trim() !== '') segments.push({ text: text.trim(), startSeconds, endSeconds });
      startSeconds = endSeconds;
    }
    return segments;
  }

  private recognizer(): Promise<SherpaRecognizer> {
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
