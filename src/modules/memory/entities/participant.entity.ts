import { Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn, InstantColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';
import { RoomRow } from './room.entity.js';

@Entity('participants')
@Index('ix_participants_entity', ['entityId'])
export class ParticipantRow {
  @ForeignKey(() => RoomRow, { name: 'fk_participants_room_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'room_id' })
  roomId!: string;

  @PrimaryIdColumn({ name: 'entity_id' })
  entityId!: string;

  @IdColumn({ name: 'agent_id' })
  agentId!: string;

  @NameColumn({ length: 16, nullable: true })
  state!: 'FOLLOWED' | 'MUTED' | null;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
