import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { CounterColumn, IdColumn, InstantColumn, PrimaryIdColumn, NameColumn, TextColumn } from '../../../core/database/index.js';

/** What an agent has not read yet of what a user told it in a channel. The row is the job that reads it (`JobTable`). */
@Entity('profile_jobs')
@Index('ix_profile_jobs_due', ['dueAt'], { where: `"status" IN ('pending', 'running')` })
@Index('ix_profile_jobs_profile', ['profileId'])
@Index('ix_profile_jobs_channel', ['channelId'])
export class ProfileJobRow {
  @ForeignKey('agents', { name: 'fk_profile_jobs_agent_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'agent_id' })
  agentId!: string;

  @ForeignKey('channels', { name: 'fk_profile_jobs_channel_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'channel_id' })
  channelId!: string;

  @PrimaryIdColumn({ name: 'user_id' })
  userId!: string;

  /** The agent's own id for the user: jobs of one profile do not overlap. */
  @IdColumn({ name: 'profile_id' })
  profileId!: string;

  /** `done` when nothing is unread; `failed` jobs wait for the next turn. */
  @NameColumn({ length: 16 })
  status!: 'pending' | 'running' | 'done' | 'failed';

  @Column({ type: 'integer' })
  attempts!: number;

  @InstantColumn({ name: 'due_at', nullable: true })
  dueAt!: number | null;

  @IdColumn({ name: 'lease_owner', nullable: true })
  leaseOwner!: string | null;

  @TextColumn({ nullable: true })
  error!: string | null;

  /** Turns since the last reading. */
  @Column({ type: 'integer' })
  unread!: number;

  /** Messages up to this position of the channel have been read. */
  @CounterColumn({ name: 'read_seq' })
  readSeq!: number;

  /** The time of the last message that was read. */
  @InstantColumn({ name: 'read_at' })
  readAt!: number;

  /** When the job became pending; the jobs of a profile run in this order. */
  @InstantColumn({ name: 'noted_at' })
  notedAt!: number;

  @InstantColumn({ name: 'updated_at' })
  updatedAt!: number;
}
