import { Injectable } from '@nestjs/common';
import { Reader, tableOf, type ColumnsOf } from '../../../core/database/index.js';
import { EntityRow, MemoryRow, RoomRow } from '../entities/index.js';

const ROOMS = tableOf(RoomRow);
const ENTITIES = tableOf(EntityRow);
const STORED = tableOf(MemoryRow).omit('isUnique', 'seq', 'embeddedBy', 'vouched');
const ROOM = `SELECT ${ROOMS.columns} FROM rooms WHERE agent_id = ?`;
const ENTITY = `SELECT ${ENTITIES.columnsOf('e')} FROM entities e`;
const MEMORIES = `SELECT ${STORED.columns} FROM memories
  WHERE agent_id = ? AND (? = '' OR room_id = ?) AND (? = '' OR type = ?) ORDER BY created_at DESC, id DESC LIMIT ?`;
const MAX_ROWS = 1000;

/** Instants are epoch ms. */
export type StoredMemory = Omit<ColumnsOf<MemoryRow>, 'isUnique' | 'seq' | 'embeddedBy' | 'vouched'>;

/** Reads one agent's rooms, entities and memories; at most 1000 of each. */
@Injectable()
export class DirectoryRepository {
  constructor(private readonly reader: Reader) {}

  async rooms(agentId: string): Promise<RoomRow[]> {
    return (await this.reader.rows(`${ROOM} ORDER BY created_at, id LIMIT ${MAX_ROWS}`, [agentId])).map((row) => ROOMS.read(row));
  }

  async room(agentId: string, id: string): Promise<RoomRow | undefined> {
    const [row] = await this.reader.rows(`${ROOM} AND id = ?`, [agentId, id]);
    return row && ROOMS.read(row);
  }

  async entities(agentId: string): Promise<EntityRow[]> {
    return this.entitiesWhere(`${ENTITY} WHERE e.agent_id = ? ORDER BY e.created_at, e.id LIMIT ${MAX_ROWS}`, [agentId]);
  }

  async entity(agentId: string, id: string): Promise<EntityRow | undefined> {
    return (await this.entitiesWhere(`${ENTITY} WHERE e.agent_id = ? AND e.id = ?`, [agentId, id]))[0];
  }

  async entitiesIn(agentId: string, roomId: string): Promise<EntityRow[]> {
    return this.entitiesWhere(
      `${ENTITY} JOIN participants p ON p.entity_id = e.id AND p.agent_id = e.agent_id
        WHERE e.agent_id = ? AND p.room_id = ? ORDER BY p.created_at, e.id LIMIT ${MAX_ROWS}`,
      [agentId, roomId],
    );
  }

  /** Newest first. */
  async memories(agentId: string, roomId: string, type: string, limit: number): Promise<StoredMemory[]> {
    const rows = await this.reader.rows(MEMORIES, [agentId, roomId, roomId, type, type, Math.min(limit, MAX_ROWS)]);
    return rows.map((row) => STORED.read(row));
  }

  private async entitiesWhere(sql: string, params: string[]): Promise<EntityRow[]> {
    return (await this.reader.rows(sql, params)).map((row) => ENTITIES.read(row));
  }
}
