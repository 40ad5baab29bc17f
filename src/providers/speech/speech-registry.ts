import { Inject, Injectable } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AGENT_SERVICES, type ServiceOverride, type ServiceOverrides } from '../services/index.js';
import { AppError } from '../../core/errors/index.js';
import { Outbound } from '../outbound/index.js';
import { AudioDecoder } from './audio-decoder.js';
import { Ffmpeg } from './ffmpeg.js';
import { FliteSynthesizer } from './flite-synthesizer.js';
import { isRecognizerInstalled, PocketSphinxTranscriber } from './pocketsphinx-transcriber.js';
import {
  elevenLabsSpeech,
  elevenLabsTranscription,
  elevenLabsVoices,
  openAiSpeech,
  openAiTranscription,
  openAiVoices,
} from './remote-services.js';
import { RemoteSynthesizer } from './remote-synthesizer.js';
import { RemoteTranscriber } from './remote-transcriber.js';
import { SherpaSynthesizer } from './sherpa-synthesizer.js';
import { SherpaTranscriber } from './sherpa-transcriber.js';
import { BoundedCache, serviceFingerprint, resolveService, type SdkTarget, type Service } from '../sdk/index.js';
import type { SpeechSynthesizer } from './speech-synthesizer.js';
import type { Transcriber } from './transcriber.js';

const MAX_VOICE_THREADS = 4;

/** The speech provider of an agent or a request. Omitted fields use the server's configuration. */
export interface SpeechChoice {
  readonly provider?: string;
  /** The agent's own services. Without `provider`, they select one in the same way as the server's settings. */
  readonly services?: ServiceOverrides;
}

export interface EngineInUse {
  readonly provider: string;
  readonly engine: string;
  /** BCP 47 primary subtags; undefined when the engine accepts any language. */
  readonly languages?: readonly string[];
}

/** The default engines, for the banner and the health report; null when disabled or not installed. */
export interface SpeechInUse {
  readonly synthesis: EngineInUse | null;
  readonly transcription: EngineInUse | null;
}

type Provider = Exclude<Config['speechProvider'], 'auto'>;
const PROVIDERS: readonly Provider[] = ['embedded', 'openai', 'elevenlabs', 'sherpa', 'none'];
const ELEVENLABS_RATE = 24_000;

type RemoteProvider = 'openai' | 'elevenlabs';
/** Name of each provider in an agent's services. */
const SERVICE_NAMES = { openai: 'openaiAudio', elevenlabs: 'elevenlabs' } as const;

type Purpose = 'speech' | 'transcription';

/**
 * Selects speech engines. Knows all adapters and the configuration that chooses between them; adapters are loaded, started and connected on
 * first use.
 */
@Injectable()
export class SpeechRegistry {
  private readonly synthesizers = new Map<Provider, SpeechSynthesizer>();
  private readonly transcribers = new Map<Provider, Transcriber>();
  private readonly agentSynthesizers = new BoundedCache<SpeechSynthesizer>();
  private readonly agentTranscribers = new BoundedCache<Transcriber>();
  private readonly decoder: AudioDecoder;
  private readonly recognizerInstalled = isRecognizerInstalled();

  /** @throws AppError CONFIG_INVALID naming the missing variable of a configured provider */
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly outbound: Outbound,
  ) {
    const { audioMaxBytes: maxBytes, audioMaxSeconds: maxSeconds, audioQueue: queue, ffmpegPath: command, variable } = config;
    const ffmpeg = new Ffmpeg({ clock, command, path: variable('PATH') });
    this.decoder = new AudioDecoder({ clock, maxBytes, maxSeconds, queue, ffmpeg });
    for (const [purpose, setting] of [
      ['speech', 'SPEECH_PROVIDER'],
      ['transcription', 'TRANSCRIPTION_PROVIDER'],
    ] as const) {
      const provider = this.defaultProvider(purpose);
      const missing = this.missingSetting(provider, purpose);
      if (missing !== undefined) throw new AppError('CONFIG_INVALID', `${missing} must be set for ${setting}=${provider}.`);
    }
  }

  /**
   * The server's default synthesizer, or an agent's choice. The same choice returns the same object; agents' own services come from a cache
   * of 256.
   *
   * @throws AppError VALIDATION_ERROR for an unknown provider; MODEL_UNAVAILABLE when it is not configured or not installed, or speech is
   * disabled
   */
  synthesizer(choice: SpeechChoice = {}): SpeechSynthesizer {
    const provider = this.provider('speech', choice);
    const own = agentServiceFor(provider, choice);
    if (own === undefined) return getOrCreate(this.synthesizers, provider, () => this.makeSynthesizer(provider));
    return this.agentSynthesizers.getOrCreate(`${provider} ${serviceFingerprint(own)}`, () => this.makeSynthesizer(provider, own));
  }

  /** The server's default transcriber, or an agent's choice; otherwise same as `synthesizer`. */
  transcriber(choice: SpeechChoice = {}): Transcriber {
    const provider = this.provider('transcription', choice);
    const own = agentServiceFor(provider, choice);
    if (own === undefined) return getOrCreate(this.transcribers, provider, () => this.makeTranscriber(provider));
    return this.agentTranscribers.getOrCreate(`${provider} ${serviceFingerprint(own)}`, () => this.makeTranscriber(provider, own));
  }

  describe(): SpeechInUse {
    return {
      synthesis: this.defaultProvider('speech') === 'none' ? null : inUse(this.synthesizer()),
      transcription: this.canTranscribe(this.defaultProvider('transcription')) ? inUse(this.transcriber()) : null,
    };
  }

  async close(): Promise<void> {
    const own = [...this.agentSynthesizers.values(), ...this.agentTranscribers.values()];
    const engines = [...this.synthesizers.values(), ...this.transcribers.values(), ...own, this.decoder];
    await Promise.all(engines.map((engine) => engine.close()));
  }

  private canTranscribe(provider: Provider): boolean {
    return provider !== 'none' && (provider !== 'embedded' || this.recognizerInstalled);
  }

  private provider(purpose: Purpose, choice: SpeechChoice): Provider {
    const { provider: name, services } = choice;
    if (name === undefined || name === '' || name === 'auto') return providerOfServices(services) ?? this.defaultProvider(purpose);
    const provider = PROVIDERS.find((candidate) => candidate === name);
    if (provider === undefined) {
      throw new AppError('VALIDATION_ERROR', `Unknown speech provider "${name}".`, `Use one of ${PROVIDERS.join(', ')}.`);
    }
    const missing = agentServiceFor(provider, choice) === undefined ? this.missingSetting(provider, purpose) : undefined;
    if (missing === undefined) return provider;
    throw new AppError('MODEL_UNAVAILABLE', `The speech provider ${provider} is not configured.`, `Set ${missing}.`);
  }

  /** The configured provider; `auto` selects the first with a setting, from the most to the least explicit. */
  private defaultProvider(purpose: Purpose): Provider {
    const { speechProvider, transcriptionProvider, setVariables } = this.config;
    const configured = purpose === 'speech' ? speechProvider : transcriptionProvider;
    if (configured !== 'auto') return configured;
    if (setVariables.has(purpose === 'speech' ? 'SHERPA_TTS_DIR' : 'SHERPA_STT_DIR')) return 'sherpa';
    if (setVariables.has('OPENAI_AUDIO_BASE_URL')) return 'openai';
    if (setVariables.has('ELEVENLABS_API_KEY')) return 'elevenlabs';
    // A key without a base URL is for OpenAI; another chat service may not support speech.
    return setVariables.has('OPENAI_API_KEY') && !setVariables.has('OPENAI_BASE_URL') ? 'openai' : 'embedded';
  }

  /** The missing variable of a provider; undefined when it is configured. */
  private missingSetting(provider: Provider, purpose: Purpose): string | undefined {
    const { openaiKey, elevenlabsKey, sherpaTtsDir, sherpaSttDir, setVariables } = this.config;
    const elsewhere = setVariables.has('OPENAI_AUDIO_BASE_URL') || setVariables.has('OPENAI_BASE_URL');
    if (provider === 'openai' && openaiKey === undefined && !elsewhere) return 'OPENAI_API_KEY';
    if (provider === 'elevenlabs' && elevenlabsKey === undefined) return 'ELEVENLABS_API_KEY';
    if (provider !== 'sherpa') return undefined;
    if (purpose === 'speech') return sherpaTtsDir === undefined ? 'SHERPA_TTS_DIR' : undefined;
    return sherpaSttDir === undefined ? 'SHERPA_STT_DIR' : undefined;
  }

  private makeSynthesizer(provider: Provider, own?: ServiceOverride): SpeechSynthesizer {
    const { clock, config, decoder } = this;
    switch (provider) {
      case 'embedded': {
        const threads = Math.min(MAX_VOICE_THREADS, availableParallelism());
        return new FliteSynthesizer({ clock, threads, queue: config.audioQueue });
      }
      case 'openai': {
        const { openaiSpeechModel: model, openaiSpeechVoice: defaultVoice } = config;
        const service = this.openai(own, config.modelTimeoutMs);
        return new RemoteSynthesizer(this.target('openai', model, config.modelTimeoutMs, own), {
          load: () => openAiSpeech(service, model),
          voices: (signal) => openAiVoices(service, defaultVoice, signal),
          format: { name: 'wav' },
          defaultVoice,
          decoder,
        });
      }
      case 'elevenlabs': {
        const { elevenlabsModel: model, elevenlabsVoice: defaultVoice } = config;
        const service = this.elevenlabs(own, config.modelTimeoutMs);
        return new RemoteSynthesizer(this.target('elevenlabs', model, config.modelTimeoutMs, own), {
          load: () => elevenLabsSpeech(service, model),
          voices: (signal) => elevenLabsVoices(service, defaultVoice, signal),
          format: { name: `pcm_${ELEVENLABS_RATE}`, rawRate: ELEVENLABS_RATE },
          defaultVoice,
          decoder,
        });
      }
      case 'sherpa':
        return new SherpaSynthesizer(config.sherpaTtsDir ?? '', config.audioQueue);
      case 'none':
        throw new AppError('MODEL_UNAVAILABLE', 'Speech is disabled.', 'Set SPEECH_PROVIDER to another value than none.');
    }
  }

  private makeTranscriber(provider: Provider, own?: ServiceOverride): Transcriber {
    const { clock, config, decoder } = this;
    const { audioQueue: queue, transcriptionTimeoutMs: timeoutMs } = config;
    switch (provider) {
      case 'embedded': {
        if (!this.recognizerInstalled) throw recognizerMissing();
        const cacheDir = join(config.dataDir, 'cache');
        return new PocketSphinxTranscriber({ clock, decoder, cacheDir, threads: config.transcriptionWorkers, queue, timeoutMs });
      }
      case 'openai': {
        const model = config.openaiTranscriptionModel;
        return new RemoteTranscriber(this.target('openai', model, timeoutMs, own), {
          load: () => openAiTranscription(this.openai(own, timeoutMs), model),
          options: (language) => ({ openai: { temperature: 0, ...(language === undefined ? {} : { language }) } }),
          decoder,
        });
      }
      case 'elevenlabs': {
        const model = config.elevenlabsTranscriptionModel;
        return new RemoteTranscriber(this.target('elevenlabs', model, timeoutMs, own), {
          load: () => elevenLabsTranscription(this.elevenlabs(own, timeoutMs), model),
          options: (language) => ({ elevenlabs: language === undefined ? {} : { languageCode: language } }),
          decoder,
        });
      }
      case 'sherpa':
        return new SherpaTranscriber({ folder: config.sherpaSttDir ?? '', queue, decoder });
      case 'none':
        throw new AppError('MODEL_UNAVAILABLE', 'Transcription is disabled.', 'Set TRANSCRIPTION_PROVIDER to another value than none.');
    }
  }

  private openai(own: ServiceOverride | undefined, timeoutMs: number): Service {
    const { openaiAudioBaseUrl, openaiBaseUrl, openaiKey } = this.config;
    const operators = { name: 'openai', baseUrl: openaiAudioBaseUrl ?? openaiBaseUrl, key: openaiKey };
    return resolveService(operators, own, { outbound: this.outbound, timeoutMs });
  }

  private elevenlabs(own: ServiceOverride | undefined, timeoutMs: number): Service {
    const { elevenlabsBaseUrl, elevenlabsKey } = this.config;
    const operators = { name: 'elevenlabs', baseUrl: elevenlabsBaseUrl, key: elevenlabsKey };
    const service = resolveService(operators, own, { outbound: this.outbound, timeoutMs });
    return { ...service, baseUrl: service.baseUrl.replace(/\/+$/, '') };
  }

  private target(provider: RemoteProvider, modelId: string, timeoutMs: number, own: ServiceOverride | undefined): SdkTarget {
    const { modelRetries: retries, openaiKey, elevenlabsKey } = this.config;
    const variables = { openai: 'OPENAI_AUDIO_BASE_URL and OPENAI_API_KEY', elevenlabs: 'ELEVENLABS_API_KEY and its voices and models' };
    const hint = `Check ${variables[provider]}, and that the service is running; the log has its error message.`;
    const secret = own?.key ?? (provider === 'openai' ? openaiKey : elevenlabsKey);
    const addressSetting = own?.address === undefined ? undefined : AGENT_SERVICES[SERVICE_NAMES[provider]].address;
    return { provider, modelId, retries, timeoutMs, clock: this.clock, hint, secret, addressSetting };
  }
}

/** The agent's own service for a provider. */
function agentServiceFor(provider: Provider, { services }: SpeechChoice): ServiceOverride | undefined {
  return provider === 'openai' || provider === 'elevenlabs' ? services?.[SERVICE_NAMES[provider]] : undefined;
}

/** The provider that an agent's services select. An OpenAI key alone may be for chat. */
function providerOfServices(services: ServiceOverrides | undefined): Provider | undefined {
  if (services?.openaiAudio?.address !== undefined) return 'openai';
  return services?.elevenlabs === undefined ? undefined : 'elevenlabs';
}

function recognizerMissing(): AppError {
  const wayOut =
    'Its packages are optional: install without --omit=optional, or set OPENAI_API_KEY, ELEVENLABS_API_KEY or SHERPA_STT_DIR (see TRANSCRIPTION_PROVIDER).';
  return new AppError('MODEL_UNAVAILABLE', 'The built-in recognizer is not installed.', wayOut);
}

function getOrCreate<Key, Value>(all: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = all.get(key);
  if (value === undefined) all.set(key, (value = make()));
  return value;
}

function inUse({ provider, engine, languages }: EngineInUse): EngineInUse {
  return { provider, engine, languages };
}
