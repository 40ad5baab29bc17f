import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { HttpRequest } from './express.js';

/** What a credential allows; each includes the ones before it. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type ScopeName = (typeof SCOPES)[number];

/** A session, as far as rights depend on it: the channel it is held in, and its user. */
export interface OwnedSession {
  readonly id: string;
  readonly agentId: string;
  readonly channelId: string;
  readonly userId: string;
  /** Whether a credential vouched for the user when it was created, and for everybody who was added since. */
  readonly vouched: boolean;
  /** Epoch ms; absent while it lives. */
  readonly expiredAt?: number;
}

/** Users whom a credential vouches for: all of them, or these (ids in lower case). */
export type Users = 'all' | ReadonlySet<string>;

/** A user who was vouched for by a token of the app's backend. */
export interface TokenUser {
  readonly id: string;
  /** When the token ends, epoch ms. */
  readonly expiresAt: number;
}

/** Whoever sent a request or opened a socket, as far as its credential says. */
export interface Caller {
  /** Names the credential, for limits and records: `everybody`, `nobody`, `administrator`, `key:ID`, `session:ID`, `user:ID`. */
  readonly id: string;
  /** Undefined for a caller without a valid credential where one is needed. */
  readonly scope?: ScopeName;
  /** Why there is no scope, when a credential was sent. */
  readonly refusal?: string;
  /** True when the refused credential was a user token. */
  readonly refusedUser?: true;
  /** The only agents that it may have to do with; undefined when it is not limited to any. Lower case. */
  readonly agents?: ReadonlySet<string>;
  /** The only session that it may read and speak in. */
  readonly session?: OwnedSession;
  /** The user of a user token: it creates this user's sessions, and reads and speaks in them. */
  readonly user?: TokenUser;
  /** Users whom the credential vouches for; none when absent. */
  readonly users?: Users;
}

const CALLER = Symbol('caller');
const UNKNOWN: Caller = { id: 'nobody' };

export function setCaller(request: HttpRequest, caller: Caller): void {
  (request as { [CALLER]?: Caller })[CALLER] = caller;
}

/** Who sent the request, once the access guard has looked at it. */
export function callerOf(request: HttpRequest): Caller {
  return (request as { [CALLER]?: Caller })[CALLER] ?? UNKNOWN;
}

/** Hands an operation its caller, when what it answers depends on who asks. */
export const FromCaller = createParamDecorator((_: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<HttpRequest>()),
);

/** Whether a caller may have to do with an agent. */
export function mayReach({ agents }: Caller, agentId: string): boolean {
  return agents === undefined || agents.has(agentId.toLowerCase());
}

const NO_USERS: Users = new Set();

/** The users whom a caller's credential vouches for. */
export function usersOf({ users = NO_USERS }: Caller): Users {
  return users;
}

/** Whether a credential that vouches for `users` vouches for this one. */
export function vouchesFor(users: Users | undefined, userId: string): boolean {
  return users === 'all' || users?.has(userId.toLowerCase()) === true;
}

/** Hands an operation the users whom its caller's credential vouches for: for what is recorded with words in a user's name. */
export const VouchedUsers = createParamDecorator((_: unknown, context: ExecutionContext): Users =>
  usersOf(callerOf(context.switchToHttp().getRequest<HttpRequest>())),
);
