// How many turns a server runs at a time with the default settings.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../support/create-test-app.js';

const CONVERSATIONS = 200;

let test: TestApp;
let api: ApiClient;
beforeEach(async () => {
  test = await createTestApp();
  api = new ApiClient(() => test.url);
});
afterEach(() => test.close());

it('asks the model for all conversations at once, and none waits for another', async () => {
  test.model.always(({ messages }) => `Yes, ${messages.at(-1)?.content}.`, test.model.called(CONVERSATIONS));
  const replies = await Promise.all(
    Array.from({ length: CONVERSATIONS }, async (_, index) => {
      const agentId = [ADA, BOB][index % 2]?.id;
      const userId = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
      const session = await api.post('/api/messaging/sessions', { agentId, userId });
      const { sessionId } = session.body.data;
      const reply = await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: `number ${index}`, transport: 'http' });
      return JSON.stringify(reply.body.data);
    }),
  );
  for (const [index, reply] of replies.entries()) expect(reply).toContain(`Yes, number ${index}.`);
});
