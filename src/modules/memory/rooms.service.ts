import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, UnitOfWork, type Outcome, type Statement } from '../../core/database/index.js';
import { newId } from '../../core/ids/index.js';
import { AgentsService } from '../agents/index.js';
import { AgentHomes } from './agent-homes.js';
import type { RoomRow } from './entities/index.js';
import { agentDeleted, roomExists } from './memory.errors.js';
import { asName, nameless } from './names.js';
import { RoomsRepository, toPerson, toRoom } from './repositories/rooms.repository.js';
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
}

export interface Room extends RoomRow {
  /** Who takes part, the agent first. */
  readonly entities: readonly { readonly id: string; readonly name: string }[];
}

@Injectable()
export class RoomsService {
  constructor(
    private readonly agents: AgentsService,
    private readonly homes: AgentHomes,
    private readonly worlds: WorldsRepository,
    private readonly rooms: RoomsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a room of an agent, with the world and the entity that it names when they are new. A room of this agent
   * that has the id already stays as it is, and the entity joins it.
   *
   * @throws AppError AGENT_NOT_FOUND; ROOM_EXISTS when the id is that of another agent's room
   */
  async create(agentId: string, command: CreateRoom): Promise<Room> {
    const agent = this.agents.require(agentId);
    const createdAt = this.clock.now();
    const { roomId = newId(), entityId, worldId = agentId, ...given } = command;
    const room: RoomRow = { id: roomId, agentId, worldId, channelId: null, rememberedSeq: 0, createdAt, ...given };
    const joining = [...new Set(entityId === undefined ? [agentId] : [agentId, entityId])];
    const outcomes = await this.committed(agentId, [
      ...this.homes.statements(agent),
      this.worldOf(room, worldId),
      ...joining.map((id) =>
        this.rooms.insertEntity({ id, agentId, names: [asName(id === agentId ? agent.name : nameless(id))], createdAt }),
      ),
      this.rooms.insertOrRead(room, ({ rows: [stored] }) => (stored?.['agent_id'] === agentId ? undefined : roomExists(roomId))),
      ...joining.slice(0, -1).map((id) => this.rooms.insertParticipant(roomId, id, agentId, createdAt)),
      this.rooms.insertLastParticipant(roomId, joining.at(-1) ?? agentId, agentId, createdAt),
    ]);
    const [row, people] = [outcomes.at(-joining.length - 1)?.rows[0], outcomes.at(-1)?.rows ?? []];
    if (!row) throw new Error(`room ${roomId} was not there after it was written`);
    const entities = people.map(toPerson).map(({ id, name }) => ({ id, name: name ?? nameless(id) }));
    return { ...toRoom(row), entities: entities.sort((a, b) => Number(b.id === agentId) - Number(a.id === agentId)) };
  }

  private worldOf({ agentId, name, messageServerId, createdAt }: RoomRow, id: string): Statement {
    const empty = { sourceType: null, sourceId: null, metadata: {} };
    return this.worlds.insert({ id, agentId, name: asName(`World for ${name}`), messageServerId, createdAt, ...empty });
  }

  private async committed(agentId: string, statements: Statement[]): Promise<Outcome[]> {
    try {
      return await this.unitOfWork.commit(statements);
    } catch (error) {
      throw isForeignKeyViolation(error) ? agentDeleted(agentId, error) : error;
    }
  }
}
