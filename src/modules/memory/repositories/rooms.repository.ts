import { Injectable } from '@nestjs/common';
import { Reader, type Row, type SqlValue, type Statement, type Transaction } from '../../../core/database/index.js';
import type { ListPosition } from '../../../core/http/index.js';
import { RoomRow, type EntityRow } from '../entities/index.js';

const NEW = 'id, agent_id, name, source, type, world_id, channel_id, message_server_id, metadata, remembered_seq, created_at';
export const ROOM_COLUMNS = `${NEW}, updated_at`;
const INSERT = `INSERT INTO rooms (${NEW}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const INSERT_ROOM = `${INSERT} ON CONFLICT (id, agent_id) DO NOTHING`;
const INSERT_OR_LEAVE = `${INSERT} ON CONFLICT DO NOTHING`;
const REMEMBER = `${INSERT} ON CONFLICT (id, agent_id) DO UPDATE SET
  remembered_seq = CASE WHEN excluded.remembered_seq > rooms.remembered_seq THEN excluded.remembered_seq ELSE rooms.remembered_seq END,
  channel_id = coalesce(rooms.channel_id, excluded.channel_id)`;
const READ = `SELECT ${ROOM_COLUMNS} FROM rooms WHERE id = ? AND agent_id = ?`;

const INSERT_ENTITY = `INSERT INTO entities (id, agent_id, names, metadata, created_at) VALUES (?, ?, ?, '{}', ?)
  ON CONFLICT (id, agent_id) DO NOTHING`;
const INSERT_PARTICIPANT = `INSERT INTO participants (room_id, entity_id, agent_id, state, vouched, created_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (room_id, agent_id, entity_id) DO UPDATE SET vouched = excluded.vouched WHERE excluded.vouched AND NOT participants.vouched`;
const PEOPLE = `SELECT p.entity_id, e.names FROM participants p
  LEFT JOIN entities e ON e.id = p.entity_id AND e.agent_id = p.agent_id
  WHERE p.room_id = ? AND p.agent_id = ? ORDER BY p.created_at, p.entity_id LIMIT 1000`;
const PAGE = `SELECT ${ROOM_COLUMNS} FROM rooms WHERE agent_id = ? AND created_at >= ? AND (created_at > ? OR id > ?)`;
const UPDATE = 'UPDATE rooms SET name = ?, metadata = ?, updated_at = ? WHERE id = ? AND agent_id = ?';
// Somebody with more rooms than this is an integration, not a person.
const SHARED = `SELECT r.id, r.channel_id FROM participants p JOIN rooms r ON r.id = p.room_id AND r.agent_id = p.agent_id
  WHERE p.entity_id = ? AND p.agent_id = ? AND p.vouched`;
const ALSO = ` AND EXISTS (SELECT 1 FROM participants o
  WHERE o.room_id = r.id AND o.agent_id = r.agent_id AND o.entity_id = ? AND o.vouched)`;
const IN_ROOM = 'SELECT entity_id FROM participants WHERE room_id = ? AND agent_id = ? LIMIT 1000';

/** How many rooms `peopleOf` asks for at a time: its text is fixed, so it has one place for each. */
const PEOPLE_ROOMS = 100;
const PEOPLE_OF = `SELECT p.room_id, p.entity_id, e.names FROM participants p
  LEFT JOIN entities e ON e.id = p.entity_id AND e.agent_id = p.agent_id
  WHERE p.room_id IN (${Array<string>(PEOPLE_ROOMS).fill('?').join(', ')}) AND p.agent_id = ? ORDER BY p.created_at, p.entity_id LIMIT 10000`;

/** Which rooms of an agent. */
export interface RoomFilter {
  readonly agentId: string;
  readonly worldId?: string;
  readonly channelId?: string;
}

/** A room that nobody has changed yet. */
export type NewRoom = Omit<RoomRow, 'updatedAt'>;

/** Rooms with the entities in them. A room is its agent's: another agent may have one with the same id. */
@Injectable()
export class RoomsRepository {
  constructor(private readonly reader: Reader) {}

  /** Rooms of the agent in which all these entities take part and are vouched for, with the channels that they follow; at most 5000. */
  async sharedBy(entityIds: readonly string[], agentId: string): Promise<{ id: string; channelId: string | null }[]> {
    const [first, ...others] = entityIds;
    if (first === undefined) return [];
    const rows = await this.reader.rows(`${SHARED}${ALSO.repeat(others.length)} LIMIT 5000`, [first, agentId, ...others]);
    return rows.map((row) => ({ id: row['id'] as string, channelId: row['channel_id'] as string | null }));
  }

  /** Participants of a room, agents too, whether or not they are vouched for; at most 1000. */
  async entitiesIn(roomId: string, agentId: string): Promise<string[]> {
    return (await this.reader.rows<{ entity_id: string }>(IN_ROOM, [roomId, agentId])).map((row) => row.entity_id);
  }

  /** Removes a participant from every agent's room of a channel. */
  removeFromChannel(channelId: string, entityId: string): Statement {
    return {
      sql: 'DELETE FROM participants WHERE entity_id = ? AND (room_id, agent_id) IN (SELECT id, agent_id FROM rooms WHERE channel_id = ?)',
      params: [entityId, channelId],
    };
  }

  /** The channel that an agent's room follows; undefined when there is no such room, or it follows none. */
  async channelOf(roomId: string, agentId: string): Promise<string | undefined> {
    const [row] = await this.reader.rows<{ channel_id: string | null }>('SELECT channel_id FROM rooms WHERE id = ? AND agent_id = ?', [
      roomId,
      agentId,
    ]);
    return row?.channel_id ?? undefined;
  }

  /** The agent's rooms behind a place, oldest first. */
  async page({ agentId, worldId, channelId }: RoomFilter, after: Required<ListPosition>, limit: number): Promise<RoomRow[]> {
    const params: SqlValue[] = [agentId, after.at, after.at, after.id];
    let sql = PAGE;
    for (const [column, value] of [
      ['world_id', worldId],
      ['channel_id', channelId],
    ] as const) {
      if (value === undefined) continue;
      sql += ` AND ${column} = ?`;
      params.push(value);
    }
    return (await this.reader.rows(`${sql} ORDER BY created_at, id LIMIT ?`, [...params, limit])).map(toRoom);
  }

  async find(agentId: string, id: string): Promise<RoomRow | undefined> {
    return (await this.reader.rows(READ, [id, agentId])).map(toRoom)[0];
  }

  /** Ids of an agent's rooms that belong to a world or to a message server. */
  async idsOf(agentId: string, place: string): Promise<{ id: string; followsChannel: boolean }[]> {
    const sql = 'SELECT id, channel_id FROM rooms WHERE agent_id = ? AND (world_id = ? OR message_server_id = ?)';
    const rows = await this.reader.rows(sql, [agentId, place, place]);
    return rows.map((row) => ({ id: row['id'] as string, followsChannel: row['channel_id'] !== null }));
  }

  /** Whether an id is that of another agent's room. */
  async isOthers(agentId: string, id: string): Promise<boolean> {
    return (await this.reader.rows('SELECT 1 FROM rooms WHERE id = ? AND agent_id <> ?', [id, agentId])).length > 0;
  }

  /** Participants of an agent's rooms, by room. */
  async peopleOf(agentId: string, roomIds: readonly string[]): Promise<Map<string, { id: string; name: string | null }[]>> {
    const people = new Map<string, { id: string; name: string | null }[]>(roomIds.map((id) => [id, []]));
    for (let start = 0; start < roomIds.length; start += PEOPLE_ROOMS) {
      const places = Array.from({ length: PEOPLE_ROOMS }, (_, place) => roomIds[start + place] ?? '');
      for (const row of await this.reader.rows(PEOPLE_OF, [...places, agentId])) people.get(row['room_id'] as string)?.push(toPerson(row));
    }
    return people;
  }

  update({ id, agentId, name, metadata, updatedAt }: RoomRow): Statement {
    return { sql: UPDATE, params: [name, JSON.stringify(metadata), updatedAt, id, agentId] };
  }

  /** Deletes a room of an agent with its participants. */
  delete(agentId: string, id: string, refuse?: Statement['refuse']): Statement {
    return { sql: 'DELETE FROM rooms WHERE id = ? AND agent_id = ?', params: [id, agentId], refuse };
  }

  /** Deletes at most `limit` rooms of an agent with their participants; counts them. */
  deleteSome(agentId: string, limit: number): Statement {
    return {
      sql: 'DELETE FROM rooms WHERE agent_id = ? AND id IN (SELECT id FROM rooms WHERE agent_id = ? LIMIT ?)',
      params: [agentId, agentId, limit],
      counted: true,
    };
  }

  /** Deletes all agents' rooms of a channel. */
  deleteOfChannel(channelId: string): Statement {
    return { sql: 'DELETE FROM rooms WHERE channel_id = ?', params: [channelId] };
  }

  /** Inside a unit; on PostgreSQL the row stays locked until it ends. */
  async findIn(tx: Transaction, agentId: string, id: string): Promise<RoomRow | null> {
    const lock = tx.manager.connection.options.type === 'postgres' ? ({ lock: { mode: 'for_no_key_update' } } as const) : {};
    return tx.manager.findOne(RoomRow, { where: { id, agentId }, ...lock });
  }

  /** Leaves a room alone that exists already. */
  insert(row: NewRoom): Statement {
    return { sql: INSERT_ROOM, params: roomParams(row) };
  }

  /**
   * Leaves alone a room of the agent that exists already, and creates none under an id that is another agent's; the outcome's row is the agent's
   * room as it stands then, see `toRoom`.
   */
  insertOrRead(row: NewRoom): Statement {
    return { sql: INSERT_OR_LEAVE, params: roomParams(row), returns: { sql: READ, params: [row.id, row.agentId] } };
  }

  /** Creates the room, or moves `rememberedSeq` of the one that exists forward to that of `row`, never back. */
  remember(row: NewRoom): Statement {
    return { sql: REMEMBER, params: roomParams(row) };
  }

  /** Leaves an entity alone that the agent has met already. */
  insertEntity({ id, agentId, names, createdAt }: Omit<EntityRow, 'metadata'>): Statement {
    return { sql: INSERT_ENTITY, params: [id, agentId, JSON.stringify(names), createdAt] };
  }

  /** @param vouched whether a credential vouches for the entity; once it did, that stays */
  insertParticipant(roomId: string, entityId: string, agentId: string, at: number, vouched: boolean): Statement {
    const state = entityId === agentId ? 'FOLLOWED' : null;
    return { sql: INSERT_PARTICIPANT, params: [roomId, entityId, agentId, state, vouched, at] };
  }

  /** As `insertParticipant`; the outcome's rows are all who are in the room then, see `toPerson`. */
  insertLastParticipant(roomId: string, entityId: string, agentId: string, at: number, vouched: boolean): Statement {
    return { ...this.insertParticipant(roomId, entityId, agentId, at, vouched), returns: { sql: PEOPLE, params: [roomId, agentId] } };
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
    updatedAt: row['updated_at'] === null ? null : Number(row['updated_at']),
  };
}

export function toPerson(row: Row): { id: string; name: string | null } {
  const names = JSON.parse((row['names'] as string | null) ?? '[]') as string[];
  return { id: row['entity_id'] as string, name: names[0] ?? null };
}

function roomParams(row: NewRoom): Statement['params'] {
  const { id, agentId, name, source, type, worldId, channelId, messageServerId, metadata, rememberedSeq, createdAt } = row;
  return [id, agentId, name, source, type, worldId, channelId, messageServerId, JSON.stringify(metadata), rememberedSeq, createdAt];
}
