// Which channel's turn comes next when there are more of them than the server runs at a time.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { Gate } from '../support/scripted-model.js';

const USER = '11111111-1111-1111-1111-111111111111';

describe('a server that runs one turn at a time', () => {
  let test: TestApp;
  let api: ApiClient;
  beforeEach(async () => {
    test = await createTestApp({ env: { TURN_CONCURRENCY: '1' } });
    api = new ApiClient(() => test.url);
  });
  afterEach(() => test.close());

  const session = async (): Promise<string> =>
    (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data.sessionId;
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
});
