import { Injectable } from '@nestjs/common';
import { idKeys, Reader, type Statement } from '../../../core/database/index.js';
import { toVectorText } from '../vector-text.js';

const PENDING = `SELECT id, agent_id, room_id, entity_id, type, content, vouched FROM memories
  WHERE embedded_by IS NULL ORDER BY created_at DESC LIMIT ?`;
const MARK = 'UPDATE memories SET embedded_by = ? WHERE id = ? AND content = ? AND embedded_by IS NULL';
const STORE = `INSERT INTO memory_embeddings (memory_id, agent_id, model, dimension, vector)
  SELECT m.id, m.agent_id, ?, ?, ? FROM memories m WHERE m.id = ? AND m.content = ? AND m.embedded_by = ?
  ON CONFLICT (memory_id) DO UPDATE SET model = excluded.model, dimension = excluded.dimension, vector = excluded.vector`;
const DELETE = 'DELETE FROM memory_embeddings WHERE memory_id = ?';
const DELETE_ALL = 'DELETE FROM memory_embeddings WHERE memory_id IN (SELECT key FROM json_each(?))';

const PAGE = `SELECT m.id, m.room_id, m.type, m.vouched, m.created_at, e.vector
  FROM memories m JOIN memory_embeddings e ON e.memory_id = m.id
  WHERE m.agent_id = ? AND m.created_at <= ? AND (m.created_at < ? OR m.id < ?) AND e.model = ?
  ORDER BY m.created_at DESC, m.id DESC LIMIT ?`;

/** Maximum number of ids of `fetch`. Its SQL is constant, with one placeholder per id. */
export const MAX_FETCHED = 128;
const FETCH = `SELECT m.id, m.room_id, m.type, m.vouched, m.entity_id, m.content, m.metadata, m.created_at, e.vector
  FROM memories m LEFT JOIN memory_embeddings e ON e.memory_id = m.id AND e.model = ?
  WHERE m.id IN (${Array<string>(MAX_FETCHED).fill('?').join(', ')})`;

const LAST_MODEL = 'SELECT model FROM memory_embeddings ORDER BY memory_id DESC LIMIT 1';
const RANGE_END = 'SELECT id FROM memories WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?';
const RESET = 'UPDATE memories SET embedded_by = NULL WHERE id > ? AND id <= ? AND embedded_by <> ?';
const DROP = 'DELETE FROM memory_embeddings WHERE memory_id > ? AND memory_id <= ? AND model <> ?';
// Sorts after every id in every collation; punctuation does not.
const AFTER_ALL_IDS = 'z';

/** A memory without a vector. `content` is the exact stored text, which detects concurrent changes. */
export interface PendingRow {
  id: string;
  agent_id: string;
  room_id: string;
  entity_id: string;
  type: string;
  content: string;
  vouched: boolean | number;
}

export interface VectorRow {
  id: string;
  room_id: string;
  type: string;
  vouched: boolean | number;
  created_at: number;
  vector: string;
}

export interface FetchedRow {
  id: string;
  room_id: string;
  type: string;
  vouched: boolean | number;
  entity_id: string;
  content: string;
  metadata: string;
  created_at: number;
  /** Null when the memory has no vector of the requested model. */
  vector: string | null;
}

/** Start of a page: after the memory with this time and id. */
export interface PageStart {
  readonly createdAt: number;
  readonly id: string;
}

@Injectable()
export class VectorsRepository {
  constructor(private readonly reader: Reader) {}

  /** Memories without a vector, newest first. */
  pending(limit: number): Promise<PendingRow[]> {
    return this.reader.rows<PendingRow>(PENDING, [limit]);
  }

  /** An agent's vectors of a model, newest memory first. */
  page(agentId: string, model: string, { createdAt, id }: PageStart, limit: number): Promise<VectorRow[]> {
    return this.reader.rows<VectorRow>(PAGE, [agentId, createdAt, createdAt, id, model, limit]);
  }

  /** The memories that exist among at most `MAX_FETCHED` ids, in no order. */
  fetch(ids: readonly string[], model: string): Promise<FetchedRow[]> {
    const places = Array.from({ length: MAX_FETCHED }, (_, place) => ids[place] ?? '');
    return this.reader.rows<FetchedRow>(FETCH, [model, ...places]);
  }

  /** Marks a memory as processed by the model, if its content is unchanged. */
  markEmbedded(id: string, content: string, model: string): Statement {
    return { sql: MARK, params: [model, id, content] };
  }

  /** Stores the vector of a memory that `markEmbedded` has just marked; changes nothing otherwise. */
  storeVector(id: string, content: string, model: string, vector: Float32Array): Statement {
    return { sql: STORE, params: [model, vector.length, toVectorText(vector), id, content, model], counted: true };
  }

  delete(id: string): Statement {
    return { sql: DELETE, params: [id] };
  }

  deleteAll(ids: Iterable<string>): Statement {
    return { sql: DELETE_ALL, params: [idKeys(ids)] };
  }

  /** The model of the vector whose memory has the highest id, which `reset` reaches last. */
  async lastModel(): Promise<string | undefined> {
    const [row] = await this.reader.rows<{ model: string }>(LAST_MODEL);
    return row?.model;
  }

  /** The last id of a range of `size` memories after `after`, and whether the range is the last one. */
  async rangeEnd(after: string, size: number): Promise<{ end: string; last: boolean }> {
    const [row] = await this.reader.rows<{ id: string }>(RANGE_END, [after, size - 1]);
    return row ? { end: row.id, last: false } : { end: AFTER_ALL_IDS, last: true };
  }

  /** Deletes the vectors of other models in a range of memories. */
  reset(after: string, end: string, model: string): Statement[] {
    return [
      { sql: RESET, params: [after, end, model] },
      { sql: DROP, params: [after, end, model] },
    ];
  }
}
