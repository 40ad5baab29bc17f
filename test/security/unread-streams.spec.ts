// An event stream whose client never reads: it is cut, holds little until then, and goes on from its cursor.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { serverEvents } from '../support/sse-client.js';
import { guardedApp, USER } from './support/guarded-app.js';

const COUNT = 120;
const LENGTH = 90_000;
const MOST_HELD = 1_000_000;

const app = guardedApp();
const { api } = app;
const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** A client that sends a request and does not read, and the server's end of it. */
async function unread(path: string): Promise<{ client: Socket; response: ServerResponse }> {
  const answering = new Promise<ServerResponse>((resolve) =>
    app.test.app.getHttpServer().once('request', (_request, response) => resolve(response)),
  );
  const client = connect(Number(new URL(app.test.url).port), '127.0.0.1').pause();
  opened.push(client);
  client.on('error', () => undefined);
  client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${app.as().headers['x-api-key']}\r\n\r\n`);
  return { client, response: await answering };
}

/** Fills a channel until its stream takes no more, and moves the clock until the server has given it up. */
async function flood(channelId: string, response: ServerResponse): Promise<number> {
  const closed = once(response, 'close');
  let most = 0;
  for (let count = 1; count <= COUNT; count += 1) {
    const content = `${count} ${'x'.repeat(LENGTH)}`;
    expect((await api.post(`/api/messaging/channels/${channelId}/messages`, { author_id: USER, content }, app.as())).status).toBe(201);
    most = Math.max(most, response.writableLength);
  }
  // Pings, and what is waited for.
  for (let turn = 0; turn < 100 && !response.closed; turn += 1) {
    app.clock.advance(5000);
    most = Math.max(most, response.writableLength);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await closed;
  return most;
}

it('an unread channel stream is cut, buffers little, and resumes after the last event that its client has', async () => {
  // Without an agent, so that no replies are made.
  const channel = { name: 'A channel', participantCentralUserIds: [USER] };
  const channelId = app.data(await api.post('/api/messaging/channels', channel, app.as())).id;
  const path = `/api/messaging/channels/${channelId}/events`;
  const { client, response } = await unread(path);
  expect(await flood(channelId, response)).toBeLessThan(MOST_HELD);

  // What the client's machine has taken.
  let text = '';
  client.setEncoding('utf8').on('data', (part: string) => (text += part));
  client.resume();
  await once(client, 'close');
  const taken = [...text.matchAll(/(?:^|\n)id: (\d+)\r?\nevent: message\.created\r?\ndata: /g)].map(([, id]) => Number(id));
  expect(taken.length).toBeLessThan(COUNT);
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 2);
  const last = Number([...whole.matchAll(/\nid: (\d+)/g)].at(-1)?.[1]);
  const seen = [...whole.matchAll(/"content":"(\d+) /g)].map(([, count]) => Number(count));

  const over = new AbortController();
  const back = await fetch(app.test.url + path, { headers: { ...app.as().headers, 'last-event-id': String(last) }, signal: over.signal });
  for await (const { event, data } of serverEvents(back)) {
    if (event === 'message.created') seen.push(Number.parseInt(data.content, 10));
    if (seen.at(-1) === COUNT) break;
  }
  over.abort();
  expect([...new Set(seen)]).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1));
});

it('a stream that is read stays open, however long it is idle', async () => {
  const { channelId } = await app.session();
  const over = new AbortController();
  const stream = await fetch(`${app.test.url}/api/messaging/channels/${channelId}/events`, { ...app.as(), signal: over.signal });
  const events = serverEvents(stream);
  expect((await events.next()).value?.event).toBe('ready');
  app.clock.advance(3_600_000);
  await api.post(`/api/messaging/channels/${channelId}/messages`, { author_id: USER, content: 'still here' }, app.as());
  expect((await events.next()).value?.event).not.toBe('ready');
  over.abort();
});
