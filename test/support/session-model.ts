import type { TimeoutConfig } from '../../src/modules/sessions/index.js';

const MINUTE = 60_000;

export interface ExpectedEntry {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface ModelSession {
  readonly createdAt: number;
  timeout: TimeoutConfig;
  lastActivity: number;
  renewedAt: number;
  expiresAt: number;
  renewalCount: number;
  warnedFor: number | undefined;
  status: 'live' | 'expired' | 'ended';
  closedAt: number;
  /** It was closed so long ago, at one time, that it may have been removed: a clock set back does not bring it back. */
  mayBeGone: boolean;
  readonly clientIds: Set<string>;
  /** What its channel's part of the journal has to hold, in order. */
  readonly entries: ExpectedEntry[];
}

type Refusal = 'SESSION_NOT_FOUND' | 'SESSION_EXPIRED' | 'SESSION_RENEWAL_FAILED';

/** What sessions are meant to do, in as few words as possible; written from the contract and not from the program. */
export class SessionModel {
  readonly sessions: ModelSession[] = [];

  constructor(
    readonly tombstoneHours: number,
    public now: number,
  ) {}

  create(given: Partial<TimeoutConfig>): ModelSession {
    const { now } = this;
    const timeout = merge({ timeoutMinutes: 30, autoRenew: true, maxDurationMinutes: 720, warningThresholdMinutes: 5 }, given);
    const session: ModelSession = {
      createdAt: now,
      timeout,
      lastActivity: now,
      renewedAt: now,
      expiresAt: now + Math.min(timeout.timeoutMinutes, timeout.maxDurationMinutes) * MINUTE,
      renewalCount: 0,
      warnedFor: undefined,
      status: 'live',
      closedAt: 0,
      mayBeGone: false,
      clientIds: new Set(),
      entries: [{ type: 'channel.created' }],
    };
    session.entries.push({ type: 'session.created', expiresAt: session.expiresAt });
    this.sessions.push(session);
    return session;
  }

  /** What everybody who asks for the session is refused with. */
  refusal(session: ModelSession): Refusal | undefined {
    if (session.status === 'live') return undefined;
    return session.status === 'ended' || this.isForgotten(session) ? 'SESSION_NOT_FOUND' : 'SESSION_EXPIRED';
  }

  message(session: ModelSession, clientId?: string): { replayed: boolean; wasRenewed: boolean } {
    if (clientId !== undefined && session.clientIds.has(clientId)) return { replayed: true, wasRenewed: false };
    if (clientId !== undefined) session.clientIds.add(clientId);
    const wasRenewed = this.activity(session);
    session.entries.push({ type: 'message.created' });
    return { replayed: false, wasRenewed };
  }

  heartbeat(session: ModelSession): void {
    this.activity(session);
  }

  renew(session: ModelSession): Refusal | undefined {
    if (atCap(session)) return 'SESSION_RENEWAL_FAILED';
    this.renewal(session);
    return undefined;
  }

  patch(session: ModelSession, given: Partial<TimeoutConfig>): void {
    session.timeout = merge(session.timeout, given);
    session.expiresAt = Math.min(session.renewedAt + session.timeout.timeoutMinutes * MINUTE, cap(session));
    session.entries.push({ type: 'session.updated', expiresAt: session.expiresAt });
    if (this.now >= session.expiresAt) this.expire(session);
  }

  end(session: ModelSession): Refusal | undefined {
    if (this.refusal(session) === 'SESSION_NOT_FOUND') return 'SESSION_NOT_FOUND';
    session.status = 'ended';
    session.entries.push({ type: 'session.ended', expiresAt: session.expiresAt });
    return undefined;
  }

  /** What time does by itself, at this instant. */
  announce(): void {
    for (const session of this.sessions) {
      if (session.status === 'expired' && this.isForgotten(session)) session.mayBeGone = true;
      if (session.status !== 'live') continue;
      if (this.now >= session.expiresAt) this.expire(session);
      else if (this.isNear(session) && session.warnedFor !== session.expiresAt) {
        session.warnedFor = session.expiresAt;
        const timeRemaining = session.expiresAt - this.now;
        session.entries.push({
          type: 'session.warning',
          expiresAt: session.expiresAt,
          timeRemaining,
          minutesRemaining: Math.ceil(timeRemaining / MINUTE),
        });
      }
    }
  }

  /** The next instant up to `limit` at which time does something by itself. */
  nextEvent(limit: number): number | undefined {
    const instants = this.sessions
      .filter(({ status }) => status === 'live')
      .flatMap((session) => [
        session.expiresAt,
        ...(session.warnedFor === session.expiresAt ? [] : [session.expiresAt - threshold(session)]),
      ])
      .filter((instant) => instant > this.now && instant <= limit);
    return instants.length === 0 ? undefined : Math.min(...instants);
  }

  isNear(session: ModelSession): boolean {
    const remaining = session.expiresAt - this.now;
    return session.status === 'live' && remaining > 0 && remaining <= threshold(session);
  }

  isForgotten(session: ModelSession): boolean {
    return session.status === 'expired' && this.now - session.closedAt >= this.tombstoneHours * 60 * MINUTE;
  }

  private activity(session: ModelSession): boolean {
    const renews = session.timeout.autoRenew && !atCap(session);
    if (renews) this.renewal(session);
    session.lastActivity = Math.max(session.lastActivity, this.now);
    return renews;
  }

  private renewal(session: ModelSession): void {
    session.renewalCount += 1;
    session.lastActivity = Math.max(session.lastActivity, this.now);
    session.renewedAt = Math.max(session.renewedAt, this.now);
    session.expiresAt = Math.min(session.renewedAt + session.timeout.timeoutMinutes * MINUTE, cap(session));
    session.entries.push({ type: 'session.renewed', expiresAt: session.expiresAt, renewalCount: session.renewalCount });
  }

  private expire(session: ModelSession): void {
    session.status = 'expired';
    session.closedAt = this.now;
    session.entries.push({ type: 'session.expired', expiresAt: session.expiresAt });
  }
}

function merge(base: TimeoutConfig, given: Partial<TimeoutConfig>): TimeoutConfig {
  const merged = { ...base, ...given };
  const raised = given.maxDurationMinutes !== undefined && given.maxDurationMinutes < merged.timeoutMinutes;
  return raised ? { ...merged, maxDurationMinutes: merged.timeoutMinutes } : merged;
}

const threshold = (session: ModelSession): number => session.timeout.warningThresholdMinutes * MINUTE;
const cap = (session: ModelSession): number => session.createdAt + session.timeout.maxDurationMinutes * MINUTE;
const atCap = (session: ModelSession): boolean => session.expiresAt === cap(session);
