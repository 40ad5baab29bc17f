import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { CounterColumn, IdColumn, InstantColumn, NameColumn, PrimaryIdColumn, TextColumn } from '../../../core/database/index.js';
import { RoomRow } from './room.entity.js';

/** The summary of an agent's room, and the job that extends it (`JobTable`). */
@Entity('conversation_summaries')
@Index('ix_conversation_summaries_due', ['dueAt'], { where: `"status" IN ('pending', 'running')` })
export class ConversationSummaryRow {
  @PrimaryIdColumn({ name: 'room_id' })
  roomId!: string;

  @PrimaryIdColumn({ name: 'agent_id' })
  agentId!: string;

  @ManyToOne(() => RoomRow, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'room_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_conversation_summaries_room_id' },
    { name: 'agent_id', referencedColumnName: 'agentId', foreignKeyConstraintName: 'fk_conversation_summaries_room_id' },
  ])
  room?: Relation<RoomRow>;

  /** Null until the first summary is made, and after a change of what it summarises. */
  @TextColumn({ nullable: true })
  text!: string | null;

  /** Provider and id of the model that wrote it, `openai/gpt-5`. */
  @NameColumn({ nullable: true })
  model!: string | null;

  /** Number of messages that it summarises. */
  @Column({ type: 'integer' })
  messages!: number;

  /** Positions in the channel of the first and the last message that it summarises; 0 without a summary. */
  @CounterColumn({ name: 'from_seq' })
  fromSeq!: number;

  @CounterColumn({ name: 'through_seq' })
  throughSeq!: number;

  /** Position up to which the job summarises. */
  @CounterColumn({ name: 'until_seq' })
  untilSeq!: number;

  /** The turn at whose end the job became due, and the user it replied to, for the usage. */
  @IdColumn({ name: 'turn_id' })
  turnId!: string;

  @IdColumn({ name: 'user_id' })
  userId!: string;

  @NameColumn({ length: 16 })
  status!: 'pending' | 'running' | 'done' | 'failed';

  @Column({ type: 'integer' })
  attempts!: number;

  @InstantColumn({ name: 'due_at', nullable: true })
  dueAt!: number | null;

  @IdColumn({ name: 'lease_owner', nullable: true })
  leaseOwner!: string | null;

  /** JSON of the error body of the last failure. */
  @TextColumn({ nullable: true })
  error!: string | null;

  /** When the text was written; null without one. */
  @InstantColumn({ name: 'created_at', nullable: true })
  createdAt!: number | null;

  @InstantColumn({ name: 'updated_at' })
  updatedAt!: number;
}
