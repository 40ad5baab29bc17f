import { SetMetadata } from '@nestjs/common';
import type { ScopeName } from './caller.js';

export const ACCESS = 'parley:access';
export const ALLOW_RESTRICTED = 'parley:allow-restricted';
export const ALLOW_BODIES_OF = 'parley:allow-bodies-of';
export const ALLOW_USER_TOKENS = 'parley:allow-user-tokens';
export const ALLOW_SCOPED_TOKENS = 'parley:allow-scoped-tokens';
export const AGENT_FIELD = 'parley:agent-field';

/** Rules for operations that need no credential. The module that enforces access adds its own by declaration merging. */
export interface AccessRules {
  public: true;
}

/**
 * The access rule of an operation. `public`: no credential. `read`, `write`, `admin`: a credential with at least this scope. Without a
 * rule, a GET requires `read` and any other method `write`.
 */
export type Access = keyof AccessRules | ScopeName;

/** Sets the scope that an operation requires, where the default for its method is wrong. */
export const Scope = (access: ScopeName): MethodDecorator & ClassDecorator => SetMetadata<string, Access>(ACCESS, access);

/** Allows an operation without a credential, even when the server has an API key. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata<string, Access>(ACCESS, 'public');

/**
 * Allows keys that are restricted to some agents on an operation whose path names no resource of an agent. The operation must neither
 * show nor change other agents: it concerns no agent, or it checks its caller (`@FromCaller`).
 */
export const AllowRestricted = (): MethodDecorator & ClassDecorator => SetMetadata(ALLOW_RESTRICTED, true);

/** Allows tokens that are limited to one resource (a session token) when the path names that resource or its channel. */
export const AllowScopedTokens = (): MethodDecorator & ClassDecorator => SetMetadata(ALLOW_SCOPED_TOKENS, true);

/** Allows bodies of at least this size, also where BODY_LIMIT_BYTES is less; for bodies that contain files. @param bytes at most */
export const AllowBodiesOf = (bytes: number): MethodDecorator => SetMetadata(ALLOW_BODIES_OF, bytes);

/**
 * Allows user tokens on an operation whose path names no channel of theirs. Access is checked for the users and agents that the request
 * names; the operation checks the rest (`@FromCaller`).
 */
export const AllowUserTokens = (): MethodDecorator & ClassDecorator => SetMetadata(ALLOW_USER_TOKENS, true);

/**
 * Names the field of the body with the agent, where the operation itself checks that its caller may access that agent. To a caller that may
 * not, it can then report the agent like an unknown one.
 */
export const ChecksAgentOf = (field: string): MethodDecorator & ClassDecorator => SetMetadata(AGENT_FIELD, field);
