import { Injectable } from '@nestjs/common';
import { Reader, tableOf, type ColumnsOf, type Outcome, type Page, type SqlValue, type Statement } from '../../core/database/index.js';
import { keysetPages, type ListPosition } from '../../core/http/index.js';
import { AgentLogRow } from './entities/agent-log.entity.js';

const LOGS = tableOf(AgentLogRow);
// One statement for any number of entries. Both engines extract text with ->>; SQLite needs the WHERE before ON CONFLICT.
const INSERT = `INSERT INTO agent_logs (${LOGS.names})
  SELECT c.value ->> 'id', a.id, c.value ->> 'roomId', c.value ->> 'type', CAST(c.value ->> 'level' AS integer), c.value ->> 'body',
    CAST(c.value ->> 'createdAt' AS bigint)
  FROM json_each(?) AS c JOIN agents a ON a.id = c.value ->> 'agentId' WHERE TRUE ON CONFLICT (id) DO NOTHING`;

/** Instants are epoch ms. */
export type AgentLog = ColumnsOf<AgentLogRow>;

/** An entry to be inserted; its body is JSON. */
export type StoredLog = Omit<AgentLog, 'body'> & { readonly body: string };

export interface AgentLogQuery {
  readonly roomId?: string;
  readonly type?: string;
  readonly excludeTypes: readonly string[];
  readonly level?: number;
  readonly search?: string;
  /** Epoch ms, inclusive. */
  readonly from?: number;
  readonly to?: number;
  readonly before?: ListPosition;
  readonly limit: number;
  readonly offset: number;
}

@Injectable()
export class AgentLogsRepository {
  constructor(private readonly reader: Reader) {}

  /** Inserts entries; leaves out those that exist and those of deleted agents. */
  insert(entries: readonly StoredLog[]): Statement {
    const agents = new Set(entries.map(({ agentId }) => agentId));
    const parents = [...agents].map((id) => ({ table: 'agents', key: { id }, optional: true }));
    return { sql: INSERT, params: [JSON.stringify({ ...entries })], parents };
  }

  /** A page of entries, newest first, in parts: its entries are `limit`, of whatever size, because nothing in the list tells that more follow. */
  async *parts(agentId: string, query: AgentLogQuery): AsyncGenerator<readonly AgentLog[], void> {
    let left = query.limit;
    const parts = keysetPages<AgentLog>((last) =>
      this.page(agentId, { ...query, limit: left, ...(last ? { before: { at: last.createdAt, id: last.id }, offset: 0 } : {}) }),
    );
    for await (const part of parts) {
      yield part;
      left -= part.length;
      if (left === 0) return;
    }
  }

  private async page(agentId: string, query: AgentLogQuery): Promise<Page<AgentLog>> {
    const conditions: [string, SqlValue[]][] = [['agent_id = ?', [agentId]]];
    const { roomId, type, excludeTypes, level, search, from, to, before } = query;
    if (roomId !== undefined) conditions.push(['room_id = ?', [roomId]]);
    if (type !== undefined) conditions.push(['type = ?', [type]]);
    if (level !== undefined) conditions.push(['level = ?', [level]]);
    if (search !== undefined) conditions.push([`lower(body) LIKE ? ESCAPE '!'`, [`%${escaped(search.toLowerCase())}%`]]);
    for (const excluded of excludeTypes) {
      // For model calls, a part of the model type matches.
      conditions.push([
        `type <> ? AND NOT (type LIKE 'useModel:%' AND lower(type) LIKE ? ESCAPE '!')`,
        [excluded, `usemodel:%${escaped(excluded.toLowerCase())}%`],
      ]);
    }
    if (from !== undefined) conditions.push(['created_at >= ?', [from]]);
    if (to !== undefined) conditions.push(['created_at <= ?', [to]]);
    if (before?.id !== undefined) conditions.push(['(created_at < ? OR (created_at = ? AND id < ?))', [before.at, before.at, before.id]]);
    else if (before) conditions.push(['created_at < ?', [before.at]]);
    const { rows, ...page } = await this.reader.page({
      columns: LOGS.columnsOf('l'),
      bytes: LOGS.bytesOf('l'),
      from: `FROM agent_logs l WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`,
      params: conditions.flatMap(([, params]) => params),
      order: 'created_at DESC, id DESC',
      limit: query.limit,
      offset: query.offset,
    });
    return { ...page, rows: rows.map((row) => LOGS.read(row)) };
  }

  delete(agentId: string, id: string, refuse: (outcome: Outcome) => ReturnType<NonNullable<Statement['refuse']>>): Statement {
    return { sql: 'DELETE FROM agent_logs WHERE agent_id = ? AND id = ?', params: [agentId, id], refuse };
  }

  /** When the newest entry beyond the limit `kept` was written, epoch ms; undefined when the agent has fewer entries. */
  async cutoff(agentId: string, kept: number): Promise<number | undefined> {
    const [row] = await this.reader.rows<{ created_at: number | string }>(
      `SELECT created_at FROM agent_logs WHERE agent_id = ? ORDER BY created_at DESC LIMIT 1 OFFSET ${kept}`,
      [agentId],
    );
    return row && Number(row.created_at);
  }

  /** Deletes up to `page` entries of an agent that were written at `upTo` or before; the outcome has the count. */
  trim(agentId: string, upTo: number, page: number): Statement {
    return {
      sql: `DELETE FROM agent_logs WHERE id IN
        (SELECT id FROM agent_logs WHERE agent_id = ? AND created_at <= ? ORDER BY created_at LIMIT ${page})`,
      params: [agentId, upTo],
      counted: true,
    };
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&');
}
