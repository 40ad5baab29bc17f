import { Entity, ForeignKey } from 'typeorm';
import { IdColumn, InstantColumn, PrimaryIdColumn } from '../../../core/database/index.js';
import { MemoryRow } from './memory.entity.js';

/** A memory that a process is embedding. */
@Entity('embedding_claims')
export class EmbeddingClaimRow {
  @ForeignKey(() => MemoryRow, { name: 'fk_embedding_claims_memory_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'memory_id' })
  memoryId!: string;

  @IdColumn()
  owner!: string;

  /** Epoch ms. */
  @InstantColumn({ name: 'expires_at' })
  expiresAt!: number;
}
