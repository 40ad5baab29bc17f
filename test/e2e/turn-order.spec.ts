// Which channel's turn comes next when there are more of them than the server runs at a time.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { Gate } from '../support/scripted-model.js';

const USER = '11111111-1111-1111-1111-111111111111';
const OTHER_USER = '22222222-2222-2222-2222-222222222222';

describe('a server that runs one turn at a time', () => {
  let test: TestApp;
  let api: ApiClient;
  let clock: FakeClock;
  beforeEach(async () => {
    clock = new FakeClock();
    test = await createTestApp({ clock, env: { TURN_CONCURRENCY: '1', METRICS: 'on' } });
    api = new ApiClient(() => test.url);
  });
  afterEach(() => test.close());

  const session = async (userId = USER, agentId = ADA.id): Promise<string> =>
    (await api.post('/api/messaging/sessions', { agentId, userId })).body.data.sessionId;
  const say = (sessionId: string, content: string, transport = 'websocket'): ReturnType<ApiClient['post']> =>
    api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport });

  it('serves other channels between the messages of a busy one', async () => {
    const gate = new Gate();
    test.model.deltas(['Yes.'], { gate }).always(() => 'Yes.');
    const [many, other, third] = [await session(), await session(), await session()];
    for (const content of ['a1', 'a2', 'a3', 'a4']) await say(many, content);
    for (const content of ['b1', 'b2']) await say(other, content);
    await say(third, 'c1');
    gate.open();
    await test.model.called(7);
    expect(test.model.requests.map(({ messages }) => messages.at(-1)?.content)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('serves users and agents in turns, however many conversations each has', async () => {
    const gate = new Gate();
    test.model.deltas(['Yes.'], { gate }).always(() => 'Yes.');
    for (const content of ['a1', 'a2', 'a3', 'a4']) await say(await session(), content);
    await say(await session(OTHER_USER), 'b1');
    await say(await session(USER, BOB.id), 'c1');
    gate.open();
    await test.model.called(6);
    expect(test.model.requests.map(({ messages }) => messages.at(-1)?.content)).toEqual(['a1', 'a2', 'c1', 'b1', 'a3', 'a4']);
  });

  it('tells of conversations that wait for long, until they no longer do', async () => {
    const gate = new Gate();
    test.model.deltas(['Yes.'], { gate }).always(() => 'Yes.');
    const problems = async (): Promise<unknown> => (await api.get('/api/server/problems')).body.data.problems;
    for (const content of ['a1', 'b1', 'c1']) await say(await session(), content);
    clock.advance(29_999);
    expect(await problems()).toEqual([]);
    clock.advance(1);
    expect(await problems()).toEqual([
      {
        ...{ kind: 'turns', subject: 'TURN_CONCURRENCY', count: 2, at: null },
        message: 'Conversations wait for a free turn of this process: 2, the oldest for 30 s.',
        details: 'It runs no more turns at a time than 1. Raise TURN_CONCURRENCY, or add a server.',
      },
    ]);
    const metrics: string = (await api.get('/metrics')).body;
    expect(metrics.split('\n').filter((line) => line.startsWith('parley_turns_waiting'))).toEqual([
      'parley_turns_waiting 2',
      'parley_turns_waiting_age_seconds 30',
    ]);
    gate.open();
    await test.model.called(3);
    expect(await problems()).toEqual([]);
  });
});
