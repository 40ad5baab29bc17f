import { Module } from '@nestjs/common';
import { OwnershipModule } from '../../core/http/index.js';
import { LeadershipModule } from '../../core/leadership/index.js';
import { AgentsModule } from '../agents/index.js';
import { MessagingModule } from '../messaging/index.js';
import { ModelsModule } from '../../providers/models/index.js';
import { MEMORY_AUDIT } from './memory.audit.js';
import { AgentDefaults } from './agent-defaults.js';
import { AgentMemory } from './agent-memory.js';
import { ConversationMemory } from './conversation-memory.js';
import { ConversationSummaries } from './conversation-summaries.js';
import { KnowledgeMemories } from './knowledge-memories.js';
import { MEMORY_ENTITIES } from './entities/index.js';
import { GroupsController } from './groups.controller.js';
import { GroupsService } from './groups.service.js';
import { MemoriesController } from './memories.controller.js';
import { MemoriesService } from './memories.service.js';
import { MemoryDeletion } from './memory-deletion.js';
import { MemoryImport } from './memory-import.js';
import { MemoryIndexer } from './vectors/memory-indexer.js';
import { MemoryMessageHook } from './memory-message-hook.js';
import { VectorIndexInvalidator } from './vectors/vector-index-invalidator.js';
import { MeaningSearch } from './recall/meaning-search.js';
import { RecallRowsRepository } from './recall/recall-rows.repository.js';
import { Recall } from './recall/recall.js';
import { WordSearchRepository } from './recall/word-search.repository.js';
import { DirectoryRepository } from './repositories/directory.repository.js';
import { MemoriesRepository } from './repositories/memories.repository.js';
import { MemoryPagesRepository } from './repositories/memory-pages.repository.js';
import { MemoryVersionsRepository } from './repositories/memory-versions.repository.js';
import { RoomsRepository } from './repositories/rooms.repository.js';
import { MEMORY_METRICS } from './memory.metrics.js';
import { SummariesRepository } from './repositories/summaries.repository.js';
import { VectorsRepository } from './vectors/vectors.repository.js';
import { WorldsRepository } from './repositories/worlds.repository.js';
import { RoomsController } from './rooms.controller.js';
import { RoomsService } from './rooms.service.js';
import { VectorIndexes } from './vectors/vector-indexes.js';
import { AllWorldsController, WorldsController } from './worlds.controller.js';
import { WorldOwnershipResolver } from './world-ownership-resolver.js';
import { WorldsService } from './worlds.service.js';
import { MemoryPersonalData } from './memory-personal-data.js';
import { defineModule } from '../../core/modules/index.js';
import { MemoryTexts } from './memory-texts.js';
import { Memory1795824007000 } from './migrations/1795824007000-memory.js';
import { MemoryWords1796100003000 } from './migrations/1796100003000-memory-words.js';
import { FactsRepository } from './repositories/facts.repository.js';
import { UserFacts } from './user-facts.js';
import { MEMORY_ERRORS } from './memory.error-codes.js';
import { MEMORY_EVENTS } from './memory.events.js';

@Module({
  imports: [LeadershipModule, OwnershipModule, AgentsModule, MessagingModule, ModelsModule],
  controllers: [AllWorldsController, GroupsController, WorldsController, RoomsController, MemoriesController],
  providers: [
    AgentDefaults,
    AgentMemory,
    ConversationMemory,
    ConversationSummaries,
    DirectoryRepository,
    FactsRepository,
    GroupsService,
    KnowledgeMemories,
    MemoriesRepository,
    MemoriesService,
    MemoryDeletion,
    MemoryPersonalData,
    MemoryTexts,
    MemoryImport,
    MemoryIndexer,
    MemoryMessageHook,
    VectorIndexInvalidator,
    MemoryPagesRepository,
    MemoryVersionsRepository,
    Recall,
    RoomsRepository,
    RoomsService,
    SummariesRepository,
    UserFacts,
    VectorIndexes,
    VectorsRepository,
    WordSearchRepository,
    RecallRowsRepository,
    MeaningSearch,
    WorldOwnershipResolver,
    WorldsRepository,
    WorldsService,
  ],
  exports: [AgentMemory, ConversationMemory, ConversationSummaries, KnowledgeMemories, Recall, UserFacts],
})
export class MemoryModule {}

export const descriptor = defineModule({
  name: 'memory',
  about: 'Worlds, rooms, entities, memories and recall.',
  module: MemoryModule,
  entities: MEMORY_ENTITIES,
  migrations: [Memory1795824007000, MemoryWords1796100003000],
  errors: MEMORY_ERRORS,
  events: MEMORY_EVENTS,
  audit: MEMORY_AUDIT,
  metrics: MEMORY_METRICS,
  hooks: {
    agentLifecycle: [AgentDefaults],
    messageHooks: [MemoryMessageHook],
    personalData: [MemoryPersonalData],
    queueOwners: [SummariesRepository],
    indexedTexts: [MemoryTexts],
  },
  tags: [
    {
      name: 'memory',
      about: 'Memories of agents, and rooms.',
      paths: [/^\/api\/memory\//, /^\/api\/agents\/\{agentId\}\/(rooms|memories)/],
    },
  ],
});
