import { Injectable } from '@nestjs/common';
import {
  idKeys,
  Reader,
  tableOf,
  type ColumnsOf,
  type Page,
  type Row,
  type SqlValue,
  type Statement,
  type Transaction,
} from '../../../core/database/index.js';
import type { ListPosition } from '../../../core/http/index.js';
import { EntityRow, RoomRow } from '../entities/index.js';

const ROOMS = tableOf(RoomRow);
const NEW = ROOMS.omit('updatedAt');
const ENTITIES = tableOf(EntityRow);

const REMEMBER = `ON CONFLICT (id, agent_id) DO UPDATE SET
  remembered_seq = CASE WHEN excluded.remembered_seq > rooms.remembered_seq THEN excluded.remembered_seq ELSE rooms.remembered_seq END,
  channel_id = coalesce(rooms.channel_id, excluded.channel_id)`;
const READ = `SELECT ${ROOMS.columns} FROM rooms WHERE id = ? AND agent_id = ?`;

const INSERT_PARTICIPANT = `INSERT INTO participants (room_id, entity_id, agent_id, state, vouched, created_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (room_id, agent_id, entity_id) DO UPDATE SET vouched = excluded.vouched WHERE excluded.vouched AND NOT participants.vouched`;
const PARTICIPANTS = `SELECT p.entity_id, e.names FROM participants p
  LEFT JOIN entities e ON e.id = p.entity_id AND e.agent_id = p.agent_id
  WHERE p.room_id = ? AND p.agent_id = ? ORDER BY p.created_at, p.entity_id LIMIT 1000`;
const PAGE = 'FROM rooms r WHERE r.agent_id = ? AND r.created_at >= ? AND (r.created_at > ? OR r.id > ?)';
const CHANGED = ROOMS.pick('name', 'metadata', 'updatedAt');
const UPDATE = `UPDATE rooms SET ${CHANGED.assignments} WHERE id = ? AND agent_id = ?`;
// Only an integration takes part in more rooms than the limit of `sharedBy`.
const SHARED = `SELECT r.id, r.channel_id, r.created_at, p.created_at AS joined_at, (SELECT max(o.created_at) FROM participants o
    WHERE o.room_id = r.id AND o.agent_id = r.agent_id AND o.entity_id IN (SELECT key FROM json_each(?))) AS others_joined_at
  FROM participants p JOIN rooms r ON r.id = p.room_id AND r.agent_id = p.agent_id
  WHERE p.entity_id = ? AND p.agent_id = ? AND p.vouched`;
const ALSO = ` AND EXISTS (SELECT 1 FROM participants o
  WHERE o.room_id = r.id AND o.agent_id = r.agent_id AND o.entity_id = ? AND o.vouched)`;
const REMOVE_FROM_CHANNEL = `DELETE FROM participants WHERE entity_id IN (SELECT key FROM json_each(?))
  AND (room_id, agent_id) IN (SELECT id, agent_id FROM rooms WHERE channel_id = ?)`;
const IN_ROOM = 'SELECT entity_id FROM participants WHERE room_id = ? AND agent_id = ? LIMIT 1000';

/** Rooms per query of `participantsOf`, whose SQL is constant, with one placeholder per room. */
const ROOMS_PER_QUERY = 100;
const PARTICIPANTS_OF = `SELECT p.room_id, p.entity_id, e.names FROM participants p
  LEFT JOIN entities e ON e.id = p.entity_id AND e.agent_id = p.agent_id
  WHERE p.room_id IN (${Array<string>(ROOMS_PER_QUERY).fill('?').join(', ')}) AND p.agent_id = ? ORDER BY p.created_at, p.entity_id LIMIT 10000`;

/** Filter of an agent's rooms. */
export interface RoomFilter {
  readonly agentId: string;
  readonly worldId?: string;
  readonly channelId?: string;
}

/** A room in which entities take part. */
export interface SharedRoom {
  readonly id: string;
  readonly channelId: string | null;
  /** When the last of them joined, epoch ms; 0 when all take part from the beginning. */
  readonly since: number;
}

/** A room to be inserted. */
export type NewRoom = Omit<ColumnsOf<RoomRow>, 'updatedAt'>;

/** Rooms and their participants. A room belongs to one agent; another agent may have a room with the same id. */
@Injectable()
export class RoomsRepository {
  constructor(private readonly reader: Reader) {}

  /** The agent's rooms in which all these entities are vouched participants, with the channels that the rooms follow; at most 5000. */
  async sharedBy(entityIds: readonly string[], agentId: string): Promise<SharedRoom[]> {
    const [first, ...others] = entityIds;
    if (first === undefined) return [];
    const sql = `${SHARED}${ALSO.repeat(others.length)} LIMIT 5000`;
    const rows = await this.reader.joined(sql, [idKeys(others), first, agentId, ...others]);
    return rows.map((row) => {
      const joinedAt = Math.max(Number(row['joined_at']), Number(row['others_joined_at'] ?? 0));
      const since = joinedAt > Number(row['created_at']) ? joinedAt : 0;
      return { id: row['id'] as string, channelId: row['channel_id'] as string | null, since };
    });
  }

  /** Ids of all participants of a room, including agents and participants that are not vouched; at most 1000. */
  async entitiesIn(roomId: string, agentId: string): Promise<string[]> {
    return (await this.reader.rows<{ entity_id: string }>(IN_ROOM, [roomId, agentId])).map((row) => row.entity_id);
  }

  /** Removes participants from every agent's room of a channel. */
  removeFromChannel(channelId: string, entityIds: Iterable<string>): Statement {
    return { sql: REMOVE_FROM_CHANNEL, params: [idKeys(entityIds), channelId] };
  }

  /** Ids of the agents that have a room for a channel, read in a transaction. */
  async agentsFollowing(tx: Transaction, channelId: string): Promise<string[]> {
    const rows = await tx.rows<{ agent_id: string }>('SELECT agent_id FROM rooms WHERE channel_id = ?', [channelId]);
    return rows.map((row) => row.agent_id);
  }

  /** The channel that an agent's room follows; undefined when the room does not exist or follows none. */
  async channelOf(roomId: string, agentId: string): Promise<string | undefined> {
    const [row] = await this.reader.rows<{ channel_id: string | null }>('SELECT channel_id FROM rooms WHERE id = ? AND agent_id = ?', [
      roomId,
      agentId,
    ]);
    return row?.channel_id ?? undefined;
  }

  /** The agent's rooms after a list position, oldest first. */
  async page({ agentId, worldId, channelId }: RoomFilter, after: Required<ListPosition>, limit: number): Promise<Page<RoomRow>> {
    const params: SqlValue[] = [agentId, after.at, after.at, after.id];
    let from = PAGE;
    for (const [column, value] of [
      ['world_id', worldId],
      ['channel_id', channelId],
    ] as const) {
      if (value === undefined) continue;
      from += ` AND r.${column} = ?`;
      params.push(value);
    }
    const { rows, ...page } = await this.reader.page({
      columns: ROOMS.columnsOf('r'),
      bytes: ROOMS.bytesOf('r'),
      from,
      params,
      order: 'r.created_at, r.id',
      limit,
    });
    return { ...page, rows: rows.map(toRoom) };
  }

  async find(agentId: string, id: string): Promise<RoomRow | undefined> {
    return (await this.reader.rows(READ, [id, agentId])).map(toRoom)[0];
  }

  /** All agents' rooms that belong to a world or to a message server. */
  async ofWorldOrServer(place: string): Promise<{ id: string; agentId: string; followsChannel: boolean }[]> {
    const sql = 'SELECT id, agent_id, channel_id FROM rooms WHERE world_id = ? OR message_server_id = ? ORDER BY agent_id, id';
    const rows = await this.reader.rows(sql, [place, place]);
    return rows.map((row) => ({ id: row['id'] as string, agentId: row['agent_id'] as string, followsChannel: row['channel_id'] !== null }));
  }

  async existsForOtherAgent(agentId: string, id: string): Promise<boolean> {
    return (await this.reader.rows('SELECT 1 FROM rooms WHERE id = ? AND agent_id <> ?', [id, agentId])).length > 0;
  }

  /** Participants of an agent's rooms, by room. */
  async participantsOf(agentId: string, roomIds: readonly string[]): Promise<Map<string, { id: string; name: string | null }[]>> {
    const participants = new Map<string, { id: string; name: string | null }[]>(roomIds.map((id) => [id, []]));
    for (let start = 0; start < roomIds.length; start += ROOMS_PER_QUERY) {
      const placeholders = Array.from({ length: ROOMS_PER_QUERY }, (_, place) => roomIds[start + place] ?? '');
      for (const row of await this.reader.rows(PARTICIPANTS_OF, [...placeholders, agentId])) {
        participants.get(row['room_id'] as string)?.push(toParticipant(row));
      }
    }
    return participants;
  }

  update(row: RoomRow): Statement {
    return { sql: UPDATE, params: [...CHANGED.params(row), row.id, row.agentId] };
  }

  /** Deletes a room of an agent with its participants. */
  delete(agentId: string, id: string, refuse?: Statement['refuse']): Statement {
    return { sql: 'DELETE FROM rooms WHERE id = ? AND agent_id = ?', params: [id, agentId], refuse };
  }

  /** Deletes at most `limit` rooms of an agent with their participants; counts them. */
  deleteBatch(agentId: string, limit: number): Statement {
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

  /** Reads in a transaction; on PostgreSQL the row stays locked until the transaction ends. */
  async findIn(tx: Transaction, agentId: string, id: string): Promise<RoomRow | undefined> {
    return (await tx.rows(`${READ} ${tx.locking('FOR NO KEY UPDATE')}`, [id, agentId])).map(toRoom)[0];
  }

  /** Has no effect when the room exists. */
  insert(row: NewRoom): Statement {
    return NEW.insert(row, 'ON CONFLICT (id, agent_id) DO NOTHING');
  }

  /**
   * Inserts a room unless the agent has a room with this id, or the id belongs to another agent. The outcome's row is the agent's room
   * afterwards; see `toRoom`.
   */
  insertOrRead(row: NewRoom): Statement {
    return { ...NEW.insert(row, 'ON CONFLICT DO NOTHING'), returns: { sql: READ, params: [row.id, row.agentId] } };
  }

  /** Creates the room, or advances the `rememberedSeq` of the existing one to that of `row`. */
  upsertRemembered(row: NewRoom): Statement {
    return { ...NEW.insert(row, REMEMBER), independent: true };
  }

  /** Has no effect when the agent has the entity. */
  insertEntity(entity: Omit<EntityRow, 'metadata'> & Partial<Pick<EntityRow, 'metadata'>>): Statement {
    return { ...ENTITIES.insert({ metadata: {}, ...entity }, 'ON CONFLICT (id, agent_id) DO NOTHING'), independent: true };
  }

  /** @param vouched whether a credential vouches for the entity; a stored true stays true */
  insertParticipant(roomId: string, entityId: string, agentId: string, at: number, vouched: boolean): Statement {
    const state = entityId === agentId ? 'FOLLOWED' : null;
    return { sql: INSERT_PARTICIPANT, params: [roomId, entityId, agentId, state, vouched, at], independent: true };
  }

  /** As `insertParticipant`; the outcome's rows are all participants afterwards, see `toParticipant`. */
  insertParticipantAndList(roomId: string, entityId: string, agentId: string, at: number, vouched: boolean): Statement {
    return { ...this.insertParticipant(roomId, entityId, agentId, at, vouched), returns: { sql: PARTICIPANTS, params: [roomId, agentId] } };
  }
}

export const toRoom = (row: Row): RoomRow => ROOMS.read(row);

export function toParticipant(row: Row): { id: string; name: string | null } {
  const names = JSON.parse((row['names'] as string | null) ?? '[]') as string[];
  return { id: row['entity_id'] as string, name: names[0] ?? null };
}
