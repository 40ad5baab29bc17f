export {
  ChatModel,
  type ChatEvent,
  type ChatFile,
  type ChatMessage,
  type ChatRequest,
  type ChatTool,
  type ChatToolCall,
  type ChatUsage,
  type Grounding,
} from './chat-model.js';
export { EmbeddingModel } from './embedding-model.js';
export { ModelRegistry } from './model-registry.js';
export { descriptor, ModelsModule } from './models.module.js';
export { truncateQuestion, similarity } from './text-chunks.js';
