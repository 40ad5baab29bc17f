import { describe, expect, it } from '@jest/globals';
import {
  agentTimeout,
  closed,
  dueEvent,
  initialTimeout,
  isAtMaximum,
  isPurgeable,
  nextDeadline,
  reconfigured,
  renewed,
  stateAt,
  touched,
  viewAt,
  warned,
} from './session-lifetime.js';
import type { Session, TimeoutConfig } from './sessions.types.js';

const MINUTE = 60_000;
const CREATED = 1_000_000;
const minute = (count: number): number => CREATED + count * MINUTE;

const DEFAULTS: TimeoutConfig = { timeoutMinutes: 30, autoRenew: true, maxDurationMinutes: 720, warningThresholdMinutes: 5 };

function aSession(change: Partial<Session> = {}, timeout: Partial<TimeoutConfig> = {}): Session {
  return {
    id: 's',
    agentId: 'a',
    channelId: 'c',
    userId: 'u',
    metadata: {},
    timeout: { ...DEFAULTS, ...timeout },
    createdAt: CREATED,
    lastActivity: CREATED,
    renewedAt: CREATED,
    expiresAt: minute(30),
    renewalCount: 0,
    warnedFor: null,
    status: 'live',
    closedAt: null,
    revision: 1,
    ...change,
  };
}

describe('the state of a session', () => {
  it.each([
    [0, 'active', 30 * MINUTE],
    [25 * MINUTE - 1, 'active', 5 * MINUTE + 1],
    [25 * MINUTE, 'expiring', 5 * MINUTE],
    [30 * MINUTE - 1, 'expiring', 1],
    [30 * MINUTE, 'expired', 0],
    [31 * MINUTE, 'expired', 0],
  ])('%i ms after its creation is %s', (after, state, timeRemaining) => {
    const view = viewAt(aSession(), CREATED + after);
    expect(view).toMatchObject({ state, timeRemaining, isNearExpiration: state === 'expiring' });
  });

  it('stays as recorded at any later time', () => {
    expect(stateAt(closed(aSession(), 'expired', minute(30)), CREATED)).toBe('expired');
    expect(viewAt(closed(aSession(), 'ended', minute(1)), CREATED)).toMatchObject({
      state: 'ended',
      timeRemaining: 0,
      isNearExpiration: false,
    });
  });

  it('is nearing its expiry from the start when the threshold exceeds its lifetime', () => {
    expect(stateAt(aSession({}, { warningThresholdMinutes: 60 }), CREATED)).toBe('expiring');
  });
});

describe('a renewal', () => {
  it('starts the timeout now', () => {
    expect(renewed(aSession(), minute(10))).toMatchObject({
      renewedAt: minute(10),
      lastActivity: minute(10),
      expiresAt: minute(40),
      renewalCount: 1,
      revision: 1,
    });
  });

  it('ends at the maximum duration, after which renewal fails', () => {
    const last = renewed(aSession({ renewedAt: minute(690), expiresAt: minute(719) }), minute(700));
    expect(last.expiresAt).toBe(minute(720));
    expect([isAtMaximum(aSession({ expiresAt: minute(719) })), isAtMaximum(last)]).toEqual([false, true]);
  });

  it('never shortens a session, even if the clock was set back', () => {
    const session = renewed(aSession(), minute(10));
    expect(renewed(session, minute(3))).toMatchObject({
      renewedAt: minute(10),
      lastActivity: minute(10),
      expiresAt: minute(40),
      renewalCount: 2,
    });
  });
});

describe('activity without a renewal', () => {
  it('changes only the last activity', () => {
    expect(touched(aSession(), minute(3))).toEqual(aSession({ lastActivity: minute(3) }));
    expect(touched(aSession({ lastActivity: minute(9) }), minute(3)).lastActivity).toBe(minute(9));
  });
});

describe('another configuration', () => {
  it('is merged into the current one and counts from the last renewal', () => {
    const session = renewed(aSession({}, { autoRenew: false, warningThresholdMinutes: 2 }), minute(10));
    expect(reconfigured(session, { timeoutMinutes: 60 })).toEqual({
      ...session,
      timeout: { timeoutMinutes: 60, autoRenew: false, maxDurationMinutes: 720, warningThresholdMinutes: 2 },
      expiresAt: minute(70),
      revision: 2,
    });
  });

  it('may move the expiry into the past', () => {
    expect(stateAt(reconfigured(aSession(), { timeoutMinutes: 5 }), minute(6))).toBe('expired');
  });

  it('raises only a requested maximum to the timeout', () => {
    expect(reconfigured(aSession(), { maxDurationMinutes: 10 }).timeout.maxDurationMinutes).toBe(30);
    expect(reconfigured(aSession(), { maxDurationMinutes: 10, timeoutMinutes: 8 }).timeout.maxDurationMinutes).toBe(10);
    const longer = reconfigured(aSession(), { timeoutMinutes: 1000 });
    expect([longer.timeout.maxDurationMinutes, longer.expiresAt]).toEqual([720, minute(720)]);
  });
});

describe('the due event', () => {
  it('is a warning at the threshold, then the expiry', () => {
    const session = aSession();
    expect(nextDeadline(session)).toBe(minute(25));
    expect([dueEvent(session, minute(25) - 1), dueEvent(session, minute(25)), dueEvent(session, minute(30) - 1)]).toEqual([
      undefined,
      'session.warning',
      'session.warning',
    ]);
    const told = warned(session);
    expect(nextDeadline(told)).toBe(minute(30));
    expect([dueEvent(told, minute(30) - 1), dueEvent(told, minute(30))]).toEqual([undefined, 'session.expired']);
  });

  it('is a new warning for each new expiry, and none for a renewal without effect', () => {
    const again = renewed(warned(aSession()), minute(26));
    expect([nextDeadline(again), dueEvent(again, minute(51))]).toEqual([minute(51), 'session.warning']);
    const atMaximum = renewed(warned(aSession({}, { maxDurationMinutes: 30 })), minute(26));
    expect(nextDeadline(atMaximum)).toBe(minute(30));
  });

  it('is only the expiry when both are overdue, and none once the session is closed', () => {
    expect(dueEvent(aSession(), minute(30))).toBe('session.expired');
    expect(dueEvent(closed(aSession(), 'expired', minute(30)), minute(31))).toBeUndefined();
  });
});

describe('a closed session', () => {
  it('is kept for the configured number of hours', () => {
    const session = closed(aSession(), 'expired', minute(30));
    expect([isPurgeable(session, minute(30 + 120) - 1, 2), isPurgeable(session, minute(30 + 120), 2)]).toEqual([false, true]);
    expect(isPurgeable(aSession(), Number.MAX_SAFE_INTEGER, 2)).toBe(false);
  });
});

describe('the configuration of a new session', () => {
  it('takes each field from the request, then the agent, then the defaults', () => {
    expect(initialTimeout({ timeoutMinutes: 7 }, { timeoutMinutes: 8, autoRenew: false }, DEFAULTS)).toEqual({
      timeoutMinutes: 7,
      autoRenew: false,
      maxDurationMinutes: 720,
      warningThresholdMinutes: 5,
    });
  });

  it('raises only a requested maximum', () => {
    expect(initialTimeout({ timeoutMinutes: 1440 }, {}, DEFAULTS).maxDurationMinutes).toBe(720);
    expect(initialTimeout({ maxDurationMinutes: 1 }, { timeoutMinutes: 45 }, DEFAULTS).maxDurationMinutes).toBe(45);
  });
});

describe("an agent's settings", () => {
  const read = (settings: Record<string, unknown>): ReturnType<typeof agentTimeout> => agentTimeout((key) => settings[key]);

  it('are empty by default', () => {
    expect(read({})).toEqual({ timeout: {}, wrong: [] });
    expect(read({ SESSION_TIMEOUT_MINUTES: null })).toEqual({ timeout: {}, wrong: [] });
  });

  it('may be numbers or text, and are clamped to their range', () => {
    const { timeout, wrong } = read({
      SESSION_TIMEOUT_MINUTES: '1',
      SESSION_MAX_DURATION_MINUTES: 99_999,
      SESSION_WARNING_THRESHOLD_MINUTES: ' 12 ',
      SESSION_AUTO_RENEW: false,
    });
    expect(timeout).toEqual({ timeoutMinutes: 5, maxDurationMinutes: 2880, warningThresholdMinutes: 12, autoRenew: false });
    expect(wrong).toEqual([]);
  });

  it.each(['half an hour', '', '-5', 7.5, true, Number.NaN, [30]])('are ignored unless they are whole numbers: %p', (value) => {
    expect(read({ SESSION_TIMEOUT_MINUTES: value, SESSION_AUTO_RENEW: 'yes' })).toEqual({
      timeout: {},
      wrong: ['SESSION_TIMEOUT_MINUTES', 'SESSION_AUTO_RENEW'],
    });
  });
});
