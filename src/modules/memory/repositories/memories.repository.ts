import { Injectable } from '@nestjs/common';
import { idKeys, Reader, tableOf, type Parent, type Statement, type Transaction } from '../../../core/database/index.js';
import { MemoryRow } from '../entities/index.js';
import { wordsOfMemory } from '../memory-json.js';
import { memoryExists } from '../memory.errors.js';

const MEMORIES = tableOf(MemoryRow);
const WITH_WORDS = tableOf(MemoryRow, 'words');
const SELECT = `SELECT ${MEMORIES.columns} FROM memories`;
const SKIP_EXISTING = 'ON CONFLICT (id) DO NOTHING';
const CHANGED = WITH_WORDS.pick('content', 'words', 'metadata', 'embeddedBy', 'vouched');
const DELETE_SOME = 'DELETE FROM memories WHERE id IN (SELECT id FROM memories WHERE agent_id = ? LIMIT ?)';
const DELETE_SOME_OF_ROOM = 'DELETE FROM memories WHERE id IN (SELECT id FROM memories WHERE agent_id = ? AND room_id = ? LIMIT ?)';
const OWNERS = 'SELECT id, agent_id FROM memories WHERE id IN (SELECT key FROM json_each(?))';
const DELETE_ALL = 'DELETE FROM memories WHERE id IN (SELECT key FROM json_each(?))';
// Names are qualified, because json_each has more columns on SQLite. Both engines extract text with ->>.
const REWRITE = `UPDATE memories SET content = c.value ->> 'content', words = c.value ->> 'words', embedded_by = NULL, vouched = memories.vouched AND ?
  FROM json_each(?) AS c WHERE memories.id = c.key`;
// Nothing names the document of a fragment but its metadata, so the fragments are read only when a document is deleted.
const DELETE_FRAGMENTS = `DELETE FROM memories WHERE EXISTS (SELECT 1 FROM memories WHERE id = ? AND agent_id = ? AND type = 'documents')
  AND agent_id = ? AND type IN ('fragments', 'knowledge') AND metadata LIKE ?`;
const UPDATE = `UPDATE memories SET ${CHANGED.assignments} WHERE id = ?`;

// One query, so that the memories, the summary and `remembered_seq` are consistent. The room is a row of its own.
const CONVERSATION = `SELECT remembered_seq, (
    SELECT string_agg(entity_id || CASE WHEN vouched THEN '+' ELSE '-' END, ',') FROM (
      SELECT entity_id, vouched FROM participants WHERE room_id = ? AND agent_id = ? LIMIT 1000
    ) p
  ) AS participants, s.text, s.messages, s.from_seq, s.through_seq,
  NULL AS id, NULL AS entity_id, NULL AS content, NULL AS metadata, NULL AS seq, NULL AS created_at
  FROM rooms LEFT JOIN conversation_summaries s ON s.room_id = rooms.id AND s.agent_id = rooms.agent_id
  WHERE rooms.id = ? AND rooms.agent_id = ?
  UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, m.* FROM (
    SELECT id, entity_id, content, metadata, seq, created_at FROM memories
    WHERE agent_id = ? AND room_id = ? AND type = 'messages' AND seq IS NOT NULL
    ORDER BY created_at DESC, seq DESC LIMIT ?
  ) m WHERE m.seq > ?`;

/** A room with its summary. */
export interface RoomOfConversation {
  readonly remembered_seq: number | string;
  /** Up to 1000 ids separated by commas, each followed by `+` when vouched and `-` otherwise; null without participants. */
  readonly participants: string | null;
  /** Of the summary; null without one. */
  readonly text: string | null;
  readonly messages: number | null;
  readonly from_seq: number | string | null;
  readonly through_seq: number | string | null;
}

/** A memory of a channel message. */
export interface ConversationRow {
  readonly id: string;
  readonly entity_id: string;
  readonly content: string;
  readonly metadata: string;
  readonly seq: number | string;
  readonly created_at: number | string;
}

/** All memories of an agent, or those of one room. */
export interface MemoryScope {
  readonly agentId: string;
  readonly roomId?: string;
}

@Injectable()
export class MemoriesRepository {
  constructor(private readonly reader: Reader) {}

  /**
   * A room and its newest memories of channel messages, in no order; undefined when the room does not exist.
   *
   * @param after of the newest `limit`, only those behind this position in the channel
   */
  async conversation(
    agentId: string,
    roomId: string,
    limit: number,
    after = -1,
  ): Promise<{ room: RoomOfConversation; rows: ConversationRow[] } | undefined> {
    const params = [roomId, agentId, roomId, agentId, agentId, roomId, limit, after];
    const found = await this.reader.joined<RoomOfConversation | ConversationRow>(CONVERSATION, params);
    const isMemory = (row: RoomOfConversation | ConversationRow): row is ConversationRow => 'id' in row && row.id !== null;
    const room = found.find((row) => !isMemory(row)) as RoomOfConversation | undefined;
    return room && { room, rows: found.filter(isMemory) };
  }

  /** Reads in a transaction; on PostgreSQL the row stays locked until the transaction ends. */
  async findIn(tx: Transaction, id: string): Promise<MemoryRow | undefined> {
    const [row] = await tx.rows(`${SELECT} WHERE id = ? ${tx.locking('FOR UPDATE')}`, [id]);
    return row && MEMORIES.read(row);
  }

  /** As `findIn`, for the memories that exist among these ids. */
  async findAllIn(tx: Transaction, ids: string[]): Promise<MemoryRow[]> {
    const sql = `${SELECT} WHERE id IN (SELECT key FROM json_each(?)) ORDER BY id ${tx.locking('FOR UPDATE')}`;
    return (await tx.rows(sql, [idKeys(ids)])).map((row) => MEMORIES.read(row));
  }

  /** Deletes a memory only if it belongs to the agent. */
  deleteOwn(agentId: string, id: string, refuse?: Statement['refuse']): Statement {
    return { sql: 'DELETE FROM memories WHERE id = ? AND agent_id = ?', params: [id, agentId], refuse };
  }

  /** The agents of the memories with these ids, read in a transaction. */
  async agentIdsIn(tx: Transaction, ids: Iterable<string>): Promise<{ id: string; agentId: string }[]> {
    const rows = await tx.rows<{ id: string; agent_id: string }>(OWNERS, [idKeys(ids)]);
    return rows.map(({ id, agent_id: agentId }) => ({ id, agentId }));
  }

  /** Deletes memories of any agent; vectors are deleted by cascade. */
  deleteAll(ids: Iterable<string>): Statement {
    return { sql: DELETE_ALL, params: [idKeys(ids)] };
  }

  /** Replaces the contents of memories, by id, and marks them for embedding; with `vouched` false, none stays vouched. */
  replaceContents(contents: ReadonlyMap<string, Record<string, unknown>>, vouched: boolean): Statement {
    const texts = Object.fromEntries(
      [...contents].map(([id, content]) => [id, { content: JSON.stringify(content), words: wordsOfMemory(content) }]),
    );
    return { sql: REWRITE, params: [vouched, JSON.stringify(texts)] };
  }

  /** Deletes the fragments of a memory that is a document. Comes before the deletion of the document. */
  deleteFragments(agentId: string, documentId: string): Statement {
    return { sql: DELETE_FRAGMENTS, params: [documentId, agentId, agentId, `%"documentId":"${documentId}"%`] };
  }

  /** Deletes at most `limit` memories and counts them; vectors are deleted by cascade. */
  deleteBatch({ agentId, roomId }: MemoryScope, limit: number): Statement {
    if (roomId === undefined) return { sql: DELETE_SOME, params: [agentId, limit], counted: true };
    return { sql: DELETE_SOME_OF_ROOM, params: [agentId, roomId, limit], counted: true };
  }

  /** Deletes every agent's memories of a channel's messages; other memories stay. */
  deleteOfChannel(channelId: string): Statement {
    return {
      sql: `DELETE FROM memories WHERE type = 'messages' AND (agent_id, room_id) IN (SELECT agent_id, id FROM rooms WHERE channel_id = ?)`,
      params: [channelId],
    };
  }

  /** Has no effect when the memory exists. */
  insert(row: MemoryRow): Statement {
    return { ...WITH_WORDS.insert(withWords(row), SKIP_EXISTING), parents: [agentOf(row)] };
  }

  /** As `insert`, two memories per statement: a turn has two, and statements need constant texts. */
  insertAll(rows: readonly MemoryRow[]): Statement[] {
    const statements: Statement[] = [];
    for (let at = 0; at < rows.length; at += 2) {
      const two = rows.slice(at, at + 2);
      statements.push({ ...WITH_WORDS.insertAll(two.map(withWords), SKIP_EXISTING), independent: true, parents: two.map(agentOf) });
    }
    return statements;
  }

  /** As `insert`; refuses when a memory of another agent has the id. */
  insertOwn(row: MemoryRow): Statement {
    const returns = { sql: 'SELECT agent_id FROM memories WHERE id = ?', params: [row.id] };
    const refuse: Statement['refuse'] = ({ rows: [stored] }) => (stored?.['agent_id'] === row.agentId ? undefined : memoryExists(row.id));
    return { ...this.insert(row), returns, refuse };
  }

  /** Replaces the metadata of a memory only if it belongs to the agent. */
  replaceMetadata(agentId: string, id: string, metadata: Readonly<Record<string, unknown>>): Statement {
    return { sql: 'UPDATE memories SET metadata = ? WHERE id = ? AND agent_id = ?', params: [JSON.stringify(metadata), id, agentId] };
  }

  update(row: MemoryRow): Statement {
    return { sql: UPDATE, params: [...CHANGED.params(withWords(row)), row.id] };
  }
}

function withWords(row: MemoryRow): MemoryRow & { readonly words: string | null } {
  return { ...row, words: wordsOfMemory(row.content) };
}

function agentOf({ agentId }: MemoryRow): Parent {
  return { table: 'agents', key: { id: agentId } };
}
