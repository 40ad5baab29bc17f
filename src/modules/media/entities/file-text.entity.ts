import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { JsonColumn, PrimaryIdColumn } from '../../../core/database/index.js';
import type { Piece } from '../../knowledge/index.js';
import { MediaFileRow } from './media-file.entity.js';

/** A slice of the text of a file: some hundred pieces. Deleted with the file. */
@Entity('file_texts')
export class FileTextRow {
  @PrimaryIdColumn({ name: 'media_id' })
  mediaId!: string;

  @ManyToOne(() => MediaFileRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'media_id', foreignKeyConstraintName: 'fk_file_texts_media_id' })
  media?: Relation<MediaFileRow>;

  /** Among the slices, from 0. */
  @PrimaryColumn({ type: 'integer' })
  position!: number;

  @JsonColumn()
  pieces!: readonly Piece[];
}
