import type { ColumnsOf } from '../../../core/database/index.js';
import type { ScopeName } from '../../../core/http/index.js';
import type { ApiKeyRow, UsersGrant } from '../entities/api-key.entity.js';

export type { UsersGrant };

/** An API key without its hash. Instants are epoch ms. */
export type ApiKey = Omit<ColumnsOf<ApiKeyRow>, 'hash'>;

export interface CreateKey {
  /** The same for each attempt of a request, so that a repeated request creates no second key. */
  readonly id?: string;
  readonly name: string;
  readonly scope: ScopeName;
  readonly agents: readonly string[] | null;
  readonly users: UsersGrant;
  readonly expiresAt: number | null;
}
