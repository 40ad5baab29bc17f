import type { SpeechModelV3 } from '@ai-sdk/provider';
import { AppError } from '../../core/errors/index.js';
import { CallDeadline, withRetries, type SdkTarget } from '../sdk/index.js';
import type { AudioDecoder } from './audio-decoder.js';
import type { Pcm } from './pcm.js';
import { SentenceSynthesizer, type UtteranceRequest } from './sentence-synthesizer.js';
import type { Voice } from './speech-synthesizer.js';
import { fromPcm16 } from './wav.js';

const MAX_CHARACTERS = 600;
// Limits of the audio for that many characters.
const RESPONSE_LIMITS = { maxBytes: 64 * 1024 * 1024, maxSeconds: 600 };
const VOICES_TTL_MS = 10 * 60_000;

interface RemoteSynthesizerOptions {
  readonly load: () => Promise<SpeechModelV3>;
  /** Voices of the service; empty when it does not list them. */
  readonly voices: (signal: AbortSignal) => Promise<readonly Voice[]>;
  /** The requested format: a container format, or raw samples with this sample rate, Hz. */
  readonly format: { readonly name: string; readonly rawRate?: number };
  readonly defaultVoice?: string;
  readonly decoder: AudioDecoder;
}

/** A speech model of the AI SDK's provider interface, loaded on first use. */
export class RemoteSynthesizer extends SentenceSynthesizer {
  override readonly provider: string;
  override readonly engine: string;
  override readonly languages = undefined;
  protected override readonly maxUtteranceLength = MAX_CHARACTERS;
  protected override readonly defaultVoice: string | undefined;
  private readonly closing = new AbortController();
  private loading: Promise<SpeechModelV3> | undefined;
  private voiceCache: { readonly voices: Promise<readonly Voice[]>; readonly until: number } | undefined;

  constructor(
    private readonly target: SdkTarget,
    private readonly remote: RemoteSynthesizerOptions,
  ) {
    super();
    this.provider = target.provider;
    this.engine = target.modelId;
    this.defaultVoice = remote.defaultVoice;
  }

  override voices(): Promise<readonly Voice[]> {
    const { clock } = this.target;
    if (this.voiceCache === undefined || this.voiceCache.until < clock.now()) {
      const asked = { voices: this.fetchVoices(), until: clock.now() + VOICES_TTL_MS };
      this.voiceCache = asked;
      asked.voices.catch(() => {
        if (this.voiceCache === asked) this.voiceCache = undefined;
      });
    }
    return this.voiceCache.voices;
  }

  override close(): Promise<void> {
    this.closing.abort(new AppError('SERVER_STOPPING', 'The server is shutting down.'));
    return Promise.resolve();
  }

  protected override async synthesizeUtterance({ text, voice, language, speed, signal }: UtteranceRequest): Promise<Pcm> {
    const { format, load } = this.remote;
    const limit = new CallDeadline(this.target, [this.closing.signal, signal]);
    try {
      const { audio } = await withRetries(this.target, limit, async () => {
        this.loading ??= load();
        const pace = speed === 1 ? {} : { speed };
        return (await this.loading).doGenerate({ text, voice, language, ...pace, outputFormat: format.name, abortSignal: limit.signal });
      });
      const bytes = typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio;
      return format.rawRate === undefined
        ? await this.decode(bytes, limit.signal)
        : { samples: fromPcm16(bytes), sampleRate: format.rawRate };
    } finally {
      limit.release();
    }
  }

  protected override hint(): string {
    return this.target.hint;
  }

  private async fetchVoices(): Promise<readonly Voice[]> {
    const limit = new CallDeadline(this.target, [this.closing.signal]);
    try {
      return await withRetries(this.target, limit, () => this.remote.voices(limit.signal));
    } finally {
      limit.release();
    }
  }

  /** Decodes the service's audio, also when its format is not the requested one. */
  private async decode(bytes: Uint8Array, signal: AbortSignal): Promise<Pcm> {
    try {
      const { pieces, sampleRate } = await this.remote.decoder.decode(bytes, { signal, limits: RESPONSE_LIMITS });
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
      throw new AppError('MODEL_UNAVAILABLE', `${provider} (${modelId}) sent a response that is not audio.`, hint, error);
    }
  }
}
