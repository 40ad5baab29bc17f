import { Injectable } from '@nestjs/common';
import { Reader, type Row, type SqlValue } from '../../../core/database/index.js';
import { keysetPages, type ListPosition } from '../../../core/http/index.js';
import { fromVectorText } from '../vector-text.js';

const READ_AT_ONCE = 200;

/** Which memories of an agent. */
export interface MemoryFilter {
  readonly agentId: string;
  readonly type?: string;
  readonly roomId?: string;
  readonly entityId?: string;
  /** Text that the content has somewhere in it; upper and lower case of a to z are the same. */
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
  /** Newer than this; the page next to it is read. */
  readonly after?: ListPosition;
  readonly withEmbedding: boolean;
}

/** A memory as it is shown. */
export interface ShownMemory {
  readonly id: string;
  readonly agentId: string;
  readonly roomId: string;
  readonly entityId: string;
  readonly worldId: string | null;
  readonly type: string;
  readonly content: Record<string, unknown>;
  readonly metadata: Record<string, unknown>;
  readonly isUnique: boolean;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly embedding?: readonly number[];
}

const COLUMNS = 'm.id, m.agent_id, m.room_id, m.entity_id, m.world_id, m.type, m.content, m.metadata, m.is_unique, m.created_at';

type Condition = readonly [sql: string, ...params: SqlValue[]];

/** Reads lists of memories. */
@Injectable()
export class MemoryPagesRepository {
  constructor(private readonly reader: Reader) {}

  async find(agentId: string, id: string): Promise<ShownMemory | undefined> {
    const sql = `SELECT ${COLUMNS}, e.vector FROM memories m LEFT JOIN memory_embeddings e ON e.memory_id = m.id WHERE m.agent_id = ? AND m.id = ?`;
    return (await this.reader.rows(sql, [agentId, id])).map(toMemory)[0];
  }

  /** Newest first, one more than the limit when there are more. */
  async page(filter: MemoryFilter, paging: MemoryPaging): Promise<ShownMemory[]> {
    const { limit, offset, after, before, withEmbedding } = paging;
    const forward = after !== undefined && before === undefined;
    const order = forward ? 'ASC' : 'DESC';
    const vector = withEmbedding ? ['e.vector', 'LEFT JOIN memory_embeddings e ON e.memory_id = m.id'] : ['NULL AS vector', ''];
    // A long page is read in parts: what is read at once is also turned into objects at once.
    const size = Math.min(limit + 1, READ_AT_ONCE);
    const parts = keysetPages<ShownMemory>(size, async (last) => {
      const behind: Condition[] = last ? [placeOf({ at: last.createdAt, id: last.id }, forward ? '>' : '<')] : [];
      const conditions = [...conditionsOf(filter), ...placesOf(paging), ...behind];
      const rows = await this.reader.rows(
        `SELECT ${COLUMNS}, ${vector[0]} FROM memories m ${vector[1]} WHERE ${conditions.map(([sql]) => sql).join(' AND ')}
          ORDER BY m.created_at ${order}, m.id ${order} LIMIT ? OFFSET ?`,
        [...conditions.flatMap(([, ...params]) => params), size, last ? 0 : offset],
      );
      return rows.map(toMemory);
    });
    const found: ShownMemory[] = [];
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
    ...(search === undefined ? [] : [[`lower(m.content) LIKE ? ESCAPE '!'`, containing(search)] as const]),
  ];
}

function placesOf({ before, after }: MemoryPaging): Condition[] {
  return [...(before === undefined ? [] : [placeOf(before, '<')]), ...(after === undefined ? [] : [placeOf(after, '>')])];
}

function placeOf({ at, id }: ListPosition, than: '<' | '>'): Condition {
  if (id === undefined) return [`m.created_at ${than} ?`, at];
  return [`m.created_at ${than}= ? AND (m.created_at ${than} ? OR m.id ${than} ?)`, at, at, id];
}

/** The pattern that finds a text inside the JSON of a content. */
function containing(text: string): string {
  const inJson = JSON.stringify(text).slice(1, -1).toLowerCase();
  return `%${inJson.replace(/[!%_]/g, '!$&')}%`;
}

function toMemory(row: Row): ShownMemory {
  return {
    id: row['id'] as string,
    agentId: row['agent_id'] as string,
    roomId: row['room_id'] as string,
    entityId: row['entity_id'] as string,
    worldId: row['world_id'] as string | null,
    type: row['type'] as string,
    content: JSON.parse(row['content'] as string) as Record<string, unknown>,
    metadata: JSON.parse(row['metadata'] as string) as Record<string, unknown>,
    // SQLite has 0 and 1 for it.
    isUnique: Boolean(row['is_unique']),
    createdAt: Number(row['created_at']),
    ...(typeof row['vector'] === 'string' ? { embedding: [...fromVectorText(row['vector'])] } : {}),
  };
}
