import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  cascadingForeignKey,
  id,
  index,
  instant,
  integer,
  key,
  primary,
  table,
  text,
  varchar,
} from '../../../core/database/table-builders.js';

const VECTORS = table(
  'memory_vectors',
  [
    id('memory_id', primary),
    integer('piece', primary),
    id('agent_id'),
    varchar('model'),
    integer('dimension'),
    varchar('audience', 64),
    instant('created_at'),
    varchar('signature', 160),
    text('vector'),
  ],
  {
    foreignKeys: [cascadingForeignKey('memory_vectors', 'memory_id', 'memories')],
    indices: [index('ix_memory_vectors_agent', ['agent_id', 'created_at', 'memory_id', 'piece', 'model', 'audience', 'signature'])],
  },
);
const CLAIMS = table('embedding_claims', [key('memory_id'), id('owner'), instant('expires_at')], {
  foreignKeys: [cascadingForeignKey('embedding_claims', 'memory_id', 'memories')],
});
const FORMER = table(
  'memory_embeddings',
  [id('memory_id', primary), id('agent_id'), varchar('model'), integer('dimension'), text('vector')],
  {
    foreignKeys: [cascadingForeignKey('memory_embeddings', 'memory_id', 'memories')],
  },
);

const PAGE_SIZE = 200;
const PAGE = `SELECT e.memory_id, e.agent_id, e.model, e.dimension, e.vector, m.room_id, m.type, m.vouched, m.created_at
  FROM memory_embeddings e JOIN memories m ON m.id = e.memory_id WHERE e.memory_id > ? ORDER BY e.memory_id LIMIT ${PAGE_SIZE}`;
const COLUMNS = ['memory_id', 'piece', 'agent_id', 'model', 'dimension', 'audience', 'created_at', 'signature', 'vector'];
// The vector of a longer text was the mean of its parts, so these texts are embedded again, in pieces. The limit includes some 100 characters of JSON.
const FORGET_LONG = `DELETE FROM memory_vectors WHERE memory_id IN (SELECT id FROM memories WHERE length(content) > 300)`;
const EMBED_LONG = `UPDATE memories SET embedded_by = NULL WHERE length(content) > 300`;

interface FormerRow {
  memory_id: string;
  agent_id: string;
  model: string;
  dimension: number;
  vector: string;
  room_id: string;
  type: string;
  vouched: boolean | number;
  created_at: number | string;
}

/** Replaces the vector of each memory by vectors of its pieces, with their signatures. */
export class MemoryPieces1765000000000 implements MigrationInterface {
  name = 'MemoryPieces1765000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(VECTORS.clone());
    await runner.createTable(CLAIMS.clone());
    for (let last: string | undefined = ''; last !== undefined;) last = await copyPage(runner, last);
    await runner.query(FORGET_LONG);
    await runner.query(EMBED_LONG);
    await runner.dropTable(FORMER.name);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.createTable(FORMER.clone());
    await runner.query(`INSERT INTO memory_embeddings (memory_id, agent_id, model, dimension, vector)
      SELECT memory_id, agent_id, model, dimension, vector FROM memory_vectors WHERE piece = 0`);
    await runner.dropTable(CLAIMS.name);
    await runner.dropTable(VECTORS.name);
  }
}

/** Copies the vectors after a memory id. @returns the last id; undefined when there are no more */
async function copyPage(runner: QueryRunner, after: string): Promise<string | undefined> {
  const isPostgres = runner.connection.options.type === 'postgres';
  const placeholder = (place: number): string => (isPostgres ? `$${place}` : '?');
  const rows = (await runner.query(PAGE.replace('?', placeholder(1)), [after])) as FormerRow[];
  if (rows.length === 0) return undefined;
  const places = rows.map((_, row) => `(${COLUMNS.map((__, column) => placeholder(row * COLUMNS.length + column + 1)).join(', ')})`);
  const values = rows.flatMap((row) => [
    ...[row.memory_id, 0, row.agent_id, row.model, row.dimension, audienceOf(row), row.created_at],
    ...[signatureOf(row.vector), row.vector],
  ]);
  await runner.query(`INSERT INTO memory_vectors (${COLUMNS.join(', ')}) VALUES ${places.join(', ')}`, values);
  return rows.length < PAGE_SIZE ? undefined : rows.at(-1)?.memory_id;
}

function audienceOf({ agent_id: agentId, room_id: roomId, type, vouched }: FormerRow): string {
  if (type === 'documents' || type === 'knowledge') return 'documents';
  if (roomId === agentId) return 'open';
  return vouched ? roomId : `within ${roomId}`;
}

/** The signs of the first 960 elements, as bits. */
function signatureOf(vector: string): string {
  const bytes = Buffer.from(vector, 'base64');
  const elements = Math.min(Math.floor(bytes.length / 4), 960);
  const words = new Int32Array(Math.ceil(elements / 32));
  for (let i = 0; i < elements; i += 1) {
    if (bytes.readFloatLE(i * 4) > 0) words[i >>> 5] = (words[i >>> 5] ?? 0) | (1 << (i & 31));
  }
  return Buffer.from(words.buffer).toString('base64');
}
