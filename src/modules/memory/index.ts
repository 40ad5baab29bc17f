export { AgentMemory } from './agent-memory.js';
export { roomAudiences } from './audience.js';
export { ConversationMemory, type MessageToRemember, type RememberedMessage } from './conversation-memory.js';
export { descriptor, MemoryModule } from './memory.module.js';
export { Recall, type RecallOptions } from './recall.js';
export type { RecalledMemory, RecallResult } from './recall-result.js';
