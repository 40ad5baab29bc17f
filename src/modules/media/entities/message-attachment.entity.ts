import { Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { PrimaryIdColumn } from '../../../core/database/index.js';
import { MediaFileRow } from './media-file.entity.js';

/** A file attached to a message. Deleted with either of them. */
@Entity('message_attachments')
@Index('ix_message_attachments_media', ['mediaId'])
export class MessageAttachmentRow {
  @PrimaryIdColumn({ name: 'message_id' })
  messageId!: string;

  @PrimaryIdColumn({ name: 'media_id' })
  mediaId!: string;

  @ManyToOne('MessageRow', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'message_id', foreignKeyConstraintName: 'fk_message_attachments_message_id' })
  message?: unknown;

  @ManyToOne(() => MediaFileRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'media_id', foreignKeyConstraintName: 'fk_message_attachments_media_id' })
  media?: Relation<MediaFileRow>;
}
