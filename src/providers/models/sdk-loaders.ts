import type { EmbeddingModelV3, LanguageModelV3 } from '@ai-sdk/provider';

/** Where a service is and how it is entered. */
export interface Service {
  readonly name: string;
  readonly baseUrl: string;
  readonly key?: string;
}

// The packages are imported by the first call that needs them: start-up pays for none, and a server that
// uses one of them never loads the others.

export async function openAiCompatibleChat(service: Service, modelId: string): Promise<LanguageModelV3> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({ name: service.name, baseURL: service.baseUrl, apiKey: service.key, includeUsage: true }).chatModel(
    modelId,
  );
}

export async function openAiCompatibleEmbedding(service: Service, modelId: string): Promise<EmbeddingModelV3> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({ name: service.name, baseURL: service.baseUrl, apiKey: service.key }).embeddingModel(modelId);
}

export async function anthropicChat(service: Service, modelId: string): Promise<LanguageModelV3> {
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  return createAnthropic({ baseURL: service.baseUrl, apiKey: service.key }).languageModel(modelId);
}
