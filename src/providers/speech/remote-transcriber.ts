import type { SharedV3ProviderOptions, TranscriptionModelV3 } from '@ai-sdk/provider';
import { AppError } from '../../core/errors/index.js';
import { CallDeadline, withRetries, type SdkTarget } from '../sdk/index.js';
import { SILENCE_PEAK, RECOGNITION_SAMPLE_RATE, type AudioDecoder, type DecodedAudio } from './audio-decoder.js';
import { Transcriber, type Transcript, type TranscriptionRequest } from './transcriber.js';
import { wavFile } from './wav.js';

// Types that the services accept unchanged, and their size limit.
const ACCEPTED_TYPES = new Set(['audio/wav', 'audio/mpeg', 'audio/flac', 'audio/ogg', 'audio/webm', 'audio/mp4']);
const MAX_BYTES = 24 * 1024 * 1024;

interface RemoteTranscriberOptions {
  readonly load: () => Promise<TranscriptionModelV3>;
  /** Provider options for a language (primary subtag). */
  readonly options: (language: string | undefined) => SharedV3ProviderOptions;
  readonly decoder: AudioDecoder;
}

/** A transcription model of the AI SDK's provider interface, loaded on first use. */
export class RemoteTranscriber extends Transcriber {
  override readonly provider: string;
  override readonly engine: string;
  override readonly languages = undefined;
  private readonly closing = new AbortController();
  private loading: Promise<TranscriptionModelV3> | undefined;

  constructor(
    private readonly target: SdkTarget,
    private readonly remote: RemoteTranscriberOptions,
  ) {
    super();
    this.provider = target.provider;
    this.engine = target.modelId;
  }

  override async transcribe({ audio, language, signal }: TranscriptionRequest): Promise<Transcript> {
    const limit = new CallDeadline(this.target, [this.closing.signal, signal]);
    try {
      const { mediaType } = this.remote.decoder.identify(audio);
      const recording = await this.decoded(audio, mediaType, limit.signal);
      const about = { provider: this.provider, engine: this.engine, mediaType };
      // These services invent words for silence.
      if (recording !== undefined && recording.peak < SILENCE_PEAK) {
        return { ...about, text: '', segments: [], language, durationSeconds: recording.seconds };
      }
      const subtag = language?.toLowerCase().split(/[-_]/)[0];
      const upload = uploadOf(audio, mediaType, recording);
      const transcript = await withRetries(this.target, limit, async () => {
        this.loading ??= this.remote.load();
        return (await this.loading).doGenerate({ ...upload, providerOptions: this.remote.options(subtag), abortSignal: limit.signal });
      });
      const segments = transcript.segments
        .map(({ text, startSecond, endSecond }) => ({ text: text.trim(), startSeconds: startSecond, endSeconds: endSecond }))
        .filter(({ text }) => text !== '');
      return {
        ...about,
        text: transcript.text.trim(),
        segments,
        language: transcript.language ?? language,
        durationSeconds: recording?.seconds ?? transcript.durationInSeconds,
      };
    } finally {
      limit.release();
    }
  }

  override close(): Promise<void> {
    this.closing.abort(new AppError('SERVER_STOPPING', 'The server is shutting down.'));
    return Promise.resolve();
  }

  /** Decodes the recording, mostly for its duration. Undefined when only the service supports its format. */
  private async decoded(audio: Uint8Array, mediaType: string, signal: AbortSignal): Promise<DecodedAudio | undefined> {
    try {
      return await this.remote.decoder.decode(audio, { signal, rate: RECOGNITION_SAMPLE_RATE });
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNSUPPORTED_MEDIA_TYPE' && ACCEPTED_TYPES.has(mediaType)) return undefined;
      throw error;
    }
  }
}

function uploadOf(audio: Uint8Array, mediaType: string, recording: DecodedAudio | undefined): { audio: Uint8Array; mediaType: string } {
  if (recording === undefined || (ACCEPTED_TYPES.has(mediaType) && audio.byteLength <= MAX_BYTES)) return { audio, mediaType };
  const { pieces, sampleRate } = recording;
  return { audio: wavFile(pieces.map((samples) => ({ samples, sampleRate }))), mediaType: 'audio/wav' };
}
