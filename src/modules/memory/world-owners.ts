import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ResourceOwners } from '../../core/http/index.js';
import { AgentsService } from '../agents/index.js';
import { WorldsService } from './worlds.service.js';

/** A world belongs to its agent and to those that have joined it. */
@Injectable()
export class WorldOwners implements OnModuleInit {
  constructor(
    private readonly owners: ResourceOwners,
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
