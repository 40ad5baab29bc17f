import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { HttpRequest } from './express.js';

/** Scopes of credentials; each includes the ones before it. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type ScopeName = (typeof SCOPES)[number];

/** Users that a credential vouches for: all, or these (ids in lower case). */
export type Users = 'all' | ReadonlySet<string>;

/** A user that is authenticated by a token of the app's backend. */
export interface TokenUser {
  readonly id: string;
  /** When the token expires, epoch ms. */
  readonly expiresAt: number;
}

/**
 * The sender of a request or the client of a socket, as its credential describes it. A module adds restrictions of its own kinds of
 * credentials by declaration merging.
 */
export interface Caller {
  /** Identifies the credential, for rate limits and logs: `everybody`, `nobody`, `administrator`, `key:ID`, `session:ID`, `user:ID`. */
  readonly id: string;
  /** Name of the key. */
  readonly name?: string;
  /** Undefined for a caller that needs a credential and has no valid one. */
  readonly scope?: ScopeName;
  /** Why a credential that was sent is not accepted. */
  readonly refusal?: string;
  /** True when the rejected credential is a user token. */
  readonly rejectedUserToken?: true;
  /** Agents that the caller is restricted to (ids in lower case); undefined without a restriction. */
  readonly agents?: ReadonlySet<string>;
  /** The user of a user token, which may create this user's sessions, read them and post in them. */
  readonly user?: TokenUser;
  /** The only user in whose name the caller may act: that of a user token or a session token. Requests need not name it. */
  readonly actsFor?: string;
  /** Users that the credential vouches for; none when absent. */
  readonly users?: Users;
}

/** The parts of a caller that a change records and checks. */
export type Editor = Pick<Caller, 'id' | 'users'>;

const CALLER = Symbol('caller');
const UNKNOWN: Caller = { id: 'nobody' };

export function setCaller(request: HttpRequest, caller: Caller): void {
  (request as { [CALLER]?: Caller })[CALLER] = caller;
}

/** The caller that the access guard has identified. */
export function callerOf(request: HttpRequest): Caller {
  return (request as { [CALLER]?: Caller })[CALLER] ?? UNKNOWN;
}

/** Parameter decorator: the caller of the operation. */
export const FromCaller = createParamDecorator((_: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<HttpRequest>()),
);

/** Whether a caller may access an agent. */
export function canAccessAgent({ agents }: Caller, agentId: string): boolean {
  return agents === undefined || agents.has(agentId.toLowerCase());
}

const NO_USERS: Users = new Set();

/** The users that a caller's credential vouches for. */
export function usersOf({ users = NO_USERS }: Pick<Caller, 'users'>): Users {
  return users;
}

/** Whether `users` includes a user. */
export function vouchesFor(users: Users | undefined, userId: string): boolean {
  return users === 'all' || users?.has(userId.toLowerCase()) === true;
}

/** Parameter decorator: the only user in whose name the caller may act; undefined for callers that name the user. */
export const ActingUser = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | undefined => callerOf(context.switchToHttp().getRequest<HttpRequest>()).actsFor,
);

/** Parameter decorator: the users that the caller's credential vouches for, for operations that store messages of users. */
export const VouchedUsers = createParamDecorator((_: unknown, context: ExecutionContext): Users =>
  usersOf(callerOf(context.switchToHttp().getRequest<HttpRequest>())),
);
