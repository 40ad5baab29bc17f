import { Injectable } from '@nestjs/common';
import { PAGE_BYTES, Reader, tableOf, type ColumnsOf, type Page, type PageQuery, type SqlValue } from '../../../core/database/index.js';
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
  /** Whether pages are numbered: such a page has `limit` memories, of whatever size. */
  readonly numbered: boolean;
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
const BYTES = RECORDS.bytesOf('m');

type Condition = readonly [sql: string, ...params: SqlValue[]];

/** Reads pages of memories. */
@Injectable()
export class MemoryPagesRepository {
  constructor(private readonly reader: Reader) {}

  async find(agentId: string, id: string): Promise<MemoryRecord | undefined> {
    const sql = `SELECT ${COLUMNS}, e.vector FROM memories m LEFT JOIN memory_vectors e ON e.memory_id = m.id AND e.piece = 0 WHERE m.agent_id = ? AND m.id = ?`;
    return (await this.reader.rows<{ vector: string | null }>(sql, [agentId, id])).map(toMemory)[0];
  }

  /** Newest first, or in the order of `after`. A page ends early when its texts are long. */
  async page(filter: MemoryFilter, paging: MemoryPaging): Promise<Omit<Page<MemoryRecord>, 'bytes'>> {
    const rows: MemoryRecord[] = [];
    let left = PAGE_BYTES;
    // A long page is read in batches, because converting a batch blocks the event loop.
    for (;;) {
      const limit = Math.min(paging.limit - rows.length, BATCH_SIZE);
      const batch = await this.batch(filter, paging, { last: rows.at(-1), limit, maxBytes: left });
      rows.push(...batch.rows);
      left -= batch.bytes;
      if (!batch.more || rows.length === paging.limit || left <= 0) return { rows, more: batch.more };
    }
  }

  /** All `limit` memories of a page, of whatever size, newest first and in parts. */
  async *parts(filter: MemoryFilter, paging: MemoryPaging): AsyncGenerator<readonly MemoryRecord[], void> {
    let left = paging.limit;
    const batches = keysetPages<MemoryRecord>((last) => this.batch(filter, paging, { last, limit: Math.min(left, BATCH_SIZE) }));
    for await (const batch of batches) {
      yield batch;
      left -= batch.length;
      if (left === 0) return;
    }
  }

  /** The position of the last memory that `parts` has when others follow it. */
  async boundary(filter: MemoryFilter, paging: MemoryPaging): Promise<Required<ListPosition> | undefined> {
    const { from, params, order } = listOf(filter, paging);
    const sql = `SELECT m.created_at AS at, m.id ${from} ORDER BY ${order} LIMIT 2 OFFSET ?`;
    const [last, next] = await this.reader.rows<Required<ListPosition>>(sql, [...params, paging.offset + paging.limit - 1]);
    return last && next ? { at: Number(last.at), id: last.id } : undefined;
  }

  private async batch(
    filter: MemoryFilter,
    paging: MemoryPaging,
    { last, limit, maxBytes }: { last?: MemoryRecord; limit: number; maxBytes?: number },
  ): Promise<Page<MemoryRecord>> {
    const vector = paging.withEmbedding
      ? { column: 'e.vector', bytes: `${BYTES} + coalesce(octet_length(e.vector), 0)` }
      : { column: 'NULL AS vector', bytes: BYTES };
    const { from, params, order } = listOf(filter, paging, last);
    const offset = last ? 0 : paging.offset;
    const columns = `${COLUMNS}, ${vector.column}`;
    const { rows, ...page } = await this.reader.page<{ vector: string | null }>({
      columns,
      bytes: vector.bytes,
      from,
      params,
      order,
      limit,
      offset,
      maxBytes,
    });
    return { ...page, rows: rows.map(toMemory) };
  }
}

/** Whether the adjacent newer memories are read, so that the order is that of their age. */
export function isForward({ after, before }: Pick<MemoryPaging, 'after' | 'before'>): boolean {
  return after !== undefined && before === undefined;
}

/** The parts of a query for memories, or for those behind the last one. */
function listOf(filter: MemoryFilter, paging: MemoryPaging, last?: MemoryRecord): Pick<PageQuery, 'from' | 'params' | 'order'> {
  const forward = isForward(paging);
  const afterLast = last ? [positionCondition({ at: last.createdAt, id: last.id }, forward ? '>' : '<')] : [];
  const conditions = [...conditionsOf(filter), ...positionConditions(paging), ...afterLast];
  const vectors = paging.withEmbedding ? 'LEFT JOIN memory_vectors e ON e.memory_id = m.id AND e.piece = 0' : '';
  const order = forward ? 'ASC' : 'DESC';
  return {
    from: `FROM memories m ${vectors} WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`,
    params: conditions.flatMap(([, ...params]) => params),
    order: `m.created_at ${order}, m.id ${order}`,
  };
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
