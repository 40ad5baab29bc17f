import { Entity, Index } from 'typeorm';
import { IdColumn, InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn, TextColumn } from '../database/index.js';

/** An entry of the audit log: who changed what, and when. */
@Entity('audit_log')
@Index('ix_audit_log_created', ['createdAt', 'id'])
@Index('ix_audit_log_agent', ['agentId', 'createdAt', 'id'])
@Index('ix_audit_log_user', ['userId'])
export class AuditEntryRow {
  @PrimaryIdColumn()
  id!: string;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @NameColumn({ length: 64 })
  action!: string;

  /** As `Actor.id`. */
  @NameColumn({ name: 'actor_id' })
  actorId!: string;

  @NameColumn({ name: 'actor_name', nullable: true })
  actorName!: string | null;

  /** The user of a session token or user token. */
  @IdColumn({ name: 'user_id', nullable: true })
  userId!: string | null;

  /** Address of the client. */
  @NameColumn({ nullable: true })
  address!: string | null;

  @NameColumn({ name: 'request_id', nullable: true })
  requestId!: string | null;

  @NameColumn({ name: 'target_kind', length: 32 })
  targetKind!: string;

  @NameColumn({ name: 'target_id' })
  targetId!: string;

  /** The agent that the change concerns; it may have been deleted since. */
  @IdColumn({ name: 'agent_id', nullable: true })
  agentId!: string | null;

  @TextColumn()
  summary!: string;

  /** Names of the changed fields. */
  @JsonColumn()
  fields!: readonly string[];
}
