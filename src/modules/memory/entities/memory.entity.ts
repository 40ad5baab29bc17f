import { Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  CounterColumn,
  IdColumn,
  InstantColumn,
  JsonColumn,
  NameColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../../core/database/index.js';

@Entity('memories')
@Index('ix_memories_agent', ['agentId', 'createdAt'])
@Index('ix_memories_type', ['agentId', 'type', 'createdAt', 'id'])
@Index('ix_memories_room', ['agentId', 'roomId', 'type', 'createdAt'])
@Index('ix_memories_facts', ['agentId', 'entityId'], { where: `"type" = 'facts'` })
// Only on PostgreSQL, for full-text search.
@Index('ix_memories_indexed_words', { synchronize: false })
@Index('ix_memories_unembedded', ['createdAt'], { where: '"embedded_by" IS NULL' })
export class MemoryRow {
  @PrimaryIdColumn()
  id!: string;

  @ForeignKey('agents', { name: 'fk_memories_agent_id', onDelete: 'CASCADE' })
  @IdColumn({ name: 'agent_id' })
  agentId!: string;

  @IdColumn({ name: 'room_id' })
  roomId!: string;

  /** The author. */
  @IdColumn({ name: 'entity_id' })
  entityId!: string;

  @IdColumn({ name: 'world_id', nullable: true })
  worldId!: string | null;

  /** The "table name" of callers: `messages`, `facts`, `documents`, … */
  @NameColumn({ length: 64 })
  type!: string;

  @JsonColumn()
  content!: Record<string, unknown>;

  /** See `indexedWords`. */
  @TextColumn({ nullable: true, select: false })
  words?: string | null;

  @JsonColumn()
  metadata!: Record<string, unknown>;

  @Column({ name: 'is_unique', type: 'boolean' })
  isUnique!: boolean;

  /** Channel position of the recorded message. */
  @CounterColumn({ nullable: true })
  seq!: number | null;

  /** The model that has processed the text; null while embedding is pending. */
  @NameColumn({ name: 'embedded_by', nullable: true })
  embeddedBy!: string | null;

  /** Whether the author is verified to be `entityId`; other memories are recalled in their own room only. */
  @Column({ type: 'boolean', default: true })
  vouched!: boolean;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
