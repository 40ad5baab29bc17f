import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OwnershipResolver } from '../../core/http/index.js';
import { AgentsService } from '../agents/index.js';
import { WorldsService } from './worlds.service.js';

/** A world is owned by its agent and the agents that have joined it. */
@Injectable()
export class WorldOwnershipResolver implements OnModuleInit {
  constructor(
    private readonly owners: OwnershipResolver,
    private readonly worlds: WorldsService,
    private readonly agents: AgentsService,
  ) {}

  onModuleInit(): void {
    this.owners.register('worldId', async (id, agentId = '') => {
      const members = await this.worlds.members(agentId, id);
      return members && { agents: members.filter((member, index) => index === 0 || this.agents.find(member) !== undefined) };
    });
  }
}
