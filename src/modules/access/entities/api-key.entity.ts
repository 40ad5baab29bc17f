import { Entity, Index } from 'typeorm';
import { InstantColumn, NameColumn, PrimaryIdColumn, TextColumn } from '../../../core/database/index.js';

/** A key that somebody was given. The key itself is not kept. */
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
  scope!: string;

  /** JSON array of the agents it is limited to; null when it is not limited. */
  @TextColumn({ nullable: true })
  agents!: string | null;

  /** JSON: `"all"`, a list of users, or `"inherited"` for a key from before there were grants; null when it vouches for nobody. */
  @TextColumn({ nullable: true })
  users!: string | null;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @InstantColumn({ name: 'expires_at', nullable: true })
  expiresAt!: number | null;

  @InstantColumn({ name: 'revoked_at', nullable: true })
  revokedAt!: number | null;

  @InstantColumn({ name: 'last_used_at', nullable: true })
  lastUsedAt!: number | null;
}
