import { Column, Entity, Index } from 'typeorm';
import {
  CounterColumn,
  IdColumn,
  InstantColumn,
  JsonColumn,
  NameColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../../core/database/index.js';

/** Erased rows of a kind. */
export interface ErasedKind {
  readonly kind: string;
  readonly deleted: number;
  readonly redacted: number;
}

/** A request to forget a user. The row is the job that does it (`JobTable`), and afterwards its report. */
@Entity('forget_requests')
@Index('ix_forget_requests_user', ['userHash', 'createdAt'])
@Index('ux_forget_requests_open', ['userHash'], { unique: true, where: `"status" IN ('queued', 'running')` })
@Index('ix_forget_requests_due', ['dueAt'], { where: `"status" IN ('queued', 'running')` })
export class ForgetRequestRow {
  @PrimaryIdColumn()
  id!: string;

  /** The id that `InstallationIds` derives from the user's; without the installation key it does not tell which user it was. */
  @IdColumn({ name: 'user_hash' })
  userHash!: string;

  /** Null once nothing of the user is left to erase. */
  @IdColumn({ name: 'user_id', nullable: true })
  userId!: string | null;

  @CounterColumn({ name: 'up_to' })
  upTo!: number;

  @NameColumn({ length: 16 })
  status!: 'queued' | 'running' | 'done';

  @Column({ type: 'integer' })
  attempts!: number;

  @InstantColumn({ name: 'due_at', nullable: true })
  dueAt!: number | null;

  @IdColumn({ name: 'lease_owner', nullable: true })
  leaseOwner!: string | null;

  @TextColumn({ nullable: true })
  error!: string | null;

  /** Number of completed steps, and the position in the next one. */
  @Column({ type: 'integer' })
  step!: number;

  @TextColumn()
  position!: string;

  @JsonColumn()
  erased!: readonly ErasedKind[];

  /** Names of the backups that still hold the data; null until the end. */
  @JsonColumn({ nullable: true })
  backups!: readonly string[] | null;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  /** Of the last claim, or of the end. */
  @InstantColumn({ name: 'updated_at' })
  updatedAt!: number;
}
