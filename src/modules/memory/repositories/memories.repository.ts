import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Reader, type Statement, type Transaction } from '../../../core/database/index.js';
import { MemoryRow } from '../entities/index.js';
import { memoryExists } from '../memory.errors.js';

const INSERT = `INSERT INTO memories
  (id, agent_id, room_id, entity_id, world_id, type, content, metadata, is_unique, seq, embedded_by, vouched, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
const DELETE_SOME = 'DELETE FROM memories WHERE id IN (SELECT id FROM memories WHERE agent_id = ? LIMIT ?)';
const DELETE_SOME_OF_ROOM = 'DELETE FROM memories WHERE id IN (SELECT id FROM memories WHERE agent_id = ? AND room_id = ? LIMIT ?)';
const DELETE_FRAGMENTS = `DELETE FROM memories WHERE agent_id = ? AND type IN ('fragments', 'knowledge') AND metadata LIKE ?`;
const UPDATE = 'UPDATE memories SET content = ?, metadata = ?, embedded_by = ?, vouched = ? WHERE id = ?';

// One query for both, so that the records and the mark are of the same moment.
const CONVERSATION = `SELECT r.remembered_seq, m.id, m.entity_id, m.content, m.metadata, m.seq, m.created_at, p.vouched AS takes_part
  FROM rooms r LEFT JOIN (
    SELECT id, entity_id, content, metadata, seq, created_at FROM memories
    WHERE agent_id = ? AND room_id = ? AND type = 'messages' AND seq IS NOT NULL
    ORDER BY created_at DESC, seq DESC LIMIT ?
  ) m ON TRUE LEFT JOIN participants p ON p.room_id = r.id AND p.agent_id = r.agent_id AND p.entity_id = m.entity_id
  WHERE r.id = ? AND r.agent_id = ?`;

/** A row of `conversation`; the memory's columns are null when the room has none. */
export interface ConversationRow {
  remembered_seq: number;
  id: string | null;
  entity_id: string;
  content: string;
  metadata: string;
  seq: number;
  created_at: number;
  /** Whether its author is recorded as one who takes part, and vouched for. */
  takes_part: boolean | number | null;
}

/** Which memories of an agent: all, or those of a room. */
export interface MemoryScope {
  readonly agentId: string;
  readonly roomId?: string;
}

@Injectable()
export class MemoriesRepository {
  constructor(private readonly reader: Reader) {}

  /** The room's newest records of channel messages, newest first; no row at all when there is no such room. */
  conversation(agentId: string, roomId: string, limit: number): Promise<ConversationRow[]> {
    return this.reader.rows<ConversationRow>(CONVERSATION, [agentId, roomId, limit, roomId, agentId]);
  }

  /** Inside a unit; on PostgreSQL the row stays locked until it ends. */
  findIn(tx: Transaction, id: string): Promise<MemoryRow | null> {
    const lock = tx.manager.connection.options.type === 'postgres' ? ({ lock: { mode: 'pessimistic_write' } } as const) : {};
    return tx.manager.findOne(MemoryRow, { where: { id }, ...lock });
  }

  /** As `findIn`, for those of the ids that there are. */
  findAllIn(tx: Transaction, ids: string[]): Promise<MemoryRow[]> {
    const lock = tx.manager.connection.options.type === 'postgres' ? ({ lock: { mode: 'pessimistic_write' } } as const) : {};
    return tx.manager.find(MemoryRow, { where: { id: In(ids) }, order: { id: 'ASC' }, ...lock });
  }

  /** Deletes a memory of an agent; another agent's of that id stays. */
  deleteOf(agentId: string, id: string, refuse?: Statement['refuse']): Statement {
    return { sql: 'DELETE FROM memories WHERE id = ? AND agent_id = ?', params: [id, agentId], refuse };
  }

  /** Deletes what a document was cut into. */
  deleteFragments(agentId: string, documentId: string): Statement {
    return { sql: DELETE_FRAGMENTS, params: [agentId, `%"documentId":"${documentId}"%`] };
  }

  /** Deletes at most `limit` memories; counts them. Vectors go with them. */
  deleteSome({ agentId, roomId }: MemoryScope, limit: number): Statement {
    if (roomId === undefined) return { sql: DELETE_SOME, params: [agentId, limit], counted: true };
    return { sql: DELETE_SOME_OF_ROOM, params: [agentId, roomId, limit], counted: true };
  }

  /** Every agent's record of a channel; what else they remember stays. */
  deleteOfChannel(channelId: string): Statement {
    return {
      sql: `DELETE FROM memories WHERE type = 'messages' AND (agent_id, room_id) IN (SELECT agent_id, id FROM rooms WHERE channel_id = ?)`,
      params: [channelId],
    };
  }

  /** Leaves a memory alone that exists already. */
  insert(row: MemoryRow): Statement {
    const { id, agentId, roomId, entityId, worldId, type, content, metadata, isUnique, seq, embeddedBy, vouched, createdAt } = row;
    const json = [JSON.stringify(content), JSON.stringify(metadata)] as const;
    return { sql: INSERT, params: [id, agentId, roomId, entityId, worldId, type, ...json, isUnique, seq, embeddedBy, vouched, createdAt] };
  }

  /** As `insert`; refuses when the id is that of another agent's memory. */
  insertOwn(row: MemoryRow): Statement {
    const returns = { sql: 'SELECT agent_id FROM memories WHERE id = ?', params: [row.id] };
    const refuse: Statement['refuse'] = ({ rows: [stored] }) => (stored?.['agent_id'] === row.agentId ? undefined : memoryExists(row.id));
    return { ...this.insert(row), returns, refuse };
  }

  update({ id, content, metadata, embeddedBy, vouched }: MemoryRow): Statement {
    return { sql: UPDATE, params: [JSON.stringify(content), JSON.stringify(metadata), embeddedBy, vouched, id] };
  }
}
