import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';
import { TurnRow } from './turn.entity.js';

/** The recorded steps of a turn, in order. A turn that is resumed continues after its last step. */
@Entity('turn_steps')
export class TurnStepRow {
  @PrimaryIdColumn({ name: 'message_id' })
  messageId!: string;

  @PrimaryIdColumn({ name: 'agent_id' })
  agentId!: string;

  @PrimaryColumn({ type: 'integer' })
  step!: number;

  @ManyToOne(() => TurnRow, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'message_id', referencedColumnName: 'messageId', foreignKeyConstraintName: 'fk_turn_steps_turn' },
    { name: 'agent_id', referencedColumnName: 'agentId', foreignKeyConstraintName: 'fk_turn_steps_turn' },
  ])
  turn?: Relation<TurnRow>;

  @NameColumn({ length: 32 })
  kind!: string;

  @JsonColumn()
  payload!: Record<string, unknown>;

  @InstantColumn()
  at!: number;
}
