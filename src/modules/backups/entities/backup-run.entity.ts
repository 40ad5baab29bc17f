import { Column, Entity, Index } from 'typeorm';
import { CounterColumn, IdColumn, InstantColumn, JsonColumn, NameColumn, TextColumn } from '../../../core/database/index.js';
import type { ErrorBody } from '../../../core/errors/index.js';

/** A due backup of the schedule. The row is the job that makes it (`JobTable`), and afterwards its record. */
@Entity('backup_runs')
@Index('ix_backup_runs_due', ['dueAt'], { where: `"status" IN ('queued', 'running')` })
export class BackupRunRow {
  /** The instant of the schedule, ISO 8601, so that a fleet has one row for each. */
  @NameColumn({ length: 36, primary: true })
  tick!: string;

  @NameColumn({ length: 16 })
  status!: 'queued' | 'running' | 'complete' | 'failed';

  @Column({ type: 'integer' })
  attempts!: number;

  @InstantColumn({ name: 'due_at', nullable: true })
  dueAt!: number | null;

  @IdColumn({ name: 'lease_owner', nullable: true })
  leaseOwner!: string | null;

  /** Why the last attempt failed. */
  @JsonColumn({ nullable: true })
  error!: ErrorBody | null;

  /** Name of the backup of the last attempt. */
  @TextColumn({ nullable: true })
  name!: string | null;

  /** Its address, for `parley restore`. */
  @TextColumn({ nullable: true })
  address!: string | null;

  /** Bytes; null unless it is complete. */
  @CounterColumn({ nullable: true })
  size!: number | null;

  /** When the rehearsal of its restore found no fault. */
  @InstantColumn({ name: 'verified_at', nullable: true })
  verifiedAt!: number | null;

  /** Begin and end of the last attempt. */
  @InstantColumn({ name: 'started_at', nullable: true })
  startedAt!: number | null;

  @InstantColumn({ name: 'ended_at', nullable: true })
  endedAt!: number | null;
}
