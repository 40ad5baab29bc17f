import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { InstantColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';
import { RoomRow } from './room.entity.js';

/** A participant of an agent's room. */
@Entity('participants')
@Index('ix_participants_entity', ['entityId'])
export class ParticipantRow {
  @PrimaryIdColumn({ name: 'room_id' })
  roomId!: string;

  @PrimaryIdColumn({ name: 'entity_id' })
  entityId!: string;

  @PrimaryIdColumn({ name: 'agent_id' })
  agentId!: string;

  @ManyToOne(() => RoomRow, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'room_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_participants_room_id' },
    { name: 'agent_id', referencedColumnName: 'agentId', foreignKeyConstraintName: 'fk_participants_room_id' },
  ])
  room?: Relation<RoomRow>;

  @NameColumn({ length: 16, nullable: true })
  state!: 'FOLLOWED' | 'MUTED' | null;

  /** Whether a credential vouched for the entity. The entity's other rooms may then recall memories of this one. */
  @Column({ type: 'boolean', default: true })
  vouched!: boolean;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
