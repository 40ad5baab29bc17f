import type { ScopeName } from '../../core/http/index.js';

/** The requirements of an operation, and the resources that the request names. */
export interface AccessRequest {
  /** Undefined for public operations; the limits of limited callers still apply. */
  readonly scope?: ScopeName;
  readonly forLimited: boolean;
  readonly inSession: boolean;
  /** True for an operation that user tokens may use outside of their sessions and channels. */
  readonly forUsers?: boolean;
  /** True for the creation of a session. */
  readonly sessionStart?: boolean;
  /** Path parameters by their names. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Query, body and other inputs that may name resources and users. */
  readonly inputs: readonly unknown[];
}
