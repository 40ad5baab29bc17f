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
  /** Epoch ms; absent while it lives. */
  readonly expiredAt?: number;
}

/** Whoever sent a request or opened a socket, as far as its credential says. */
export interface Caller {
  /** Names the credential, for limits and records: `everybody`, `nobody`, `administrator`, `key:ID`, `session:ID`. */
  readonly id: string;
  /** Undefined for a caller without a valid credential where one is needed. */
  readonly scope?: ScopeName;
  /** Why there is no scope, when a credential was sent. */
  readonly refusal?: string;
  /** The only agents that it may have to do with; undefined when it is not limited to any. Lower case. */
  readonly agents?: ReadonlySet<string>;
  /** The only session that it may read and speak in. */
  readonly session?: OwnedSession;
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
