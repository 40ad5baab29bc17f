// The rules of session time, as pure functions of a session and an instant (epoch ms). Nothing here reads a clock.
import type { Session, SessionState, SessionView, TimeoutConfig } from './sessions.types.js';

const MINUTE_MS = 60_000;

export const TIMEOUT_MINUTES = { min: 5, max: 1440 };
/** Upper bound of the other two: what a column holds, and far below the last instant that a date can show. */
export const LONGEST_MINUTES = 2_147_483_647;

type Lifetime = Pick<Session, 'createdAt' | 'renewedAt' | 'timeout'>;

/** Inactivity timeout after the last renewal, but never beyond the maximum duration after creation. */
export function expiryOf({ createdAt, renewedAt, timeout }: Lifetime): number {
  return Math.min(renewedAt + timeout.timeoutMinutes * MINUTE_MS, maximumOf({ createdAt, timeout }));
}

/** A session is expired at its instant, whether or not anybody has noticed. */
export function stateAt(session: Session, now: number): SessionState {
  if (session.status !== 'live') return session.status;
  if (now >= session.expiresAt) return 'expired';
  return now >= warningInstant(session) ? 'expiring' : 'active';
}

export function viewAt(session: Session, now: number): SessionView {
  const state = stateAt(session, now);
  const timeRemaining = state === 'active' || state === 'expiring' ? session.expiresAt - now : 0;
  return { ...session, state, timeRemaining, isNearExpiration: state === 'expiring' };
}

export function warningInstant({ expiresAt, timeout }: Pick<Session, 'expiresAt' | 'timeout'>): number {
  return expiresAt - timeout.warningThresholdMinutes * MINUTE_MS;
}

/** When something is to be announced next about a live session. A life period is told by its expiry: one warning for each. */
export function nextDeadline(session: Session): number {
  return session.warnedFor === session.expiresAt ? session.expiresAt : warningInstant(session);
}

/** What is to be announced about a session now. An expiry makes a warning that was missed pointless. */
export function dueAt(session: Session, now: number): 'session.warning' | 'session.expired' | undefined {
  if (session.status !== 'live' || now < nextDeadline(session)) return undefined;
  return now >= session.expiresAt ? 'session.expired' : 'session.warning';
}

/** True when no renewal can move the expiry any more. */
export function isAtMaximum(session: Session): boolean {
  return session.expiresAt >= maximumOf(session);
}

/** After a renewal; never with less time than before, also when the clock was set back. */
export function renewed(session: Session, now: number): Session {
  const renewedAt = Math.max(session.renewedAt, now);
  const expiresAt = Math.max(session.expiresAt, expiryOf({ ...session, renewedAt }));
  return { ...touched(session, now), renewedAt, expiresAt, renewalCount: session.renewalCount + 1 };
}

/** After activity that does not renew. */
export function touched(session: Session, now: number): Session {
  return { ...session, lastActivity: Math.max(session.lastActivity, now) };
}

/** With another configuration; its time counts from the last renewal, so it may expire at once. */
export function reconfigured(session: Session, change: Partial<TimeoutConfig>): Session {
  const timeout = withRequest(session.timeout, change);
  return { ...session, timeout, expiresAt: expiryOf({ ...session, timeout }), revision: session.revision + 1 };
}

/** After the warning of its present life period. */
export function warned(session: Session): Session {
  return { ...session, warnedFor: session.expiresAt, revision: session.revision + 1 };
}

/** Ended by its time or by a caller; from now on it is only remembered. */
export function closed(session: Session, status: 'expired' | 'ended', now: number): Session {
  return { ...session, status, closedAt: now, revision: session.revision + 1 };
}

/** True for a session that was closed so long ago that it is answered as if it had never been. */
export function isForgotten({ closedAt }: Session, now: number, tombstoneHours: number): boolean {
  return closedAt !== null && now >= closedAt + tombstoneHours * 60 * MINUTE_MS;
}

/** The configuration of a new session: what was asked for, else what its agent says, else what holds for all. */
export function initialTimeout(request: Partial<TimeoutConfig>, agent: Partial<TimeoutConfig>, global: TimeoutConfig): TimeoutConfig {
  return withRequest({ ...global, ...agent }, request);
}

/** A maximum that is asked for and shorter than the timeout is raised to it (contract 2.4); one that is not asked for stays. */
function withRequest(base: TimeoutConfig, request: Partial<TimeoutConfig>): TimeoutConfig {
  const timeoutMinutes = request.timeoutMinutes ?? base.timeoutMinutes;
  const asked = request.maxDurationMinutes;
  return {
    timeoutMinutes,
    autoRenew: request.autoRenew ?? base.autoRenew,
    maxDurationMinutes: asked === undefined ? base.maxDurationMinutes : Math.max(asked, timeoutMinutes),
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
 * What an agent's settings say about its sessions. Numbers out of range are brought into it.
 *
 * @param setting gives the value of a setting, undefined when there is none
 * @returns the names of settings that say nothing usable in `wrong`
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

/** Settings come from files and environments: whole numbers may be written as text there. */
function minutes(min: number, max: number): (value: unknown) => number | undefined {
  return (value) => {
    const number = typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isInteger(number) ? Math.min(Math.max(number, min), max) : undefined;
  };
}

function maximumOf({ createdAt, timeout }: Omit<Lifetime, 'renewedAt'>): number {
  return createdAt + timeout.maxDurationMinutes * MINUTE_MS;
}
