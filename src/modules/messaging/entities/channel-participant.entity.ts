import { Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { InstantColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';
import { ChannelRow } from './channel.entity.js';

@Entity('channel_participants')
@Index('ix_channel_participants_entity', ['entityId'])
export class ChannelParticipantRow {
  @PrimaryIdColumn({ name: 'channel_id' })
  channelId!: string;

  @ManyToOne(() => ChannelRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'channel_id', foreignKeyConstraintName: 'fk_channel_participants_channel_id' })
  channel?: Relation<ChannelRow>;

  @PrimaryIdColumn({ name: 'entity_id' })
  entityId!: string;

  @NameColumn({ length: 8 })
  kind!: 'user' | 'agent';

  @InstantColumn({ name: 'joined_at' })
  joinedAt!: number;
}
