import type { LanguageModelV3 } from '@ai-sdk/provider';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AGENT_SERVICES, type ServiceOverride, type ServiceOverrides } from '../services/index.js';
import { AppError } from '../../core/errors/index.js';
import { Outbound } from '../outbound/index.js';
import type { ChatModel } from './chat-model.js';
import { EmbeddedEncoder } from './embedded-encoder.js';
import type { EmbeddingModel } from './embedding-model.js';
import { ModelHealth, type ModelReport } from './model-health.js';
import { OfflineResponder } from './offline/offline-responder.js';
import { RemoteEmbedding } from './remote-embedding.js';
import { isDocumentModel, isVisionModel } from './model-capabilities.js';
import { SdkChatModel } from './sdk-chat-model.js';
import { anthropicChat, openAiCompatibleChat, openAiCompatibleEmbedding } from './sdk-loaders.js';
import {
  BoundedCache,
  serviceFingerprint,
  resolveService,
  type OperatorService,
  type AgentServiceOptions,
  type SdkTarget,
  type SettingNames,
  type Service,
} from '../sdk/index.js';

const PROVIDERS = ['openai', 'anthropic', 'ollama', 'offline'] as const;
type Provider = (typeof PROVIDERS)[number];
type SdkProvider = Exclude<Provider, 'offline'>;

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
  private readonly defaultProvider: Provider;
  private readonly chatModels = new BoundedCache<ChatModel>();
  private readonly embedding: EmbeddingModel | undefined;
  private readonly health: ModelHealth;

  /** @throws AppError CONFIG_INVALID naming the missing variable of the configured provider */
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly outbound: Outbound,
  ) {
    this.defaultProvider = config.modelProvider === 'auto' ? firstConfigured(config) : config.modelProvider;
    const needed: [Provider, string][] = [[this.defaultProvider, `MODEL_PROVIDER=${this.defaultProvider}`]];
    if (config.embeddingProvider === 'openai') needed.push(['openai', 'EMBEDDING_PROVIDER=openai']);
    for (const [provider, setting] of needed) {
      const missing = this.missingSetting(provider);
      if (missing !== undefined) throw new AppError('CONFIG_INVALID', `${missing} must be set for ${setting}.`);
    }
    this.health = new ModelHealth(clock);
    this.embedding = this.makeEmbedding();
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
    const key = own === undefined ? `${provider} ${model}` : `${provider} ${serviceFingerprint(own)} ${model}`;
    return this.chatModels.getOrCreate(key, () => this.makeChat(provider, model, own));
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

  /** How the latest calls of each model of a service ended, in this process. */
  reports(): ModelReport[] {
    return this.health.reports();
  }

  /** Whether a chat model of the server, not one of an agent's own service, is failing. */
  get failing(): boolean {
    return this.reports().some(({ kind, ofAgent, failing }) => kind === 'chat' && !ofAgent && failing);
  }

  async close(): Promise<void> {
    await this.embedding?.close();
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
    const { openaiKey, anthropicKey, setVariables } = this.config;
    if (provider === 'anthropic' && anthropicKey === undefined) return 'ANTHROPIC_API_KEY';
    if (provider === 'openai' && openaiKey === undefined && !setVariables.has('OPENAI_BASE_URL')) return 'OPENAI_API_KEY';
    return undefined;
  }

  private defaultModel(provider: Provider): string {
    const { openaiModel, anthropicModel, ollamaModel } = this.config;
    return { openai: openaiModel, anthropic: anthropicModel, ollama: ollamaModel, offline: 'offline' }[provider];
  }

  private makeChat(provider: Provider, model: string, own: ServiceOverride | undefined): ChatModel {
    const { openaiKey, openaiBaseUrl, anthropicKey, anthropicBaseUrl, ollamaBaseUrl } = this.config;
    switch (provider) {
      case 'openai':
        return this.sdkChat({ name: provider, baseUrl: openaiBaseUrl, key: openaiKey }, model, own, openAiCompatibleChat);
      case 'anthropic':
        return this.sdkChat({ name: provider, baseUrl: anthropicBaseUrl, key: anthropicKey }, model, own, anthropicChat);
      case 'ollama':
        return this.sdkChat({ name: provider, baseUrl: ollamaBaseUrl }, model, own, openAiCompatibleChat);
      case 'offline':
        return new OfflineResponder(this.embedding);
    }
  }

  private sdkChat(
    operators: OperatorService & { readonly name: SdkProvider },
    model: string,
    own: ServiceOverride | undefined,
    load: (service: Service, model: string) => Promise<LanguageModelV3>,
  ): ChatModel {
    const service = resolveService(operators, own, this.limits);
    return new SdkChatModel(this.target('chat', operators.name, model, service.key, own), () => load(service, model));
  }

  private makeEmbedding(): EmbeddingModel | undefined {
    const { embeddingProvider, embeddingModel, openaiBaseUrl, openaiKey } = this.config;
    switch (embeddingProvider) {
      case 'embedded':
        return new EmbeddedEncoder(this.clock);
      case 'openai': {
        const service = resolveService({ name: 'openai', baseUrl: openaiBaseUrl, key: openaiKey }, undefined, this.limits);
        const target = this.target('embeddings', 'openai', embeddingModel, openaiKey);
        return new RemoteEmbedding(target, () => openAiCompatibleEmbedding(service, embeddingModel));
      }
      case 'none':
        return undefined;
    }
  }

  /** Name of the setting that has selected a model. */
  private modelSetting(provider: SdkProvider, modelId: string): string {
    if (modelId !== this.defaultModel(provider)) return "model in the agent's settings";
    return { openai: 'OPENAI_MODEL', anthropic: 'ANTHROPIC_MODEL', ollama: 'OLLAMA_MODEL' }[provider];
  }

  private get limits(): AgentServiceOptions {
    return { outbound: this.outbound, timeoutMs: this.config.modelTimeoutMs };
  }

  private target(kind: ModelReport['kind'], provider: SdkProvider, modelId: string, secret?: string, own?: ServiceOverride): SdkTarget {
    const { modelRetries: retries, modelTimeoutMs: timeoutMs } = this.config;
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
    const limits = { retries, timeoutMs, clock: this.clock };
    const names = settingNames(provider, own, kind === 'embeddings' ? 'OPENAI_EMBEDDING_MODEL' : this.modelSetting(provider, modelId));
    const key = `${provider} ${own === undefined ? '' : serviceFingerprint(own)} ${modelId}`;
    const watch = this.health.watch(key, { kind, provider, model: modelId, ofAgent: own !== undefined });
    return { provider, modelId, supportsImages, supportsDocuments, ...limits, hint, names, secret, addressSetting, watch };
  }
}

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
