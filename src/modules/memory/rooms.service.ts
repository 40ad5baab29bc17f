import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, UnitOfWork, type Outcome, type Statement } from '../../core/database/index.js';
import type { AppError } from '../../core/errors/index.js';
import { vouchesFor, type ListPosition, type Users } from '../../core/http/index.js';
import { idForAgent, newId } from '../../core/ids/index.js';
import { grown } from '../../core/metadata/index.js';
import { AgentsService } from '../agents/index.js';
import { AgentHomes } from './agent-homes.js';
import type { RoomRow } from './entities/index.js';
import { MemoryDeletion } from './memory-deletion.js';
import { agentDeleted, roomExists, roomFollowsChannel, roomNotFound } from './memory.errors.js';
import { asName, nameless } from './names.js';
import { RoomsRepository, toPerson, toRoom, type NewRoom, type RoomFilter } from './repositories/rooms.repository.js';
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
  /** Whom the caller's credential vouches for. */
  readonly users: Users;
}

export interface Room extends RoomRow {
  /** Who takes part, the agent first. */
  readonly entities: readonly { readonly id: string; readonly name: string }[];
}

const FIRST = { at: -1, id: '' };

@Injectable()
export class RoomsService {
  constructor(
    private readonly agents: AgentsService,
    private readonly homes: AgentHomes,
    private readonly deletion: MemoryDeletion,
    private readonly worlds: WorldsRepository,
    private readonly rooms: RoomsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a room of an agent, with the world and the entity that it names when they are new. A room of this agent
   * that has the id already stays as it is, and the entity joins it.
   *
   * @throws AppError AGENT_NOT_FOUND; ROOM_EXISTS when the id is that of another agent's room. An id that may follow from a name is nobody's
   *   for coming first: each agent has a room of its own there
   */
  async create(agentId: string, command: CreateRoom): Promise<Room> {
    const agent = this.agents.require(agentId);
    const createdAt = this.clock.now();
    const { roomId = newId(), entityId, worldId = agentId, users, ...given } = command;
    const isNew = command.roomId === undefined || !(await this.rooms.find(agentId, roomId));
    const room: NewRoom = { id: roomId, agentId, worldId, channelId: null, rememberedSeq: 0, createdAt, ...given };
    const joining = [...new Set(entityId === undefined ? [agentId] : [agentId, entityId])];
    // A participant may hear elsewhere what was said here: joining needs vouching for everybody in the room.
    const people = [...(isNew ? [] : await this.rooms.entitiesIn(roomId, agentId)), ...joining].filter((id) => !this.agents.find(id));
    const vouched = people.every((id) => vouchesFor(users, id));
    const outcomes = await this.committed(agentId, roomId, [
      ...this.homes.statements(agent),
      ...(isNew && !(await this.worlds.find(agentId, worldId)) ? [this.worldOf(room, worldId)] : []),
      ...joining.map((id) =>
        this.rooms.insertEntity({ id, agentId, names: [asName(id === agentId ? agent.name : nameless(id))], createdAt }),
      ),
      this.rooms.insertOrRead(room),
      ...joining.slice(0, -1).map((id) => this.rooms.insertParticipant(roomId, id, agentId, createdAt, vouched)),
      this.rooms.insertLastParticipant(roomId, joining.at(-1) ?? agentId, agentId, createdAt, vouched),
    ]);
    const [row, present] = [outcomes.at(-joining.length - 1)?.rows[0], outcomes.at(-1)?.rows ?? []];
    if (!row) throw new Error(`room ${roomId} was not there after it was written`);
    return { ...toRoom(row), entities: this.entities(agentId, present.map(toPerson)) };
  }

  /** Rooms of an agent, oldest first, and whether there are more. */
  async list(filter: RoomFilter, after: Required<ListPosition> | undefined, limit: number): Promise<{ rooms: Room[]; hasMore: boolean }> {
    const found = await this.rooms.page(filter, after ?? FIRST, limit + 1);
    return { rooms: await this.withPeople(filter.agentId, found.slice(0, limit)), hasMore: found.length > limit };
  }

  /** A room of an agent by its id, or by that of the channel that it follows. @throws AppError ROOM_NOT_FOUND */
  async require(agentId: string, id: string): Promise<Room> {
    const row = (await this.rooms.find(agentId, id)) ?? (await this.rooms.find(agentId, idForAgent(agentId, id)));
    if (!row) throw roomNotFound(id);
    const [room] = await this.withPeople(agentId, [row]);
    return room ?? { ...row, entities: [] };
  }

  /** @throws AppError ROOM_NOT_FOUND */
  async update(agentId: string, id: string, { name, metadata }: { name?: string; metadata?: Record<string, unknown> }): Promise<Room> {
    await this.unitOfWork.run('update room', async (tx) => {
      const row = await this.rooms.findIn(tx, agentId, id);
      if (!row) throw roomNotFound(id);
      const updatedAt = this.clock.now();
      await tx.apply([this.rooms.update({ ...row, name: name ?? row.name, metadata: grown({ ...row.metadata, ...metadata }), updatedAt })]);
    });
    return this.require(agentId, id);
  }

  /**
   * Deletes a room with what the agent remembers of it. A room that follows a channel lasts as long as the channel.
   *
   * @throws AppError ROOM_NOT_FOUND; CONFLICT for a room that follows a channel
   */
  async delete(agentId: string, id: string): Promise<void> {
    const row = await this.rooms.find(agentId, id);
    if (!row) throw roomNotFound(id);
    if (row.channelId !== null) throw roomFollowsChannel(id, row.channelId);
    await this.deletion.deleteAll({ agentId, roomId: id });
    const missing = ({ changed }: Outcome): AppError | undefined => (changed === 0 ? roomNotFound(id) : undefined);
    await this.unitOfWork.commit([this.rooms.delete(agentId, id, missing)]);
  }

  /** The name of a room's world, when there is one. */
  async worldName({ agentId, worldId }: RoomRow): Promise<string | undefined> {
    return worldId === null ? undefined : (await this.worlds.find(agentId, worldId))?.name;
  }

  private async withPeople(agentId: string, rows: readonly RoomRow[]): Promise<Room[]> {
    const people =
      rows.length === 0
        ? new Map<string, []>()
        : await this.rooms.peopleOf(
            agentId,
            rows.map(({ id }) => id),
          );
    return rows.map((row) => ({ ...row, entities: this.entities(agentId, people.get(row.id) ?? []) }));
  }

  /** Who takes part, the agent first; agents by the names that they have now. */
  private entities(agentId: string, people: readonly { id: string; name: string | null }[]): Room['entities'] {
    const named = people.map(({ id, name }) => ({ id, name: this.agents.find(id)?.name ?? name ?? nameless(id) }));
    return named.sort((a, b) => Number(b.id === agentId) - Number(a.id === agentId));
  }

  private worldOf({ agentId, name, messageServerId, createdAt }: NewRoom, id: string): Statement {
    const empty = { sourceType: null, sourceId: null, metadata: {} };
    return this.worlds.insert({ id, agentId, name: asName(`World for ${name}`), messageServerId, createdAt, ...empty });
  }

  private async committed(agentId: string, roomId: string, statements: Statement[]): Promise<Outcome[]> {
    try {
      return await this.unitOfWork.commit(statements);
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      // A room that was not created has no participants.
      throw (await this.rooms.isOthers(agentId, roomId)) ? roomExists(roomId) : agentDeleted(agentId, error);
    }
  }
}
