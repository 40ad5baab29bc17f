import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ResourceOwners } from '../../core/http/index.js';
import { AgentsService } from './agents.service.js';

/** An agent belongs to itself. */
@Injectable()
export class AgentOwners implements OnModuleInit {
  constructor(
    private readonly owners: ResourceOwners,
    private readonly agents: AgentsService,
  ) {}

  onModuleInit(): void {
    this.owners.register('agentId', (id) => (this.agents.find(id) ? { agents: [id] } : undefined));
  }
}
