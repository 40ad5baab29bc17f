import { Injectable } from '@nestjs/common';
import { Reader, type Row } from '../../../core/database/index.js';
import type { EntityRow, RoomRow } from '../entities/index.js';
import { ROOM_COLUMNS, toRoom } from './rooms.repository.js';

const ROOM = `SELECT ${ROOM_COLUMNS} FROM rooms WHERE agent_id = ?`;
const ENTITY = 'SELECT e.id, e.agent_id, e.names, e.metadata, e.created_at FROM entities e';
const MEMORIES = `SELECT id, agent_id, room_id, entity_id, world_id, type, content, metadata, created_at FROM memories
  WHERE agent_id = ? AND (? = '' OR room_id = ?) AND (? = '' OR type = ?) ORDER BY created_at DESC, id DESC LIMIT ?`;
const MOST = 1000;

export interface StoredMemory {
  readonly id: string;
  readonly agentId: string;
  readonly roomId: string;
  readonly entityId: string;
  readonly worldId: string | null;
  readonly type: string;
  readonly content: Record<string, unknown>;
  readonly metadata: Record<string, unknown>;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** Reads what belongs to one agent, and nothing of another's; at most 1000 of a kind. */
@Injectable()
export class DirectoryRepository {
  constructor(private readonly reader: Reader) {}

  async rooms(agentId: string): Promise<RoomRow[]> {
    return (await this.reader.rows<Row>(`${ROOM} ORDER BY created_at, id LIMIT ${MOST}`, [agentId])).map(toRoom);
  }

  async room(agentId: string, id: string): Promise<RoomRow | undefined> {
    const [row] = await this.reader.rows<Row>(`${ROOM} AND id = ?`, [agentId, id]);
    return row && toRoom(row);
  }

  async entities(agentId: string): Promise<EntityRow[]> {
    return this.entitiesWhere(`${ENTITY} WHERE e.agent_id = ? ORDER BY e.created_at, e.id LIMIT ${MOST}`, [agentId]);
  }

  async entity(agentId: string, id: string): Promise<EntityRow | undefined> {
    return (await this.entitiesWhere(`${ENTITY} WHERE e.agent_id = ? AND e.id = ?`, [agentId, id]))[0];
  }

  async entitiesIn(agentId: string, roomId: string): Promise<EntityRow[]> {
    return this.entitiesWhere(
      `${ENTITY} JOIN participants p ON p.entity_id = e.id AND p.agent_id = e.agent_id
        WHERE e.agent_id = ? AND p.room_id = ? ORDER BY p.created_at, e.id LIMIT ${MOST}`,
      [agentId, roomId],
    );
  }

  /** Newest first. */
  async memories(agentId: string, roomId: string, type: string, limit: number): Promise<StoredMemory[]> {
    const rows = await this.reader.rows<Row>(MEMORIES, [agentId, roomId, roomId, type, type, Math.min(limit, MOST)]);
    return rows.map((row) => ({
      id: row['id'] as string,
      agentId,
      roomId: row['room_id'] as string,
      entityId: row['entity_id'] as string,
      worldId: row['world_id'] as string | null,
      type: row['type'] as string,
      content: JSON.parse(row['content'] as string) as Record<string, unknown>,
      metadata: JSON.parse(row['metadata'] as string) as Record<string, unknown>,
      createdAt: Number(row['created_at']),
    }));
  }

  private async entitiesWhere(sql: string, params: string[]): Promise<EntityRow[]> {
    return (await this.reader.rows<Row>(sql, params)).map((row) => ({
      id: row['id'] as string,
      agentId: row['agent_id'] as string,
      names: JSON.parse(row['names'] as string) as string[],
      metadata: JSON.parse(row['metadata'] as string) as Record<string, unknown>,
      createdAt: Number(row['created_at']),
    }));
  }
}
