import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';
import { MemoryRow } from './memory.entity.js';

/** A former state of a memory. Its present state, in `memories`, has the number after the highest one here. */
@Entity('memory_versions')
export class MemoryVersionRow {
  @ForeignKey(() => MemoryRow, { name: 'fk_memory_versions_memory_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'memory_id' })
  memoryId!: string;

  /** 1, 2, 3, … */
  @PrimaryColumn({ type: 'integer' })
  version!: number;

  @JsonColumn()
  content!: Record<string, unknown>;

  @JsonColumn()
  metadata!: Record<string, unknown>;

  @Column({ type: 'boolean' })
  vouched!: boolean;

  /** When the change came that replaced this version. */
  @InstantColumn({ name: 'changed_at' })
  changedAt!: number;

  /** Author of that change: the id of a caller, or `plugin:NAME`. */
  @NameColumn({ name: 'changed_by' })
  changedBy!: string;
}
