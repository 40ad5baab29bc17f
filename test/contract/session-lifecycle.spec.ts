// What a session can be asked, besides messages: get, list, delete, renew, timeout, heartbeat, health (contract 2.2 to 2.7)
import { describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectError, expectHybrid } from '../support/expect-envelope.js';
import { contractApp, HOUR, MINUTE, NOBODY, SESSIONS, USER } from './support/contract-app.js';
import { describeBody } from './support/describe-operation.js';
import { boolean, integer, NO_UUIDS, UUIDS, type Field } from './support/kinds.js';
import { expectOnly, expectShape, SESSION } from './support/shapes.js';

/** Every operation on one session, with a good body. */
const OPERATIONS: [operation: string, method: string, path: string, body?: object][] = [
  ['get', 'GET', ''],
  ['renew', 'POST', '/renew'],
  ['timeout', 'PATCH', '/timeout', { timeoutMinutes: 10 }],
  ['heartbeat', 'POST', '/heartbeat'],
  ['post message', 'POST', '/messages', { content: 'Hello.' }],
  ['get messages', 'GET', '/messages'],
  ['delete', 'DELETE', ''],
];
const SHOWING = OPERATIONS.slice(0, 4);
const BUT_DELETE = OPERATIONS.slice(0, -1);
/** They do not end by themselves, unless they are refused. */
const STREAMS: typeof OPERATIONS = [
  ['follow', 'GET', '/events'],
  ['follow a reply', 'GET', `/messages/${NOBODY}/events`],
];

const DEFAULTS = { timeoutMinutes: 30, autoRenew: true, maxDurationMinutes: 720, warningThresholdMinutes: 5 };
const OWN = { timeoutMinutes: 60, autoRenew: false, maxDurationMinutes: 90, warningThresholdMinutes: 10 };

const TIMEOUT_FIELDS: Field[] = [
  ['timeoutMinutes', integer(5, 1440), 'optional'],
  ['autoRenew', boolean, 'optional'],
  ['maxDurationMinutes', integer(1), 'optional'],
  ['warningThresholdMinutes', integer(1), 'optional'],
];

/** A session with the configuration OWN is changed 20 minutes after its creation; minutes of the expiry count from the creation. */
const RECONFIGURED: [name: string, change: object, config: object, expiresAfter: number][] = [
  ['nothing', {}, OWN, 60],
  ['a longer timeout', { timeoutMinutes: 80 }, { ...OWN, timeoutMinutes: 80 }, 80],
  ['a shorter timeout', { timeoutMinutes: 30 }, { ...OWN, timeoutMinutes: 30 }, 30],
  ['a timeout beyond the maximum, which cuts it', { timeoutMinutes: 1440 }, { ...OWN, timeoutMinutes: 1440 }, 90],
  ['autoRenew', { autoRenew: true }, { ...OWN, autoRenew: true }, 60],
  ['a maximum', { maxDurationMinutes: 100 }, { ...OWN, maxDurationMinutes: 100 }, 60],
  ['a maximum below the timeout, raised to it', { maxDurationMinutes: 1 }, { ...OWN, maxDurationMinutes: 60 }, 60],
  ['a warning threshold', { warningThresholdMinutes: 1 }, { ...OWN, warningThresholdMinutes: 1 }, 60],
  ['all four fields', DEFAULTS, DEFAULTS, 30],
  ['keys that are unknown', { color: 'red', expiresAt: 'never' }, OWN, 60],
];

/** Minutes count from the creation. `undefined` for the expiry: nothing can be gained. */
const RENEWED: [name: string, config: object, at: number, expiresAfter: number | undefined][] = [
  ['at once', DEFAULTS, 0, 30],
  ['after some time', DEFAULTS, 10, 40],
  ['just before it expires', DEFAULTS, 29.999, 59.999],
  ['although it does not renew itself', { ...DEFAULTS, autoRenew: false }, 10, 40],
  ['up to its maximum only', { ...DEFAULTS, maxDurationMinutes: 45 }, 20, 45],
  ['not when its maximum is reached', { ...DEFAULTS, timeoutMinutes: 30, maxDurationMinutes: 30 }, 10, undefined],
];

const HEARTBEATS: [name: string, config: object, at: number, expiresAfter: number, renewals: number][] = [
  ['renews', DEFAULTS, 10, 40, 1],
  ['renews up to the maximum', { ...DEFAULTS, maxDurationMinutes: 45 }, 20, 45, 1],
  ['only counts as activity when the session does not renew itself', { ...DEFAULTS, autoRenew: false }, 10, 30, 0],
  ['only counts as activity when the maximum is reached', { ...DEFAULTS, maxDurationMinutes: 30 }, 10, 30, 0],
];

/** What a session of 30 minutes with a threshold of 5 is, so many ms after its creation. */
const STATES: [name: string, at: number, state: object | 'expired'][] = [
  ['when it is new', 0, { status: 'active', isNearExpiration: false, timeRemaining: 30 * MINUTE }],
  ['later', 10 * MINUTE, { status: 'active', isNearExpiration: false, timeRemaining: 20 * MINUTE }],
  ['just before the threshold', 25 * MINUTE - 1, { status: 'active', isNearExpiration: false, timeRemaining: 5 * MINUTE + 1 }],
  ['exactly at the threshold', 25 * MINUTE, { status: 'expiring', isNearExpiration: true, timeRemaining: 5 * MINUTE }],
  ['in its last millisecond', 30 * MINUTE - 1, { status: 'expiring', isNearExpiration: true, timeRemaining: 1 }],
  ['exactly at its expiry', 30 * MINUTE, 'expired'],
  ['long after', 10 * HOUR, 'expired'],
];

const PAGES: [query: string, sessions: number[], total: number][] = [
  ['', [4, 3, 2, 1, 0], 5],
  ['&limit=2', [4, 3], 5],
  ['&limit=2&offset=2', [2, 1], 5],
  ['&limit=2&offset=4', [0], 5],
  ['&offset=5', [], 5],
  ['&limit=100000', [4, 3, 2, 1, 0], 5],
  [`&agentId=${ADA.id}`, [4, 2, 0], 3],
  [`&agentId=${BOB.id.toUpperCase()}`, [3, 1], 2],
  [`&agentId=${BOB.id}&limit=1`, [3], 2],
  [`&agentId=${NOBODY}`, [], 0],
];

const BAD_QUERIES: [name: string, query: string, told: string][] = [
  ['limit is no number', 'limit=many', 'limit'],
  ['limit is negative', 'limit=-1', 'limit'],
  ['limit is a fraction', 'limit=1.5', 'limit'],
  ['limit is there twice', 'limit=1&limit=2', 'limit'],
  ['offset is no number', 'offset=x', 'offset'],
  ['offset is negative', 'offset=-1', 'offset'],
  ['agentId is no UUID', 'agentId=ada', 'agentId'],
  ['userId is no UUID', 'userId=ann', 'userId'],
];

describe('a session', () => {
  const app = contractApp();
  const { api, clock } = app;
  const ask = (id: string, [, method, path, body]: (typeof OPERATIONS)[number]): Promise<ApiResponse> =>
    api.send(method, `${SESSIONS}/${id}${path}`, body);
  const withConfig = (timeoutConfig: object): ReturnType<typeof app.newSession> => app.newSession({ timeoutConfig });
  const isoAfter = (createdAt: string, minutes: number): string => new Date(Date.parse(createdAt) + minutes * MINUTE).toISOString();
  const get = (id: string): Promise<ApiResponse> => api.get(`${SESSIONS}/${id}`);

  describe('whose id', () => {
    const strange = [...UUIDS, ...NO_UUIDS, ['is a word', 'mine'], ['is very long', 'x'.repeat(2000)], ['has a quote', "'"]] as const;
    const rows = [...OPERATIONS, ...STREAMS].flatMap((operation) =>
      (operation[0] === 'get' ? strange : strange.slice(0, 1)).map(
        ([words, id]) => [words, operation[0], id as string, operation] as const,
      ),
    );

    it.each(rows)('%s, but is unknown, is 404 for %s', async (_words, _name, id, operation) => {
      const answer = await ask(encodeURIComponent(id), operation);
      expectError(answer, 404, 'SESSION_NOT_FOUND');
      expect(answer.body.error.message).toBe(`Session with ID '${id}' not found`);
    });

    it.each(OPERATIONS)('is in upper case is accepted by %s', async (...operation) => {
      app.test.model.always(() => 'Yes.');
      const { sessionId } = await app.newSession();
      expect((await ask(sessionId.toUpperCase(), operation)).status).toBeLessThan(300);
    });
  });

  describe('that has expired', () => {
    it.each([...BUT_DELETE, ...STREAMS])('is 410 for %s, for a day, then 404 [sessions.expiry]', async (...operation) => {
      const { sessionId, expiresAt } = await app.newSession();
      clock.set(Date.parse(expiresAt));
      expectError(await ask(sessionId, operation), 410, 'SESSION_EXPIRED');
      clock.advance(24 * HOUR - 1);
      const answer = await ask(sessionId, operation);
      expectError(answer, 410, 'SESSION_EXPIRED');
      expect(answer.body.error.message).toBe(`Session '${sessionId}' expired at ${expiresAt}`);
      clock.advance(1);
      expectError(await ask(sessionId, operation), 404, 'SESSION_NOT_FOUND');
    });

    it('can be deleted [sessions.deleted]', async () => {
      const { sessionId, expiresAt } = await app.newSession();
      clock.set(Date.parse(expiresAt));
      expectHybrid(await api.delete(`${SESSIONS}/${sessionId}`));
      expectError(await get(sessionId), 404, 'SESSION_NOT_FOUND');
    });
  });

  describe('that was deleted [sessions.deleted]', () => {
    it.each([...OPERATIONS, ...STREAMS])('is 404 for %s', async (...operation) => {
      const { sessionId } = await app.newSession();
      await api.delete(`${SESSIONS}/${sessionId}`);
      expectError(await ask(sessionId, operation), 404, 'SESSION_NOT_FOUND');
    });
  });

  describe('is returned by', () => {
    it.each(SHOWING)('%s with all its fields, under data and at the top level [envelope.hybrid]', async (...operation) => {
      const { sessionId, channelId } = await app.newSession({ metadata: { platform: 'web', tenant: 7 } });
      const session = expectHybrid(await ask(sessionId, operation));
      expectShape(session, SESSION);
      expect(session).toMatchObject({ sessionId, channelId, agentId: ADA.id, userId: USER });
      expectOnly(session.metadata, { platform: 'web', tenant: 7 });
    });

    it.each([...SHOWING, ...OPERATIONS.slice(4, 6)])('%s, with its expiry in X-Session-Expires-At', async (...operation) => {
      app.test.model.always(() => 'Yes.');
      const { sessionId } = await app.newSession();
      const { headers } = await ask(sessionId, operation);
      expect(headers.get('x-session-expires-at')).toBe((await get(sessionId)).body.expiresAt);
    });
  });

  describe('GET', () => {
    it.each(STATES)('shows the state %s [sessions.expiry]', async (_name, at, state) => {
      const { sessionId } = await app.newSession();
      clock.advance(at);
      const answer = await get(sessionId);
      if (state === 'expired') expectError(answer, 410, 'SESSION_EXPIRED');
      else expect(expectHybrid(answer)).toMatchObject(state);
    });

    it('does not renew it', async () => {
      const created = await app.newSession();
      clock.advance(10 * MINUTE);
      const { timeRemaining, ...session } = expectHybrid(await get(created.sessionId));
      expect({ ...session, timeRemaining: timeRemaining + 10 * MINUTE }).toEqual(created);
    });
  });

  describe('POST renew [sessions.renew]', () => {
    it.each(RENEWED)('renews it %s', async (_name, config, at, expiresAfter) => {
      const { sessionId, createdAt } = await withConfig(config);
      clock.advance(at * MINUTE);
      const answer = await api.post(`${SESSIONS}/${sessionId}/renew`);
      if (expiresAfter === undefined) {
        expectError(answer, 422, 'SESSION_RENEWAL_FAILED');
        expect(answer.body.error.message).toBe(`Cannot renew session '${sessionId}': Maximum duration reached`);
        expect(JSON.parse(answer.body.error.details)).toEqual({ maxDuration: 30, createdAt, timeSinceCreation: at * MINUTE });
        expect((await get(sessionId)).body).toMatchObject({ renewalCount: 0, lastActivity: createdAt });
        return;
      }
      const session = expectHybrid(answer);
      expect(session).toMatchObject({ expiresAt: isoAfter(createdAt, expiresAfter), lastActivity: new Date(clock.now()).toISOString() });
      expect(session).toMatchObject({ renewalCount: 1, timeoutConfig: config, timeRemaining: Date.parse(session.expiresAt) - clock.now() });
      expect(expectHybrid(await get(sessionId))).toEqual(session);
    });

    it('counts every renewal', async () => {
      const { sessionId } = await app.newSession();
      for (const count of [1, 2, 3]) expect(expectHybrid(await api.post(`${SESSIONS}/${sessionId}/renew`)).renewalCount).toBe(count);
    });

    it('moves the session out of its warning period', async () => {
      const { sessionId } = await app.newSession();
      clock.advance(26 * MINUTE);
      expect((await get(sessionId)).body.isNearExpiration).toBe(true);
      expect(expectHybrid(await api.post(`${SESSIONS}/${sessionId}/renew`))).toMatchObject({ isNearExpiration: false, status: 'active' });
    });
  });

  describe('POST heartbeat [sessions.renewal] [sessions.at-maximum]', () => {
    it.each(HEARTBEATS)('%s', async (_name, config, at, expiresAfter, renewalCount) => {
      const { sessionId, createdAt } = await withConfig(config);
      clock.advance(at * MINUTE);
      const session = expectHybrid(await api.post(`${SESSIONS}/${sessionId}/heartbeat`));
      expect(session).toMatchObject({ expiresAt: isoAfter(createdAt, expiresAfter), renewalCount });
      expect(session.lastActivity).toBe(new Date(clock.now()).toISOString());
      expect(expectHybrid(await get(sessionId))).toEqual(session);
    });
  });

  describe('PATCH timeout [sessions.reconfigure]', () => {
    describeBody({
      fields: TIMEOUT_FIELDS,
      good: () => ({}),
      send: async (body) =>
        api.patch(`${SESSIONS}/${(await app.newSession()).sessionId}/timeout`, body, { headers: { 'content-type': 'application/json' } }),
      data: expectHybrid,
      shape: SESSION,
      shownAt: {
        timeoutMinutes: 'timeoutConfig.timeoutMinutes',
        autoRenew: 'timeoutConfig.autoRenew',
        // Raised to the timeout: see below.
        maxDurationMinutes: undefined,
        warningThresholdMinutes: 'timeoutConfig.warningThresholdMinutes',
      },
    });

    it.each(RECONFIGURED)('merges %s into the current configuration, not the defaults', async (_name, change, config, expiresAfter) => {
      const { sessionId, createdAt } = await withConfig(OWN);
      clock.advance(20 * MINUTE);
      const session = expectHybrid(await api.patch(`${SESSIONS}/${sessionId}/timeout`, change));
      expectOnly(session.timeoutConfig, config);
      expect(session).toMatchObject({ expiresAt: isoAfter(createdAt, expiresAfter), lastActivity: createdAt, renewalCount: 0 });
      expect(expectHybrid(await get(sessionId))).toEqual(session);
    });

    it('counts from the last renewal', async () => {
      const { sessionId, createdAt } = await app.newSession();
      clock.advance(10 * MINUTE);
      await api.post(`${SESSIONS}/${sessionId}/renew`);
      const session = expectHybrid(await api.patch(`${SESSIONS}/${sessionId}/timeout`, { timeoutMinutes: 15 }));
      expect(session.expiresAt).toBe(isoAfter(createdAt, 25));
    });

    it('expires a session whose new timeout is over', async () => {
      const { sessionId, createdAt } = await app.newSession();
      clock.advance(20 * MINUTE);
      const session = expectHybrid(await api.patch(`${SESSIONS}/${sessionId}/timeout`, { timeoutMinutes: 5 }));
      expect(session).toMatchObject({ status: 'expired', timeRemaining: 0, expiresAt: isoAfter(createdAt, 5) });
      expectError(await get(sessionId), 410, 'SESSION_EXPIRED');
    });

    it('checks the body before the session', async () => {
      const answer = await api.patch(`${SESSIONS}/${NOBODY}/timeout`, { timeoutMinutes: 4 });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toBe('Invalid timeout configuration: timeoutMinutes must be an integer from 5 to 1440');
    });

    it('changes nothing when it refuses', async () => {
      const before = await app.newSession();
      await api.patch(`${SESSIONS}/${before.sessionId}/timeout`, { timeoutMinutes: 10, autoRenew: 'no' });
      expect(expectHybrid(await get(before.sessionId))).toEqual(before);
    });
  });

  describe('DELETE', () => {
    it('responds 200 with success, message and sessionId', async () => {
      const { sessionId } = await app.newSession();
      expectOnly(expectHybrid(await api.delete(`${SESSIONS}/${sessionId}`)), {
        success: true,
        message: `Session ${sessionId} deleted successfully`,
        sessionId,
      });
    });

    it('keeps the channel and its messages', async () => {
      app.test.model.always(() => '');
      const { sessionId, channelId } = await app.newSession();
      await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Hello.' });
      await api.delete(`${SESSIONS}/${sessionId}`);
      expect((await app.messages(channelId)).map(({ content }) => content)).toEqual(['Hello.']);
    });
  });

  describe('GET of all', () => {
    const list = (query = ''): Promise<ApiResponse> => api.get(`${SESSIONS}${query}`);

    it('returns { sessions, total, stats }', async () => {
      await app.newSession();
      const { sessions, total, stats } = expectHybrid(await list());
      expect(sessions).toHaveLength(total);
      for (const session of sessions) expectShape(session, SESSION);
      expectOnly(stats, { totalSessions: expect.any(Number), activeSessions: total, expiredSessions: expect.any(Number) });
      expect(stats.totalSessions).toBe(stats.activeSessions + stats.expiredSessions);
    });

    it.each(PAGES)('of one user, with %s, newest first', async (query, expected, total) => {
      const userId = NOBODY;
      for (const { sessionId } of (await list(`?userId=${userId}`)).body.data.sessions) await api.delete(`${SESSIONS}/${sessionId}`);
      const ids: string[] = [];
      for (const agentId of [ADA.id, BOB.id, ADA.id, BOB.id, ADA.id]) {
        clock.advance(1);
        ids.push((await app.newSession({ agentId, userId })).sessionId);
      }
      const page = expectHybrid(await list(`?userId=${userId}${query}`));
      expect(page.sessions.map(({ sessionId }: { sessionId: string }) => ids.indexOf(sessionId))).toEqual(expected);
      expect(page.total).toBe(total);
    });

    it.each(BAD_QUERIES)('is refused with 400 when %s', async (_name, query, told) => {
      const answer = await list(`?${query}`);
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain(told);
    });

    it('excludes expired and deleted sessions, and counts the expired ones', async () => {
      const [live, expired, deleted] = [await app.newSession(), await withConfig({ timeoutMinutes: 5 }), await app.newSession()];
      const before = (await list()).body.data.stats;
      clock.set(Date.parse(expired.expiresAt));
      await api.delete(`${SESSIONS}/${deleted.sessionId}`);
      const { sessions, stats } = expectHybrid(await list());
      const ids = sessions.map(({ sessionId }: { sessionId: string }) => sessionId);
      expect(ids).toContain(live.sessionId);
      expect(ids).not.toContain(expired.sessionId);
      expect(ids).not.toContain(deleted.sessionId);
      expect(stats).toEqual({
        totalSessions: before.totalSessions - 1,
        activeSessions: before.activeSessions - 2,
        expiredSessions: before.expiredSessions + 1,
      });
    });
  });

  describe('GET health', () => {
    it('returns status, activeSessions, expiringSoon, timestamp and uptime', async () => {
      clock.advance(1500);
      const health = expectHybrid(await api.get(`${SESSIONS}/health`));
      expectOnly(health, {
        status: 'healthy',
        activeSessions: (await api.get(SESSIONS)).body.data.total,
        expiringSoon: expect.any(Number),
        timestamp: new Date(clock.now()).toISOString(),
        uptime: expect.any(Number),
      });
      expect(health.uptime).toBeGreaterThanOrEqual(1.5);
    });

    it('counts the sessions that expire soon', async () => {
      await app.newSession();
      clock.advance(25 * MINUTE);
      const { expiringSoon, activeSessions } = (await api.get(`${SESSIONS}/health`)).body.data;
      await withConfig({ timeoutMinutes: 5, warningThresholdMinutes: 5 });
      await app.newSession();
      expect((await api.get(`${SESSIONS}/health`)).body.data).toMatchObject({
        expiringSoon: expiringSoon + 1,
        activeSessions: activeSessions + 2,
      });
    });
  });

  it.each(OPERATIONS.filter(([, method]) => method !== 'GET'))(
    'hides the cause of an internal error of %s behind a 500',
    async (...operation) => {
      const { sessionId } = await app.newSession();
      app.breakStorage();
      expectError(await ask(sessionId, operation), 500, 'INTERNAL_ERROR');
    },
  );
});
