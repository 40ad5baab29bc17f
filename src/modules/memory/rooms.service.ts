import { Injectable } from '@nestjs/common';
import { auditEntry } from '../../core/audit/index.js';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, UnitOfWork, type Outcome, type Statement } from '../../core/database/index.js';
import type { AppError } from '../../core/errors/index.js';
import { vouchesFor, type ListPosition, type Users } from '../../core/http/index.js';
import { idForAgent, newId } from '../../core/ids/index.js';
import { assertMetadataSize } from '../../core/metadata/index.js';
import { AgentsService } from '../agents/index.js';
import { AgentDefaults } from './agent-defaults.js';
import type { RoomRow } from './entities/index.js';
import { MemoryDeletion } from './memory-deletion.js';
import { agentDeleted, roomExists, roomFollowsChannel, roomNotFound } from './memory.errors.js';
import { truncateName, defaultEntityName } from './entity-names.js';
import { RoomsRepository, toParticipant, toRoom, type NewRoom, type RoomFilter } from './repositories/rooms.repository.js';
import { WorldsRepository } from './repositories/worlds.repository.js';

export interface CreateRoom {
  readonly name: string;
  readonly type: string;
  readonly source: string;
  readonly worldId?: string;
  readonly roomId?: string;
  readonly entityId?: string;
  readonly messageServerId: string | null;
  readonly metadata: Record<string, unknown>;
  /** Users for whom the caller's credential vouches. */
  readonly users: Users;
}

export interface Room extends RoomRow {
  /** Participants, the agent first. */
  readonly entities: readonly { readonly id: string; readonly name: string }[];
}

const FIRST = { at: -1, id: '' };

@Injectable()
export class RoomsService {
  constructor(
    private readonly agents: AgentsService,
    private readonly defaults: AgentDefaults,
    private readonly deletion: MemoryDeletion,
    private readonly worlds: WorldsRepository,
    private readonly rooms: RoomsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a room of an agent, and the named world and entity if they are new. An existing room of this agent with the id stays
   * unchanged, and the entity joins it.
   *
   * @throws AppError AGENT_NOT_FOUND; ROOM_EXISTS when a room of another agent has the id. Ids that may be derived from a name are not
   *   exclusive: each agent may have its own room with such an id
   */
  async create(agentId: string, command: CreateRoom): Promise<Room> {
    const agent = this.agents.require(agentId);
    const createdAt = this.clock.now();
    const { roomId = newId(), entityId, worldId = agentId, users, ...given } = command;
    const isNew = command.roomId === undefined || !(await this.rooms.find(agentId, roomId));
    const room: NewRoom = { id: roomId, agentId, worldId, channelId: null, rememberedSeq: 0, createdAt, ...given };
    const joining = [...new Set(entityId === undefined ? [agentId] : [agentId, entityId])];
    // A participant's other rooms may recall memories of this one, so the credential must vouch for every user in the room.
    const participants = [...(isNew ? [] : await this.rooms.entitiesIn(roomId, agentId)), ...joining].filter((id) => !this.agents.find(id));
    const vouched = participants.every((id) => vouchesFor(users, id));
    const outcomes = await this.commit(agentId, roomId, [
      ...this.defaults.statements(agent),
      ...(isNew && !(await this.worlds.find(agentId, worldId)) ? [this.worldOf(room, worldId)] : []),
      ...joining.map((id) =>
        this.rooms.insertEntity({ id, agentId, names: [truncateName(id === agentId ? agent.name : defaultEntityName(id))], createdAt }),
      ),
      this.rooms.insertOrRead(room),
      ...joining.slice(0, -1).map((id) => this.rooms.insertParticipant(roomId, id, agentId, createdAt, vouched)),
      this.rooms.insertParticipantAndList(roomId, joining.at(-1) ?? agentId, agentId, createdAt, vouched),
    ]);
    const [row, present] = [outcomes.at(-joining.length - 1)?.rows[0], outcomes.at(-1)?.rows ?? []];
    if (!row) throw new Error(`room ${roomId} is missing after its insertion`);
    return { ...toRoom(row), entities: this.entities(agentId, present.map(toParticipant)) };
  }

  /** Rooms of an agent, oldest first, and whether there are more. */
  async list(filter: RoomFilter, after: Required<ListPosition> | undefined, limit: number): Promise<{ rooms: Room[]; hasMore: boolean }> {
    const { rows, more } = await this.rooms.page(filter, after ?? FIRST, limit);
    return { rooms: await this.withParticipants(filter.agentId, rows), hasMore: more };
  }

  /** An agent's room, by its id or by the id of the channel that it follows. @throws AppError ROOM_NOT_FOUND */
  async require(agentId: string, id: string): Promise<Room> {
    const row = (await this.rooms.find(agentId, id)) ?? (await this.rooms.find(agentId, idForAgent(agentId, id)));
    if (!row) throw roomNotFound(id);
    const [room] = await this.withParticipants(agentId, [row]);
    return room ?? { ...row, entities: [] };
  }

  /** @throws AppError ROOM_NOT_FOUND */
  async update(agentId: string, id: string, { name, metadata }: { name?: string; metadata?: Record<string, unknown> }): Promise<Room> {
    await this.unitOfWork.run('update room', async (tx) => {
      const row = await this.rooms.findIn(tx, agentId, id);
      if (!row) throw roomNotFound(id);
      const updatedAt = this.clock.now();
      await tx.apply([
        this.rooms.update({ ...row, name: name ?? row.name, metadata: assertMetadataSize({ ...row.metadata, ...metadata }), updatedAt }),
      ]);
    });
    return this.require(agentId, id);
  }

  /**
   * Deletes a room with its memories. A room that follows a channel exists as long as the channel.
   *
   * @throws AppError ROOM_NOT_FOUND; CONFLICT for a room that follows a channel
   */
  async delete(agentId: string, id: string): Promise<void> {
    const row = await this.rooms.find(agentId, id);
    if (!row) throw roomNotFound(id);
    if (row.channelId !== null) throw roomFollowsChannel(id, row.channelId);
    await this.deletion.deleteAll({ agentId, roomId: id });
    const missing = ({ changed }: Outcome): AppError | undefined => (changed === 0 ? roomNotFound(id) : undefined);
    await this.unitOfWork.commit([
      this.rooms.delete(agentId, id, missing),
      auditEntry('room.deleted', { target: ['room', id], agentId, summary: 'Deleted the room with its memories.' }, this.clock.now()),
    ]);
  }

  /** The name of a room's world; undefined when the room has no world. */
  async worldName({ agentId, worldId }: RoomRow): Promise<string | undefined> {
    return worldId === null ? undefined : (await this.worlds.find(agentId, worldId))?.name;
  }

  private async withParticipants(agentId: string, rows: readonly RoomRow[]): Promise<Room[]> {
    const participants =
      rows.length === 0
        ? new Map<string, []>()
        : await this.rooms.participantsOf(
            agentId,
            rows.map(({ id }) => id),
          );
    return rows.map((row) => ({ ...row, entities: this.entities(agentId, participants.get(row.id) ?? []) }));
  }

  /** Participants, the agent first; agents have their current names. */
  private entities(agentId: string, participants: readonly { id: string; name: string | null }[]): Room['entities'] {
    const named = participants.map(({ id, name }) => ({ id, name: this.agents.find(id)?.name ?? name ?? defaultEntityName(id) }));
    return named.sort((a, b) => Number(b.id === agentId) - Number(a.id === agentId));
  }

  private worldOf({ agentId, name, messageServerId, createdAt }: NewRoom, id: string): Statement {
    const empty = { sourceType: null, sourceId: null, metadata: {} };
    return this.worlds.insert({ id, agentId, name: truncateName(`World for ${name}`), messageServerId, createdAt, ...empty });
  }

  private async commit(agentId: string, roomId: string, statements: Statement[]): Promise<Outcome[]> {
    try {
      return await this.unitOfWork.commit(statements);
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      // The room was not created, so inserting its participants failed.
      throw (await this.rooms.existsForOtherAgent(agentId, roomId)) ? roomExists(roomId) : agentDeleted(agentId, error);
    }
  }
}
