import { Module } from '@nestjs/common';
import { OwnershipModule } from '../../core/http/index.js';
import { VaultModule } from '../../core/vault/index.js';
import { AGENTS_AUDIT } from './agents.audit.js';
import { AgentLifecycleHooks } from './agent-lifecycle-hooks.js';
import { AgentLifecycle } from './agent-lifecycle.js';
import { AgentOwnershipResolver } from './agent-ownership-resolver.js';
import { CharacterImport } from './character-import.js';
import { CharacterProblems } from './character-problems.js';
import { AgentsController } from './agents.controller.js';
import { AgentsRepository } from './agents.repository.js';
import { AgentsService } from './agents.service.js';
import { AGENT_ENTITIES } from './entities/index.js';
import { defineModule } from '../../core/modules/index.js';
import { AGENTS_SETTINGS } from './agents.settings.js';
import { AGENTS_ERRORS } from './agents.error-codes.js';
import { AGENT_EVENTS } from './agents.events.js';
import { Agents1795824005000 } from './migrations/1795824005000-agents.js';

@Module({
  imports: [OwnershipModule, VaultModule],
  controllers: [AgentsController],
  providers: [
    AgentsService,
    AgentLifecycle,
    AgentLifecycleHooks,
    AgentOwnershipResolver,
    AgentsRepository,
    CharacterImport,
    CharacterProblems,
  ],
  exports: [AgentsService, AgentLifecycleHooks],
})
export class AgentsModule {}

export const descriptor = defineModule({
  name: 'agents',
  about: 'Agents and their character files.',
  module: AgentsModule,
  entities: AGENT_ENTITIES,
  migrations: [Agents1795824005000],
  settings: AGENTS_SETTINGS,
  errors: AGENTS_ERRORS,
  events: AGENT_EVENTS,
  audit: AGENTS_AUDIT,
  hooks: { problemSources: [CharacterProblems] },
  tags: [{ name: 'agents', about: 'Agents, their worlds and their runs.', paths: [/^\/api\/agents(\/|$)/] }],
});
