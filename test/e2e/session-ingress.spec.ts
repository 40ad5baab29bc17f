import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';

const USER = '11111111-1111-1111-1111-111111111111';
const MINUTE = 60_000;

describe("a direct write to a session's channel", () => {
  let test: TestApp;
  let api: ApiClient;
  let clock: FakeClock;
  let session: { sessionId: string; channelId: string };
  const write = (extra: object = {}): ReturnType<ApiClient['post']> =>
    api.post(`/api/messaging/channels/${session.channelId}/messages`, { author_id: USER, content: 'Hi', ...extra });
  const read = (): ReturnType<ApiClient['get']> => api.get(`/api/messaging/sessions/${session.sessionId}`);

  beforeEach(async () => {
    clock = new FakeClock();
    test = await createTestApp({ clock });
    test.model.always(() => 'Hello');
    api = new ApiClient(() => test.url);
    session = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data;
  });
  afterEach(() => test.close());

  it('renews the session', async () => {
    clock.advance(20 * MINUTE);
    expect((await write()).status).toBe(201);
    expect((await read()).body.data).toMatchObject({ renewalCount: 1, timeRemaining: 30 * MINUTE });
  });

  it('is refused once the session has expired, and stores nothing', async () => {
    clock.advance(30 * MINUTE);
    const refused = await write();
    expect([refused.status, refused.body.error.code]).toEqual([410, 'SESSION_EXPIRED']);
    expect((await api.get(`/api/messaging/channels/${session.channelId}/messages`)).body.data.messages).toEqual([]);
  });

  it('works as in any channel when the session was deleted', async () => {
    await api.delete(`/api/messaging/sessions/${session.sessionId}`);
    expect((await write()).status).toBe(201);
  });
});

describe('a body', () => {
  it('may have any key in its metadata, and no NUL in its texts', async () => {
    const test = await createTestApp();
    const api = new ApiClient(() => test.url);
    try {
      const metadata = { constructor: 'x', nested: { constructor: { prototype: 1 }, list: [{ constructor: null }] } };
      const created = await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER, metadata });
      expect([created.status, created.body.data.metadata]).toEqual([201, metadata]);
      const { channelId } = created.body.data as { channelId: string };
      const refused = await api.post(`/api/messaging/channels/${channelId}/messages`, { author_id: USER, content: 'a\0b' });
      expect([refused.status, refused.body.error.message]).toEqual([400, 'content must not contain the character NUL']);
    } finally {
      await test.close();
    }
  });
});
