import { Entity } from 'typeorm';
import { InstantColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/** A deleted agent whose character file may still exist. */
@Entity('deleted_agents')
export class DeletedAgentRow {
  @PrimaryIdColumn()
  id!: string;

  /** Hash of the imported file; a file with another hash is imported again. */
  @NameColumn({ name: 'source_hash', length: 64 })
  sourceHash!: string;

  @InstantColumn({ name: 'deleted_at' })
  deletedAt!: number;
}
