import { Entity, ForeignKey } from 'typeorm';
import { InstantColumn, JsonColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/** A participant of conversations as one agent knows it: a user, another agent or the agent itself. */
@Entity('entities')
export class EntityRow {
  @PrimaryIdColumn()
  id!: string;

  @ForeignKey('agents', { name: 'fk_entities_agent_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'agent_id' })
  agentId!: string;

  /** The first is the display name. */
  @JsonColumn()
  names!: string[];

  @JsonColumn()
  metadata!: Record<string, unknown>;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
