import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CounterColumn, IdColumn, InstantColumn, NameColumn, TextColumn } from '../database/index.js';

@Entity('journal')
@Index('ix_journal_channel', ['channelId', 'pos'])
@Index('ix_journal_control', { synchronize: false })
export class JournalRow {
  @CounterColumn({ primary: true })
  pos!: number;

  @IdColumn({ name: 'channel_id', nullable: true })
  channelId!: string | null;

  @CounterColumn({ nullable: true })
  seq!: number | null;

  @NameColumn({ length: 32 })
  type!: string;

  @TextColumn()
  payload!: string;

  @InstantColumn()
  at!: number;

  @NameColumn({ name: 'request_id', length: 128, nullable: true })
  requestId!: string | null;

  /** On PostgreSQL: 0 to 255 by the channel; -1 for an entry that every process reads. */
  @Column({ type: 'integer', nullable: true })
  shard!: number | null;
}

/** A single row: the offsets up to which retention has deleted entries, and transient entries. */
@Entity('journal_floor')
export class JournalFloor {
  @PrimaryColumn({ type: 'integer' })
  id!: number;

  @CounterColumn({ name: 'trimmed_to' })
  trimmedTo!: number;

  @CounterColumn({ name: 'compacted_to' })
  compactedTo!: number;
}
