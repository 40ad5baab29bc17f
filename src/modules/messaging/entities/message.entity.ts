import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import {
  CounterColumn,
  IdColumn,
  InstantColumn,
  JsonColumn,
  NameColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../../core/database/index.js';
import { ChannelRow } from './channel.entity.js';

@Entity('messages')
@Index('uq_messages_channel_seq', ['channelId', 'seq'], { unique: true })
@Index('ix_messages_channel_created', ['channelId', 'createdAt', 'seq'])
@Index('uq_messages_pos', ['offset'], { unique: true })
// Only on PostgreSQL, for full-text search.
@Index('ix_messages_words', { synchronize: false })
@Index('ix_messages_author', { synchronize: false })
@Index('ix_messages_indexed_words', { synchronize: false })
@Index('uq_messages_client', ['channelId', 'authorId', 'clientMessageId'], { unique: true })
export class MessageRow {
  @PrimaryIdColumn()
  id!: string;

  @IdColumn({ name: 'channel_id' })
  channelId!: string;

  @ManyToOne(() => ChannelRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'channel_id', foreignKeyConstraintName: 'fk_messages_channel_id' })
  channel?: Relation<ChannelRow>;

  /** Channel position of its `message.created` entry: strictly increasing, the order of all message lists. */
  @CounterColumn()
  seq!: number;

  /** Journal offset of its `message.created` entry. */
  @CounterColumn({ name: 'pos' })
  offset!: number;

  @IdColumn({ name: 'author_id' })
  authorId!: string;

  @NameColumn({ name: 'author_kind', length: 8 })
  authorKind!: 'user' | 'agent';

  @NameColumn({ name: 'author_name', nullable: true })
  authorName!: string | null;

  @TextColumn()
  content!: string;

  /** See `indexedWords`. */
  @TextColumn({ nullable: true, select: false })
  words?: string | null;

  @JsonColumn({ name: 'raw_message', nullable: true })
  rawMessage!: Record<string, unknown> | null;

  @NameColumn({ name: 'source_type' })
  sourceType!: string;

  @NameColumn({ name: 'source_id', nullable: true })
  sourceId!: string | null;

  @JsonColumn()
  metadata!: Record<string, unknown>;

  @IdColumn({ name: 'in_reply_to', nullable: true })
  inReplyTo!: string | null;

  @NameColumn({ name: 'client_message_id', nullable: true })
  clientMessageId!: string | null;

  /** Whether the sender's credential vouched for the author. */
  @Column({ type: 'boolean', default: true })
  vouched!: boolean;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @InstantColumn({ name: 'updated_at' })
  updatedAt!: number;
}
