import type { LanguageModelV3 } from '@ai-sdk/provider';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { AGENT_SERVICES, CONFIG, type Config, type OwnService, type OwnServices } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { Outbound } from '../outbound/index.js';
import type { ChatModel } from './chat-model.js';
import { EmbeddedEncoder } from './embedded-encoder.js';
import type { EmbeddingModel } from './embedding-model.js';
import { OfflineResponder } from './offline-responder.js';
import { RemoteEmbedding } from './remote-embedding.js';
import { readsDocuments, seesImages } from './seeing-models.js';
import { SdkChatModel } from './sdk-chat-model.js';
import { anthropicChat, openAiCompatibleChat, openAiCompatibleEmbedding } from './sdk-loaders.js';
import { Kept, ownServiceId, serviceOf, type OperatorsService, type OwnLimits, type SdkTarget, type Service } from '../sdk/index.js';

const PROVIDERS = ['openai', 'anthropic', 'ollama', 'offline'] as const;
type Provider = (typeof PROVIDERS)[number];
type SdkProvider = Exclude<Provider, 'offline'>;

/** What an agent may choose for itself; what it leaves out is as the server is configured. */
export interface ModelChoice {
  readonly provider?: string;
  readonly model?: string;
  /** Addresses and keys of its own. Without a provider they choose one, as the server's own would. */
  readonly services?: OwnServices;
}

/** For the banner and the health report. */
export interface ModelsInUse {
  readonly chat: { readonly provider: string; readonly model: string };
  readonly embeddings: { readonly provider: string; readonly model: string } | null;
}

/**
 * Which model answers. Knows all adapters and the configuration that chooses between them; nothing is loaded,
 * started or connected to before it is used.
 */
@Injectable()
export class ModelRegistry {
  private readonly standard: Provider;
  private readonly chats = new Kept<ChatModel>();
  private readonly embedding: EmbeddingModel | undefined;

  /** @throws AppError CONFIG_INVALID naming the variable that the configured provider lacks */
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly outbound: Outbound,
  ) {
    this.standard = config.modelProvider === 'auto' ? firstConfigured(config) : config.modelProvider;
    const needed: [Provider, string][] = [[this.standard, `MODEL_PROVIDER=${this.standard}`]];
    if (config.embeddingProvider === 'openai') needed.push(['openai', 'EMBEDDING_PROVIDER=openai']);
    for (const [provider, setting] of needed) {
      const missing = this.missingFor(provider);
      if (missing !== undefined) throw new AppError('CONFIG_INVALID', `${missing} must be set for ${setting}.`);
    }
    this.embedding = this.makeEmbedding();
  }

  /**
   * The model that the server is configured for, or the one an agent chose. Asking again for the same gives the
   * same object, unless 256 others were asked for in between. Agents share one only when service and key are the same.
   *
   * @throws AppError VALIDATION_ERROR for a provider that does not exist, naming those that do; MODEL_UNAVAILABLE
   *   for one that lacks its key
   */
  chat(choice: ModelChoice = {}): ChatModel {
    const provider = this.provider(choice);
    const own = provider === 'offline' ? undefined : choice.services?.[provider];
    const chosen = provider === 'offline' || choice.model === '' ? undefined : choice.model;
    const model = chosen ?? this.standardModel(provider);
    const key = own === undefined ? `${provider} ${model}` : `${provider} ${ownServiceId(own)} ${model}`;
    return this.chats.get(key, () => this.makeChat(provider, model, own));
  }

  /** Who turns texts into vectors; undefined when EMBEDDING_PROVIDER is none. */
  embeddings(): EmbeddingModel | undefined {
    return this.embedding;
  }

  describe(): ModelsInUse {
    return {
      chat: { provider: this.standard, model: this.standardModel(this.standard) },
      embeddings: this.embedding === undefined ? null : { provider: this.embedding.provider, model: this.embedding.modelId },
    };
  }

  async close(): Promise<void> {
    await this.embedding?.close();
  }

  private provider({ provider: name, services }: ModelChoice): Provider {
    if (name === undefined || name === '' || name === 'auto') {
      return services === undefined ? this.standard : (firstNamed(services, this.standard) ?? this.standard);
    }
    const provider = PROVIDERS.find((candidate) => candidate === name);
    if (provider === undefined) {
      throw new AppError('VALIDATION_ERROR', `There is no model provider "${name}".`, `Use one of ${PROVIDERS.join(', ')}.`);
    }
    const missing = provider !== 'offline' && services?.[provider] !== undefined ? undefined : this.missingFor(provider);
    if (missing !== undefined) {
      throw new AppError('MODEL_UNAVAILABLE', `The model provider ${provider} is not configured.`, `Set ${missing}.`);
    }
    return provider;
  }

  /** The variable without which a provider cannot be asked. */
  private missingFor(provider: Provider): string | undefined {
    const { openaiKey, anthropicKey, given } = this.config;
    if (provider === 'anthropic' && anthropicKey === undefined) return 'ANTHROPIC_API_KEY';
    if (provider === 'openai' && openaiKey === undefined && !given.has('OPENAI_BASE_URL')) return 'OPENAI_API_KEY';
    return undefined;
  }

  private standardModel(provider: Provider): string {
    const { openaiModel, anthropicModel, ollamaModel } = this.config;
    return { openai: openaiModel, anthropic: anthropicModel, ollama: ollamaModel, offline: 'offline' }[provider];
  }

  private makeChat(provider: Provider, model: string, own: OwnService | undefined): ChatModel {
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
    operators: OperatorsService & { readonly name: SdkProvider },
    model: string,
    own: OwnService | undefined,
    load: (service: Service, model: string) => Promise<LanguageModelV3>,
  ): ChatModel {
    const service = serviceOf(operators, own, this.limits);
    return new SdkChatModel(this.target(operators.name, model, service.key, own), () => load(service, model));
  }

  private makeEmbedding(): EmbeddingModel | undefined {
    const { embeddingProvider, embeddingModel, openaiBaseUrl, openaiKey } = this.config;
    switch (embeddingProvider) {
      case 'embedded':
        return new EmbeddedEncoder(this.clock);
      case 'openai': {
        const service = serviceOf({ name: 'openai', baseUrl: openaiBaseUrl, key: openaiKey }, undefined, this.limits);
        return new RemoteEmbedding(this.target('openai', embeddingModel, openaiKey), () =>
          openAiCompatibleEmbedding(service, embeddingModel),
        );
      }
      case 'none':
        return undefined;
    }
  }

  private get limits(): OwnLimits {
    return { outbound: this.outbound, timeoutMs: this.config.modelTimeoutMs };
  }

  private target(provider: SdkProvider, modelId: string, secret?: string, own?: OwnService): SdkTarget {
    const { modelRetries: retries, modelTimeoutMs: timeoutMs } = this.config;
    const variables = {
      openai: 'OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL',
      anthropic: 'ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY and ANTHROPIC_MODEL',
      ollama: 'OLLAMA_BASE_URL and OLLAMA_MODEL',
    };
    const whose = own === undefined ? '' : " in the agent's settings, or of the server where they name none";
    const hint = `Check ${variables[provider]}${whose}, and that the service is there; the log has its own words.`;
    const addressSetting = own?.address === undefined ? undefined : AGENT_SERVICES[provider].address;
    const { modelSupportsImages, modelSupportsDocuments } = this.config;
    const supportsImages = modelSupportsImages === 'auto' ? seesImages(modelId) : modelSupportsImages === 'true';
    const supportsDocuments = modelSupportsDocuments === 'auto' ? readsDocuments(modelId) : modelSupportsDocuments === 'true';
    const limits = { retries, timeoutMs, clock: this.clock };
    return { provider, modelId, supportsImages, supportsDocuments, ...limits, hint, secret, addressSetting };
  }
}

function firstConfigured({ given }: Config): Provider {
  if (given.has('OPENAI_API_KEY') || given.has('OPENAI_BASE_URL')) return 'openai';
  if (given.has('ANTHROPIC_API_KEY')) return 'anthropic';
  if (given.has('OLLAMA_BASE_URL') || given.has('OLLAMA_MODEL')) return 'ollama';
  return 'offline';
}

/** What an agent names for the server's provider is that provider's; otherwise the first for which it names something. */
function firstNamed(services: OwnServices, standard: Provider): Provider | undefined {
  return [standard, ...PROVIDERS].find((provider) => provider !== 'offline' && services[provider] !== undefined);
}
