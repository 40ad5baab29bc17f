import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn, PrimaryIdColumn, TextColumn } from '../../../core/database/index.js';
import { DocumentRow } from './document.entity.js';

/** The place of a piece in its document. Its text is a memory. */
@Entity('document_pieces')
@Index('ix_document_pieces_place', ['documentId', 'position', 'memoryId'])
export class DocumentPieceRow {
  @ForeignKey('memories', { name: 'fk_document_pieces_memory_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'memory_id' })
  memoryId!: string;

  @ForeignKey(() => DocumentRow, { name: 'fk_document_pieces_document_id', onDelete: 'CASCADE' })
  @IdColumn({ name: 'document_id' })
  documentId!: string;

  /** From 0, in the order of the document. */
  @Column({ type: 'integer' })
  position!: number;

  /** The headings above the piece, outermost first, joined with " › "; empty without headings. */
  @TextColumn()
  heading!: string;

  /** Of a PDF, from 1. */
  @Column({ type: 'integer', nullable: true })
  page!: number | null;
}
