import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { CounterColumn, IdColumn, InstantColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/** First segment of a file's URL: the kind of owner, or `generated` for files that an agent created. */
export type MediaArea = 'agents' | 'channels' | 'generated';

/** An uploaded or generated file; its content is stored by its hash. A file without an owner is deleted. */
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

  /** Part of the URL: agents, channels or generated. */
  @NameColumn({ length: 16 })
  area!: MediaArea;

  // Referenced by name, because entities are private to their module.
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

  /** Last segment of the URL: random, so that it acts as a credential. */
  @NameColumn()
  name!: string;

  /** File name from the upload. */
  @NameColumn({ name: 'original_name' })
  originalName!: string;

  @NameColumn({ name: 'mime_type', length: 127 })
  mimeType!: string;

  /** Bytes. */
  @CounterColumn()
  size!: number;

  /** Whether it was ever attached to a message. */
  @Column({ type: 'boolean' })
  attached!: boolean;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
