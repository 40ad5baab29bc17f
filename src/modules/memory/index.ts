export { AgentMemory } from './agent-memory.js';
export {
  ConversationMemory,
  memoryId,
  type ConversationSummary,
  type MessageToRemember,
  type RememberedMessage,
} from './conversation-memory.js';
export { ConversationSummaries } from './conversation-summaries.js';
export type { SummaryKey, SummaryRow } from './repositories/summaries.repository.js';
export { KnowledgeMemories, type KnowledgeMemory } from './knowledge-memories.js';
export { MemoryImport, type ImportedParticipant } from './memory-import.js';
export { descriptor, MemoryModule } from './memory.module.js';
export { roomAudiences } from './recall/audience.js';
export { dayOf, formatInstant, oneLine, SEPARATOR } from './recall/memory-lines.js';
export { refersBack } from './recall/questions.js';
export { contentWords } from './recall/terms.js';
export { sentencesOf } from './vectors/text-pieces.js';
export { hasHeard, Recall, type PromptRecall, type RecallAudience, type RecallOptions } from './recall/recall.js';
export type { LeaveOutReason, RecalledMemory, RecallResult } from './recall/recall-result.js';
export type { RecallRow } from './recall/recall-rows.repository.js';
export { UserFacts, type FactChanges, type UserFact, type UserStatement } from './user-facts.js';
