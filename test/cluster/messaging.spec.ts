import { AsyncResource } from 'node:async_hooks';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { Journal } from '../../src/core/journal/index.js';
import { MessageHooks, MessagesService } from '../../src/modules/messaging/index.js';
import { ApiClient } from '../support/api-client.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { describeMessaging } from '../support/suites/messaging.js';

describeMessaging('postgres');

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ engine: 'postgres' });
});
afterAll(() => test.close());

it("deleting an author's messages keeps one that is posted meanwhile", async () => {
  const api = new ApiClient(() => test.url);
  const author = idFromText('the author');
  const { data } = (await api.post('/api/messaging/channels', { name: 'busy' })).body;
  const path = `/api/messaging/channels/${data.id}`;
  const say = (content: string): Promise<unknown> => api.post(`${path}/messages`, { author_id: author, content });
  await say('before');
  const remove = test.app.get(MessageHooks, { strict: false }).register({
    onMessagesDeleted: AsyncResource.bind(async () => {
      await say('meanwhile');
      return [];
    }),
  });
  try {
    expect(await test.app.get(MessagesService, { strict: false }).deleteOf(data.id, author)).toBe(1);
  } finally {
    remove();
  }
  const { messages } = (await api.get(`${path}/messages`)).body.data;
  expect(messages.map(({ content }: { content: string }) => content)).toEqual(['meanwhile']);
  const entries = await test.app.get(Journal, { strict: false }).read(data.id, 0);
  expect(entries.filter(({ type }) => type === 'message.deleted')).toHaveLength(1);
});
