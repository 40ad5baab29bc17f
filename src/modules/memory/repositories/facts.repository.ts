import { Injectable } from '@nestjs/common';
import { idKeys, Reader, tableOf, type Statement, type Transaction } from '../../../core/database/index.js';
import { MemoryRow, MemorySourceRow } from '../entities/index.js';

const MEMORIES = tableOf(MemoryRow);
const SOURCES = tableOf(MemorySourceRow);
const OF_USER = `SELECT ${MEMORIES.columnsOf('m')},
    (SELECT string_agg(s.source_id, ',') FROM memory_sources s WHERE s.memory_id = m.id) AS sources
  FROM memories m WHERE m.agent_id = ? AND m.entity_id = ? AND m.type = 'facts' AND m.vouched
    AND EXISTS (SELECT 1 FROM memory_sources s WHERE s.memory_id = m.id)`;
const SAID = `SELECT id, entity_id, content, seq, created_at FROM memories
  WHERE agent_id = ? AND room_id = ? AND type = 'messages' AND created_at >= ? AND seq > ?
    AND (entity_id = agent_id OR (entity_id = ? AND vouched))
  ORDER BY seq, created_at, id LIMIT ?`;

export interface FactRow extends MemoryRow {
  /** Ids separated by commas. */
  readonly sources: string;
}

/** A message as the agent remembers it. */
export interface SaidRow {
  readonly id: string;
  readonly entity_id: string;
  readonly content: string;
  readonly seq: number | string;
  readonly created_at: number | string;
}

/** Facts about users, and the memories that they rest on. */
@Injectable()
export class FactsRepository {
  constructor(private readonly reader: Reader) {}

  /** The extracted facts about a user, in no order. A fact that a caller has rewritten without vouching for the user is none any more. */
  async ofUser(agentId: string, userId: string, tx?: Transaction): Promise<FactRow[]> {
    const params = [agentId, userId];
    const rows = await (tx ? tx.rows<FactRow>(OF_USER, params) : this.reader.joined<FactRow>(OF_USER, params));
    return rows.map((row) => MEMORIES.read(row));
  }

  /** What a user, vouched for, and the agent said in a room after a position, oldest first. @param since epoch ms, to read no more than needed */
  said(agentId: string, userId: string, roomId: string, after: number, since: number, limit: number): Promise<SaidRow[]> {
    return this.reader.rows<SaidRow>(SAID, [agentId, roomId, since, after, userId, limit]);
  }

  link(memoryId: string, sourceIds: readonly string[]): Statement[] {
    return sourceIds.map((sourceId) => SOURCES.insert({ memoryId, sourceId }));
  }

  /** Deletes the facts that rest on any of these memories. */
  forget(sourceIds: Iterable<string>): Statement {
    return { sql: 'DELETE FROM memory_sources WHERE source_id IN (SELECT key FROM json_each(?))', params: [idKeys(sourceIds)] };
  }
}
