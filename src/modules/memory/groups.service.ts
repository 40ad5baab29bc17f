import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, UnitOfWork, type Statement } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { idForAgent } from '../../core/ids/index.js';
import { AgentsService } from '../agents/index.js';
import { AgentHomes } from './agent-homes.js';
import type { RoomRow } from './entities/index.js';
import { agentDeleted } from './memory.errors.js';
import { MemoryDeletion } from './memory-deletion.js';
import { asName } from './names.js';
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

/** A message server as agents know it: for each agent a world and a room that belongs to no single channel. */
@Injectable()
export class GroupsService {
  constructor(
    private readonly agents: AgentsService,
    private readonly homes: AgentHomes,
    private readonly worlds: WorldsRepository,
    private readonly rooms: RoomsRepository,
    private readonly deletion: MemoryDeletion,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes sure that each agent has its room, all or none; a room that is there already stays as it is.
   *
   * @throws AppError AGENT_NOT_FOUND naming every agent that there is not
   */
  async create(command: CreateGroup): Promise<RoomRow[]> {
    const wanted = [...new Set(command.agentIds ?? this.agents.list().map(({ id }) => id))];
    const unknown = wanted.filter((id) => !this.agents.find(id));
    if (unknown.length > 0) {
      throw new AppError('AGENT_NOT_FOUND', `There is no agent with the id ${unknown.join(', ')}.`, 'GET /api/agents lists the agents.');
    }
    const rooms = wanted.map((agentId) => this.roomOf(agentId, command));
    try {
      const statements = await Promise.all(rooms.map((room) => this.statements(room)));
      return (await this.unitOfWork.commit(statements.flat())).flatMap((outcome) => outcome.rows.map(toRoom));
    } catch (error) {
      throw isForeignKeyViolation(error) ? agentDeleted(wanted.join(', '), error) : error;
    }
  }

  /** Deletes every agent's rooms of a world or message server with what is remembered of them; rooms that follow channels stay. */
  async delete(place: string): Promise<void> {
    for (const { id: agentId } of this.agents.list()) {
      for (const { id, followsChannel } of await this.rooms.idsOf(agentId, place)) {
        await this.deletion.deleteAll({ agentId, roomId: id });
        if (!followsChannel) await this.unitOfWork.commit([this.rooms.delete(agentId, id)]);
      }
    }
  }

  /** Makes every agent forget what was said in a world or on a message server. @returns how many memories there were */
  async forget(place: string): Promise<number> {
    let total = 0;
    for (const { id: agentId } of this.agents.list()) {
      for (const { id } of await this.rooms.idsOf(agentId, place)) total += await this.deletion.deleteAll({ agentId, roomId: id });
    }
    return total;
  }

  private roomOf(agentId: string, { messageServerId, name, worldId, source, metadata }: CreateGroup): NewRoom {
    return {
      id: idForAgent(agentId, messageServerId),
      agentId,
      name: asName(name ?? `Chat ${messageServerId.slice(0, 8)}`),
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
    const name = asName(`World for ${room.name}`);
    const source = { sourceType: null, sourceId: messageServerId };
    const world = { id: room.worldId ?? agentId, agentId, name, ...source, messageServerId, metadata: {}, createdAt };
    return [
      ...this.homes.statements(this.agents.require(agentId)),
      ...(isNew ? [this.worlds.insert(world)] : []),
      this.rooms.insertOrRead(room),
      this.rooms.insertParticipant(room.id, agentId, agentId, createdAt, true),
    ];
  }
}
