import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OwnersModule } from '../../core/http/index.js';
import { VaultModule } from '../../core/vault/index.js';
import { AgentCompanions } from './agent-companions.js';
import { AgentLifecycle } from './agent-lifecycle.js';
import { AgentOwners } from './agent-owners.js';
import { AgentsController } from './agents.controller.js';
import { AgentsRepository } from './agents.repository.js';
import { AgentsService } from './agents.service.js';
import { AGENT_ENTITIES } from './entities/index.js';

@Module({
  imports: [OwnersModule, VaultModule, TypeOrmModule.forFeature(AGENT_ENTITIES)],
  controllers: [AgentsController],
  providers: [AgentsService, AgentLifecycle, AgentCompanions, AgentOwners, AgentsRepository],
  exports: [AgentsService, AgentCompanions],
})
export class AgentsModule {}
