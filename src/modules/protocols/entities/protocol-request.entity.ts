import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { IdColumn, InstantColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/** By what a message of a protocol is recognised when its caller sends the conversation again. All but the ids of messages are keyed hashes. */
@Entity('protocol_requests')
@Index('uq_protocol_requests_follows', ['channelId', 'follows'], { unique: true })
@Index('ix_protocol_requests_chain', ['chain'])
@Index('ix_protocol_requests_body', ['body', 'createdAt'])
@Index('ix_protocol_requests_forgets', ['createdAt'], { where: '"forgets"' })
export class ProtocolRequestRow {
  @PrimaryIdColumn({ name: 'message_id' })
  messageId!: string;

  @ManyToOne('MessageRow', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'message_id', foreignKeyConstraintName: 'fk_protocol_requests_message_id' })
  message?: unknown;

  @IdColumn({ name: 'channel_id' })
  channelId!: string;

  /** The message that the conversation went on from; a random id otherwise. Unique in a channel: a conversation goes on once from each. */
  @IdColumn()
  follows!: string;

  /** Of the credential and the user that it named. */
  @IdColumn()
  caller!: string;

  /** Of the conversation up to the message. */
  @IdColumn()
  chain!: string;

  /** Of the request. */
  @IdColumn()
  body!: string;

  /** Whether nothing is kept of the conversation. */
  @Column({ type: 'boolean' })
  forgets!: boolean;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
