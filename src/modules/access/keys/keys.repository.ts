import { Injectable } from '@nestjs/common';
import { Reader, tableOf, type SqlValue, type Statement, type Transaction } from '../../../core/database/index.js';
import { ApiKeyRow } from '../entities/api-key.entity.js';
import type { ApiKey } from './keys.types.js';

const KEYS = tableOf(ApiKeyRow);
const KEY = KEYS.omit('hash');
// A client that repeats its request has lost the first key's text: the new key replaces it.
const REPLACE = 'ON CONFLICT (id) DO UPDATE SET hash = excluded.hash';
const REVOKE = 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL';
const USED = 'UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)';

@Injectable()
export class KeysRepository {
  constructor(private readonly reader: Reader) {}

  /** Newest first. */
  async all(): Promise<ApiKey[]> {
    return (await this.reader.rows(`SELECT ${KEY.columns} FROM api_keys ORDER BY created_at DESC, id`)).map((row) => KEY.read(row));
  }

  find(id: string): Promise<ApiKey | undefined> {
    return this.findOneWhere('id = ?', [id]);
  }

  /** Reads in a transaction; on PostgreSQL the row stays locked until it ends. */
  async findIn(tx: Transaction, id: string): Promise<ApiKey | undefined> {
    const [row] = await tx.rows(`SELECT ${KEY.columns} FROM api_keys WHERE id = ? ${tx.locking('FOR UPDATE')}`, [id]);
    return row && KEY.read(row);
  }

  findByHash(hash: string): Promise<ApiKey | undefined> {
    return this.findOneWhere('hash = ?', [hash]);
  }

  insert(key: ApiKey, hash: string): Statement {
    return KEYS.insert({ ...key, hash }, REPLACE);
  }

  revoke(id: string, now: number): Statement {
    return { sql: REVOKE, params: [now, id], counted: true };
  }

  recordUse(id: string, now: number): Statement {
    return { sql: USED, params: [now, id, now] };
  }

  private async findOneWhere(where: string, params: SqlValue[]): Promise<ApiKey | undefined> {
    const [row] = await this.reader.rows(`SELECT ${KEY.columns} FROM api_keys WHERE ${where}`, params);
    return row && KEY.read(row);
  }
}
