// Figures over time out of what is stored: GET /api/server/statistics.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../../src/core/errors/index.js';
import type { Engine } from '../../../src/core/database/index.js';
import { newId } from '../../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../create-test-app.js';
import { expectData, expectError } from '../expect-envelope.js';
import { FakeClock } from '../fake-clock.js';
import { eventually } from '../memory-app.js';

type Data = ApiResponse['body'];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PATH = '/api/server/statistics';

/** @param engine of the database */
export function describeStatistics(engine: Engine): void {
  describe(`statistics on ${engine}`, () => {
    let clock: FakeClock;
    let test: TestApp;
    let api: ApiClient;

    beforeEach(async () => {
      clock = new FakeClock();
      test = await createTestApp({ engine, clock, env: { MODEL_PRICES: '{"scripted":{"input":1,"output":2}}' } });
      api = new ApiClient(() => test.url);
      test.model.usage = { inputTokens: 100, outputTokens: 10 };
    });
    afterEach(() => test.close());

    const read = async (query: Record<string, string | number> = {}): Promise<Data> => {
      const parameters = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
      return expectData(await api.get(`${PATH}?${parameters.toString()}`));
    };

    /** One message and its answer, which takes so long. */
    async function ask(takesMs: number, agentId = ADA.id): Promise<void> {
      test.model.replyWith(() => {
        clock.advance(takesMs);
        return 'Done.';
      });
      const { sessionId } = (await api.post('/api/messaging/sessions', { agentId, userId: newId() })).body.data;
      const answer = await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hi', transport: 'http' });
      expect(answer.status).toBe(201);
    }

    it('count messages, turns, durations and tokens by hour, and in total', async () => {
      const from = clock.now();
      await ask(1000);
      await ask(1000);
      test.model.fail(new AppError('MODEL_UNAVAILABLE', 'It is away.'));
      const { sessionId } = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: newId() })).body.data;
      await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hi', transport: 'http' });
      clock.set(from + HOUR);
      await ask(8000, BOB.id);
      const { buckets, totals, ...rest } = await read({ from, to: from + 3 * HOUR });
      expect(rest).toMatchObject({ from, to: from + 3 * HOUR, bucket: 'hour' });
      expect(buckets.map(({ at }: Data) => at)).toEqual([from, from + HOUR, from + 2 * HOUR]);
      expect(buckets[0]).toMatchObject({ messages: 5, completed: 2, failed: 1, cancelled: 0, pending: 0, modelCalls: 3 });
      expect(buckets[0]).toMatchObject({ inputTokens: 200, outputTokens: 20, costUsd: 0.00024 });
      expect(buckets[1]).toMatchObject({ messages: 2, completed: 1, failed: 0, inputTokens: 100, outputTokens: 10 });
      expect(buckets[2]).toMatchObject({
        messages: 0,
        completed: 0,
        durationP50Ms: null,
        durationP95Ms: null,
        inputTokens: 0,
        costUsd: null,
      });
      expect(totals).toMatchObject({ messages: 7, completed: 3, failed: 1, inputTokens: 300, costUsd: 0.00036 });
      expect(Math.abs(totals.durationP50Ms - 1000)).toBeLessThan(100);
      expect(Math.abs(totals.durationP95Ms - 8000)).toBeLessThan(800);

      const bobs = await read({ from, to: from + 3 * HOUR, agentId: BOB.id });
      expect(bobs.totals).toMatchObject({ messages: 2, completed: 1, failed: 0, inputTokens: 100 });
    });

    it('include the memory of the process and the size of the database, now and earlier', async () => {
      const from = clock.now();
      const present = await read({ from, to: from + 2 * HOUR });
      expect(present.memoryBytes).toBeGreaterThan(10_000_000);
      expect(present.databaseBytes).toBeGreaterThan(10_000);
      expect(present.buckets[0].databaseBytes).toBe(present.databaseBytes);
      expect(present.buckets[1]).toMatchObject({ memoryBytes: null, databaseBytes: null });
      clock.advance(5 * MINUTE);
      // Without the present sample of the answer.
      clock.set(from + HOUR + MINUTE);
      const stored = async (): Promise<Data> => (await read({ from, to: from + HOUR })).buckets[0];
      await eventually(async () => (await stored()).memoryBytes !== null);
      expect((await stored()).databaseBytes).toBeGreaterThan(10_000);
    });

    it('cover the last day by hour, and longer ranges by day', async () => {
      const now = clock.now();
      const day = await read();
      expect([day.from, day.to, day.bucket, day.buckets.length]).toEqual([now - DAY, now, 'hour', 24]);
      const month = await read({ from: new Date(now - 30 * DAY).toISOString() });
      expect([month.bucket, month.buckets.length]).toEqual(['day', 30]);
      expect((await read({ from: now - 90 * MINUTE })).buckets).toHaveLength(2);
      expect((await read({ from: now - HOUR, to: now, bucket: 'day' })).buckets).toHaveLength(1);
    });

    it.each([
      ['an unknown bucket', 'bucket=minute', 'bucket'],
      ['a time that is none', 'from=yesterday', 'from'],
      ['an end before the beginning', 'from=2000&to=1000', 'from'],
      ['too many hours', `from=0&to=${751 * HOUR}&bucket=hour`, '750 buckets'],
      ['too many days', `from=0&to=${751 * DAY}`, '750 buckets'],
      ['an agent that is no id', 'agentId=Ada', 'agentId'],
    ])('refuse %s', async (_what, query, named) => {
      const answer = await api.get(`${PATH}?${query}`);
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(`${answer.body.error.message} ${answer.body.error.details}`).toContain(named);
    });
  });
}
