import { Entity, ForeignKey, Index } from 'typeorm';
import { CounterColumn, IdColumn, InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/**
 * A conversation as one agent knows it: two agents in the same channel have a room each. Derived ids, which any agent can compute, may
 * exist once per agent; any other id belongs to one agent.
 */
@Entity('rooms')
@Index('ix_rooms_created', ['agentId', 'createdAt', 'id'])
@Index('ix_rooms_channel', ['channelId'])
@Index('uq_rooms_chosen_id', ['id'], { unique: true, where: `"id" <> "agent_id" AND substr("id", 15, 1) <> '0'` })
export class RoomRow {
  @PrimaryIdColumn()
  id!: string;

  @ForeignKey('agents', { name: 'fk_rooms_agent_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'agent_id' })
  agentId!: string;

  @NameColumn()
  name!: string;

  @NameColumn()
  source!: string;

  @NameColumn({ length: 16 })
  type!: string;

  @IdColumn({ name: 'world_id', nullable: true })
  worldId!: string | null;

  @IdColumn({ name: 'channel_id', nullable: true })
  channelId!: string | null;

  @IdColumn({ name: 'message_server_id', nullable: true })
  messageServerId!: string | null;

  @JsonColumn()
  metadata!: Record<string, unknown>;

  /** Position in the channel up to which the agent has recorded its conversation; 0 for none. */
  @CounterColumn({ name: 'remembered_seq' })
  rememberedSeq!: number;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  /** When the room was changed last; null if never. */
  @InstantColumn({ name: 'updated_at', nullable: true })
  updatedAt!: number | null;
}
