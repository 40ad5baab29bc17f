import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditEntry } from '../../../src/core/audit/index.js';
import { withRequestId, type Actor } from '../../../src/core/context/request-context.js';
import { UnitOfWork, type Engine } from '../../../src/core/database/index.js';
import { newId } from '../../../src/core/ids/index.js';
import { FORGOTTEN_USER_ID } from '../../../src/core/personal-data/index.js';
import { AuditRetention } from '../../../src/modules/audit/audit-retention.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, createTestApp, type TestApp } from '../create-test-app.js';
import { FakeClock } from '../fake-clock.js';
import { forgetting } from '../forgetting.js';

const DAY_MS = 86_400_000;

/** What the audit log keeps, for how long, and what it forgets. */
export function describeAudit(engine: Engine): void {
  describe(`the audit log on ${engine}`, () => {
    const clock = new FakeClock();
    const api = new ApiClient(() => test.url);
    let test: TestApp;

    beforeAll(async () => {
      test = await createTestApp({ engine, clock, env: { AUDIT_RETENTION_DAYS: '2' } });
    });
    afterAll(() => test.close());

    const { rowsWith, forget } = forgetting(() => test, engine);
    const uow = (): UnitOfWork => test.app.get(UnitOfWork, { strict: false });
    const entries = async (query = ''): Promise<ApiResponse['body'][]> =>
      (await api.get(`/api/audit?limit=1000${query}`)).body.data.entries;
    const record = (target: string, actor?: Actor): Promise<unknown> =>
      withRequestId(
        newId(),
        () => uow().commit([auditEntry('channel.deleted', { target: ['channel', target], summary: 'Deleted the channel.' }, clock.now())]),
        actor && { actor: () => actor },
      );

    it('has an entry for a committed change, and none for one that was rolled back', async () => {
      const change = { target: ['channel', 'rolled back'], summary: 'Deleted the channel.' } as const;
      const failing = uow().run('fails', async (tx) => {
        await tx.apply([auditEntry('channel.deleted', change, clock.now())]);
        throw new Error('after the entry');
      });
      await expect(failing).rejects.toThrow('after the entry');
      expect(await entries('&target=rolled%20back')).toEqual([]);
      const { body } = await api.patch(`/api/agents/${ADA.id}`, { bio: 'Changed.', settings: { model: 'tea' } });
      expect(body.success).toBe(true);
      expect(await entries(`&target=${ADA.id}&action=agent.updated`)).toMatchObject([
        { summary: 'Changed the agent Ada.', agentId: ADA.id, fields: ['bio', 'settings.model'], at: new Date(clock.now()).toISOString() },
      ]);
    });

    it('names the server for changes outside of requests, and the plugin that made a change', async () => {
      await uow().commit([auditEntry('channel.deleted', { target: ['channel', 'swept'], summary: 'Deleted the channel.' }, clock.now())]);
      expect(await entries('&target=swept')).toMatchObject([
        { actor: { id: 'server', kind: 'server', name: null }, address: null, requestId: null },
      ]);
      const key = { id: 'key:1', name: 'app', address: '192.0.2.1' };
      const change = { target: ['memory', 'tea'], summary: 'Edited a memory.' } as const;
      await withRequestId('r1', () => uow().commit([auditEntry('memory.updated', change, clock.now(), 'plugin:tea')]), {
        actor: () => key,
      });
      expect(await entries('&target=tea')).toMatchObject([
        { actor: { id: 'plugin:tea', kind: 'plugin', name: null }, address: '192.0.2.1', requestId: 'r1' },
      ]);
    });

    it('keeps the entries of a deleted user without the user', async () => {
      const [userId, other] = [newId(), newId()];
      const session = newId();
      await record('of the user', { id: `user:${userId}`, userId, address: '192.0.2.7' });
      await record('of the session', { id: `session:${session}`, userId, address: '192.0.2.8' });
      await record('of the other', { id: `user:${other}`, userId: other, address: '192.0.2.9' });
      await record(`about ${userId}`);
      const exported = (await api.get(`/api/users/${userId}/export`)).body.data.records as { kind: string; record: object }[];
      expect(exported.map(({ kind, record: { targetId } }: { kind: string; record: { targetId?: string } }) => [kind, targetId])).toEqual(
        expect.arrayContaining([
          ['audit entries', 'of the user'],
          ['audit entries', 'of the session'],
        ]),
      );
      expect(exported).toHaveLength(2);

      await forget(userId);

      for (const text of [userId, session, '192.0.2.7', '192.0.2.8']) {
        expect((await rowsWith(text)).filter((row) => row.startsWith('audit_log'))).toEqual([]);
      }
      const redacted = { actor: { id: `user:${FORGOTTEN_USER_ID}` }, address: null };
      expect(await entries('&target=of%20the%20user')).toMatchObject([redacted]);
      expect(await entries('&target=of%20the%20session')).toMatchObject([redacted]);
      expect(await entries('&target=of%20the%20other')).toMatchObject([{ actor: { id: `user:${other}` }, address: '192.0.2.9' }]);
      expect(await entries(`&target=about%20${FORGOTTEN_USER_ID}`)).toHaveLength(1);
      const asked = await entries('&action=user.forgotten');
      expect(asked).toMatchObject([{ target: { kind: 'forget-request' } }]);
    });

    it('is deleted after AUDIT_RETENTION_DAYS', async () => {
      await record('old');
      clock.advance(2 * DAY_MS);
      await record('young');
      clock.advance(1);
      await test.app.get(AuditRetention, { strict: false }).sweep();
      expect((await entries()).map(({ target }) => target.id)).toEqual(['young']);
    });
  });
}
