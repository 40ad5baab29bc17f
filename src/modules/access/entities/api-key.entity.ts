import { Entity, Index } from 'typeorm';
import { InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';
import type { ScopeName } from '../../../core/http/index.js';

/** Users for whom a key vouches; null for none. */
export type UsersGrant = 'all' | readonly string[] | null;

/** An API key; only its hash is stored. */
@Entity('api_keys')
@Index('ux_api_keys_hash', ['hash'], { unique: true })
export class ApiKeyRow {
  @PrimaryIdColumn()
  id!: string;

  @NameColumn()
  name!: string;

  /** SHA-256 of the key, hexadecimal. */
  @NameColumn({ length: 64 })
  hash!: string;

  @NameColumn({ length: 8 })
  scope!: ScopeName;

  /** Ids of the agents to which the key is limited; null for no limit. */
  @JsonColumn({ nullable: true })
  agents!: readonly string[] | null;

  /** The users for whom the key vouches; null for none. */
  @JsonColumn({ nullable: true })
  users!: UsersGrant;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @InstantColumn({ name: 'expires_at', nullable: true })
  expiresAt!: number | null;

  @InstantColumn({ name: 'revoked_at', nullable: true })
  revokedAt!: number | null;

  /** To the minute. */
  @InstantColumn({ name: 'last_used_at', nullable: true })
  lastUsedAt!: number | null;
}
