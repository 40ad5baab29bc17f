import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { STORE, UnitOfWork, type Engine, type Store } from '../../../src/core/database/index.js';
import { idForAgent, newId } from '../../../src/core/ids/index.js';
import { TurnComponents } from '../../../src/modules/turns/index.js';
import { UsageRetention, UsageService } from '../../../src/modules/usage/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, createTestApp, type TestApp } from '../create-test-app.js';
import { FakeClock } from '../fake-clock.js';
import { serverEvents } from '../sse-client.js';

const HOUR_MS = 3_600_000;

/** What turns cost, in rows that quotas can sum. */
export function describeUsage(engine: Engine): void {
  describe(`usage on ${engine}`, () => {
    let clock: FakeClock;
    let test: TestApp;
    let api: ApiClient;

    beforeAll(async () => {
      clock = new FakeClock();
      test = await createTestApp({ engine, clock, env: { USAGE_RETENTION_HOURS: '48' } });
      test.model.usage = { inputTokens: 100, outputTokens: 7 };
      offerTools();
      api = new ApiClient(() => test.url);
    });
    afterEach(() => test.model.assertDone());
    afterAll(() => test.close());

    const offerTools = (): void => {
      test.app.get(TurnComponents, { strict: false }).register('test', {
        appliesTo: () => true,
        toolSources: [{ name: 'tools', tools: () => [{ name: 'look', description: 'Looks.', call: () => true }] }],
      });
    };
    const sum = (filter: object = {}): ReturnType<UsageService['sum']> =>
      test.app.get(UsageService, { strict: false }).sum({ since: 0, ...filter });
    const rows = (userId: string): Promise<Record<string, unknown>[]> =>
      test.app.get<Store>(STORE, { strict: false }).readSource.query(`SELECT * FROM usage WHERE user_id = '${userId}' ORDER BY at, calls`);

    interface Conversation {
      readonly userId: string;
      readonly channelId: string;
      say(transport?: string): Promise<ApiResponse>;
    }

    async function talk(more: object = {}): Promise<Conversation> {
      const userId = newId();
      const { body } = await api.post('/api/messaging/sessions', { agentId: ADA.id, userId, ...more });
      const path = `/api/messaging/sessions/${body.sessionId}/messages`;
      return { userId, channelId: body.channelId, say: (transport = 'http') => api.post(path, { content: 'Well?', transport }) };
    }

    it('accepts a service that counts in fractions, and counts whole tokens', async () => {
      const { userId, say } = await talk();
      test.model.usage = { inputTokens: 12.5, outputTokens: -1 };
      test.model.reply('Counted.');
      try {
        expect((await say()).status).toBe(201);
      } finally {
        test.model.usage = { inputTokens: 100, outputTokens: 7 };
      }
      const stored = await rows(userId);
      expect(stored.map((row) => [Number(row['input_tokens']), Number(row['output_tokens'])])).toEqual([[13, 0]]);
    });

    it('truncates a long model name', async () => {
      const usage = { provider: 'a\0b', model: 'm'.repeat(300), inputTokens: null, outputTokens: 1, durationMs: 0.5, calls: 1 };
      const turn = { agentId: ADA.id, userId: newId(), channelId: newId(), turnId: newId(), at: clock.now() };
      await test.app
        .get(UnitOfWork, { strict: false })
        .commit([test.app.get(UsageService, { strict: false }).record({ ...usage, ...turn })]);
      expect(await rows(turn.userId)).toMatchObject([{ provider: 'ab', model: 'm'.repeat(255), input_tokens: null }]);
    });

    it('counts all calls of a turn, in one row', async () => {
      const { userId, channelId, say } = await talk();
      test.model.calls([{ name: 'look', input: {} }]).replyWith(() => {
        clock.advance(250);
        return 'Seen.';
      });
      const { body } = await say();
      const [row, ...others] = await rows(userId);
      expect(others).toEqual([]);
      expect(row).toMatchObject({
        kind: 'turn',
        turn_id: body.data.agentResponse.messageId ?? body.data.replyId,
        agent_id: ADA.id,
        channel_id: channelId,
        provider: 'scripted',
        model: 'scripted',
        calls: 2,
      });
      await expect(sum({ userId })).resolves.toEqual({ turns: 1, calls: 2, inputTokens: 200, outputTokens: 14, durationMs: 250 });
    });

    it('is summed by agent, user and time', async () => {
      const before = await sum({ agentId: ADA.id });
      const [one, other] = [await talk(), await talk()];
      test.model.reply('One.').reply('Two.').reply('Three.');
      await one.say();
      await other.say();
      clock.advance(HOUR_MS / 4);
      const since = clock.now();
      await one.say();
      const calls = async (filter: object): Promise<number> => (await sum(filter)).calls;
      await expect(calls({ userId: one.userId })).resolves.toBe(2);
      await expect(calls({ userId: one.userId, since })).resolves.toBe(1);
      await expect(calls({ userId: other.userId, agentId: ADA.id })).resolves.toBe(1);
      await expect(calls({ userId: other.userId, agentId: newId() })).resolves.toBe(0);
      await expect(calls({ agentId: ADA.id })).resolves.toBe(before.calls + 3);
    });

    it('includes the calls of a failed turn', async () => {
      const { userId, say } = await talk();
      test.model.calls([{ name: 'look', input: {} }]).fail(new Error('overloaded'));
      expect((await say()).status).toBeGreaterThanOrEqual(500);
      await expect(sum({ userId })).resolves.toMatchObject({ turns: 1, calls: 2, inputTokens: 100 });
    });

    it('includes calls before a restart when the turn fails before its next one', async () => {
      const { userId, channelId, say } = await talk();
      const called = test.model.requests.length;
      test.model.calls([{ name: 'look', input: {} }]).stall();
      const { body } = await say('websocket');
      const replyId = idForAgent(ADA.id, `reply:${body.data.userMessage.id}`);
      await test.model.called(called + 2);
      await test.app
        .get(UnitOfWork, { strict: false })
        .commit([{ sql: 'UPDATE turns SET attempts = 100 WHERE reply_id = ?', params: [replyId] }]);
      await test.restart();
      offerTools();
      test.model.usage = { inputTokens: 100, outputTokens: 7 };
      const url = `${test.url}/api/messaging/channels/${channelId}/events?lastEventId=0`;
      for await (const { event } of serverEvents(await fetch(url, { signal: AbortSignal.timeout(60_000) }))) {
        if (event === 'turn.failed') break;
      }
      await expect(sum({ userId })).resolves.toMatchObject({ turns: 1, calls: 1, inputTokens: 100 });
    });

    it('includes the recorded calls of a cancelled turn, and stays when the channel is deleted', async () => {
      const { userId, channelId, say } = await talk({ turnPolicy: 'interrupt' });
      const called = test.model.requests.length;
      test.model
        .calls([{ name: 'look', input: {} }])
        .stall()
        .reply('Instead.');
      await say('websocket');
      await test.model.called(called + 2);
      await say();
      expect((await rows(userId)).map(({ calls }) => calls)).toEqual([1, 1]);
      expect((await api.delete(`/api/messaging/channels/${channelId}`)).status).toBeLessThan(300);
      await expect(sum({ userId })).resolves.toMatchObject({ turns: 2 });
    });

    it('is deleted after its retention, and with its agent', async () => {
      const created = await api.post('/api/agents', { characterJson: { name: 'Short-lived', bio: ['Goes soon.'] } });
      const { id: agentId } = created.body.data;
      await api.post(`/api/agents/${agentId}/start`, {});
      const { userId, say } = await talk({ agentId });
      test.model.reply('Hello.');
      await say();
      await expect(sum({ userId })).resolves.toMatchObject({ turns: 1 });
      await api.delete(`/api/agents/${agentId}`);
      await expect(sum({ userId })).resolves.toMatchObject({ turns: 0, calls: 0, inputTokens: 0 });
      expect((await sum()).turns).toBeGreaterThan(0);
      clock.advance(49 * HOUR_MS);
      await test.app.get(UsageRetention, { strict: false }).sweep();
      await expect(sum()).resolves.toMatchObject({ turns: 0 });
    });
  });
}
