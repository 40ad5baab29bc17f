import { Injectable } from '@nestjs/common';
import { Reader, type Row, type Statement } from '../../../core/database/index.js';
import type { EntityRow, RoomRow } from '../entities/index.js';

const COLUMNS = 'id, agent_id, name, source, type, world_id, channel_id, message_server_id, metadata, remembered_seq, created_at';
const INSERT = `INSERT INTO rooms (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const INSERT_ROOM = `${INSERT} ON CONFLICT (id) DO NOTHING`;
const REMEMBER = `${INSERT} ON CONFLICT (id) DO UPDATE SET
  remembered_seq = CASE WHEN excluded.remembered_seq > rooms.remembered_seq THEN excluded.remembered_seq ELSE rooms.remembered_seq END,
  channel_id = coalesce(rooms.channel_id, excluded.channel_id)`;
const READ = `SELECT ${COLUMNS} FROM rooms WHERE id = ?`;

const INSERT_ENTITY = `INSERT INTO entities (id, agent_id, names, metadata, created_at) VALUES (?, ?, ?, '{}', ?)
  ON CONFLICT (id, agent_id) DO NOTHING`;
const INSERT_PARTICIPANT = `INSERT INTO participants (room_id, entity_id, agent_id, state, created_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (room_id, entity_id) DO NOTHING`;
const PEOPLE = `SELECT p.entity_id, e.names FROM participants p
  LEFT JOIN entities e ON e.id = p.entity_id AND e.agent_id = p.agent_id
  WHERE p.room_id = ? ORDER BY p.created_at, p.entity_id LIMIT 1000`;
// Somebody with more rooms than this is an integration, not a person.
const ROOMS_OF = 'SELECT room_id FROM participants WHERE entity_id = ? AND agent_id = ? LIMIT 5000';

/** Rooms with the entities in them. */
@Injectable()
export class RoomsRepository {
  constructor(private readonly reader: Reader) {}

  /** Rooms of the agent in which the entity takes part; at most 5000. */
  async roomsOf(entityId: string, agentId: string): Promise<string[]> {
    const rows = await this.reader.rows<{ room_id: string }>(ROOMS_OF, [entityId, agentId]);
    return rows.map((row) => row.room_id);
  }

  /** Leaves a room alone that exists already. */
  insert(row: RoomRow): Statement {
    return { sql: INSERT_ROOM, params: roomParams(row) };
  }

  /** As `insert`; the outcome's row is the room as it stands then, see `toRoom`. */
  insertOrRead(row: RoomRow, refuse: Statement['refuse']): Statement {
    return { ...this.insert(row), returns: { sql: READ, params: [row.id] }, refuse };
  }

  /** Creates the room, or moves `rememberedSeq` of the one that exists forward to that of `row`, never back. */
  remember(row: RoomRow): Statement {
    return { sql: REMEMBER, params: roomParams(row) };
  }

  /** Leaves an entity alone that the agent has met already. */
  insertEntity({ id, agentId, names, createdAt }: Omit<EntityRow, 'metadata'>): Statement {
    return { sql: INSERT_ENTITY, params: [id, agentId, JSON.stringify(names), createdAt] };
  }

  insertParticipant(roomId: string, entityId: string, agentId: string, at: number): Statement {
    const state = entityId === agentId ? 'FOLLOWED' : null;
    return { sql: INSERT_PARTICIPANT, params: [roomId, entityId, agentId, state, at] };
  }

  /** As `insertParticipant`; the outcome's rows are all who are in the room then, see `toPerson`. */
  insertLastParticipant(roomId: string, entityId: string, agentId: string, at: number): Statement {
    return { ...this.insertParticipant(roomId, entityId, agentId, at), returns: { sql: PEOPLE, params: [roomId] } };
  }
}

export function toRoom(row: Row): RoomRow {
  return {
    id: row['id'] as string,
    agentId: row['agent_id'] as string,
    name: row['name'] as string,
    source: row['source'] as string,
    type: row['type'] as string,
    worldId: row['world_id'] as string | null,
    channelId: row['channel_id'] as string | null,
    messageServerId: row['message_server_id'] as string | null,
    metadata: JSON.parse(row['metadata'] as string) as Record<string, unknown>,
    rememberedSeq: Number(row['remembered_seq']),
    createdAt: Number(row['created_at']),
  };
}

export function toPerson(row: Row): { id: string; name: string | null } {
  const names = JSON.parse((row['names'] as string | null) ?? '[]') as string[];
  return { id: row['entity_id'] as string, name: names[0] ?? null };
}

function roomParams(row: RoomRow): Statement['params'] {
  const { id, agentId, name, source, type, worldId, channelId, messageServerId, metadata, rememberedSeq, createdAt } = row;
  return [id, agentId, name, source, type, worldId, channelId, messageServerId, JSON.stringify(metadata), rememberedSeq, createdAt];
}
