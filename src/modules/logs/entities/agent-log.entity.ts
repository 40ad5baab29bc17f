import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { IdColumn, InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';

/** An entry of an agent's log. */
@Entity('agent_logs')
@Index('ix_agent_logs_agent', ['agentId', 'createdAt', 'id'])
export class AgentLogRow {
  @PrimaryIdColumn()
  id!: string;

  @IdColumn({ name: 'agent_id' })
  agentId!: string;

  // Referenced by name, because entities are private to their module.
  @ManyToOne('AgentRow', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'agent_id', foreignKeyConstraintName: 'fk_agent_logs_agent_id' })
  agent?: unknown;

  @IdColumn({ name: 'room_id', nullable: true })
  roomId!: string | null;

  /** run_event, action, evaluator, log, or useModel: with the model type. */
  @NameColumn({ length: 64 })
  type!: string;

  @Column({ type: 'integer' })
  level!: number;

  @JsonColumn()
  body!: Readonly<Record<string, unknown>>;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
