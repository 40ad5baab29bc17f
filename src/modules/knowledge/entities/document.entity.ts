import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn, InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn, TextColumn } from '../../../core/database/index.js';

/** A document of an agent. The row is the job that ingests its current content (`JobTable`). */
@Entity('documents')
@Index('ix_documents_agent', ['agentId', 'createdAt', 'id'])
@Index('ix_documents_due', ['dueAt'], { where: `"status" IN ('pending', 'running')` })
@Index('ix_documents_hash', ['hash'])
export class DocumentRow {
  @PrimaryIdColumn()
  id!: string;

  @ForeignKey('agents', { name: 'fk_documents_agent_id', onDelete: 'CASCADE' })
  @IdColumn({ name: 'agent_id' })
  agentId!: string;

  @NameColumn()
  name!: string;

  @NameColumn({ length: 16 })
  source!: 'upload' | 'text' | 'url' | 'character';

  /** The address of a document from the web, or the path of a character's file below the characters folder. */
  @TextColumn({ nullable: true })
  location!: string | null;

  /** Null until the type of the content is known. */
  @NameColumn({ name: 'media_type', length: 100, nullable: true })
  mediaType!: string | null;

  /** The charset of a text; null for UTF-8, and for other documents. */
  @NameColumn({ length: 40, nullable: true })
  charset!: string | null;

  /** Bytes; null until a document from the web has been downloaded. */
  @InstantColumn({ nullable: true })
  size!: number | null;

  /** SHA-256 of the content to ingest, hexadecimal; null until it has been downloaded. */
  @NameColumn({ length: 64, nullable: true })
  hash!: string | null;

  /** The content of which all pieces are stored. */
  @NameColumn({ name: 'ingested_hash', length: 64, nullable: true })
  ingestedHash!: string | null;

  /** What the reader could not read of the content, each named by a noun in the plural; null until it has been read. */
  @JsonColumn({ nullable: true })
  losses!: readonly { readonly what: string; readonly count: number }[] | null;

  /** `pending`, `running`, `ready`, `failed`; `removed` while the pieces of a deleted document are being deleted. */
  @NameColumn({ length: 16 })
  status!: 'pending' | 'running' | 'ready' | 'failed' | 'removed';

  @Column({ type: 'integer' })
  attempts!: number;

  @InstantColumn({ name: 'due_at', nullable: true })
  dueAt!: number | null;

  @IdColumn({ name: 'lease_owner', nullable: true })
  leaseOwner!: string | null;

  /** JSON of the error body of the last failure. */
  @TextColumn({ nullable: true })
  error!: string | null;

  /** Pieces stored so far, and pieces of the content; 0 until it has been read. */
  @Column({ type: 'integer' })
  done!: number;

  @Column({ type: 'integer' })
  total!: number;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @InstantColumn({ name: 'updated_at' })
  updatedAt!: number;
}
