import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import {
  CounterColumn,
  IdColumn,
  InstantColumn,
  JsonColumn,
  NameColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../../core/database/index.js';

/** `suspended`: it waits for the results of tools that the caller runs, until `leaseUntil`. */
export type TurnStatus = 'queued' | 'running' | 'suspended' | 'done' | 'failed' | 'cancelled';

/**
 * A pending or finished reply of an agent to a message. The reply id is derived from the message and the agent, so each pair has exactly
 * one.
 */
@Entity('turns')
@Index('ix_turns_owed', ['channelId', 'seq', 'agentId'], { where: `"status" IN ('queued', 'running')` })
@Index('ix_turns_suspended', ['leaseUntil'], { where: `"status" = 'suspended'` })
@Index('ix_turns_channel', ['channelId', 'seq'])
@Index('ix_turns_agent', ['agentId', 'createdAt'])
@Index('ix_turns_reply', ['replyId'])
@Index('ix_turns_created', ['createdAt', 'replyId'])
@Index('ix_turns_wrong_created', ['createdAt', 'replyId'], { where: `"status" IN ('failed', 'cancelled')` })
@Index('ix_turns_wrong', ['agentId', 'createdAt'], { where: `"status" IN ('failed', 'cancelled')` })
export class TurnRow {
  @PrimaryIdColumn({ name: 'message_id' })
  messageId!: string;

  @PrimaryIdColumn({ name: 'agent_id' })
  agentId!: string;

  @IdColumn({ name: 'channel_id' })
  channelId!: string;

  // Referenced by name, because entities are private to their module. Turns are deleted with their message and channel.
  @ManyToOne('MessageRow', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'message_id', foreignKeyConstraintName: 'fk_turns_message_id' })
  message?: unknown;

  @ManyToOne('ChannelRow', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'channel_id', foreignKeyConstraintName: 'fk_turns_channel_id' })
  channel?: unknown;

  @CounterColumn()
  seq!: number;

  @NameColumn({ length: 16 })
  status!: TurnStatus;

  @Column({ type: 'integer' })
  attempts!: number;

  /** Of these attempts, those that a stop of the server ended. */
  @Column({ type: 'integer', default: 0 })
  releases!: number;

  @IdColumn({ name: 'lease_owner', nullable: true })
  leaseOwner!: string | null;

  @InstantColumn({ name: 'lease_until', nullable: true })
  leaseUntil!: number | null;

  @NameColumn({ name: 'request_id', length: 128, nullable: true })
  requestId!: string | null;

  /** Trace context of the request: `traceparent`, and `tracestate` after a space; null when traces were off. */
  @TextColumn({ name: 'trace_context', nullable: true })
  traceContext!: string | null;

  @IdColumn({ name: 'reply_id', nullable: true })
  replyId!: string | null;

  @JsonColumn({ nullable: true })
  error!: Record<string, unknown> | null;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @InstantColumn({ name: 'started_at', nullable: true })
  startedAt!: number | null;

  @InstantColumn({ name: 'finished_at', nullable: true })
  finishedAt!: number | null;
}
