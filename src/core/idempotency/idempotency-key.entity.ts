import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, InstantColumn, NameColumn, TextColumn } from '../database/index.js';

/** A request with an Idempotency-Key, and its response once it is complete. */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_age', ['createdAt'])
export class IdempotencyKeyRow {
  /** SHA-256 of caller, operation and key, hexadecimal. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  id!: string;

  /** SHA-256 of the request body. */
  @NameColumn({ length: 64 })
  fingerprint!: string;

  /** The attempt that holds the lease. */
  @IdColumn()
  attempt!: string;

  /** When the lease of the attempt ends, epoch ms. */
  @InstantColumn({ name: 'lease_until' })
  leaseUntil!: number;

  /** 1 when an operation that cannot be repeated has made changes. */
  @Column({ type: 'integer' })
  written!: number;

  /** HTTP status of the response; null while the request is running. */
  @Column({ type: 'integer', nullable: true })
  status!: number | null;

  /** Media type and body of the response, sealed because it may contain a token. */
  @TextColumn({ nullable: true })
  response!: string | null;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
