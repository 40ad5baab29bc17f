import { Injectable } from '@nestjs/common';
import { Reader, type SqlValue, type Statement } from '../../../core/database/index.js';
import type { ScopeName } from '../../../core/http/index.js';
import type { ApiKey, UsersGrant } from './keys.types.js';

const COLUMNS = 'id, name, scope, agents, users, created_at, expires_at, revoked_at, last_used_at';
// A request that is sent again has lost the key that the first one made: it gets a new one in its place.
const INSERT = `INSERT INTO api_keys (id, name, hash, scope, agents, users, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET hash = excluded.hash`;
const REVOKE = 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL';
const USED = 'UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)';

interface KeyRecord {
  id: string;
  name: string;
  scope: ScopeName;
  agents: string | null;
  users: string | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

@Injectable()
export class KeysRepository {
  constructor(private readonly reader: Reader) {}

  /** Newest first. */
  async all(): Promise<ApiKey[]> {
    const rows = await this.reader.rows<KeyRecord>(`SELECT ${COLUMNS} FROM api_keys ORDER BY created_at DESC, id`);
    return rows.map(toKey);
  }

  find(id: string): Promise<ApiKey | undefined> {
    return this.one('id = ?', [id]);
  }

  findByHash(hash: string): Promise<ApiKey | undefined> {
    return this.one('hash = ?', [hash]);
  }

  insert({ id, name, scope, agents, users, createdAt, expiresAt }: ApiKey, hash: string): Statement {
    const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
    return { sql: INSERT, params: [id, name, hash, scope, json(agents), json(users), createdAt, expiresAt] };
  }

  revoke(id: string, now: number): Statement {
    return { sql: REVOKE, params: [now, id] };
  }

  used(id: string, now: number): Statement {
    return { sql: USED, params: [now, id, now] };
  }

  private async one(where: string, params: SqlValue[]): Promise<ApiKey | undefined> {
    const [row] = await this.reader.rows<KeyRecord>(`SELECT ${COLUMNS} FROM api_keys WHERE ${where}`, params);
    return row && toKey(row);
  }
}

function toKey(row: KeyRecord): ApiKey {
  const instant = (value: number | null): number | null => (value === null ? null : Number(value));
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    agents: row.agents === null ? null : (JSON.parse(row.agents) as string[]),
    users: row.users === null ? null : (JSON.parse(row.users) as UsersGrant),
    createdAt: Number(row.created_at),
    expiresAt: instant(row.expires_at),
    revokedAt: instant(row.revoked_at),
    lastUsedAt: instant(row.last_used_at),
  };
}
