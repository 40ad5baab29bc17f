import { Entity, Index } from 'typeorm';
import { CounterColumn, IdColumn, InstantColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/** What a process measured of itself and of the database at one time. */
@Entity('server_samples')
@Index('ix_server_samples_at', ['at'])
export class ServerSampleRow {
  @PrimaryIdColumn()
  id!: string;

  @InstantColumn()
  at!: number;

  /** A new one for each start of a process. */
  @IdColumn({ name: 'process_id' })
  processId!: string;

  /** Resident set size of the process, bytes. */
  @CounterColumn({ name: 'memory_bytes' })
  memoryBytes!: number;

  @CounterColumn({ name: 'database_bytes' })
  databaseBytes!: number;
}
