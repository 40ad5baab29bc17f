import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { idFromText } from '../../../src/core/ids/index.js';
import { SessionChanges } from '../../../src/modules/sessions/session-changes.js';
import { SessionExpiryMonitor } from '../../../src/modules/sessions/session-expiry-monitor.js';
import type { CreateSession, SessionView } from '../../../src/modules/sessions/index.js';
import { SessionsRepository } from '../../../src/modules/sessions/sessions.repository.js';
import { ADA_ID, SessionStack } from '../session-stack.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const USER_ID = idFromText('the user');

/** What sessions promise when several things happen at once, on one engine. */
export function describeSessions(engine: Engine): void {
  describe(`sessions on ${engine}`, () => {
    let stack: SessionStack;

    beforeEach(async () => {
      stack = await SessionStack.open(engine, { SESSION_TOMBSTONE_HOURS: '2' });
    });
    afterEach(() => stack.close());

    const create = (timeout: CreateSession['timeout'] = {}): Promise<SessionView> =>
      stack.sessions.create({ agentId: ADA_ID, userId: USER_ID, timeout, metadata: { platform: 'web' }, users: 'all' });
    const post = async ({ id }: SessionView, content: string): Promise<unknown> =>
      stack.sessions.post(await stack.sessions.require(id), { content, metadata: {}, users: 'all' });
    const times = <T>(count: number, work: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => work(index));
    const entries = async ({ channelId }: SessionView, type: string): Promise<unknown[]> =>
      (
        await stack.rows<{ payload: string }>(
          `SELECT payload FROM journal WHERE channel_id = '${channelId}' AND type = '${type}' ORDER BY pos`,
        )
      ).map(({ payload }) => JSON.parse(payload) as unknown);

    it('are read as they were created', async () => {
      const created = await create({ timeoutMinutes: 60, autoRenew: false, maxDurationMinutes: 2_147_483_647, warningThresholdMinutes: 7 });
      expect(await stack.sessions.find(created.id)).toEqual(created);
      expect(await stack.sessions.find(created.id.toUpperCase())).toEqual(created);
      expect(await stack.listed({ userId: USER_ID, agentId: ADA_ID })).toEqual([created]);
      expect(await stack.sessions.counts()).toEqual({ active: 1, expiring: 0, expired: 0 });
    });

    it('accept concurrent messages, renewals and configurations, and lose none', async () => {
      const session = await create();
      stack.clock.advance(MINUTE);
      const work = [
        ...times(30, (index) => post(session, `message ${index}`)),
        ...times(10, () => stack.sessions.renew(session.id)),
        ...times(5, (index) => stack.sessions.configure(session.id, { warningThresholdMinutes: index + 1 })),
        ...times(5, () => stack.sessions.heartbeat(session.id)),
      ];
      await Promise.all(work);
      expect(await stack.sessions.find(session.id)).toMatchObject({ renewalCount: 45, expiresAt: stack.clock.now() + 30 * MINUTE });
      expect(await entries(session, 'message.created')).toHaveLength(30);
      expect(await entries(session, 'session.renewed')).toHaveLength(45);
      expect(await entries(session, 'session.updated')).toHaveLength(5);
    });

    it('keep the later of two renewals, in any commit order', async () => {
      const session = await create();
      const changes = stack.part(SessionChanges);
      for (const minutes of [9, 4]) {
        await stack.unitOfWork.commit(changes.renewal(session, session.createdAt + minutes * MINUTE).statements);
      }
      expect(await stack.sessions.find(session.id)).toMatchObject({
        renewedAt: session.createdAt + 9 * MINUTE,
        lastActivity: session.createdAt + 9 * MINUTE,
        expiresAt: session.createdAt + 39 * MINUTE,
        renewalCount: 2,
      });
      // The deadline of the expiry monitor too: it is the warning of the later expiry.
      expect(await stack.rows('SELECT next_deadline FROM sessions')).toEqual([{ next_deadline: session.createdAt + 34 * MINUTE }]);
    });

    it('refuse a result computed before a new configuration', async () => {
      const session = await create();
      await stack.sessions.configure(session.id, { timeoutMinutes: 5 });
      const changes = stack.part(SessionChanges);
      const now = stack.clock.now();
      for (const { statements } of [
        changes.renewal(session, now),
        changes.activity(session, now),
        changes.configuration(session, {}, now),
        changes.warning(session, now),
        changes.expiry(session, now),
      ]) {
        await expect(stack.unitOfWork.commit(statements)).rejects.toMatchObject({ code: 'CONFLICT' });
      }
      await stack.settle();
      expect(await entries(session, 'session.expired')).toEqual([]);
    });

    it('expire once, however many callers notice it', async () => {
      const session = await create();
      stack.clock.advance(30 * MINUTE);
      const seen = await Promise.all(times(20, () => stack.sessions.find(session.id)));
      expect(seen.map((view) => view?.state)).toEqual(times(20, () => 'expired'));
      await stack.settle();
      expect(await entries(session, 'session.expired')).toHaveLength(1);
    });

    it('that expire by a new configuration are not revived when the clock is set back', async () => {
      const session = await create();
      stack.clock.advance(10 * MINUTE);
      expect(await stack.sessions.configure(session.id, { timeoutMinutes: 5 })).toMatchObject({ state: 'expired', timeRemaining: 0 });
      stack.clock.advance(-9 * MINUTE);
      await expect(stack.sessions.require(session.id)).rejects.toMatchObject({ code: 'SESSION_EXPIRED' });
      expect(await entries(session, 'session.expired')).toHaveLength(1);
    });

    it('end once', async () => {
      const session = await create();
      const ends = await Promise.allSettled(times(5, () => stack.sessions.end(session.id)));
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await entries(session, 'session.ended')).toHaveLength(1);
    });

    it('get warnings and expire by the hundred', async () => {
      const sessions = await Promise.all(times(450, () => create()));
      stack.clock.advance(25 * MINUTE);
      await stack.settle();
      stack.clock.advance(5 * MINUTE);
      await stack.settle();
      const counted = await stack.rows(
        `SELECT type, count(*) AS count FROM journal WHERE type IN ('session.warning', 'session.expired') GROUP BY type ORDER BY type`,
      );
      expect(counted).toEqual([
        { type: 'session.expired', count: sessions.length },
        { type: 'session.warning', count: sessions.length },
      ]);
    });

    it('are counted and listed quickly while thousands expire, and each is announced once, in order', async () => {
      const many = 3_000;
      const first = await create();
      const count = 'WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < CAST(? AS integer))';
      const copied = (column: string): string => `substr(CAST(100000000 + n AS varchar), 2, 8) || substr(${column}, 9)`;
      await stack.unitOfWork.commit([
        {
          sql: `INSERT INTO channels (id, server_id, name, type, channel_type, metadata, turn_policy, created_at, updated_at)
            ${count} SELECT ${copied('id')}, server_id, name, type, channel_type, metadata, turn_policy, created_at, updated_at
            FROM count, channels WHERE id = ?`,
          params: [many, first.channelId],
        },
        {
          sql: `INSERT INTO sessions (id, agent_id, channel_id, user_id, metadata, timeout_minutes, auto_renew, max_duration_minutes,
              warning_threshold_minutes, created_at, last_activity, renewed_at, expires_at, renewal_count, warned_for, status, revision, next_deadline)
            ${count} SELECT ${copied('id')}, agent_id, ${copied('channel_id')}, user_id, metadata, timeout_minutes, auto_renew, max_duration_minutes,
              warning_threshold_minutes, created_at, last_activity, renewed_at, expires_at + n, 0, expires_at + n, 'live', 1, expires_at + n
            FROM count, sessions WHERE id = ?`,
          params: [many, first.id],
        },
      ]);
      const late = await stack.sessions.create({ agentId: ADA_ID, userId: USER_ID, timeout: { timeoutMinutes: 60 }, users: 'all' });
      expect(await stack.sessions.counts()).toEqual({ active: many + 2, expiring: 0, expired: 0 });
      const expired = `SELECT payload FROM journal WHERE type = 'session.expired' ORDER BY pos`;
      stack.clock.advance(30 * MINUTE + many);
      expect(await stack.sessions.counts()).toEqual({ active: 1, expiring: 0, expired: many + 1 });
      expect((await stack.listed()).map(({ id }) => id)).toEqual([late.id]);
      expect((await stack.rows(expired)).length).toBeLessThan(many);
      await stack.settle();
      const instants = (await stack.rows<{ payload: string }>(expired)).map(
        ({ payload }) => (JSON.parse(payload) as { expiresAt: number }).expiresAt,
      );
      // On PostgreSQL, units of different channels are committed side by side.
      if (engine === 'postgres') instants.sort((a, b) => a - b);
      expect(instants).toEqual(times(many + 1, (index) => first.expiresAt + index));
      expect(await stack.sessions.counts()).toEqual({ active: 1, expiring: 0, expired: many + 1 });
    });

    it('are announced in time when created while the expiry monitor looks for its next deadline', async () => {
      const first = await create();
      await stack.settle();
      stack.clock.advance(10 * MINUTE);
      await stack.sessions.renew(first.id);
      await stack.settle();
      const repository = stack.part(SessionsRepository);
      const ask = repository.firstDeadline.bind(repository);
      let second: SessionView | undefined;
      jest.spyOn(repository, 'firstDeadline').mockImplementationOnce(async () => {
        const before = await ask();
        second = await create({ timeoutMinutes: 25 });
        await stack.heard();
        return before;
      });
      await stack.sessions.counts();
      stack.clock.advance(20 * MINUTE);
      await stack.settle();
      expect(await entries(second!, 'session.warning')).toHaveLength(1);
    });

    it('are announced later when the database fails at their deadline', async () => {
      const session = await create();
      const expiryMonitor = stack.part(SessionExpiryMonitor);
      const commit = jest.spyOn(stack.unitOfWork, 'commit').mockRejectedValue(new Error('the disk is away'));
      stack.clock.advance(25 * MINUTE);
      await stack.settle();
      expect(expiryMonitor.healthy).toBe(false);
      commit.mockRestore();
      stack.clock.advance(1000);
      await stack.settle();
      expect(expiryMonitor.healthy).toBe(true);
      expect(await entries(session, 'session.warning')).toMatchObject([
        { sessionId: session.id, minutesRemaining: 5, timeRemaining: 5 * MINUTE - 1000 },
      ]);
    });

    it('are deleted some time after they were closed, and their channels stay', async () => {
      const session = await create();
      stack.clock.advance(30 * MINUTE);
      await stack.settle();
      stack.clock.advance(2 * HOUR - 1);
      await expect(stack.sessions.require(session.id)).rejects.toMatchObject({ code: 'SESSION_EXPIRED' });
      stack.clock.advance(1);
      await expect(stack.sessions.require(session.id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
      await stack.stop();
      await stack.start();
      await stack.settle();
      expect(await stack.rows('SELECT id FROM sessions')).toEqual([]);
      expect(await stack.rows(`SELECT id FROM channels WHERE id = '${session.channelId}'`)).toHaveLength(1);
    });
  });
}
