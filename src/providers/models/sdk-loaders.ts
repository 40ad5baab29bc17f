import type { EmbeddingModelV3, LanguageModelV3 } from '@ai-sdk/provider';
import { apiKeyOptions, type Service } from '../sdk/index.js';
import { withDirectText } from './direct-text.js';

// The packages are imported on first use, so that the start is fast and a server loads only the packages it uses.

export async function openAiCompatibleChat(service: Service, modelId: string): Promise<LanguageModelV3> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const settings = settingsOf({ ...service, fetch: withDirectText(service.fetch) });
  return createOpenAICompatible({ ...settings, includeUsage: true }).chatModel(modelId);
}

export async function openAiCompatibleEmbedding(service: Service, modelId: string): Promise<EmbeddingModelV3> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible(settingsOf(service)).embeddingModel(modelId);
}

export async function anthropicChat(service: Service, modelId: string): Promise<LanguageModelV3> {
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  return createAnthropic({ ...settingsOf(service), ...apiKeyOptions(service, 'x-api-key') }).languageModel(modelId);
}

function settingsOf({ name, baseUrl, key, fetch }: Service) {
  return { name, baseURL: baseUrl, apiKey: key, fetch };
}
