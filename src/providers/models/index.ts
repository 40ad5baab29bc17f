export {
  ChatModel,
  type ChatEvent,
  type ChatFile,
  type ChatFinish,
  type ChatMessage,
  type ChatReasoning,
  type ChatRequest,
  type ChatTool,
  type ChatToolCall,
  type ChatUsage,
  type FinishReason,
  type GroundedMemory,
  type Grounding,
} from './chat-model.js';
export { ResponseLimit } from './response-limit.js';
export { complete } from './complete.js';
export { contextTokensOf, isContextTooLong } from './context-error.js';
export { ContextLimits, smallerShare } from './context-limits.js';
export { EmbeddingModel } from './embedding-model.js';
export type { ModelReport } from './model-health.js';
export { ModelRegistry, SERVER_PROVIDERS, type ServerModel, type ServerProvider } from './model-registry.js';
export { chatSpan, embeddingsSpan, setResponse } from './model-spans.js';
export { descriptor, ModelsModule } from './models.module.js';
export { meanVector, truncateQuestion, similarity } from './text-chunks.js';
export { TokenMeter } from './token-meter.js';
export { estimateTokens } from './tokens.js';
