import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, isLoopback, type Config } from '../../core/config/index.js';
import { AGENT_SERVICES, type ServiceOverride, type ServiceOverrides } from '../services/index.js';
import { AppError } from '../../core/errors/index.js';
import { Outbound } from '../outbound/index.js';
import type { ChatModel } from './chat-model.js';
import { EmbeddedEncoder } from './embedded-encoder.js';
import type { EmbeddingModel } from './embedding-model.js';
import { LanguageDetector } from './language-detector.js';
import { ModelHealth, type ModelReport } from './model-health.js';
import { OfflineResponder } from './offline/offline-responder.js';
import { RemoteEmbedding } from './remote-embedding.js';
import { isDocumentModel, isVisionModel } from './model-capabilities.js';
import { anthropicApi, completionsApi } from './chat-apis.js';
import { embeddingsApi } from './embeddings-api.js';
import { ServiceChatModel } from './service-chat-model.js';
import { ServiceLimit, type HeldCalls } from './service-limit.js';
import { BoundedCache, serviceFingerprint, resolveService, type OperatorService, type SdkTarget, type SettingNames } from '../sdk/index.js';

const PROVIDERS = ['openai', 'anthropic', 'ollama', 'offline'] as const;
type Provider = (typeof PROVIDERS)[number];
/** The providers that an administrator can choose for the server. */
export const SERVER_PROVIDERS = ['openai', 'anthropic', 'ollama'] as const;
export type ServerProvider = (typeof SERVER_PROVIDERS)[number];
type SdkProvider = ServerProvider;

/** A service and its model that an administrator has chosen for the server. */
export interface ServerModel {
  readonly provider: ServerProvider;
  readonly model: string;
  /** The usual one of the provider when it is absent. */
  readonly address?: string;
  readonly key?: string;
}

/** Variables that choose a model by being set. */
const CHOOSING = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY', 'OLLAMA_BASE_URL', 'OLLAMA_MODEL'];
const BY_ADMINISTRATOR: SettingNames = {
  key: 'the key of the model in the console',
  address: 'the address of the model in the console',
  model: 'the name of the model in the console',
};
/** On the page where an administrator tries it. */
const BEING_CHOSEN: SettingNames = { key: 'the API key', address: 'the address', model: 'the name of the model' };

/** The model choice of an agent. Omitted fields use the server's configuration. */
export interface ModelChoice {
  readonly provider?: string;
  readonly model?: string;
  /** The agent's own services. Without `provider`, they select one in the same way as the server's settings. */
  readonly services?: ServiceOverrides;
}

/** The default models, for the banner and the health report. */
export interface ModelsInUse {
  readonly chat: { readonly provider: string; readonly model: string };
  readonly embeddings: { readonly provider: string; readonly model: string } | null;
}

/**
 * Selects models. Knows all adapters and the configuration that chooses between them; adapters are loaded, started and connected on first
 * use.
 */
@Injectable()
export class ModelRegistry {
  private readonly configured: Provider;
  private chosen: ServerModel | undefined;
  private chatModels = new BoundedCache<ChatModel>();
  /** For addresses that an administrator gives: on a machine that only its own users reach, it may be one of the machine. */
  private readonly guard: Outbound;
  private readonly embedding: EmbeddingModel | undefined;
  private readonly health: ModelHealth;
  /** By service and model, since services limit each of their models. */
  private limits = new BoundedCache<ServiceLimit>();
  private readonly languages: LanguageDetector;

  /** @throws AppError CONFIG_INVALID naming the missing variable of the configured provider */
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly outbound: Outbound,
  ) {
    this.configured = config.modelProvider === 'auto' ? firstConfigured(config) : config.modelProvider;
    const needed: [Provider, string][] = [[this.configured, `MODEL_PROVIDER=${this.configured}`]];
    if (config.embeddingProvider === 'openai') needed.push(['openai', 'EMBEDDING_PROVIDER=openai']);
    for (const [provider, setting] of needed) {
      const missing = this.missingSetting(provider);
      if (missing !== undefined) throw new AppError('CONFIG_INVALID', `${missing} must be set for ${setting}.`);
    }
    this.health = new ModelHealth(clock);
    this.languages = new LanguageDetector(clock);
    this.embedding = this.makeEmbedding();
    const { host, outboundAllowedNetworks: allowed } = config;
    this.guard = isLoopback(host) ? new Outbound({ ...config, outboundAllowedNetworks: [...allowed, 'loopback'] }, clock) : outbound;
  }

  /** The variables of the environment that choose the server's model; an administrator can choose while there are none. */
  get environmentChoice(): readonly string[] {
    const { modelProvider, setVariables } = this.config;
    return modelProvider === 'auto' ? CHOOSING.filter((name) => setVariables.has(name)) : ['MODEL_PROVIDER'];
  }

  /** Whether `assertAddressAllowed` allows addresses of this machine. */
  get allowsLocalAddresses(): boolean {
    return this.guard.allowsLoopback;
  }

  /** Uses a model that an administrator has chosen, unless the environment chooses one; undefined takes the choice back. */
  use(model: ServerModel | undefined): void {
    this.chosen = this.environmentChoice.length === 0 ? model : undefined;
    this.chatModels = new BoundedCache<ChatModel>();
    this.limits = new BoundedCache<ServiceLimit>();
  }

  /** A model for one call, whose outcome says nothing about the models in use. */
  trial(model: ServerModel): ChatModel {
    return this.serverChat(model);
  }

  /** Whether an administrator may have the server call an address. @throws AppError VALIDATION_ERROR naming the way out */
  async assertAddressAllowed(address: string): Promise<void> {
    try {
      await this.guard.assertAllowed(address);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const reason = error.message.replace(/^The address /, '').replace(/\.$/, '');
      throw new AppError('VALIDATION_ERROR', `address ${reason}.`, error.details);
    }
  }

  /**
   * The server's default model, or an agent's choice. The same choice returns the same object, from a cache of 256. Agents share a model
   * only with the same service and key.
   *
   * @throws AppError VALIDATION_ERROR for an unknown provider; MODEL_UNAVAILABLE for one without its key
   */
  chat(choice: ModelChoice = {}): ChatModel {
    const provider = this.provider(choice);
    const own = provider === 'offline' ? undefined : choice.services?.[provider];
    const chosen = provider === 'offline' || choice.model === '' ? undefined : choice.model;
    const model = chosen ?? this.defaultModel(provider);
    return this.chatModels.getOrCreate(keyOf(provider, model, own), () => this.makeChat(provider, model, own));
  }

  /** The embedding model; undefined when EMBEDDING_PROVIDER is none. */
  embeddings(): EmbeddingModel | undefined {
    return this.embedding;
  }

  describe(): ModelsInUse {
    return {
      chat: { provider: this.defaultProvider, model: this.defaultModel(this.defaultProvider) },
      embeddings: this.embedding === undefined ? null : { provider: this.embedding.provider, model: this.embedding.modelId },
    };
  }

  /** Host of the service that responds by default, when it is compatible with a provider and not the provider's own; else null. */
  get compatibleHost(): string | null {
    const provider = this.defaultProvider;
    if (provider !== 'openai' && provider !== 'anthropic') return null;
    const { host } = new URL(this.operatorsService(provider).baseUrl);
    return host === `api.${provider}.com` ? null : host;
  }

  /** How the latest calls of each model of a service ended, in this process. */
  reports(): ModelReport[] {
    return this.health.reports();
  }

  /** The calls that wait because their service accepts no more of them, by service and model. */
  heldCalls(): HeldCalls[] {
    return this.limits.values().map(({ held }) => held);
  }

  /** Whether a chat model of the server, not one of an agent's own service, is failing. */
  get failing(): boolean {
    return this.reports().some(({ kind, ofAgent, failing }) => kind === 'chat' && !ofAgent && failing);
  }

  async close(): Promise<void> {
    const guard = this.guard === this.outbound ? undefined : this.guard.close();
    await Promise.all([this.embedding?.close(), this.languages.close(), guard]);
  }

  private get defaultProvider(): Provider {
    return this.chosen?.provider ?? this.configured;
  }

  private provider({ provider: name, services }: ModelChoice): Provider {
    if (name === undefined || name === '' || name === 'auto') {
      return services === undefined ? this.defaultProvider : (providerOfServices(services, this.defaultProvider) ?? this.defaultProvider);
    }
    const provider = PROVIDERS.find((candidate) => candidate === name);
    if (provider === undefined) {
      throw new AppError('VALIDATION_ERROR', `Unknown model provider "${name}".`, `Use one of ${PROVIDERS.join(', ')}.`);
    }
    const missing = provider !== 'offline' && services?.[provider] !== undefined ? undefined : this.missingSetting(provider);
    if (missing !== undefined) {
      throw new AppError('MODEL_UNAVAILABLE', `The model provider ${provider} is not configured.`, `Set ${missing}.`);
    }
    return provider;
  }

  /** The missing variable of a provider; undefined when it is configured. */
  private missingSetting(provider: Provider): string | undefined {
    if (this.chosen?.provider === provider) return undefined;
    const { openaiKey, anthropicKey, setVariables } = this.config;
    if (provider === 'anthropic' && anthropicKey === undefined) return 'ANTHROPIC_API_KEY';
    if (provider === 'openai' && openaiKey === undefined && !setVariables.has('OPENAI_BASE_URL')) return 'OPENAI_API_KEY';
    return undefined;
  }

  private defaultModel(provider: Provider): string {
    if (this.chosen?.provider === provider) return this.chosen.model;
    const { openaiModel, anthropicModel, ollamaModel } = this.config;
    return { openai: openaiModel, anthropic: anthropicModel, ollama: ollamaModel, offline: 'offline' }[provider];
  }

  private makeChat(provider: Provider, model: string, own: ServiceOverride | undefined): ChatModel {
    if (provider === 'offline') return new OfflineResponder(this.embedding, this.languages);
    const service = resolveService(this.operatorsService(provider), own, { outbound: this.outbound });
    const target = this.target('chat', provider, model, service.key, own);
    const key = keyOf(provider, model, own);
    const limit = this.limits.getOrCreate(key, () => new ServiceLimit(this.clock, { provider, model }));
    return new ServiceChatModel(target, APIS[provider](service), limit);
  }

  private serverChat(chosen: ServerModel): ChatModel {
    const { provider, model } = chosen;
    const service = resolveService(this.serviceOf(chosen), undefined, { outbound: this.outbound });
    const { watch: _, ...target } = this.target('chat', provider, model, service.key);
    return new ServiceChatModel({ ...target, retries: 0, names: BEING_CHOSEN }, APIS[provider](service));
  }

  /** The service of a provider, as an administrator or the environment has configured it. */
  private operatorsService(provider: SdkProvider): OperatorService {
    if (this.chosen?.provider === provider) return this.serviceOf(this.chosen);
    const { openaiKey, anthropicKey } = this.config;
    return {
      name: provider,
      baseUrl: this.usualAddress(provider),
      key: { openai: openaiKey, anthropic: anthropicKey, ollama: undefined }[provider],
    };
  }

  private serviceOf({ provider, address, key }: ServerModel): OperatorService {
    if (address === undefined) return { name: provider, baseUrl: this.usualAddress(provider), key };
    return { name: provider, baseUrl: address, key, guard: this.guard };
  }

  private usualAddress(provider: SdkProvider): string {
    const { openaiBaseUrl, anthropicBaseUrl, ollamaBaseUrl } = this.config;
    return { openai: openaiBaseUrl, anthropic: anthropicBaseUrl, ollama: ollamaBaseUrl }[provider];
  }

  private makeEmbedding(): EmbeddingModel | undefined {
    const { embeddingProvider, embeddingModel, openaiBaseUrl, openaiKey } = this.config;
    switch (embeddingProvider) {
      case 'embedded':
        return new EmbeddedEncoder(this.clock);
      case 'openai': {
        const limits = { outbound: this.outbound, timeoutMs: this.config.modelTimeoutMs };
        const service = resolveService({ name: 'openai', baseUrl: openaiBaseUrl, key: openaiKey }, undefined, limits);
        const target = this.target('embeddings', 'openai', embeddingModel, openaiKey);
        return new RemoteEmbedding(target, embeddingsApi(service, embeddingModel));
      }
      case 'none':
        return undefined;
    }
  }

  /** Name of the setting that has selected a model. */
  private modelSetting(provider: SdkProvider, modelId: string): string {
    if (modelId !== this.defaultModel(provider)) return "model in the agent's settings";
    if (this.chosen?.provider === provider) return BY_ADMINISTRATOR.model;
    return { openai: 'OPENAI_MODEL', anthropic: 'ANTHROPIC_MODEL', ollama: 'OLLAMA_MODEL' }[provider];
  }

  private target(kind: ModelReport['kind'], provider: SdkProvider, modelId: string, secret?: string, own?: ServiceOverride): SdkTarget {
    const { modelRetries: retries, modelTimeoutMs: timeoutMs, modelTotalTimeoutMs: totalTimeoutMs } = this.config;
    const variables = {
      openai: 'OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL',
      anthropic: 'ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY and ANTHROPIC_MODEL',
      ollama: 'OLLAMA_BASE_URL and OLLAMA_MODEL',
    };
    const whose = own === undefined ? '' : " in the agent's settings, or in the server's when the agent has none";
    const hint = `Check ${variables[provider]}${whose}, and that the service is running; the log has its error message.`;
    const addressSetting = own?.address === undefined ? undefined : AGENT_SERVICES[provider].address;
    const { modelSupportsImages, modelSupportsDocuments } = this.config;
    const supportsImages = modelSupportsImages === 'auto' ? isVisionModel(modelId) : modelSupportsImages === 'true';
    const supportsDocuments = modelSupportsDocuments === 'auto' ? isDocumentModel(modelId) : modelSupportsDocuments === 'true';
    const limits = { retries, timeoutMs, totalTimeoutMs, clock: this.clock };
    const model = kind === 'embeddings' ? 'OPENAI_EMBEDDING_MODEL' : this.modelSetting(provider, modelId);
    const isChosen = kind === 'chat' && own === undefined && this.chosen?.provider === provider;
    const names = isChosen ? { ...BY_ADMINISTRATOR, model } : settingNames(provider, own, model);
    const watch = this.health.watch(keyOf(provider, modelId, own), { kind, provider, model: modelId, ofAgent: own !== undefined });
    return { provider, modelId, supportsImages, supportsDocuments, ...limits, hint, names, secret, addressSetting, watch };
  }
}

/** Distinguishes models by their services, and services by their keys. */
function keyOf(provider: Provider, model: string, own: ServiceOverride | undefined): string {
  return `${provider} ${own === undefined ? '' : serviceFingerprint(own)} ${model}`;
}

const APIS = { openai: completionsApi, anthropic: anthropicApi, ollama: completionsApi } as const;

/** Names of the settings that select a service, for advice in errors. */
function settingNames(provider: SdkProvider, own: ServiceOverride | undefined, model: string): SettingNames {
  const { key, address } = AGENT_SERVICES[provider];
  const ofAgent = (name: string): string => `${name} in the agent's settings`;
  return {
    // The server's key is not sent to an agent's address.
    ...(key === undefined ? {} : { key: own === undefined ? key : ofAgent(key) }),
    address: own?.address === undefined ? address : ofAgent(address),
    model,
  };
}

function firstConfigured({ setVariables }: Config): Provider {
  if (setVariables.has('OPENAI_API_KEY') || setVariables.has('OPENAI_BASE_URL')) return 'openai';
  if (setVariables.has('ANTHROPIC_API_KEY')) return 'anthropic';
  if (setVariables.has('OLLAMA_BASE_URL') || setVariables.has('OLLAMA_MODEL')) return 'ollama';
  return 'offline';
}

/** The provider that an agent's services select: the server's provider if the agent configures it, else the first one it configures. */
function providerOfServices(services: ServiceOverrides, standard: Provider): Provider | undefined {
  return [standard, ...PROVIDERS].find((provider) => provider !== 'offline' && services[provider] !== undefined);
}
