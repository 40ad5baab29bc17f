import { Entity, Index } from 'typeorm';
import { InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/** A group of channels: the default server, or the mirror of another platform's guild, workspace or forum. */
@Entity('message_servers')
@Index('ix_message_servers_created', ['createdAt', 'id'])
export class MessageServerRow {
  @PrimaryIdColumn()
  id!: string;

  @NameColumn()
  name!: string;

  @NameColumn({ name: 'source_type' })
  sourceType!: string;

  @NameColumn({ name: 'source_id', nullable: true })
  sourceId!: string | null;

  @JsonColumn()
  metadata!: Record<string, unknown>;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @InstantColumn({ name: 'updated_at' })
  updatedAt!: number;
}
