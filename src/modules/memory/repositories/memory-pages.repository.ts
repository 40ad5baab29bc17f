import { Injectable } from '@nestjs/common';
import { Reader, tableOf, type ColumnsOf, type SqlValue } from '../../../core/database/index.js';
import { keysetPages, type ListPosition } from '../../../core/http/index.js';
import { MemoryRow } from '../entities/index.js';
import { fromVectorText } from '../vectors/vector-text.js';

const BATCH_SIZE = 200;

/** Filter of an agent's memories. */
export interface MemoryFilter {
  readonly agentId: string;
  readonly type?: string;
  readonly roomId?: string;
  readonly entityId?: string;
  /** Substring of the content; a to z match in either case. */
  readonly search?: string;
  /** Epoch ms, inclusive. */
  readonly from?: number;
  /** Epoch ms, inclusive. */
  readonly to?: number;
  readonly uniqueOnly?: boolean;
}

export interface MemoryPaging {
  readonly limit: number;
  readonly offset: number;
  /** Older than this. */
  readonly before?: ListPosition;
  /** Newer than this; the adjacent page is read. */
  readonly after?: ListPosition;
  readonly withEmbedding: boolean;
}

/** A memory as the API returns it. Instants are epoch ms. */
export interface MemoryRecord extends Omit<ColumnsOf<MemoryRow>, 'seq' | 'embeddedBy' | 'vouched'> {
  readonly embedding?: readonly number[];
}

const RECORDS = tableOf(MemoryRow).omit('seq', 'embeddedBy', 'vouched');
const COLUMNS = RECORDS.columnsOf('m');

type Condition = readonly [sql: string, ...params: SqlValue[]];

/** Reads pages of memories. */
@Injectable()
export class MemoryPagesRepository {
  constructor(private readonly reader: Reader) {}

  async find(agentId: string, id: string): Promise<MemoryRecord | undefined> {
    const sql = `SELECT ${COLUMNS}, e.vector FROM memories m LEFT JOIN memory_vectors e ON e.memory_id = m.id AND e.piece = 0 WHERE m.agent_id = ? AND m.id = ?`;
    return (await this.reader.rows<{ vector: string | null }>(sql, [agentId, id])).map(toMemory)[0];
  }

  /** Newest first; one more than the limit when there are more. */
  async page(filter: MemoryFilter, paging: MemoryPaging): Promise<MemoryRecord[]> {
    const { limit, offset, after, before, withEmbedding } = paging;
    const forward = after !== undefined && before === undefined;
    const order = forward ? 'ASC' : 'DESC';
    const vector = withEmbedding
      ? ['e.vector', 'LEFT JOIN memory_vectors e ON e.memory_id = m.id AND e.piece = 0']
      : ['NULL AS vector', ''];
    // A long page is read in batches, because converting a batch blocks the event loop.
    const size = Math.min(limit + 1, BATCH_SIZE);
    const parts = keysetPages<MemoryRecord>(size, async (last) => {
      const afterLast: Condition[] = last ? [positionCondition({ at: last.createdAt, id: last.id }, forward ? '>' : '<')] : [];
      const conditions = [...conditionsOf(filter), ...positionConditions(paging), ...afterLast];
      const rows = await this.reader.rows<{ vector: string | null }>(
        `SELECT ${COLUMNS}, ${vector[0]} FROM memories m ${vector[1]} WHERE ${conditions.map(([sql]) => sql).join(' AND ')}
          ORDER BY m.created_at ${order}, m.id ${order} LIMIT ? OFFSET ?`,
        [...conditions.flatMap(([, ...params]) => params), size, last ? 0 : offset],
      );
      return rows.map(toMemory);
    });
    const found: MemoryRecord[] = [];
    for await (const part of parts) {
      found.push(...part);
      if (found.length > limit) break;
    }
    return found.slice(0, limit + 1);
  }
}

function conditionsOf({ agentId, type, roomId, entityId, search, from, to, uniqueOnly }: MemoryFilter): Condition[] {
  return [
    ['m.agent_id = ?', agentId],
    ...(type === undefined ? [] : [['m.type = ?', type] as const]),
    ...(roomId === undefined ? [] : [['m.room_id = ?', roomId] as const]),
    ...(entityId === undefined ? [] : [['m.entity_id = ?', entityId] as const]),
    ...(from === undefined ? [] : [['m.created_at >= ?', from] as const]),
    ...(to === undefined ? [] : [['m.created_at <= ?', to] as const]),
    ...(uniqueOnly === true ? [['m.is_unique = ?', true] as const] : []),
    ...(search === undefined ? [] : [[`lower(m.content) LIKE ? ESCAPE '!'`, likePattern(search)] as const]),
  ];
}

function positionConditions({ before, after }: MemoryPaging): Condition[] {
  return [
    ...(before === undefined ? [] : [positionCondition(before, '<')]),
    ...(after === undefined ? [] : [positionCondition(after, '>')]),
  ];
}

function positionCondition({ at, id }: ListPosition, than: '<' | '>'): Condition {
  if (id === undefined) return [`m.created_at ${than} ?`, at];
  return [`m.created_at ${than}= ? AND (m.created_at ${than} ? OR m.id ${than} ?)`, at, at, id];
}

/** The LIKE pattern that finds a text in the JSON of a content. */
function likePattern(text: string): string {
  const inJson = JSON.stringify(text).slice(1, -1).toLowerCase();
  return `%${inJson.replace(/[!%_]/g, '!$&')}%`;
}

function toMemory(row: { vector: string | null }): MemoryRecord {
  const { vector, ...memory } = RECORDS.read(row);
  return vector === null ? memory : { ...memory, embedding: [...fromVectorText(vector)] };
}
