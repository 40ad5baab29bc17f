// Clients that ask for much and read nothing: what waits for them is bounded, for one address and for all.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { unreadResponses } from '../../src/core/http/unread-responses.js';
import { guardedApp, USER } from './support/guarded-app.js';

const MIB = 1024 * 1024;
const LIMIT = 4 * MIB;

const app = guardedApp({ env: { RESPONSE_BUFFER_BYTES: String(2 * LIMIT), RESPONSE_BUFFER_BYTES_PER_ADDRESS: String(LIMIT) } });
const { api } = app;
const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** A client that does not read, and asks for the same until an answer waits for it. */
async function unread(path: string): Promise<void> {
  const client = connect(Number(new URL(app.test.url).port), '127.0.0.1').pause();
  opened.push(client);
  client.on('error', () => undefined);
  await once(client, 'connect');
  const server = app.test.app.getHttpServer();
  for (let waits = false; !waits;) {
    const answering = new Promise<ServerResponse>((resolve) => server.once('request', (_request, response) => resolve(response)));
    client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${app.as().headers['x-api-key']}\r\n\r\n`);
    const response = await answering;
    // Neither at its end nor taking more: the machine's buffers are full.
    for (let still = 0; still < 2000 && !response.writableFinished; still = response.writableNeedDrain ? still + 1 : 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    waits = !response.writableFinished;
  }
}

const held = (): number => unreadResponses({ app: app.test.app.getHttpAdapter().getInstance(), req: {} } as never).unread.used;

async function largeChannel(): Promise<string> {
  const { channelId } = await app.session();
  const body = { author_id: USER, content: 'y'.repeat(90_000), metadata: { padding: 'x'.repeat(90_000) } };
  for (let index = 0; index < 8; index += 1) await api.post(`/api/messaging/channels/${channelId}/messages`, body, app.as());
  return `/api/messaging/channels/${channelId}/messages?limit=100`;
}

it('unread pages are buffered up to the limit of the address; further ones get 503 with Retry-After, short responses do not', async () => {
  const path = await largeChannel();
  for (let clients = 0; held() < LIMIT; clients += 1) {
    expect(clients).toBeLessThan(8);
    await unread(path);
  }
  expect(held()).toBeLessThan(LIMIT + 2 * MIB);
  const refused = await api.get(path, app.as());
  expect(refused.body.error).toEqual({ code: 'SERVER_BUSY', message: expect.any(String), details: expect.any(String) });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await api.get('/api/server/ping')).status).toBe(200);

  const closed = opened.splice(0).map((socket) => {
    const gone = once(socket, 'close');
    socket.destroy();
    return gone;
  });
  await Promise.all(closed);
  while (held() > 0) await new Promise((resolve) => setImmediate(resolve));
  expect((await api.get(path, app.as())).status).toBe(200);
});

it('a client that reads reserves nothing, for any number of requests', async () => {
  const path = await largeChannel();
  for (let index = 0; index < 30; index += 1) expect((await api.get(path, app.as())).status).toBe(200);
  expect(held()).toBe(0);
});

it('a socket that requests the state of a channel and reads nothing reserves little', async () => {
  const path = await largeChannel();
  const channelId = path.split('/')[4];
  const serverEnds = new Set<Socket>();
  app.test.app.getHttpServer().on('connection', (end: Socket) => serverEnds.add(end));
  const socket = await app.socket(app.as().headers['x-api-key']!, { entityId: USER });
  const { transport } = socket.socket.io.engine as unknown as { transport: { ws: { _socket: Socket } } };
  transport.ws._socket.pause();
  for (let asked = 0; asked < 200; asked += 1) socket.socket.emit('request-world-state', { channelId });
  let most = 0;
  for (let turn = 0; turn < 20_000; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (turn % 100 === 0) app.clock.advance(20);
    most = Math.max(most, ...[...serverEnds].map(({ writableLength }) => writableLength));
  }
  // A quarter of SOCKET_BACKLOG_BYTES, and what one event answers.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(4 * MIB + 6 * MIB);
  transport.ws._socket.resume();
});
