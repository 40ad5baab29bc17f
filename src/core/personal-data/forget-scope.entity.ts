import { Entity, Index } from 'typeorm';
import { NameColumn, PrimaryIdColumn } from '../database/index.js';

/** A message or channel of a user who is being forgotten, written down before it is deleted. Deleted at the end of the request. */
@Entity('forget_scope')
@Index('ix_forget_scope_kind', ['requestId', 'kind', 'itemId'])
export class ForgetScopeRow {
  @PrimaryIdColumn({ name: 'request_id' })
  requestId!: string;

  @PrimaryIdColumn({ name: 'item_id' })
  itemId!: string;

  /** `ScopeKind`. */
  @NameColumn({ length: 8 })
  kind!: string;
}
