import { Column, Entity, Index } from 'typeorm';
import { IdColumn, InstantColumn, NameColumn, PrimaryIdColumn, TextColumn } from '../../../core/database/index.js';

/** A webhook delivery and the state of its handling. */
@Entity('webhook_deliveries')
@Index('ux_webhook_deliveries_dedupe', ['dedupeKey'], { unique: true })
@Index('ix_webhook_deliveries_due', ['plugin', 'dueAt'])
@Index('ix_webhook_deliveries_plugin', ['plugin', 'createdAt', 'id'])
@Index('ix_webhook_deliveries_age', ['status', 'createdAt'])
export class WebhookDeliveryRow {
  @PrimaryIdColumn()
  id!: string;

  @NameColumn({ length: 214 })
  plugin!: string;

  /** Type and path of the route. */
  @TextColumn()
  route!: string;

  @IdColumn({ name: 'agent_id' })
  agentId!: string;

  @NameColumn({ length: 8 })
  mode!: 'inline' | 'ack';

  /** Hash that identifies duplicates of a delivery. */
  @NameColumn({ name: 'dedupe_key', length: 64 })
  dedupeKey!: string;

  /** The delivery id that the sender assigned. */
  @TextColumn({ name: 'sender_id', nullable: true })
  senderId!: string | null;

  @NameColumn({ length: 16 })
  status!: 'received' | 'running' | 'done' | 'failed' | 'dead';

  @Column({ type: 'integer' })
  attempts!: number;

  /** When it can be claimed: the next attempt of a waiting delivery, or the lease expiry of a running one; null when it has ended. */
  @InstantColumn({ name: 'due_at', nullable: true })
  dueAt!: number | null;

  @IdColumn({ name: 'lease_owner', nullable: true })
  leaseOwner!: string | null;

  /** JSON: the request without its body; null for inline deliveries, and for old ones that are done. */
  @TextColumn({ nullable: true })
  request!: string | null;

  /** The body, base64. */
  @TextColumn({ nullable: true })
  body!: string | null;

  /** Trace context of the request: `traceparent`, and `tracestate` after a space; null when traces were off. */
  @TextColumn({ name: 'trace_context', nullable: true })
  traceContext!: string | null;

  @TextColumn({ nullable: true })
  error!: string | null;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @InstantColumn({ name: 'updated_at' })
  updatedAt!: number;
}
