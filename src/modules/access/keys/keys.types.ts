import type { ScopeName } from '../../../core/http/index.js';

/** A key that was handed out. Instants are epoch ms. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scope: ScopeName;
  /** Null when it is not limited to agents. */
  readonly agents: readonly string[] | null;
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
  readonly expiresAt: number | null;
}
