import { Injectable } from '@nestjs/common';
import { idKeys, Reader, tableOf, type ColumnsOf, type Statement } from '../../core/database/index.js';
import { keysetPages } from '../../core/http/index.js';
import { DocumentPieceRow } from './entities/index.js';
import type { Passage, PiecePlace } from './knowledge.types.js';

const TABLE = tableOf(DocumentPieceRow);
const PLACE = TABLE.pick('position', 'heading', 'page');

/** Rows become objects on the main thread. */
const PLACES_PER_QUERY = 500;

type PieceRow = ColumnsOf<DocumentPieceRow>;

/** The places of pieces in their documents. A piece is deleted together with its memory. */
@Injectable()
export class PiecesRepository {
  constructor(private readonly reader: Reader) {}

  /** The places of a document's pieces in order. @param after returns only pieces behind this position */
  async places(documentId: string, after: number, limit: number): Promise<PiecePlace[]> {
    const sql = `SELECT ${TABLE.columns} FROM document_pieces WHERE document_id = ? AND position > ? ORDER BY position, memory_id LIMIT ?`;
    return (await this.reader.rows(sql, [documentId, after, limit])).map((row) => TABLE.read(row));
  }

  /** All places of a document's pieces, by memory id. */
  async ofDocument(documentId: string): Promise<Map<string, PiecePlace>> {
    const sql = `SELECT ${TABLE.columns} FROM document_pieces
      WHERE document_id = ? AND (position, memory_id) > (?, ?) ORDER BY position, memory_id LIMIT ?`;
    const pages = keysetPages<PieceRow>(async (last) => {
      const after = last ? [last.position, last.memoryId] : [-1, ''];
      const rows = await this.reader.rows(sql, [documentId, ...after, PLACES_PER_QUERY]);
      return { rows: rows.map((row) => TABLE.read(row)), more: rows.length === PLACES_PER_QUERY };
    });
    const places = new Map<string, PiecePlace>();
    for await (const page of pages) for (const place of page) places.set(place.memoryId, place);
    return places;
  }

  /** Memory ids of some pieces of a document. */
  async someIds(documentId: string, limit: number): Promise<string[]> {
    const sql = 'SELECT memory_id FROM document_pieces WHERE document_id = ? LIMIT ?';
    return (await this.reader.rows<{ memory_id: string }>(sql, [documentId, limit])).map((row) => row.memory_id);
  }

  /** The pieces of an agent among these memories, with their documents. */
  async passages(agentId: string, memoryIds: readonly string[]): Promise<Omit<Passage, 'place'>[]> {
    const sql = `SELECT ${TABLE.columnsOf('p')}, d.name AS document, d.source, d.location FROM document_pieces p
      JOIN documents d ON d.id = p.document_id
      WHERE p.memory_id IN (SELECT key FROM json_each(?)) AND d.agent_id = ? AND d.status <> 'removed'`;
    const rows = await this.reader.rows<Pick<Passage, 'document' | 'source'> & { location: string | null }>(sql, [
      idKeys(memoryIds),
      agentId,
    ]);
    return rows.map((row) => {
      const { location, ...passage } = TABLE.read(row);
      return { ...passage, url: passage.source === 'url' ? location : null };
    });
  }

  insert(piece: PieceRow): Statement {
    return TABLE.insert(piece, 'ON CONFLICT (memory_id) DO NOTHING');
  }

  move(place: PiecePlace): Statement {
    return { sql: `UPDATE document_pieces SET ${PLACE.assignments} WHERE memory_id = ?`, params: [...PLACE.params(place), place.memoryId] };
  }
}
