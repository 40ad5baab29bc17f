import { Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn, TextColumn } from '../../../core/database/index.js';
import type { Loss } from '../../knowledge/index.js';
import { MediaFileRow } from './media-file.entity.js';

/** What came of reading a file as a document. Deleted with the file. */
@Entity('file_readings')
export class FileReadingRow {
  @PrimaryIdColumn({ name: 'media_id' })
  mediaId!: string;

  @ManyToOne(() => MediaFileRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'media_id', foreignKeyConstraintName: 'fk_file_readings_media_id' })
  media?: Relation<MediaFileRow>;

  /** Why it has no text, in sentences for people; null when it has. */
  @TextColumn({ nullable: true })
  problem!: string | null;

  /** A word for the problem. */
  @NameColumn({ length: 40, nullable: true })
  fault!: string | null;

  /** What the reader could not read. */
  @JsonColumn()
  losses!: readonly Loss[];

  @InstantColumn({ name: 'read_at' })
  readAt!: number;
}
