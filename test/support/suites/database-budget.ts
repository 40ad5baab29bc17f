import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { TurnRunner } from '../../../src/modules/turns/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, createTestApp, type TestApp } from '../create-test-app.js';
import { DatabaseMeter, type DatabaseCost } from '../database-meter.js';
import { eventually } from '../memory-app.js';

const USER = '7d1c1b1e-6f0a-4a56-9f3c-2f6e0f4f7a11';
// The first requests fill caches and create rooms, participants and worlds.
const WARM_UP = 3;
// A timer of the server may query the database meanwhile. What an operation itself costs shows in each attempt.
const ATTEMPTS = 10;

/** What an operation may cost: its counts as a table of numbers, in the order of `COUNTS`. */
export type Budget = readonly [commits: number, trips: number, reads: number, writes: number, rows: number, bytes: number];

const COUNTS = ['commits', 'trips', 'reads', 'writes', 'rows', 'bytes'] as const satisfies (keyof DatabaseCost)[];

/** Counts what each operation costs the database, and fails when a count grows. */
export function describeDatabaseBudget(engine: Engine, budgets: Readonly<Record<string, Budget>>): void {
  describe(`database cost of operations (${engine})`, () => {
    let meter: DatabaseMeter;
    let test: TestApp;
    let api: ApiClient;
    let messages: string;
    let channel: string;

    beforeAll(async () => {
      meter = new DatabaseMeter(engine);
      test = await createTestApp({ engine });
      test.model.always(() => 'An answer of a few words.');
      api = new ApiClient(() => test.url);
      const { body: created } = await api.post('/api/messaging/channels', { name: 'budget', participants: [USER] });
      channel = `/api/messaging/channels/${created.data.id}`;
      const { body: session } = await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER });
      messages = `/api/messaging/sessions/${session.data.sessionId}/messages`;
    });

    afterAll(async () => {
      await test.close();
      meter.stop();
    });

    const settled = async (): Promise<void> => {
      await eventually(() => test.app.get(TurnRunner).active === 0);
      // The journal tells of a commit, and sends off what follows from it, a round of the event loop later.
      for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve));
    };

    const operations: Record<string, (round: number) => Promise<ApiResponse>> = {
      'list agents': () => api.get('/api/agents'),
      'list channels': () => api.get('/api/messaging/message-servers/00000000-0000-0000-0000-000000000000/channels'),
      'create channel': (round) => api.post('/api/messaging/channels', { name: `channel ${round}`, participants: [USER] }),
      'change channel': (round) => api.patch(channel, { name: `name ${round}` }),
      submit: () =>
        api.post('/api/messaging/submit', {
          channel_id: channel.split('/').at(-1),
          author_id: ADA.id,
          content: 'A message like many others.',
          raw_message: { text: 'the same' },
        }),
      'create session': () => api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER }),
      'turn over http': () => api.post(messages, { content: 'What do you make of the tides?', transport: 'http' }),
      'read history': () => api.get(`${messages}?limit=50`),
    };

    it.each(Object.keys(operations))('%s', async (name) => {
      const operation = operations[name];
      const budget = budgets[name];
      if (operation === undefined || budget === undefined) throw new Error(`no budget for ${name}`);
      const run = async (round: number): Promise<void> => {
        expect((await operation(round)).status).toBeLessThan(300);
      };
      for (let round = 0; round < WARM_UP; round++) await run(round);
      let measured: number[] = [];
      let grown: readonly string[] = COUNTS;
      for (let attempt = 0; grown.length > 0 && attempt < ATTEMPTS; attempt++) {
        const cost = await meter.cost(() => run(WARM_UP + attempt), settled);
        measured = COUNTS.map((count) => cost[count]);
        grown = COUNTS.filter((count, index) => cost[count] > (budget[index] ?? 0));
      }
      // A count that has fallen is a reason to lower the budget.
      if (grown.length > 0) {
        throw new Error(`${name} costs more ${grown.join(', ')}: [${measured.join(', ')}], budget [${budget.join(', ')}]`);
      }
    });
  });
}
