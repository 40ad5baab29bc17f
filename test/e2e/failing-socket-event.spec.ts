// An internal error while the server handles a socket event: the client gets an error, and other clients are not affected.
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { recentLines } from '../../src/core/logging/index.js';
import { ChannelMessagesService } from '../../src/modules/messaging/index.js';
import { ApiClient } from '../support/api-client.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { SocketClient } from '../support/socket-client.js';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

it('is logged and reported as INTERNAL_ERROR without its cause, and the connection continues', async () => {
  const api = new ApiClient(() => test.url);
  const channelId: string = (await api.post('/api/messaging/channels', { name: 'a channel' })).body.data.id;
  const [one, other] = [await SocketClient.connect(test.url), await SocketClient.connect(test.url)];
  await other.ask('join', { channelId });
  jest.spyOn(test.app.get(ChannelMessagesService), 'post').mockImplementationOnce(() => {
    throw new TypeError('a fault of the tests');
  });
  const refused = await one.ask('2', { channelId, message: 'Hi' });
  expect(refused).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } });
  expect(JSON.stringify([refused, await one.waitFor('messageError')])).not.toContain('a fault of the tests');
  const [line] = [...recentLines.newestFirst()].filter(({ part }) => part === 'gateway');
  expect(line).toMatchObject({ level: 'error', err: { message: 'a fault of the tests' }, event: '2' });

  expect(await one.ask('2', { channelId, message: 'Again' })).toMatchObject({ ok: true });
  expect(await other.waitFor('messageBroadcast')).toMatchObject({ text: 'Again' });
  one.close();
  other.close();
});
