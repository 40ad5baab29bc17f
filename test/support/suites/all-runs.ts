// The runs of all agents, as an operator looks for one.
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError } from '../../../src/core/errors/index.js';
import type { Engine } from '../../../src/core/database/index.js';
import { newId } from '../../../src/core/ids/index.js';
import { ModelRegistry } from '../../../src/providers/models/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../create-test-app.js';
import { expectData, expectError } from '../expect-envelope.js';
import { FakeClock } from '../fake-clock.js';

type Data = ApiResponse['body'];

const ADMIN = 'the administrator of the tests';

/** @param engine of the database */
export function describeAllRuns(engine: Engine): void {
  describe(`the runs of all agents on ${engine}`, () => {
    const clock = new FakeClock();
    const api = new ApiClient(() => test.url);
    const as = (key: string): { headers: Record<string, string> } => ({ headers: { 'x-api-key': key } });
    const channels: string[] = [];
    const runs: string[] = [];
    let test: TestApp;
    let ofBob: string;

    const list = async (query = '', key = ADMIN): Promise<Data> => expectData(await api.get(`/api/runs${query}`, as(key)));
    const indices = ({ runs: listed }: Data): number[] => listed.map(({ runId }: Data) => runs.indexOf(runId));

    async function ask(agentId: string, tookMs: number, error?: Error): Promise<void> {
      clock.advance(1000);
      const body = { agentId, userId: newId() };
      const { sessionId, channelId } = (await api.post('/api/messaging/sessions', body, as(ADMIN))).body.data;
      channels.push(channelId);
      if (error) test.model.fail(error);
      else {
        test.model.replyWith(() => {
          clock.advance(tookMs);
          return 'Yes.';
        });
      }
      await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hello', transport: 'http' }, as(ADMIN));
      runs.push((await list('?limit=1')).runs[0].runId);
    }

    beforeAll(async () => {
      test = await createTestApp({ engine, clock, env: { API_KEY: ADMIN, MODEL_PRICES: '{"scripted":{"input":10,"output":20}}' } });
      test.model.usage = { inputTokens: 100, outputTokens: 50 };
      jest.spyOn(test.app.get(ModelRegistry), 'chat').mockReturnValue(test.model);
      await ask(ADA.id, 10);
      await ask(BOB.id, 300);
      await ask(ADA.id, 0, new AppError('MODEL_UNAVAILABLE', 'It is away.'));
      await ask(ADA.id, 500);
      ofBob = (await api.post('/api/keys', { name: 'of Bob', scope: 'read', agents: [BOB.id] }, as(ADMIN))).body.data.token;
    });
    beforeEach(() => {
      jest.spyOn(test.app.get(ModelRegistry), 'chat').mockReturnValue(test.model);
    });
    afterAll(() => test.close());

    it('are listed, newest first, with agent, duration, tokens, cost and error', async () => {
      const data = await list();
      expect(data).toMatchObject({ hasMore: false, nextCursor: null });
      expect(indices(data)).toEqual([3, 2, 1, 0]);
      expect(data.runs[0]).toMatchObject({
        ...{ agentId: ADA.id, agentName: ADA.name, status: 'completed', durationMs: 500, errorCode: null },
        ...{ inputTokens: 100, outputTokens: 50, costUsd: 0.002, counts: { modelCalls: 1 } },
      });
      expect(data.runs[1]).toMatchObject({ status: 'error', errorCode: 'MODEL_UNAVAILABLE', inputTokens: null, costUsd: null });
      expect(data.runs[2]).toMatchObject({ agentName: BOB.name });
    });

    it.each<[string, () => string, number[]]>([
      ['an agent', () => `?agentId=${BOB.id.toUpperCase()}`, [1]],
      ['a channel', () => `?channelId=${channels[3]}`, [3]],
      ['an agent and a channel of another', () => `?agentId=${BOB.id}&channelId=${channels[3]}`, []],
      ['nobody', () => `?agentId=${newId()}`, []],
      ['status error', () => '?status=error', [2]],
      ['status completed', () => '?status=completed', [3, 1, 0]],
      ['status timeout', () => '?status=timeout', []],
      ['any status', () => '?status=all', [3, 2, 1, 0]],
      ['from a time on', () => `?from=${clock.now() - 1000}`, [3]],
      ['up to a time', () => `?to=${new Date(clock.now() - 1000).toISOString()}`, [2, 1, 0]],
      ['a duration', () => '?minDurationMs=300', [3, 1]],
      ['a duration and a number', () => '?minDurationMs=300&limit=1', [3]],
    ])('are listed by %s', async (_words, query, expected) => {
      expect(indices(await list(query()))).toEqual(expected);
    });

    it.each(['', '&minDurationMs=1'])('are paged by a cursor%s', async (query) => {
      const all = indices(await list(`?limit=100${query}`));
      const found: number[] = [];
      for (let cursor = ''; ;) {
        const page = await list(`?limit=1${query}${cursor}`);
        found.push(...indices(page));
        expect(page.hasMore).toBe(page.nextCursor !== null);
        if (page.nextCursor === null) break;
        cursor = `&cursor=${page.nextCursor}`;
      }
      expect(found).toEqual(all);
    });

    it('of other agents are hidden from a restricted key', async () => {
      expect(indices(await list('', ofBob))).toEqual([1]);
      for (const query of [`agentId=${ADA.id}`, `channelId=${channels[3]}`]) {
        expectError(await api.get(`/api/runs?${query}`, as(ofBob)), 403, 'FORBIDDEN');
      }
    });

    it.each([
      ['agentId', 'x'],
      ['channelId', 'x'],
      ['status', 'perhaps'],
      ['limit', '101'],
      ['minDurationMs', '0'],
      ['from', 'yesterday'],
      ['cursor', 'x'],
    ])('refuse %s=%s', async (name, value) => {
      const answer = await api.get(`/api/runs?${name}=${value}`, as(ADMIN));
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain(name);
    });
  });
}
