import type { SpeechModelV3 } from '@ai-sdk/provider';
import { AppError } from '../../core/errors/index.js';
import { CallLimit, withAttempts, type SdkTarget } from '../sdk/index.js';
import type { AudioDecoder } from './audio-decoder.js';
import type { Pcm } from './pcm.js';
import { SentenceSynthesizer, type Utterance } from './sentence-synthesizer.js';
import type { Voice } from './speech-synthesizer.js';
import { fromLittleEndian } from './wav.js';

const MOST_CHARACTERS = 600;
// Of what a service sends for that many.
const ANSWER_LIMITS = { maxBytes: 64 * 1024 * 1024, maxSeconds: 600 };
const VOICES_KEPT_MS = 10 * 60_000;

interface RemoteVoice {
  readonly load: () => Promise<SpeechModelV3>;
  /** Those that the service has; none when it does not tell. */
  readonly voices: (signal: AbortSignal) => Promise<readonly Voice[]>;
  /** What the service is asked for: a format that says what it is, or raw samples. */
  readonly format: { readonly name: string; readonly rawRate?: number };
  readonly standardVoice?: string;
  readonly decoder: AudioDecoder;
}

/** Any speech model of the AI SDK's provider level, loaded when it is first used. */
export class RemoteSynthesizer extends SentenceSynthesizer {
  override readonly provider: string;
  override readonly engine: string;
  override readonly languages = undefined;
  protected override readonly longestUtterance = MOST_CHARACTERS;
  protected override readonly standardVoice: string | undefined;
  private readonly closing = new AbortController();
  private loading: Promise<SpeechModelV3> | undefined;
  private known: { readonly voices: Promise<readonly Voice[]>; readonly until: number } | undefined;

  constructor(
    private readonly target: SdkTarget,
    private readonly remote: RemoteVoice,
  ) {
    super();
    this.provider = target.provider;
    this.engine = target.modelId;
    this.standardVoice = remote.standardVoice;
  }

  override voices(): Promise<readonly Voice[]> {
    const { clock } = this.target;
    if (this.known === undefined || this.known.until < clock.now()) {
      const asked = { voices: this.askVoices(), until: clock.now() + VOICES_KEPT_MS };
      this.known = asked;
      asked.voices.catch(() => {
        if (this.known === asked) this.known = undefined;
      });
    }
    return this.known.voices;
  }

  override close(): Promise<void> {
    this.closing.abort(new AppError('SERVER_STOPPING', 'The server is shutting down.'));
    return Promise.resolve();
  }

  protected override async utter({ text, voice, language, speed, signal }: Utterance): Promise<Pcm> {
    const { format, load } = this.remote;
    const limit = new CallLimit(this.target, [this.closing.signal, signal]);
    try {
      const { audio } = await withAttempts(this.target, limit, async () => {
        this.loading ??= load();
        const pace = speed === 1 ? {} : { speed };
        return (await this.loading).doGenerate({ text, voice, language, ...pace, outputFormat: format.name, abortSignal: limit.signal });
      });
      const bytes = typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio;
      return format.rawRate === undefined
        ? await this.unpacked(bytes, limit.signal)
        : { samples: fromLittleEndian(bytes), sampleRate: format.rawRate };
    } finally {
      limit.release();
    }
  }

  protected override wayOut(): string {
    return this.target.hint;
  }

  private async askVoices(): Promise<readonly Voice[]> {
    const limit = new CallLimit(this.target, [this.closing.signal]);
    try {
      return await withAttempts(this.target, limit, () => this.remote.voices(limit.signal));
    } finally {
      limit.release();
    }
  }

  /** Whatever the service sent, also when it is not what it was asked for. */
  private async unpacked(bytes: Uint8Array, signal: AbortSignal): Promise<Pcm> {
    try {
      const { pieces, sampleRate } = await this.remote.decoder.decode(bytes, { signal, limits: ANSWER_LIMITS });
      const samples = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
      let next = 0;
      for (const piece of pieces) {
        samples.set(piece, next);
        next += piece.length;
      }
      return { samples, sampleRate };
    } catch (error) {
      if (!(error instanceof AppError) || error.kind === 'unavailable') throw error;
      const { provider, modelId, hint } = this.target;
      throw new AppError('MODEL_UNAVAILABLE', `${provider} (${modelId}) sent something that is no speech.`, hint, error);
    }
  }
}
