import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, InstantColumn, NameColumn, TextColumn } from '../database/index.js';

/** A request that came with an Idempotency-Key, and its answer once there is one. */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_age', ['createdAt'])
export class IdempotencyKeyRow {
  /** SHA-256 of caller, operation and key, hexadecimal. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  id!: string;

  /** SHA-256 of what was sent. */
  @NameColumn({ length: 64 })
  fingerprint!: string;

  /** The attempt that works on it. */
  @IdColumn()
  attempt!: string;

  /** An attempt that has not ended by then has died. */
  @InstantColumn({ name: 'lease_until' })
  leaseUntil!: number;

  /** 1 when an operation that cannot be repeated has written something. */
  @Column({ type: 'integer' })
  written!: number;

  /** HTTP status of the answer; null while there is none. */
  @Column({ type: 'integer', nullable: true })
  status!: number | null;

  /** Media type and body of the answer, sealed: there may be a token in it. */
  @TextColumn({ nullable: true })
  answer!: string | null;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
