// The rules of session lifetimes: pure functions of a session and an instant (epoch ms).
import type { Session, SessionState, SessionView, TimeoutConfig } from './sessions.types.js';

const MINUTE_MS = 60_000;

export const TIMEOUT_MINUTES = { min: 5, max: 1440 };
/** Upper bound of the other two settings: the maximum of an integer column, far below the maximum of a date. */
export const MAX_MINUTES = 2_147_483_647;

type Lifetime = Pick<Session, 'createdAt' | 'renewedAt' | 'timeout'>;

/** The earlier of the inactivity timeout after the last renewal and the maximum duration after creation. */
export function expiryAt({ createdAt, renewedAt, timeout }: Lifetime): number {
  return Math.min(renewedAt + timeout.timeoutMinutes * MINUTE_MS, maximumOf({ createdAt, timeout }));
}

/** The state at an instant. A session is expired from its expiry on, even if that is not recorded yet. */
export function stateAt(session: Session, now: number): SessionState {
  if (session.status !== 'live') return session.status;
  if (now >= session.expiresAt) return 'expired';
  return now >= warningAt(session) ? 'expiring' : 'active';
}

export function viewAt(session: Session, now: number): SessionView {
  const state = stateAt(session, now);
  const timeRemaining = state === 'active' || state === 'expiring' ? session.expiresAt - now : 0;
  return { ...session, state, timeRemaining, isNearExpiration: state === 'expiring' };
}

export function warningAt({ expiresAt, timeout }: Pick<Session, 'expiresAt' | 'timeout'>): number {
  return expiresAt - timeout.warningThresholdMinutes * MINUTE_MS;
}

/** When the next event of a live session is due: one warning per renewal period, then the expiry. */
export function nextDeadline(session: Session): number {
  return session.warnedFor === session.expiresAt ? session.expiresAt : warningAt(session);
}

/** The event that is due now. A due expiry replaces a missed warning. */
export function dueEvent(session: Session, now: number): 'session.warning' | 'session.expired' | undefined {
  if (session.status !== 'live' || now < nextDeadline(session)) return undefined;
  return now >= session.expiresAt ? 'session.expired' : 'session.warning';
}

/** Whether the session has reached its maximum duration, so that renewals no longer extend it. */
export function isAtMaximum(session: Session): boolean {
  return session.expiresAt >= maximumOf(session);
}

/** The session after a renewal, which never shortens it, even if the clock was set back. */
export function renewed(session: Session, now: number): Session {
  const renewedAt = Math.max(session.renewedAt, now);
  const expiresAt = Math.max(session.expiresAt, expiryAt({ ...session, renewedAt }));
  return { ...touched(session, now), renewedAt, expiresAt, renewalCount: session.renewalCount + 1 };
}

/** The session after activity without a renewal. */
export function touched(session: Session, now: number): Session {
  return { ...session, lastActivity: Math.max(session.lastActivity, now) };
}

/** The session with a changed configuration. The timeout counts from the last renewal, so the session may expire at once. */
export function reconfigured(session: Session, change: Partial<TimeoutConfig>): Session {
  const timeout = withOverrides(session.timeout, change);
  return { ...session, timeout, expiresAt: expiryAt({ ...session, timeout }), revision: session.revision + 1 };
}

/** The session after the warning of its current renewal period. */
export function warned(session: Session): Session {
  return { ...session, warnedFor: session.expiresAt, revision: session.revision + 1 };
}

/** The session after its expiry or its end. */
export function closed(session: Session, status: 'expired' | 'ended', now: number): Session {
  return { ...session, status, closedAt: now, revision: session.revision + 1 };
}

/** Whether the retention of a closed session is over: it is then treated as unknown. */
export function isPurgeable({ closedAt }: Session, now: number, tombstoneHours: number): boolean {
  return closedAt !== null && now >= closedAt + tombstoneHours * 60 * MINUTE_MS;
}

/** The configuration of a new session: the request's values, then the agent's, then the global defaults. */
export function initialTimeout(request: Partial<TimeoutConfig>, agent: Partial<TimeoutConfig>, global: TimeoutConfig): TimeoutConfig {
  return withOverrides({ ...global, ...agent }, request);
}

/** Raises a requested maximum duration to the timeout if it is shorter (contract 2.4). */
function withOverrides(base: TimeoutConfig, request: Partial<TimeoutConfig>): TimeoutConfig {
  const timeoutMinutes = request.timeoutMinutes ?? base.timeoutMinutes;
  const requested = request.maxDurationMinutes;
  return {
    timeoutMinutes,
    autoRenew: request.autoRenew ?? base.autoRenew,
    maxDurationMinutes: requested === undefined ? base.maxDurationMinutes : Math.max(requested, timeoutMinutes),
    warningThresholdMinutes: request.warningThresholdMinutes ?? base.warningThresholdMinutes,
  };
}

const AGENT_SETTINGS = {
  timeoutMinutes: { key: 'SESSION_TIMEOUT_MINUTES', read: minutes(TIMEOUT_MINUTES.min, TIMEOUT_MINUTES.max) },
  autoRenew: { key: 'SESSION_AUTO_RENEW', read: (value: unknown) => (typeof value === 'boolean' ? value : undefined) },
  maxDurationMinutes: { key: 'SESSION_MAX_DURATION_MINUTES', read: minutes(TIMEOUT_MINUTES.min, 2 * TIMEOUT_MINUTES.max) },
  warningThresholdMinutes: { key: 'SESSION_WARNING_THRESHOLD_MINUTES', read: minutes(1, TIMEOUT_MINUTES.max) },
};

/**
 * Reads the session timeouts of an agent's settings. Numbers are clamped to their range.
 *
 * @param setting returns the value of a setting, undefined if it is not set
 * @returns `wrong`: names of the settings with an invalid value
 */
export function agentTimeout(setting: (key: string) => unknown): { timeout: Partial<TimeoutConfig>; wrong: string[] } {
  const timeout: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [field, { key, read }] of Object.entries(AGENT_SETTINGS)) {
    const value = setting(key);
    if (value === undefined || value === null) continue;
    const known = read(value);
    if (known === undefined) wrong.push(key);
    else timeout[field] = known;
  }
  return { timeout, wrong };
}

/** Settings come from files and the environment, so whole numbers may be text. */
function minutes(min: number, max: number): (value: unknown) => number | undefined {
  return (value) => {
    const number = typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isInteger(number) ? Math.min(Math.max(number, min), max) : undefined;
  };
}

function maximumOf({ createdAt, timeout }: Omit<Lifetime, 'renewedAt'>): number {
  return createdAt + timeout.maxDurationMinutes * MINUTE_MS;
}
