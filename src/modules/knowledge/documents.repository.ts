import { Injectable } from '@nestjs/common';
import {
  idKeys,
  Reader,
  tableOf,
  UnitOfWork,
  type Outcome,
  type Row,
  type Statement,
  type Transaction,
} from '../../core/database/index.js';
import { AppError, type ErrorBody } from '../../core/errors/index.js';
import type { ListPosition } from '../../core/http/index.js';
import { append } from '../../core/journal/index.js';
import { JobTable } from '../../core/queue/index.js';
import { DocumentRow } from './entities/index.js';
import type { Document, DocumentColumns, DocumentContent, Loss } from './knowledge.types.js';

const TABLE = tableOf(DocumentRow);
const SELECT = `SELECT ${TABLE.columns}, (SELECT count(*) FROM document_pieces p WHERE p.document_id = documents.id) AS pieces FROM documents`;
const PUT = `ON CONFLICT (id) DO UPDATE SET ${[
  'name',
  'source',
  'location',
  'media_type',
  'charset',
  'size',
  'hash',
  'due_at',
  'updated_at',
]
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')}, status = 'pending', attempts = 0, lease_owner = NULL, error = NULL, losses = NULL, done = 0, total = 0
  WHERE documents.status <> 'removed'`;
// The agents take turns, so that no one waits for all documents of another.
const DUE = `SELECT id FROM (
    SELECT id, due_at, row_number() OVER (PARTITION BY agent_id ORDER BY due_at, id) AS turn FROM documents
    WHERE status IN ('pending', 'running') AND due_at <= ?
  ) d ORDER BY turn, due_at, id LIMIT ?`;
const REMOVE = `UPDATE documents SET status = 'removed', lease_owner = NULL, due_at = NULL, updated_at = ? WHERE id = ?`;

const JOBS = new JobTable({
  queue: 'documents',
  table: 'documents',
  key: ['id'],
  waiting: ['pending'],
  due: 'due_at',
  since: 'created_at',
  onClaim: 'updated_at = ?',
  onEnd: 'updated_at = ?',
});

/** The documents of all agents. Their rows are the jobs of a queue. */
@Injectable()
export class DocumentsRepository {
  readonly table = JOBS;

  constructor(
    private readonly reader: Reader,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async find(agentId: string, id: string): Promise<Document | undefined> {
    const [row] = await this.reader.rows(`${SELECT} WHERE id = ? AND agent_id = ? AND status <> 'removed'`, [id, agentId]);
    return row && documentOf(row);
  }

  /** Reads in a transaction, also a document that is being removed; on PostgreSQL the row stays locked until the transaction ends. */
  async findIn(tx: Transaction, id: string): Promise<Document | undefined> {
    const [row] = await tx.rows(`${SELECT} WHERE id = ? ${tx.locking('FOR UPDATE')}`, [id]);
    return row && documentOf(row);
  }

  async countIn(tx: Transaction, agentId: string): Promise<number> {
    const [row] = await tx.rows<{ n: number | string }>('SELECT count(*) AS n FROM documents WHERE agent_id = ?', [agentId]);
    return Number(row?.n ?? 0);
  }

  /** The newest first. @param before returns only documents after this position of the list */
  async list(agentId: string, limit: number, before?: Required<ListPosition>): Promise<Document[]> {
    const position = before ? 'AND (created_at, id) < (?, ?)' : '';
    const sql = `${SELECT} WHERE agent_id = ? AND status <> 'removed' ${position} ORDER BY created_at DESC, id DESC LIMIT ?`;
    return (await this.reader.rows(sql, [agentId, ...(before ? [before.at, before.id] : []), limit])).map(documentOf);
  }

  /** Number of documents of an agent. */
  async count(agentId: string): Promise<number> {
    const sql = `SELECT count(*) AS n FROM documents WHERE agent_id = ? AND status <> 'removed'`;
    const [row] = await this.reader.rows<{ n: number | string }>(sql, [agentId]);
    return Number(row?.n ?? 0);
  }

  /** The documents of an agent's character, by path. */
  async ofCharacter(agentId: string): Promise<Map<string, Document>> {
    const rows = await this.reader.rows(`${SELECT} WHERE agent_id = ? AND source = 'character' AND status <> 'removed'`, [agentId]);
    return new Map(rows.map(documentOf).map((document) => [document.location ?? '', document]));
  }

  /** Documents whose removal was interrupted. */
  async removed(): Promise<Document[]> {
    return (await this.reader.rows(`${SELECT} WHERE status = 'removed' ORDER BY id LIMIT 1000`)).map(documentOf);
  }

  /** The hashes among these that are contents of documents. */
  async hashesInUse(hashes: readonly string[]): Promise<string[]> {
    const sql = 'SELECT DISTINCT hash FROM documents WHERE hash IN (SELECT key FROM json_each(?))';
    return (await this.reader.rows<{ hash: string }>(sql, [idKeys(hashes)])).map(({ hash }) => hash);
  }

  /** The contents of an agent's documents. */
  async hashesOf(agentId: string): Promise<string[]> {
    const sql = 'SELECT DISTINCT hash FROM documents WHERE agent_id = ? AND hash IS NOT NULL';
    return (await this.reader.rows<{ hash: string }>(sql, [agentId])).map(({ hash }) => hash);
  }

  /** Due documents, those of each agent in order, and when the next becomes due. */
  due(now: number, limit: number): ReturnType<typeof JOBS.withNextDue<{ id: string }>> {
    return JOBS.withNextDue(this.reader, now, this.reader.rows<{ id: string }>(DUE, [now, limit]));
  }

  /** Claims a due document; undefined when another process holds it. */
  async claim(id: string, claim: Statement): Promise<Document | undefined> {
    const row = await JOBS.claimed(this.unitOfWork, claim, { sql: `${SELECT} WHERE id = ?`, params: [id] });
    return row && documentOf(row);
  }

  /** Inserts a document, or makes it pending with other content. Fails while a document with this id is being removed. */
  put(document: DocumentColumns): Statement {
    const refuse = ({ changed }: Outcome): AppError | undefined =>
      changed === 0 ? new AppError('CONFLICT', `The document ${document.name} is being deleted.`, 'Send it again in a moment.') : undefined;
    return { ...TABLE.insert(document, PUT), refuse, counted: true };
  }

  /** Records the downloaded content of a document from the web. */
  setContent(id: string, { hash, size, mediaType, charset }: DocumentContent): Statement {
    const sql = 'UPDATE documents SET hash = ?, size = ?, media_type = ?, charset = ? WHERE id = ?';
    return { sql, params: [hash, size, mediaType, charset, id] };
  }

  setProgress(id: string, done: number, total: number, now: number): Statement {
    return { sql: 'UPDATE documents SET done = ?, total = ?, updated_at = ? WHERE id = ?', params: [done, total, now, id] };
  }

  setIngested(id: string, hash: string, losses: readonly Loss[]): Statement {
    return { sql: 'UPDATE documents SET ingested_hash = ?, losses = ? WHERE id = ?', params: [hash, JSON.stringify(losses), id] };
  }

  /** Marks a document as failed, whatever its state. */
  setFailed(id: string, error: ErrorBody): Statement {
    return {
      sql: `UPDATE documents SET status = 'failed', lease_owner = NULL, error = ? WHERE id = ?`,
      params: [JSON.stringify(error), id],
    };
  }

  /** Hides a document; its ingestion ends, and `delete` follows once its pieces are deleted. */
  remove(id: string, now: number): Statement {
    return { sql: REMOVE, params: [now, id] };
  }

  delete(id: string): Statement {
    return { sql: `DELETE FROM documents WHERE id = ? AND status = 'removed'`, params: [id] };
  }

  deleteAll(agentId: string): Statement {
    return { sql: 'DELETE FROM documents WHERE agent_id = ?', params: [agentId] };
  }

  /** The journal entry about a document's state. */
  updated(document: DocumentColumns, now: number): Statement {
    const { agentId, id: documentId, name, status, done, total, error } = document;
    const shown = status === 'running' ? 'processing' : status === 'removed' ? 'deleted' : status;
    const body = { agentId, documentId, name, status: shown, progress: { done, total }, error: errorOf(error) } as const;
    return append('knowledge.updated', null, body, now);
  }
}

/** The stored error of a document. */
export function errorOf(error: string | null): ErrorBody | null {
  return error === null ? null : (JSON.parse(error) as ErrorBody);
}

function documentOf(row: Row): Document {
  const document = TABLE.read(row) as DocumentColumns & { pieces: number | string };
  return { ...document, pieces: Number(document.pieces) };
}
