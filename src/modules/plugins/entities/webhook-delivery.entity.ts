import { Column, Entity, Index } from 'typeorm';
import { IdColumn, InstantColumn, NameColumn, PrimaryIdColumn, TextColumn } from '../../../core/database/index.js';

/** What a webhook's sender delivered, and how far its handling has come. */
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

  /** Type and path as the plugin gave them. */
  @TextColumn()
  route!: string;

  @IdColumn({ name: 'agent_id' })
  agentId!: string;

  @NameColumn({ length: 8 })
  mode!: 'inline' | 'ack';

  /** Hash of everything that makes two deliveries the same one. */
  @NameColumn({ name: 'dedupe_key', length: 64 })
  dedupeKey!: string;

  /** The id that the sender gave it. */
  @TextColumn({ name: 'sender_id', nullable: true })
  senderId!: string | null;

  @NameColumn({ length: 16 })
  status!: 'received' | 'running' | 'done' | 'failed' | 'dead';

  @Column({ type: 'integer' })
  attempts!: number;

  /** When somebody may take it up: the next try of a waiting one, the end of the lease of a running one; null when it has ended. */
  @InstantColumn({ name: 'due_at', nullable: true })
  dueAt!: number | null;

  @IdColumn({ name: 'lease_owner', nullable: true })
  leaseOwner!: string | null;

  /** JSON: what a handler gets to see beside the body; null for inline ones, and for old ones that are done. */
  @TextColumn({ nullable: true })
  request!: string | null;

  /** The bytes of the body, base64. */
  @TextColumn({ nullable: true })
  body!: string | null;

  @TextColumn({ nullable: true })
  error!: string | null;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @InstantColumn({ name: 'updated_at' })
  updatedAt!: number;
}
