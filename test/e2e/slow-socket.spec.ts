// A socket.io client that stops reading: what waits for it is bounded, it is cut with a code, and it can go on where it was.
import { once } from 'node:events';
import type { Socket as TcpSocket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { SocketClient } from '../support/socket-client.js';

const USER = '11111111-1111-1111-1111-111111111111';
const LENGTH = 90_000;
const COUNT = 150;

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp({ env: { SOCKET_BACKLOG_BYTES: '65536' } });
});
afterEach(() => test.close());

it('a slow client is cut with 4008 and receives each message once after it reconnects', async () => {
  const api = new ApiClient(() => test.url);
  const channelId: string = (await api.post('/api/messaging/channels', { name: 'a channel' })).body.data.id;
  const slow = await SocketClient.connect(test.url);
  const { offset } = await slow.ask('join', { channelId });
  const { transport } = slow.socket.io.engine as unknown as { transport: { ws: { _socket: TcpSocket } } };
  const { _socket: tcp } = transport.ws;
  tcp.pause();
  const cut = new Promise<unknown[]>((resolve) => slow.socket.once('disconnect', (...args) => resolve(args)));
  for (let count = 1; count <= COUNT; count += 1) {
    const content = `${count} ${'x'.repeat(LENGTH)}`;
    expect((await api.post(`/api/messaging/channels/${channelId}/messages`, { author_id: USER, content })).status).toBe(201);
  }
  const closed = once(tcp, 'close');
  tcp.resume();
  expect(await cut).toEqual(['transport close', expect.objectContaining({ context: expect.objectContaining({ code: 4008 }) })]);
  await closed;
  const heard = slow.all('messageBroadcast').length;
  expect(heard).toBeLessThan(COUNT);

  const back = await SocketClient.connect(test.url);
  await back.ask('join', { channelId, after: offset });
  const told = await back.waitForMany('messageBroadcast', COUNT);
  expect(told.map(({ text }) => Number.parseInt(text, 10))).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1));
  back.close();
});
