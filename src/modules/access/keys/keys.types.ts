import type { ScopeName } from '../../../core/http/index.js';

/** Users whom a key vouches for. `inherited`: it was made before there were grants, and vouches for all until it is replaced. */
export type UsersGrant = 'all' | 'inherited' | readonly string[] | null;

/** A key that was handed out. Instants are epoch ms. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scope: ScopeName;
  /** Null when it is not limited to agents. */
  readonly agents: readonly string[] | null;
  readonly users: UsersGrant;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** To the minute. */
  readonly lastUsedAt: number | null;
}

export interface CreateKey {
  /** Chosen by the caller, so that a request that is sent again makes no second key. */
  readonly id?: string;
  readonly name: string;
  readonly scope: ScopeName;
  readonly agents: readonly string[] | null;
  readonly users: Exclude<UsersGrant, 'inherited'>;
  readonly expiresAt: number | null;
}
