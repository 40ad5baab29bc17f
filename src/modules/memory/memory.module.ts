import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OwnersModule } from '../../core/http/index.js';
import { AgentsModule } from '../agents/index.js';
import { ModelsModule } from '../../providers/models/index.js';
import { AgentHomes } from './agent-homes.js';
import { AgentMemory } from './agent-memory.js';
import { AgentPathGuard } from './agent-path.guard.js';
import { ConversationMemory } from './conversation-memory.js';
import { MEMORY_ENTITIES } from './entities/index.js';
import { GroupsController } from './groups.controller.js';
import { GroupsService } from './groups.service.js';
import { MemoriesController } from './memories.controller.js';
import { MemoriesService } from './memories.service.js';
import { MemoryDeletion } from './memory-deletion.js';
import { MemoryIndexer } from './memory-indexer.js';
import { MessageEdits } from './message-edits.js';
import { Recall } from './recall.js';
import { DirectoryRepository } from './repositories/directory.repository.js';
import { MemoriesRepository } from './repositories/memories.repository.js';
import { MemoryPagesRepository } from './repositories/memory-pages.repository.js';
import { RoomsRepository } from './repositories/rooms.repository.js';
import { VectorsRepository } from './repositories/vectors.repository.js';
import { WordsRepository } from './repositories/words.repository.js';
import { WorldsRepository } from './repositories/worlds.repository.js';
import { RoomsController } from './rooms.controller.js';
import { RoomsService } from './rooms.service.js';
import { Shelves } from './shelves.js';
import { AllWorldsController, WorldsController } from './worlds.controller.js';
import { WorldOwners } from './world-owners.js';
import { WorldsService } from './worlds.service.js';

@Module({
  imports: [OwnersModule, TypeOrmModule.forFeature(MEMORY_ENTITIES), AgentsModule, ModelsModule],
  controllers: [AllWorldsController, GroupsController, WorldsController, RoomsController, MemoriesController],
  providers: [
    AgentHomes,
    AgentMemory,
    AgentPathGuard,
    ConversationMemory,
    DirectoryRepository,
    GroupsService,
    MemoriesRepository,
    MemoriesService,
    MemoryDeletion,
    MemoryIndexer,
    MessageEdits,
    MemoryPagesRepository,
    Recall,
    RoomsRepository,
    RoomsService,
    Shelves,
    VectorsRepository,
    WordsRepository,
    WorldOwners,
    WorldsRepository,
    WorldsService,
  ],
  exports: [AgentMemory, ConversationMemory, Recall],
})
export class MemoryModule {}
