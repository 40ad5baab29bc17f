import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, UnitOfWork, type Statement } from '../../core/database/index.js';
import { AgentsService, type AgentLifecycleHook } from '../agents/index.js';
import { MemoryDeletion } from './memory-deletion.js';
import { truncateName } from './entity-names.js';
import { RoomsRepository } from './repositories/rooms.repository.js';
import { WorldsRepository } from './repositories/worlds.repository.js';

const ROOM_BATCH = 500;

/** Creates the default world, room and entity of every agent; all three have the agent's id. */
@Injectable()
export class AgentDefaults implements AgentLifecycleHook, OnApplicationBootstrap {
  constructor(
    private readonly agents: AgentsService,
    private readonly deletion: MemoryDeletion,
    private readonly worlds: WorldsRepository,
    private readonly rooms: RoomsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async onAgentCreated(agent: { readonly id: string; readonly name: string }): Promise<Statement[]> {
    return this.statements(agent);
  }

  async purgeAgent(agentId: string): Promise<void> {
    await this.deletion.deleteAll({ agentId });
    for (let deleted = 1; deleted > 0;) {
      const [outcome] = await this.unitOfWork.commit([this.rooms.deleteBatch(agentId, ROOM_BATCH)]);
      deleted = outcome?.changed ?? 0;
    }
  }

  async onApplicationBootstrap(): Promise<void> {
    await Promise.all(this.agents.list().map((agent) => this.ensure(agent)));
  }

  /** Statements that create those of an agent's defaults that do not exist. */
  statements({ id, name }: { readonly id: string; readonly name: string }): Statement[] {
    const createdAt = this.clock.now();
    const shared = { id, agentId: id, messageServerId: null, metadata: {}, createdAt };
    return [
      this.worlds.insert({ ...shared, name: truncateName(`${name}'s World`), sourceType: null, sourceId: null }),
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
