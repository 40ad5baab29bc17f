import { Column, Entity, ForeignKey } from 'typeorm';
import { IdColumn, NameColumn, PrimaryIdColumn, TextColumn } from '../../../core/database/index.js';
import { MemoryRow } from './memory.entity.js';

@Entity('memory_embeddings')
export class MemoryEmbeddingRow {
  @ForeignKey(() => MemoryRow, { name: 'fk_memory_embeddings_memory_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'memory_id' })
  memoryId!: string;

  @IdColumn({ name: 'agent_id' })
  agentId!: string;

  @NameColumn()
  model!: string;

  @Column({ type: 'integer' })
  dimension!: number;

  /** See vector-text.ts. */
  @TextColumn()
  vector!: string;
}
