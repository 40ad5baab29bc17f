import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, InstantColumn, NameColumn, PrimaryIdColumn, TextColumn } from '../../../core/database/index.js';
import { MemoryRow } from './memory.entity.js';

/** The vector of a piece of a memory's text. */
@Entity('memory_vectors')
// Covers what the index in memory reads of every vector of an agent.
@Index('ix_memory_vectors_agent', ['agentId', 'createdAt', 'memoryId', 'piece', 'model', 'audience', 'signature'])
export class MemoryVectorRow {
  @ForeignKey(() => MemoryRow, { name: 'fk_memory_vectors_memory_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'memory_id' })
  memoryId!: string;

  /** Position in the text, from 0; see `splitIntoPieces`. */
  @PrimaryColumn({ type: 'integer' })
  piece!: number;

  @IdColumn({ name: 'agent_id' })
  agentId!: string;

  @NameColumn()
  model!: string;

  @Column({ type: 'integer' })
  dimension!: number;

  /** See `audienceOf`. */
  @NameColumn({ length: 64 })
  audience!: string;

  /** Of the memory. */
  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  /** See `signatureOf`; base64. */
  @NameColumn({ length: 160 })
  signature!: string;

  /** See vector-text.ts. */
  @TextColumn()
  vector!: string;
}
