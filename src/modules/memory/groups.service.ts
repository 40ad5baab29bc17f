import { Injectable } from '@nestjs/common';
import { auditEntry } from '../../core/audit/index.js';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, UnitOfWork, type Statement } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { idForAgent } from '../../core/ids/index.js';
import { AgentsService } from '../agents/index.js';
import { AgentDefaults } from './agent-defaults.js';
import type { RoomRow } from './entities/index.js';
import { agentDeleted } from './memory.errors.js';
import { MemoryDeletion } from './memory-deletion.js';
import { truncateName } from './entity-names.js';
import { RoomsRepository, toRoom, type NewRoom } from './repositories/rooms.repository.js';
import { WorldsRepository } from './repositories/worlds.repository.js';

export interface CreateGroup {
  readonly messageServerId: string;
  /** All agents when absent. */
  readonly agentIds?: readonly string[];
  readonly name?: string;
  /** World of the rooms; each agent's own view of the server when absent. */
  readonly worldId?: string;
  readonly source: string;
  readonly metadata: Record<string, unknown>;
}

/** Rooms that represent a message server: for each agent a world and a room that follows no channel. */
@Injectable()
export class GroupsService {
  constructor(
    private readonly agents: AgentsService,
    private readonly defaults: AgentDefaults,
    private readonly worlds: WorldsRepository,
    private readonly rooms: RoomsRepository,
    private readonly deletion: MemoryDeletion,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates the room of each agent, all or none. Existing rooms stay unchanged.
   *
   * @throws AppError AGENT_NOT_FOUND naming every unknown agent
   */
  async create(command: CreateGroup): Promise<RoomRow[]> {
    const wanted = [...new Set(command.agentIds ?? this.agents.list().map(({ id }) => id))];
    const unknown = wanted.filter((id) => !this.agents.find(id));
    if (unknown.length > 0) {
      throw new AppError('AGENT_NOT_FOUND', `No agent has the id ${unknown.join(', ')}.`, 'GET /api/agents lists the agents.');
    }
    const rooms = wanted.map((agentId) => this.roomOf(agentId, command));
    try {
      const statements = await Promise.all(rooms.map((room) => this.statements(room)));
      return (await this.unitOfWork.commit(statements.flat())).flatMap((outcome) => outcome.rows.map(toRoom));
    } catch (error) {
      throw isForeignKeyViolation(error) ? agentDeleted(wanted.join(', '), error) : error;
    }
  }

  /** Deletes every agent's rooms of a world or message server, with their memories; rooms that follow channels stay, empty. */
  async delete(worldOrServerId: string): Promise<void> {
    for (const { id, agentId, followsChannel } of await this.rooms.ofWorldOrServer(worldOrServerId)) {
      await this.deletion.deleteAll({ agentId, roomId: id });
      if (followsChannel) continue;
      await this.unitOfWork.commit([
        this.rooms.delete(agentId, id),
        auditEntry('room.deleted', { target: ['room', id], agentId, summary: 'Deleted the room with its memories.' }, this.clock.now()),
      ]);
    }
  }

  /** Deletes every agent's memories of a world or message server. @returns the number of deleted memories */
  async deleteMemories(worldOrServerId: string): Promise<number> {
    let total = 0;
    for (const { id, agentId } of await this.rooms.ofWorldOrServer(worldOrServerId)) {
      total += await this.deletion.deleteAll({ agentId, roomId: id });
    }
    return total;
  }

  private roomOf(agentId: string, { messageServerId, name, worldId, source, metadata }: CreateGroup): NewRoom {
    return {
      id: idForAgent(agentId, messageServerId),
      agentId,
      name: truncateName(name ?? `Chat ${messageServerId.slice(0, 8)}`),
      source,
      type: 'API',
      worldId: worldId ?? idForAgent(agentId, messageServerId),
      channelId: null,
      messageServerId,
      metadata,
      rememberedSeq: 0,
      createdAt: this.clock.now(),
    };
  }

  private async statements(room: NewRoom): Promise<Statement[]> {
    const isNew = !(await this.rooms.find(room.agentId, room.id));
    const { agentId, messageServerId, createdAt } = room;
    const name = truncateName(`World for ${room.name}`);
    const source = { sourceType: null, sourceId: messageServerId };
    const world = { id: room.worldId ?? agentId, agentId, name, ...source, messageServerId, metadata: {}, createdAt };
    return [
      ...this.defaults.statements(this.agents.require(agentId)),
      ...(isNew ? [this.worlds.insert(world)] : []),
      this.rooms.insertOrRead(room),
      this.rooms.insertParticipant(room.id, agentId, agentId, createdAt, true),
    ];
  }
}
