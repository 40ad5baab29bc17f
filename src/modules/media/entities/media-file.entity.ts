import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { CounterColumn, IdColumn, InstantColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/** A file that somebody has uploaded or an agent has made; its content lies under its hash. Without an owner it is to be removed. */
@Entity('media_files')
@Index('uq_media_files_name', ['name'], { unique: true })
@Index('ix_media_files_hash', ['hash'])
@Index('ix_media_files_agent', ['agentId'])
@Index('ix_media_files_channel', ['channelId'])
export class MediaFileRow {
  @PrimaryIdColumn()
  id!: string;

  /** SHA-256 of the content, hexadecimal. */
  @NameColumn({ length: 64 })
  hash!: string;

  /** Part of its address: agents, channels or generated. */
  @NameColumn({ length: 16 })
  area!: string;

  // Named by text: the entities of other modules stay inside them.
  @IdColumn({ name: 'agent_id', nullable: true })
  agentId!: string | null;

  @ManyToOne('AgentRow', { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'agent_id', foreignKeyConstraintName: 'fk_media_files_agent_id' })
  agent?: unknown;

  @IdColumn({ name: 'channel_id', nullable: true })
  channelId!: string | null;

  @ManyToOne('ChannelRow', { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'channel_id', foreignKeyConstraintName: 'fk_media_files_channel_id' })
  channel?: unknown;

  /** Last part of its address: random, so that only who was told it finds it. */
  @NameColumn()
  name!: string;

  @NameColumn({ name: 'original_name' })
  originalName!: string;

  @NameColumn({ name: 'mime_type', length: 127 })
  mimeType!: string;

  /** Bytes. */
  @CounterColumn()
  size!: number;

  /** Whether a message has ever had it. */
  @Column({ type: 'boolean' })
  attached!: boolean;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
