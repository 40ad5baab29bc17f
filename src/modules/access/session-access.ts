import { SetMetadata } from '@nestjs/common';
import { ACCESS, type Access } from '../../core/http/index.js';

/** The parts of a session that permissions depend on. */
export interface SessionOwner {
  readonly id: string;
  readonly agentId: string;
  readonly channelId: string;
  readonly userId: string;
  /** Whether a credential vouched for the user at creation, and for every user that was added since. */
  readonly vouched: boolean;
  /** Epoch ms; absent while the session is active. */
  readonly expiredAt?: number;
}

declare module '../../core/http/caller.js' {
  interface Caller {
    /** The only session that a session token may read and write. */
    readonly session?: SessionOwner;
    /** When a session token ends although its session may go on, epoch ms. */
    readonly tokenEndsAt?: number;
  }
}

declare module '../../core/http/ownership-resolver.js' {
  interface Ownership {
    /** Set for a session. */
    readonly session?: SessionOwner;
  }
}

declare module '../../core/http/access.decorators.js' {
  interface AccessRules {
    /** Creation of a session: a credential is required only with SESSIONS_REQUIRE_AUTH. */
    'session-start': true;
  }
}

/** Name under which sessions are resolved by their channel (`OwnershipResolver`); not a path parameter. */
export const SESSION_CHANNEL = 'channel of a session';

/** Marks the creation of a session, which the specification allows without a credential. */
export const SessionStart = (): MethodDecorator => SetMetadata<string, Access>(ACCESS, 'session-start');
