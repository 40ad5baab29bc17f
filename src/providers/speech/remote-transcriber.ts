import type { SharedV3ProviderOptions, TranscriptionModelV3 } from '@ai-sdk/provider';
import { AppError } from '../../core/errors/index.js';
import { CallLimit, withAttempts, type SdkTarget } from '../sdk/index.js';
import { QUIET_PEAK, RECOGNISED_RATE, type AudioDecoder, type Recording } from './audio-decoder.js';
import { Transcriber, type Transcript, type TranscriptionRequest } from './transcriber.js';
import { wavFile } from './wav.js';

// What these services take as it is, and how much of it.
const TAKEN = new Set(['audio/wav', 'audio/mpeg', 'audio/flac', 'audio/ogg', 'audio/webm', 'audio/mp4']);
const MOST_BYTES = 24 * 1024 * 1024;

interface RemoteEar {
  readonly load: () => Promise<TranscriptionModelV3>;
  /** How the service is told the language, a primary subtag. */
  readonly options: (language: string | undefined) => SharedV3ProviderOptions;
  readonly decoder: AudioDecoder;
}

/** Any transcription model of the AI SDK's provider level, loaded when it is first used. */
export class RemoteTranscriber extends Transcriber {
  override readonly provider: string;
  override readonly engine: string;
  override readonly languages = undefined;
  private readonly closing = new AbortController();
  private loading: Promise<TranscriptionModelV3> | undefined;

  constructor(
    private readonly target: SdkTarget,
    private readonly remote: RemoteEar,
  ) {
    super();
    this.provider = target.provider;
    this.engine = target.modelId;
  }

  override async transcribe({ audio, language, signal }: TranscriptionRequest): Promise<Transcript> {
    const limit = new CallLimit(this.target, [this.closing.signal, signal]);
    try {
      const { mediaType } = this.remote.decoder.identify(audio);
      const recording = await this.decoded(audio, mediaType, limit.signal);
      const about = { provider: this.provider, engine: this.engine, mediaType };
      // Such services make words up when there are none.
      if (recording !== undefined && recording.peak < QUIET_PEAK) {
        return { ...about, text: '', segments: [], language, durationSeconds: recording.seconds };
      }
      const subtag = language?.toLowerCase().split(/[-_]/)[0];
      const upload = uploadOf(audio, mediaType, recording);
      const heard = await withAttempts(this.target, limit, async () => {
        this.loading ??= this.remote.load();
        return (await this.loading).doGenerate({ ...upload, providerOptions: this.remote.options(subtag), abortSignal: limit.signal });
      });
      const segments = heard.segments
        .map(({ text, startSecond, endSecond }) => ({ text: text.trim(), startSeconds: startSecond, endSeconds: endSecond }))
        .filter(({ text }) => text !== '');
      return {
        ...about,
        text: heard.text.trim(),
        segments,
        language: heard.language ?? language,
        durationSeconds: recording?.seconds ?? heard.durationInSeconds,
      };
    } finally {
      limit.release();
    }
  }

  override close(): Promise<void> {
    this.closing.abort(new AppError('SERVER_STOPPING', 'The server is shutting down.'));
    return Promise.resolve();
  }

  /** Decoded for its length alone, mostly; what cannot be decoded here may still be known to the service. */
  private async decoded(audio: Uint8Array, mediaType: string, signal: AbortSignal): Promise<Recording | undefined> {
    try {
      return await this.remote.decoder.decode(audio, { signal, rate: RECOGNISED_RATE });
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNSUPPORTED_MEDIA_TYPE' && TAKEN.has(mediaType)) return undefined;
      throw error;
    }
  }
}

function uploadOf(audio: Uint8Array, mediaType: string, recording: Recording | undefined): { audio: Uint8Array; mediaType: string } {
  if (recording === undefined || (TAKEN.has(mediaType) && audio.byteLength <= MOST_BYTES)) return { audio, mediaType };
  const { pieces, sampleRate } = recording;
  return { audio: wavFile(pieces.map((samples) => ({ samples, sampleRate }))), mediaType: 'audio/wav' };
}
