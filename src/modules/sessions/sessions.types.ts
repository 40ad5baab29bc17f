import type { ColumnsOf } from '../../core/database/index.js';
import type { Users } from '../../core/http/index.js';
import type { TurnPolicy } from '../messaging/index.js';
import type { SessionRow } from './entities/session.entity.js';

/** The timeout configuration of a session (specification, "TimeoutConfig"). */
export interface TimeoutConfig {
  readonly timeoutMinutes: number;
  readonly autoRenew: boolean;
  readonly maxDurationMinutes: number;
  readonly warningThresholdMinutes: number;
}

/** A stored session. Instants are epoch ms. `session-lifetime.ts` computes its state. */
export interface Session extends Omit<ColumnsOf<SessionRow>, keyof TimeoutConfig | 'nextDeadline'> {
  readonly timeout: TimeoutConfig;
}

/** `expiring`: the warning threshold is reached. */
export type SessionState = 'active' | 'expiring' | 'expired' | 'ended';

/** A session with its state at the time of reading. */
export interface SessionView extends Session {
  readonly state: SessionState;
  /** Ms until it expires; 0 once expired. */
  readonly timeRemaining: number;
  readonly isNearExpiration: boolean;
}

export interface CreateSession {
  /** The same for each attempt of a request; a repeated request returns the session of the first one. */
  readonly id?: string;
  readonly agentId: string;
  readonly userId: string;
  readonly metadata?: Record<string, unknown>;
  readonly timeout?: Partial<TimeoutConfig>;
  readonly turnPolicy?: TurnPolicy;
  /** Users for whom the creator's credential vouches; the agent recalls other conversations only if they include the session's user. */
  readonly users: Users;
}

/** A user's message to the agent of a session. */
export interface SessionMessage {
  /** Id of the message. */
  readonly id?: string;
  readonly content: string;
  readonly attachments?: readonly Record<string, unknown>[];
  readonly metadata: Record<string, unknown>;
  readonly clientMessageId?: string;
  /** Users for whom the sender's credential vouches. */
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

/** A page of sessions, newest first. */
export interface SessionList {
  /** Each is read when it is asked for. */
  readonly parts: () => AsyncIterable<readonly SessionView[]>;
  readonly total: number;
  readonly counts: SessionCounts;
}

/** Numbers of live sessions, and of expired sessions that still return 410. */
export interface SessionCounts {
  readonly active: number;
  readonly expiring: number;
  readonly expired: number;
}
