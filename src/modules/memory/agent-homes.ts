import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, UnitOfWork, type Statement } from '../../core/database/index.js';
import { AgentCompanions, AgentsService, type AgentCompanion } from '../agents/index.js';
import { MemoryDeletion } from './memory-deletion.js';
import { asName } from './names.js';
import { RoomsRepository } from './repositories/rooms.repository.js';
import { WorldsRepository } from './repositories/worlds.repository.js';

const ROOMS_AT_A_TIME = 500;

/** What every agent has from the beginning: a world, a room and an entity of its own, all with the agent's id. */
@Injectable()
export class AgentHomes implements AgentCompanion, OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly agents: AgentsService,
    private readonly companions: AgentCompanions,
    private readonly deletion: MemoryDeletion,
    private readonly worlds: WorldsRepository,
    private readonly rooms: RoomsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.companions.register(this);
  }

  async created(agent: { readonly id: string; readonly name: string }): Promise<Statement[]> {
    return this.statements(agent);
  }

  async purge(agentId: string): Promise<void> {
    await this.deletion.deleteAll({ agentId });
    for (let deleted = 1; deleted > 0;) {
      const [outcome] = await this.unitOfWork.commit([this.rooms.deleteSome(agentId, ROOMS_AT_A_TIME)]);
      deleted = outcome?.changed ?? 0;
    }
  }

  async onApplicationBootstrap(): Promise<void> {
    await Promise.all(this.agents.list().map((agent) => this.ensure(agent)));
  }

  /** Creates what is missing of an agent's home; for a unit of work. */
  statements({ id, name }: { readonly id: string; readonly name: string }): Statement[] {
    const createdAt = this.clock.now();
    const shared = { id, agentId: id, messageServerId: null, metadata: {}, createdAt };
    return [
      this.worlds.insert({ ...shared, name: asName(`${name}'s World`), sourceType: null, sourceId: null }),
      this.rooms.insert({ ...shared, name, source: 'self', type: 'SELF', worldId: id, channelId: null, rememberedSeq: 0 }),
      this.rooms.insertEntity({ id, agentId: id, names: [name], createdAt }),
      this.rooms.insertParticipant(id, id, id, createdAt, true),
    ];
  }

  private async ensure(agent: { readonly id: string; readonly name: string }): Promise<void> {
    try {
      await this.unitOfWork.commit(this.statements(agent));
    } catch (error) {
      // Another process may have deleted the agent since this one read the list.
      if (!isForeignKeyViolation(error)) throw error;
    }
  }
}
