import { Injectable } from '@nestjs/common';
import { idKeys, Reader, type Statement } from '../../../core/database/index.js';
import { audienceOf, type AudienceFields } from '../recall/audience.js';
import { signatureOf, type PieceKey } from './vector-index.js';
import { toSignatureText, toVectorText } from './vector-text.js';

const CLAIM = `INSERT INTO embedding_claims (memory_id, owner, expires_at)
  SELECT m.id, CAST(? AS varchar(36)), CAST(? AS bigint) FROM memories m WHERE m.embedded_by IS NULL AND NOT EXISTS
    (SELECT 1 FROM embedding_claims c WHERE c.memory_id = m.id AND c.expires_at > ? AND c.owner <> ?)
  ORDER BY m.created_at DESC LIMIT ?
  ON CONFLICT (memory_id) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
    WHERE embedding_claims.expires_at <= ? OR embedding_claims.owner = excluded.owner`;
const CLAIMED = `SELECT m.id, m.agent_id, m.room_id, m.entity_id, m.type, m.content, m.vouched
  FROM embedding_claims c JOIN memories m ON m.id = c.memory_id WHERE c.owner = ? AND m.embedded_by IS NULL ORDER BY m.created_at DESC`;
const RELEASE = 'DELETE FROM embedding_claims WHERE owner = ?';

const MARK = 'UPDATE memories SET embedded_by = ? WHERE id = ? AND content = ? AND embedded_by IS NULL';
const STORE = `INSERT INTO memory_vectors (memory_id, piece, agent_id, model, dimension, audience, created_at, signature, vector)
  SELECT m.id, CAST(p.key AS integer), m.agent_id, ?, ?, ?, m.created_at, p.value ->> 'signature', p.value ->> 'vector'
  FROM memories m CROSS JOIN json_each(?) AS p WHERE m.id = ? AND m.content = ? AND m.embedded_by = ?
  ON CONFLICT (memory_id, piece) DO UPDATE SET model = excluded.model, dimension = excluded.dimension, audience = excluded.audience,
    signature = excluded.signature, vector = excluded.vector`;
const DELETE = 'DELETE FROM memory_vectors WHERE memory_id = ?';
const DELETE_ALL = 'DELETE FROM memory_vectors WHERE memory_id IN (SELECT key FROM json_each(?))';

const PAGE = `SELECT memory_id, piece, audience, signature, created_at FROM memory_vectors
  WHERE agent_id = ? AND created_at <= ? AND (created_at, memory_id, piece) < (?, ?, ?) AND model = ?
  ORDER BY created_at DESC, memory_id DESC, piece DESC LIMIT ?`;
const OF_MEMORIES = `SELECT memory_id, piece, audience, signature, created_at FROM memory_vectors
  WHERE memory_id IN (SELECT key FROM json_each(?)) AND model = ?`;
const FETCH = `SELECT v.memory_id, v.piece, v.vector FROM json_each(?) AS k
  CROSS JOIN memory_vectors v WHERE v.memory_id = k.value ->> 'id' AND v.piece = CAST(k.value ->> 'piece' AS integer) AND v.model = ?`;

const LAST_MODEL = 'SELECT model FROM memory_vectors ORDER BY memory_id DESC LIMIT 1';
const RANGE_END = 'SELECT id FROM memories WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?';
const RESET = 'UPDATE memories SET embedded_by = NULL WHERE id > ? AND id <= ? AND embedded_by <> ?';
const DROP = 'DELETE FROM memory_vectors WHERE memory_id > ? AND memory_id <= ? AND model <> ?';
// Sorts after every id in every collation; punctuation does not.
const AFTER_ALL_IDS = 'z';

/** A memory without vectors. `content` is the exact stored text, which detects concurrent changes. */
export interface PendingRow extends AudienceFields {
  id: string;
  agent_id: string;
  entity_id: string;
  content: string;
}

/** The signature of a piece. */
export interface SignatureRow {
  memory_id: string;
  piece: number;
  audience: string;
  signature: string;
  created_at: number | string;
}

/** Start of a page: after this piece. */
export interface PageStart extends PieceKey {
  readonly createdAt: number;
}

/** Vectors of the pieces of memories. */
@Injectable()
export class VectorsRepository {
  constructor(private readonly reader: Reader) {}

  /** Whether a memory has not been embedded. */
  async hasPending(): Promise<boolean> {
    return (await this.reader.rows('SELECT 1 FROM memories WHERE embedded_by IS NULL LIMIT 1')).length > 0;
  }

  /**
   * Claims up to `limit` memories without vectors for `owner`, newest first, until `expiresAt`. The outcome's rows are all memories that it
   * has claimed, as `PendingRow`.
   */
  claim(owner: string, limit: number, now: number, expiresAt: number): Statement {
    return { sql: CLAIM, params: [owner, expiresAt, now, owner, limit, now], returns: { sql: CLAIMED, params: [owner] } };
  }

  /** Ends all claims of `owner`. */
  release(owner: string): Statement {
    return { sql: RELEASE, params: [owner] };
  }

  /** The signatures of an agent's vectors of a model, newest memory first. */
  page(agentId: string, model: string, { createdAt, memoryId, piece }: PageStart, limit: number): Promise<SignatureRow[]> {
    return this.reader.rows<SignatureRow>(PAGE, [agentId, createdAt, createdAt, memoryId, piece, model, limit]);
  }

  /** The signatures of these memories, in no order. */
  signaturesOf(memoryIds: Iterable<string>, model: string): Promise<SignatureRow[]> {
    return this.reader.rows<SignatureRow>(OF_MEMORIES, [idKeys(memoryIds), model]);
  }

  /** The vectors that exist among these pieces, in no order. */
  fetch(pieces: readonly PieceKey[], model: string): Promise<{ memory_id: string; piece: number; vector: string }[]> {
    const keys = Object.fromEntries(pieces.map(({ memoryId, piece }, index) => [index, { id: memoryId, piece }]));
    return this.reader.rows(FETCH, [JSON.stringify(keys), model]);
  }

  /** Marks a memory as processed by the model, if its content is unchanged. */
  markEmbedded(id: string, content: string, model: string): Statement {
    return { sql: MARK, params: [model, id, content] };
  }

  /** Stores the vectors of the pieces of a memory that `markEmbedded` has just marked; changes nothing otherwise. */
  storeVectors(
    memory: Pick<PendingRow, 'id' | 'agent_id' | 'content'> & AudienceFields,
    model: string,
    vectors: ReadonlyMap<number, Float32Array>,
  ): Statement {
    const [first = new Float32Array()] = vectors.values();
    const pieces = [...vectors].map(([piece, vector]) => [
      piece,
      { signature: toSignatureText(signatureOf(vector)), vector: toVectorText(vector) },
    ]);
    const audience = audienceOf(memory.agent_id, memory);
    return {
      sql: STORE,
      params: [model, first.length, audience, JSON.stringify(Object.fromEntries(pieces)), memory.id, memory.content, model],
      counted: true,
    };
  }

  delete(memoryId: string): Statement {
    return { sql: DELETE, params: [memoryId] };
  }

  deleteAll(memoryIds: Iterable<string>): Statement {
    return { sql: DELETE_ALL, params: [idKeys(memoryIds)] };
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
