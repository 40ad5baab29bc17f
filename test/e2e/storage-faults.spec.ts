// A disk that fills up, or can only be read, in the middle of an answer.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { STORE, type Store } from '../../src/core/database/index.js';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { setReadOnly } from '../support/read-only-database.js';
import { Gate } from '../support/scripted-model.js';
import { SocketClient } from '../support/socket-client.js';

const USER = '11111111-1111-1111-1111-111111111111';
const HEARTBEAT_MS = 5_000;

let test: TestApp;
let clock: FakeClock;
beforeEach(async () => {
  clock = new FakeClock();
  test = await createTestApp({ clock });
});
afterEach(() => test.close());

it('a reply that could not be stored does not fail, and is stored once there is space', async () => {
  const api = new ApiClient(() => test.url);
  const gate = new Gate();
  const text = 'x'.repeat(100_000);
  test.model.deltas([text], { gate }).reply('Here is room.');
  const session = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data;
  const socket = await SocketClient.connect(test.url);
  await socket.ask('join', { channelId: session.channelId });
  await api.post(`/api/messaging/sessions/${session.sessionId}/messages`, { content: 'Is there room?' });
  await test.model.called(1);

  const { unitOfWork, reader } = test.app.get<Store>(STORE);
  const limit = (pages: number): Promise<unknown> => unitOfWork.run('limit', ({ rows }) => rows(`PRAGMA max_page_count=${pages}`, []));
  const pages = (await reader.rows<{ page_count: number }>('PRAGMA page_count'))[0]!.page_count;
  await limit(pages + 8);
  const write = (content: string): ReturnType<ApiClient['post']> =>
    api.post(`/api/messaging/channels/${session.channelId}/messages`, { author_id: USER, content });
  gate.open();
  const refused = await write(text);
  expect(refused).toMatchObject({ status: 507, body: { success: false, error: { code: 'STORAGE_FULL' } } });
  expect((await api.get(`/api/messaging/channels/${session.channelId}/messages`)).status).toBe(200);

  await limit(pages + 10_000);
  while (socket.all('messageComplete').length === 0) {
    clock.advance(HEARTBEAT_MS);
    // The server does what has become due before the clock goes on.
    await api.get('/healthz');
  }
  const messages = (await api.get(`/api/messaging/channels/${session.channelId}/messages`)).body.data.messages as { content: string }[];
  expect(messages.map(({ content }) => content)).toEqual(['Here is room.', 'Is there room?']);
  expect(socket.all('messageStreamError')).toEqual([]);
  socket.close();
});

it('writes fail with 503 while the disk is read-only, reads work, and pending replies follow afterwards', async () => {
  const api = new ApiClient(() => test.url);
  const gate = new Gate();
  test.model.deltas(['Here ', 'I am.'], { gate });
  const session = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data;
  const messages = `/api/messaging/sessions/${session.sessionId}/messages`;
  await api.post(messages, { content: 'Where are you?' });
  await test.model.called(1);
  await setReadOnly(test, true);
  gate.open();
  const refused = await api.post(messages, { content: 'Hello?' });
  expect(refused).toMatchObject({ status: 503, body: { success: false, error: { code: 'STORAGE_UNAVAILABLE' } } });
  expect((await api.get(messages)).body.data.messages).toHaveLength(1);
  expect((await api.get('/healthz')).status).toBe(200);

  await setReadOnly(test, false);
  test.model.deltas(['Here ', 'I am.']);
  const contents = async (): Promise<string[]> =>
    ((await api.get(messages)).body.data.messages as { content: string }[]).map(({ content }) => content);
  while ((await contents()).length < 2) clock.advance(HEARTBEAT_MS);
  expect(await contents()).toEqual(['Here I am.', 'Where are you?']);
});
