import { Entity } from 'typeorm';
import { InstantColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/** An agent that was deleted although its character file may still be there. */
@Entity('deleted_agents')
export class DeletedAgentRow {
  @PrimaryIdColumn()
  id!: string;

  /** Fingerprint of the file that it was imported from; another one brings it back. */
  @NameColumn({ name: 'source_hash', length: 64 })
  sourceHash!: string;

  @InstantColumn({ name: 'deleted_at' })
  deletedAt!: number;
}
