import type { Users } from '../../core/http/index.js';
import type { TurnPolicy } from '../messaging/index.js';

/** How long a session lives (specification, "TimeoutConfig"). */
export interface TimeoutConfig {
  readonly timeoutMinutes: number;
  readonly autoRenew: boolean;
  readonly maxDurationMinutes: number;
  readonly warningThresholdMinutes: number;
}

/** A session as it is stored. Instants are epoch ms. What it is at an instant, `session-policy.ts` says. */
export interface Session {
  readonly id: string;
  readonly agentId: string;
  readonly channelId: string;
  readonly userId: string;
  readonly metadata: Record<string, unknown>;
  readonly timeout: TimeoutConfig;
  readonly createdAt: number;
  readonly lastActivity: number;
  /** From here the inactivity timeout counts: the last renewal, or the creation. */
  readonly renewedAt: number;
  readonly expiresAt: number;
  readonly renewalCount: number;
  /** The expiry that the last warning was about. */
  readonly warnedFor: number | null;
  readonly status: 'live' | 'expired' | 'ended';
  readonly closedAt: number | null;
  /** Grows with every change but renewals and activity, which may overtake each other. */
  readonly revision: number;
}

/** `expiring`: the warning threshold is reached. */
export type SessionState = 'active' | 'expiring' | 'expired' | 'ended';

/** A session with what it is at the moment it was looked at. */
export interface SessionView extends Session {
  readonly state: SessionState;
  /** Ms until it expires, 0 when it has. */
  readonly timeRemaining: number;
  readonly isNearExpiration: boolean;
}

export interface CreateSession {
  /** The same for each attempt at one request; the second answers the session of the first. */
  readonly id?: string;
  readonly agentId: string;
  readonly userId: string;
  readonly metadata?: Record<string, unknown>;
  readonly timeout?: Partial<TimeoutConfig>;
  readonly turnPolicy?: TurnPolicy;
  /** Whom the creator's credential vouches for; an agent recalls other conversations only where that includes the user. */
  readonly users: Users;
}

/** A user's message to the agent of a session. */
export interface SessionMessage {
  /** Id that it will have. */
  readonly id?: string;
  readonly content: string;
  readonly attachments?: readonly Record<string, unknown>[];
  readonly metadata: Record<string, unknown>;
  readonly clientMessageId?: string;
  /** Whom the credential vouches for that it came with. */
  readonly users: Users;
}

export interface SessionFilter {
  readonly agentId?: string;
  /** Only sessions of these agents. */
  readonly agents?: ReadonlySet<string>;
  readonly userId?: string;
  readonly limit: number;
  readonly offset: number;
}

/** How many sessions there are: alive, and expired ones that are still answered with 410. */
export interface SessionCounts {
  readonly active: number;
  readonly expiring: number;
  readonly expired: number;
}
