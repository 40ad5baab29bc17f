import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { IdColumn, InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/** A clock over a channel. How its columns are read: session-policy.ts. */
@Entity('sessions')
@Index('ix_sessions_channel', ['channelId'])
@Index('ix_sessions_deadline', ['status', 'nextDeadline', 'expiresAt', 'warningThresholdMinutes'])
@Index('ix_sessions_newest', ['status', 'createdAt'])
@Index('ix_sessions_agent', ['agentId', 'status'])
@Index('ix_sessions_user', ['userId', 'createdAt'])
export class SessionRow {
  @PrimaryIdColumn()
  id!: string;

  @IdColumn({ name: 'agent_id' })
  agentId!: string;

  @IdColumn({ name: 'channel_id' })
  channelId!: string;

  // Named by text: messaging's entities stay inside messaging. A session goes with its channel.
  @ManyToOne('ChannelRow', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'channel_id', foreignKeyConstraintName: 'fk_sessions_channel_id' })
  channel?: unknown;

  @IdColumn({ name: 'user_id' })
  userId!: string;

  @JsonColumn()
  metadata!: Record<string, unknown>;

  @Column({ name: 'timeout_minutes', type: 'integer' })
  timeoutMinutes!: number;

  @Column({ name: 'auto_renew', type: 'boolean' })
  autoRenew!: boolean;

  @Column({ name: 'max_duration_minutes', type: 'integer' })
  maxDurationMinutes!: number;

  @Column({ name: 'warning_threshold_minutes', type: 'integer' })
  warningThresholdMinutes!: number;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @InstantColumn({ name: 'last_activity' })
  lastActivity!: number;

  /** Instant from which the inactivity timeout counts: the last renewal, or the creation. */
  @InstantColumn({ name: 'renewed_at' })
  renewedAt!: number;

  @InstantColumn({ name: 'expires_at' })
  expiresAt!: number;

  @Column({ name: 'renewal_count', type: 'integer' })
  renewalCount!: number;

  /** The expiry that the last warning was about. */
  @InstantColumn({ name: 'warned_for', nullable: true })
  warnedFor!: number | null;

  @NameColumn({ length: 8 })
  status!: string;

  @InstantColumn({ name: 'closed_at', nullable: true })
  closedAt!: number | null;

  /** Counts every change but renewals and activity, which may overtake each other. */
  @Column({ type: 'integer' })
  revision!: number;

  /** When the announcer has to look at a live session next; when a closed one was closed. */
  @InstantColumn({ name: 'next_deadline' })
  nextDeadline!: number;
}
