import { Module } from '@nestjs/common';
import { OwnershipModule } from '../../core/http/index.js';
import { AgentsModule } from '../agents/index.js';
import { MessagingModule } from '../messaging/index.js';
import { ModelsModule } from '../../providers/models/index.js';
import { AgentDefaults } from './agent-defaults.js';
import { AgentMemory } from './agent-memory.js';
import { AgentExistsGuard } from './agent-exists.guard.js';
import { ConversationMemory } from './conversation-memory.js';
import { MEMORY_ENTITIES } from './entities/index.js';
import { GroupsController } from './groups.controller.js';
import { GroupsService } from './groups.service.js';
import { MemoriesController } from './memories.controller.js';
import { MemoriesService } from './memories.service.js';
import { MemoryDeletion } from './memory-deletion.js';
import { MemoryIndexer } from './memory-indexer.js';
import { MemoryMessageHook } from './memory-message-hook.js';
import { VectorIndexInvalidator } from './vector-index-invalidator.js';
import { Recall } from './recall.js';
import { DirectoryRepository } from './repositories/directory.repository.js';
import { MemoriesRepository } from './repositories/memories.repository.js';
import { MemoryPagesRepository } from './repositories/memory-pages.repository.js';
import { RoomsRepository } from './repositories/rooms.repository.js';
import { VectorsRepository } from './repositories/vectors.repository.js';
import { MemoryTextSearchRepository } from './repositories/memory-text-search.repository.js';
import { WorldsRepository } from './repositories/worlds.repository.js';
import { RoomsController } from './rooms.controller.js';
import { RoomsService } from './rooms.service.js';
import { VectorIndexes } from './vector-indexes.js';
import { AllWorldsController, WorldsController } from './worlds.controller.js';
import { WorldOwnershipResolver } from './world-ownership-resolver.js';
import { WorldsService } from './worlds.service.js';
import { defineModule } from '../../core/modules/index.js';
import { RoomsInOrder1764310000000 } from './migrations/1764310000000-rooms-in-order.js';
import { RoomsByAgent1764500200000 } from './migrations/1764500200000-rooms-by-agent.js';
import { MemoryWords1764700000000 } from './migrations/1764700000000-memory-words.js';
import { MEMORY_ERRORS } from './memory.error-codes.js';
import { MEMORY_EVENTS } from './memory.events.js';

@Module({
  imports: [OwnershipModule, AgentsModule, MessagingModule, ModelsModule],
  controllers: [AllWorldsController, GroupsController, WorldsController, RoomsController, MemoriesController],
  providers: [
    AgentDefaults,
    AgentMemory,
    AgentExistsGuard,
    ConversationMemory,
    DirectoryRepository,
    GroupsService,
    MemoriesRepository,
    MemoriesService,
    MemoryDeletion,
    MemoryIndexer,
    MemoryMessageHook,
    VectorIndexInvalidator,
    MemoryPagesRepository,
    Recall,
    RoomsRepository,
    RoomsService,
    VectorIndexes,
    VectorsRepository,
    MemoryTextSearchRepository,
    WorldOwnershipResolver,
    WorldsRepository,
    WorldsService,
  ],
  exports: [AgentMemory, ConversationMemory, Recall],
})
export class MemoryModule {}

export const descriptor = defineModule({
  name: 'memory',
  about: 'Worlds, rooms, entities, memories and recall.',
  module: MemoryModule,
  entities: MEMORY_ENTITIES,
  migrations: [RoomsInOrder1764310000000, RoomsByAgent1764500200000, MemoryWords1764700000000],
  errors: MEMORY_ERRORS,
  events: MEMORY_EVENTS,
  hooks: { agentLifecycle: [AgentDefaults], messageHooks: [MemoryMessageHook] },
  tags: [
    {
      name: 'memory',
      about: 'Memories of agents, and rooms.',
      paths: [/^\/api\/memory\//, /^\/api\/agents\/\{agentId\}\/(rooms|memories)/],
    },
  ],
});
