import { Injectable } from '@nestjs/common';
import { idKeys, Reader } from '../../../core/database/index.js';
import { parseOrigin, parseTextPrefix } from '../memory-json.js';
import type { AudienceFields } from './audience.js';

// A memory may have 100,000 characters, and a recall reads many.
const MAX_CONTENT = 33_000;
// CROSS JOIN, because SQLite would else read all memories of the agent.
const READ = `SELECT m.id, room_id, m.type, vouched, entity_id, substr(content, 1, ${MAX_CONTENT}) AS content, metadata, embedded_by, created_at,
    EXISTS (SELECT 1 FROM memory_sources s WHERE s.memory_id = m.id) AS extracted
  FROM json_each(?) AS k CROSS JOIN memories m WHERE m.id = k.key AND m.agent_id = ?`;

/** A memory as recall sees it. */
export interface RecallRow extends AudienceFields {
  readonly id: string;
  readonly type: string;
  readonly authorId: string;
  readonly authorName: string | null;
  /** The beginning of a long text. */
  readonly text: string;
  /** Whether the semantic search can find it. */
  readonly isEmbedded: boolean;
  /** Whether it is an extracted fact about a user. */
  readonly isExtracted?: boolean;
  /** Epoch ms. */
  readonly at: number;
}

interface StoredRow extends AudienceFields {
  readonly id: string;
  readonly entity_id: string;
  readonly content: string;
  readonly metadata: string;
  readonly embedded_by: string | null;
  readonly created_at: number | string;
  readonly extracted: boolean | number;
}

/** Reads the memories that a search has found. */
@Injectable()
export class RecallRowsRepository {
  constructor(private readonly reader: Reader) {}

  /** The agent's memories that exist among these ids. */
  async read(agentId: string, ids: Iterable<string>): Promise<ReadonlyMap<string, RecallRow>> {
    const rows = await this.reader.rows<StoredRow>(READ, [idKeys(ids), agentId]);
    return new Map(rows.map((row) => [row.id, toRecallRow(row)]));
  }

  /** A function as `read` for the parts of one search, which reads each memory once. */
  once(agentId: string): (ids: readonly string[]) => Promise<ReadonlyMap<string, RecallRow>> {
    const reads = new Map<string, Promise<ReadonlyMap<string, RecallRow>>>();
    return async (ids) => {
      const others = new Set(ids.filter((id) => !reads.has(id)));
      if (others.size > 0) {
        const reading = this.read(agentId, others);
        for (const id of others) reads.set(id, reading);
        // The other part may succeed.
        reading.catch(() => others.forEach((id) => reads.delete(id)));
      }
      const found = new Map<string, RecallRow>();
      for (const id of ids) {
        const row = (await reads.get(id))?.get(id);
        if (row) found.set(id, row);
      }
      return found;
    };
  }
}

function toRecallRow(row: StoredRow): RecallRow {
  const { id, room_id, type, vouched, entity_id: authorId } = row;
  const { authorName } = parseOrigin(row.metadata);
  const isEmbedded = row.embedded_by !== null;
  const isExtracted = Boolean(row.extracted);
  const text = parseTextPrefix(row.content);
  return { id, room_id, type, vouched, authorId, authorName, text, isEmbedded, isExtracted, at: Number(row.created_at) };
}
