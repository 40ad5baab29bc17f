import { Entity, ForeignKey, Index } from 'typeorm';
import { PrimaryIdColumn } from '../../../core/database/index.js';
import { MemoryRow } from './memory.entity.js';

/**
 * A memory that a fact about a user rests on. A trigger deletes the fact with the first of these rows, so a fact never outlives a source,
 * whichever way it is deleted. A memory of type `facts` with such rows was extracted; the agent shows it to that user alone.
 */
@Entity('memory_sources')
@Index('ix_memory_sources_source', ['sourceId'])
export class MemorySourceRow {
  @ForeignKey(() => MemoryRow, { name: 'fk_memory_sources_memory_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'memory_id' })
  memoryId!: string;

  @ForeignKey(() => MemoryRow, { name: 'fk_memory_sources_source_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'source_id' })
  sourceId!: string;
}
