import { SetMetadata } from '@nestjs/common';

export const ACCESS = 'parley:access';

/** `public`: never needs a credential. `session-start`: needs one only when SESSIONS_REQUIRE_AUTH says so. */
export type Access = 'public' | 'session-start';

/** Marks an operation that needs no API key even when one is configured. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata<string, Access>(ACCESS, 'public');
/** Marks the creation of a session, which the specification leaves open. */
export const SessionStart = (): MethodDecorator => SetMetadata<string, Access>(ACCESS, 'session-start');
