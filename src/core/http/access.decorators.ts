import { SetMetadata } from '@nestjs/common';
import type { ScopeName } from './caller.js';

export const ACCESS = 'parley:access';
export const FOR_LIMITED = 'parley:for-limited';
export const IN_SESSION = 'parley:in-session';

/**
 * `public`: never needs a credential. `session-start`: needs one only when SESSIONS_REQUIRE_AUTH says so. `read`, `write`, `admin`: a
 * credential of at least that scope. An operation that says nothing is `read` when it is a GET and `write` otherwise.
 */
export type Access = 'public' | 'session-start' | ScopeName;

/** Says which scope an operation asks for, where the method alone would say it wrong. */
export const Scope = (access: ScopeName): MethodDecorator & ClassDecorator => SetMetadata<string, Access>(ACCESS, access);

/** Marks an operation that needs no API key even when one is configured. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata<string, Access>(ACCESS, 'public');
/** Marks the creation of a session, which the specification leaves open. */
export const SessionStart = (): MethodDecorator => SetMetadata<string, Access>(ACCESS, 'session-start');

/**
 * Opens an operation whose path names nobody's things to keys that are limited to some agents: it shows and changes nothing
 * of other agents, because it concerns none or because it looks at its caller (`@FromCaller`).
 */
export const ForLimited = (): MethodDecorator & ClassDecorator => SetMetadata(FOR_LIMITED, true);

/** Opens an operation to the token of the session that its path names, or whose channel it names. */
export const InSession = (): MethodDecorator & ClassDecorator => SetMetadata(IN_SESSION, true);
