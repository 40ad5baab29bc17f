export { AgentMemory } from './agent-memory.js';
export { audiencesWithin } from './audience.js';
export { ConversationMemory, type MessageToRemember, type RememberedMessage } from './conversation-memory.js';
export { MemoryModule } from './memory.module.js';
export { Recall, type RecallOptions } from './recall.js';
export type { Recalled, Recollection } from './recollection.js';
