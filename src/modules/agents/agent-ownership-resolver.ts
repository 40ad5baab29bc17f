import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OwnershipResolver } from '../../core/http/index.js';
import { AgentsService } from './agents.service.js';

/** An agent is owned by itself. */
@Injectable()
export class AgentOwnershipResolver implements OnModuleInit {
  constructor(
    private readonly owners: OwnershipResolver,
    private readonly agents: AgentsService,
  ) {}

  onModuleInit(): void {
    this.owners.register('agentId', (id) => (this.agents.find(id) ? { agents: [id] } : undefined));
  }
}
