import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { IdColumn, InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn, TextColumn } from '../../../core/database/index.js';
import type { ChannelType, TurnPolicy } from './channel-kinds.js';
import { MessageServerRow } from './message-server.entity.js';

@Entity('channels')
@Index('ix_channels_server', ['serverId', 'createdAt', 'id'])
export class ChannelRow {
  @PrimaryIdColumn()
  id!: string;

  @IdColumn({ name: 'server_id' })
  serverId!: string;

  @ManyToOne(() => MessageServerRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'server_id', foreignKeyConstraintName: 'fk_channels_server_id' })
  server?: Relation<MessageServerRow>;

  @NameColumn()
  name!: string;

  @NameColumn({ length: 16 })
  type!: string;

  @NameColumn({ name: 'channel_type', length: 16 })
  channelType!: ChannelType;

  @TextColumn({ nullable: true })
  description!: string | null;

  @NameColumn({ name: 'source_type', nullable: true })
  sourceType!: string | null;

  @NameColumn({ name: 'source_id', nullable: true })
  sourceId!: string | null;

  @JsonColumn()
  metadata!: Record<string, unknown>;

  @NameColumn({ name: 'turn_policy', length: 16 })
  turnPolicy!: TurnPolicy;

  /** Whether every credential that wrote the list of users vouched for all of them. */
  @Column({ type: 'boolean', default: true })
  vouched!: boolean;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @InstantColumn({ name: 'updated_at' })
  updatedAt!: number;
}
