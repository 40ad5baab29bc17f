import { Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn, InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/** A place with rooms, as one agent knows it: the agent's own, or its view of a message server. */
@Entity('worlds')
@Index('ix_worlds_agent', ['agentId'])
@Index('ix_worlds_created', ['createdAt', 'id'])
export class WorldRow {
  @PrimaryIdColumn()
  id!: string;

  @ForeignKey('agents', { name: 'fk_worlds_agent_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'agent_id' })
  agentId!: string;

  @NameColumn()
  name!: string;

  @NameColumn({ name: 'source_type', nullable: true })
  sourceType!: string | null;

  @NameColumn({ name: 'source_id', nullable: true })
  sourceId!: string | null;

  @IdColumn({ name: 'message_server_id', nullable: true })
  messageServerId!: string | null;

  @JsonColumn()
  metadata!: Record<string, unknown>;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
