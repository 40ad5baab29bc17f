import { Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { IdColumn, InstantColumn, JsonColumn, PrimaryIdColumn, TextColumn } from '../../../core/database/index.js';

/** A one-off question to an agent. Its status is derived from its turn and the time, and not stored. */
@Entity('jobs')
@Index('ix_jobs_created', ['createdAt', 'id'])
@Index('ix_jobs_channel', ['channelId'])
export class JobRow {
  @PrimaryIdColumn()
  id!: string;

  @IdColumn({ name: 'channel_id' })
  channelId!: string;

  @ManyToOne('ChannelRow', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'channel_id', foreignKeyConstraintName: 'fk_jobs_channel_id' })
  channel?: unknown;

  @IdColumn({ name: 'message_id' })
  messageId!: string;

  @IdColumn({ name: 'agent_id' })
  agentId!: string;

  @IdColumn({ name: 'user_id' })
  userId!: string;

  @TextColumn()
  prompt!: string;

  @JsonColumn()
  metadata!: Record<string, unknown>;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @InstantColumn({ name: 'expires_at' })
  expiresAt!: number;
}
