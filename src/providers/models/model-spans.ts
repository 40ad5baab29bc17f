import type { Attributes, Span } from '../../core/telemetry/index.js';
import type { ChatModel, ChatRequest, ChatUsage } from './chat-model.js';
import type { EmbeddingModel } from './embedding-model.js';

// Names and attributes of OpenTelemetry's semantic conventions for generative AI.

interface ModelSpan {
  readonly name: string;
  readonly attributes: Attributes;
}

/** A call of a language model, its repetitions included. */
export function chatSpan({ provider, modelId }: ChatModel, request: ChatRequest): ModelSpan {
  const { temperature, maxOutputTokens, topP, stop, responseFormat } = request;
  return {
    name: `chat ${modelId}`,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': modelId,
      'gen_ai.request.temperature': temperature,
      'gen_ai.request.max_tokens': maxOutputTokens,
      'gen_ai.request.top_p': topP,
      'gen_ai.request.stop_sequences': stop,
      'gen_ai.output.type': responseFormat === undefined ? 'text' : 'json',
    },
  };
}

/** A call of an embedding model. */
export function embeddingsSpan({ provider, modelId, dimension }: EmbeddingModel): ModelSpan {
  return {
    name: `embeddings ${modelId}`,
    attributes: {
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': modelId,
      'gen_ai.embeddings.dimension.count': dimension,
    },
  };
}

/** What a response tells. @param response `firstTokenMs` where it was streamed; tokens where the service reports them */
export function setResponse(
  span: Span,
  { reason, model, usage, firstTokenMs }: { reason: string; model?: string; usage: ChatUsage; firstTokenMs?: number },
): void {
  span.set('gen_ai.response.finish_reasons', [reason]);
  span.set('gen_ai.response.model', model);
  span.set('gen_ai.response.time_to_first_chunk', firstTokenMs === undefined ? undefined : firstTokenMs / 1000);
  span.set('gen_ai.usage.input_tokens', usage.inputTokens);
  span.set('gen_ai.usage.output_tokens', usage.outputTokens);
}
