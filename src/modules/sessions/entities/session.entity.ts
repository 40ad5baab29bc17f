import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { IdColumn, InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/** A session: an expiry over a channel; see session-lifetime.ts. */
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

  // Named by string, because messaging's entities are private to messaging.
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

  /** Start of the inactivity timeout: the last renewal, or the creation. */
  @InstantColumn({ name: 'renewed_at' })
  renewedAt!: number;

  @InstantColumn({ name: 'expires_at' })
  expiresAt!: number;

  @Column({ name: 'renewal_count', type: 'integer' })
  renewalCount!: number;

  /** The expiry that the last warning announced. */
  @InstantColumn({ name: 'warned_for', nullable: true })
  warnedFor!: number | null;

  @NameColumn({ length: 8 })
  status!: 'live' | 'expired' | 'ended';

  @InstantColumn({ name: 'closed_at', nullable: true })
  closedAt!: number | null;

  /** Counts all changes except renewals and activity, which may run concurrently. */
  @Column({ type: 'integer' })
  revision!: number;

  /** Next deadline of a live session for the expiry monitor; for a closed session, when it was closed. */
  @InstantColumn({ name: 'next_deadline' })
  nextDeadline!: number;
}
