import { Entity, JoinColumn, ManyToOne } from 'typeorm';
import { InstantColumn, PrimaryIdColumn, TextColumn } from '../../../core/database/index.js';

/** What the caller of a protocol asks of the turn of a message (`TurnRequest`). Deleted when the turn ends. */
@Entity('turn_requests')
export class TurnRequestRow {
  @PrimaryIdColumn({ name: 'message_id' })
  messageId!: string;

  @ManyToOne('MessageRow', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'message_id', foreignKeyConstraintName: 'fk_turn_requests_message_id' })
  message?: unknown;

  /** Sealed JSON. */
  @TextColumn()
  request!: string;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
