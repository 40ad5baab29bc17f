import { Inject, Injectable } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../../core/clock/index.js';
import { AGENT_SERVICES, CONFIG, type Config, type OwnService, type OwnServices } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { Outbound } from '../outbound/index.js';
import { AudioDecoder } from './audio-decoder.js';
import { Ffmpeg } from './ffmpeg.js';
import { FliteSynthesizer } from './flite-synthesizer.js';
import { PocketSphinxTranscriber } from './pocketsphinx-transcriber.js';
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
import { Kept, ownServiceId, serviceOf, type SdkTarget, type Service } from '../sdk/index.js';
import type { SpeechSynthesizer } from './speech-synthesizer.js';
import type { Transcriber } from './transcriber.js';

const MOST_VOICES = 4;

/** What an agent or a request may choose for itself; what it leaves out is as the server is configured. */
export interface SpeechChoice {
  readonly provider?: string;
  /** Addresses and keys of its own. Without a provider they choose one, as the server's own would. */
  readonly services?: OwnServices;
}

export interface EngineInUse {
  readonly provider: string;
  readonly engine: string;
  /** BCP 47 primary subtags; undefined when it takes any language. */
  readonly languages?: readonly string[];
}

/** For the banner and the health report; null for what is switched off. */
export interface SpeechInUse {
  readonly synthesis: EngineInUse | null;
  readonly transcription: EngineInUse | null;
}

type Provider = Exclude<Config['speechProvider'], 'auto'>;
const PROVIDERS: readonly Provider[] = ['embedded', 'openai', 'elevenlabs', 'sherpa', 'none'];
const ELEVENLABS_RATE = 24_000;

type RemoteProvider = 'openai' | 'elevenlabs';
/** Where the services that agents name have each provider. */
const OWN_NAMES = { openai: 'openaiAudio', elevenlabs: 'elevenlabs' } as const;

/** What an engine is wanted for. */
type Purpose = 'speech' | 'transcription';

/**
 * Which engine speaks and which listens. Knows all adapters and the configuration that chooses between them; nothing is
 * loaded, started or connected to before it is used.
 */
@Injectable()
export class SpeechRegistry {
  private readonly synthesizers = new Map<Provider, SpeechSynthesizer>();
  private readonly transcribers = new Map<Provider, Transcriber>();
  private readonly ownSynthesizers = new Kept<SpeechSynthesizer>();
  private readonly ownTranscribers = new Kept<Transcriber>();
  private readonly decoder: AudioDecoder;

  /** @throws AppError CONFIG_INVALID naming the variable that a configured provider lacks */
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
      const provider = this.standard(purpose);
      const missing = this.missingFor(provider, purpose);
      if (missing !== undefined) throw new AppError('CONFIG_INVALID', `${missing} must be set for ${setting}=${provider}.`);
    }
  }

  /**
   * The voices that the server is configured for, or those an agent chose. Asking again for the same gives the same
   * object, unless 256 other services of agents were asked for in between.
   *
   * @throws AppError VALIDATION_ERROR for a provider that does not exist, naming those that do; MODEL_UNAVAILABLE when
   *   it is not configured, or speech is switched off
   */
  synthesizer(choice: SpeechChoice = {}): SpeechSynthesizer {
    const provider = this.provider('speech', choice);
    const own = ownOf(provider, choice);
    if (own === undefined) return made(this.synthesizers, provider, () => this.makeSynthesizer(provider));
    return this.ownSynthesizers.get(`${provider} ${ownServiceId(own)}`, () => this.makeSynthesizer(provider, own));
  }

  /** The recogniser that the server is configured for, or the one an agent chose; otherwise as `synthesizer`. */
  transcriber(choice: SpeechChoice = {}): Transcriber {
    const provider = this.provider('transcription', choice);
    const own = ownOf(provider, choice);
    if (own === undefined) return made(this.transcribers, provider, () => this.makeTranscriber(provider));
    return this.ownTranscribers.get(`${provider} ${ownServiceId(own)}`, () => this.makeTranscriber(provider, own));
  }

  describe(): SpeechInUse {
    return {
      synthesis: this.standard('speech') === 'none' ? null : inUse(this.synthesizer()),
      transcription: this.standard('transcription') === 'none' ? null : inUse(this.transcriber()),
    };
  }

  async close(): Promise<void> {
    const own = [...this.ownSynthesizers.all(), ...this.ownTranscribers.all()];
    const engines = [...this.synthesizers.values(), ...this.transcribers.values(), ...own, this.decoder];
    await Promise.all(engines.map((engine) => engine.close()));
  }

  private provider(purpose: Purpose, choice: SpeechChoice): Provider {
    const { provider: name, services } = choice;
    if (name === undefined || name === '' || name === 'auto') return firstNamed(services) ?? this.standard(purpose);
    const provider = PROVIDERS.find((candidate) => candidate === name);
    if (provider === undefined) {
      throw new AppError('VALIDATION_ERROR', `There is no speech provider "${name}".`, `Use one of ${PROVIDERS.join(', ')}.`);
    }
    const missing = ownOf(provider, choice) === undefined ? this.missingFor(provider, purpose) : undefined;
    if (missing === undefined) return provider;
    throw new AppError('MODEL_UNAVAILABLE', `The speech provider ${provider} is not configured.`, `Set ${missing}.`);
  }

  /** As configured; `auto` is the first for which something was set, in the order from the most to the least explicit. */
  private standard(purpose: Purpose): Provider {
    const { speechProvider, transcriptionProvider, given } = this.config;
    const configured = purpose === 'speech' ? speechProvider : transcriptionProvider;
    if (configured !== 'auto') return configured;
    if (given.has(purpose === 'speech' ? 'SHERPA_TTS_DIR' : 'SHERPA_STT_DIR')) return 'sherpa';
    if (given.has('OPENAI_AUDIO_BASE_URL')) return 'openai';
    if (given.has('ELEVENLABS_API_KEY')) return 'elevenlabs';
    // A key alone is OpenAI's own; another service for chat need not know speech.
    return given.has('OPENAI_API_KEY') && !given.has('OPENAI_BASE_URL') ? 'openai' : 'embedded';
  }

  /** The variable without which a provider cannot be asked. */
  private missingFor(provider: Provider, purpose: Purpose): string | undefined {
    const { openaiKey, elevenlabsKey, sherpaTtsDir, sherpaSttDir, given } = this.config;
    const elsewhere = given.has('OPENAI_AUDIO_BASE_URL') || given.has('OPENAI_BASE_URL');
    if (provider === 'openai' && openaiKey === undefined && !elsewhere) return 'OPENAI_API_KEY';
    if (provider === 'elevenlabs' && elevenlabsKey === undefined) return 'ELEVENLABS_API_KEY';
    if (provider !== 'sherpa') return undefined;
    if (purpose === 'speech') return sherpaTtsDir === undefined ? 'SHERPA_TTS_DIR' : undefined;
    return sherpaSttDir === undefined ? 'SHERPA_STT_DIR' : undefined;
  }

  private makeSynthesizer(provider: Provider, own?: OwnService): SpeechSynthesizer {
    const { clock, config, decoder } = this;
    switch (provider) {
      case 'embedded': {
        const threads = Math.min(MOST_VOICES, availableParallelism());
        return new FliteSynthesizer({ clock, threads, queue: config.audioQueue });
      }
      case 'openai': {
        const { openaiSpeechModel: model, openaiSpeechVoice: standardVoice } = config;
        const service = this.openai(own, config.modelTimeoutMs);
        return new RemoteSynthesizer(this.target('openai', model, config.modelTimeoutMs, own), {
          load: () => openAiSpeech(service, model),
          voices: (signal) => openAiVoices(service, standardVoice, signal),
          format: { name: 'wav' },
          standardVoice,
          decoder,
        });
      }
      case 'elevenlabs': {
        const { elevenlabsModel: model, elevenlabsVoice: standardVoice } = config;
        const service = this.elevenlabs(own, config.modelTimeoutMs);
        return new RemoteSynthesizer(this.target('elevenlabs', model, config.modelTimeoutMs, own), {
          load: () => elevenLabsSpeech(service, model),
          voices: (signal) => elevenLabsVoices(service, standardVoice, signal),
          format: { name: `pcm_${ELEVENLABS_RATE}`, rawRate: ELEVENLABS_RATE },
          standardVoice,
          decoder,
        });
      }
      case 'sherpa':
        return new SherpaSynthesizer(config.sherpaTtsDir ?? '', config.audioQueue);
      case 'none':
        throw new AppError('MODEL_UNAVAILABLE', 'Speech is switched off.', 'Set SPEECH_PROVIDER to something else than none.');
    }
  }

  private makeTranscriber(provider: Provider, own?: OwnService): Transcriber {
    const { clock, config, decoder } = this;
    const { audioQueue: queue, transcriptionTimeoutMs: timeoutMs } = config;
    switch (provider) {
      case 'embedded': {
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
        throw new AppError(
          'MODEL_UNAVAILABLE',
          'Transcription is switched off.',
          'Set TRANSCRIPTION_PROVIDER to something else than none.',
        );
    }
  }

  private openai(own: OwnService | undefined, timeoutMs: number): Service {
    const { openaiAudioBaseUrl, openaiBaseUrl, openaiKey } = this.config;
    const operators = { name: 'openai', baseUrl: openaiAudioBaseUrl ?? openaiBaseUrl, key: openaiKey };
    return serviceOf(operators, own, { outbound: this.outbound, timeoutMs });
  }

  private elevenlabs(own: OwnService | undefined, timeoutMs: number): Service {
    const { elevenlabsBaseUrl, elevenlabsKey } = this.config;
    const operators = { name: 'elevenlabs', baseUrl: elevenlabsBaseUrl, key: elevenlabsKey };
    const service = serviceOf(operators, own, { outbound: this.outbound, timeoutMs });
    return { ...service, baseUrl: service.baseUrl.replace(/\/+$/, '') };
  }

  private target(provider: RemoteProvider, modelId: string, timeoutMs: number, own: OwnService | undefined): SdkTarget {
    const { modelRetries: retries, openaiKey, elevenlabsKey } = this.config;
    const variables = { openai: 'OPENAI_AUDIO_BASE_URL and OPENAI_API_KEY', elevenlabs: 'ELEVENLABS_API_KEY and its voices and models' };
    const hint = `Check ${variables[provider]}, and that the service is there; the log has its own words.`;
    const secret = own?.key ?? (provider === 'openai' ? openaiKey : elevenlabsKey);
    const addressSetting = own?.address === undefined ? undefined : AGENT_SERVICES[OWN_NAMES[provider]].address;
    return { provider, modelId, retries, timeoutMs, clock: this.clock, hint, secret, addressSetting };
  }
}

/** What an agent names for a provider. */
function ownOf(provider: Provider, { services }: SpeechChoice): OwnService | undefined {
  return provider === 'openai' || provider === 'elevenlabs' ? services?.[OWN_NAMES[provider]] : undefined;
}

/** The provider that an agent's own services choose. A key of OpenAI alone may be for chat. */
function firstNamed(services: OwnServices | undefined): Provider | undefined {
  if (services?.openaiAudio?.address !== undefined) return 'openai';
  return services?.elevenlabs === undefined ? undefined : 'elevenlabs';
}

function made<Key, Value>(all: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = all.get(key);
  if (value === undefined) all.set(key, (value = make()));
  return value;
}

function inUse({ provider, engine, languages }: EngineInUse): EngineInUse {
  return { provider, engine, languages };
}
