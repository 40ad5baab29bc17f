import { Column, Entity, Index } from 'typeorm';
import { CounterColumn, IdColumn, InstantColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/** The usage of a turn, of a summary, or of an extraction of facts. It is kept when the turn, message or channel is deleted, so that totals do not shrink. */
@Entity('usage')
@Index('ix_usage_at', ['at'])
@Index('ix_usage_agent', ['agentId', 'at'])
@Index('ix_usage_user', ['userId', 'at'])
export class UsageRow {
  @PrimaryIdColumn()
  id!: string;

  /** When the turn ended. */
  @InstantColumn()
  at!: number;

  @NameColumn({ length: 16 })
  kind!: 'turn' | 'summary' | 'extraction';

  /** Id of the reply; a new one for an extraction. */
  @IdColumn({ name: 'turn_id' })
  turnId!: string;

  @IdColumn({ name: 'agent_id' })
  agentId!: string;

  @IdColumn({ name: 'channel_id' })
  channelId!: string;

  @IdColumn({ name: 'user_id' })
  userId!: string;

  /** Provider of the last model call. */
  @NameColumn({ nullable: true })
  provider!: string | null;

  @NameColumn({ nullable: true })
  model!: string | null;

  /** Null when no call reported tokens. */
  @CounterColumn({ name: 'input_tokens', nullable: true })
  inputTokens!: number | null;

  @CounterColumn({ name: 'output_tokens', nullable: true })
  outputTokens!: number | null;

  @Column({ type: 'integer' })
  calls!: number;

  @CounterColumn({ name: 'duration_ms' })
  durationMs!: number;
}
