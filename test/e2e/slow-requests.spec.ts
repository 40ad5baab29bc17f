// Requests whose head or body never ends, and responses that the client does not read: each holds a connection for a bounded time without
// delaying other clients.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { rawRequest } from '../contract/support/raw-request.js';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { Gate } from '../support/scripted-model.js';
import { storedFiles } from '../support/uploads.js';

const LARGE = `export default {
  name: 'large', routes: [{ type: 'GET', path: '/large', handler: (_request, response) => response.send('x'.repeat(30_000_000)) }],
};`;
const USER = '11111111-1111-1111-1111-111111111111';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp({
    // Long enough for a request of a test on a busy machine.
    env: { HEADERS_TIMEOUT_MS: '800', REQUEST_TIMEOUT_MS: '1500', KEEP_ALIVE_TIMEOUT_MS: '2000', SEND_TIMEOUT_MS: '150' },
    plugins: { 'large.mjs': LARGE },
  });
});
afterEach(() => test.close());

const JSON_HEAD = 'POST /api/messaging/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
const FORM = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';

it.each([
  ['a connection on which nothing is said', ''],
  ['a head that does not end', 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '],
  ['a body that is shorter than its length says', `${JSON_HEAD}Content-Length: 1000\r\n\r\n{"agentId":`],
  ['a body in pieces without the last one', `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{"age\r\n`],
])('%s gets a 408 and is closed', async (_name, bytes) => {
  const { status, body } = await rawRequest(test.url, bytes);
  expect(status).toBe(408);
  expect(body).toEqual({
    success: false,
    requestId: expect.any(String),
    error: { code: 'REQUEST_TIMEOUT', message: expect.any(String), details: expect.any(String) },
  });
});

it('a connection may idle between requests for longer than a head may take, and closes after KEEP_ALIVE_TIMEOUT_MS', async () => {
  const begin = performance.now();
  const { status, headers } = await rawRequest(test.url, 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  expect([status, headers.get('keep-alive')?.trim()]).toEqual([200, 'timeout=2']);
  expect(performance.now() - begin).toBeGreaterThan(1900);
});

it('an upload that does not end is abandoned, and leaves nothing on the disk', async () => {
  const head = [
    `POST /api/media/agents/${ADA.id}/upload-media HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Length: 100000',
  ].join('\r\n');
  const refused = rawRequest(test.url, `${head}\r\n\r\n${FORM}some words`);
  const untilFiles = async (count: number): Promise<void> => {
    while ((await storedFiles(test)).length !== count) await new Promise((resolve) => setImmediate(resolve));
  };
  await untilFiles(1);
  expect((await refused).status).toBe(408);
  await untilFiles(0);
});

it('an unread response is cut after SEND_TIMEOUT_MS, and a slow one is not', async () => {
  const api = new ApiClient(() => test.url);
  const { sessionId } = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data;
  const gate = new Gate();
  test.model.deltas(['Hello'], { gate });
  const late = api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hi', transport: 'http' });
  await test.model.called();
  const answering = new Promise<Socket>((resolve) => test.app.getHttpServer().once('request', ({ socket }) => resolve(socket)));
  const unread = connect(Number(new URL(test.url).port), '127.0.0.1').pause();
  unread.on('error', () => undefined).write(`GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  await once(await answering, 'close');
  gate.open();
  expect((await late).status).toBe(201);
  unread.destroy();
});

it('a client that sends a head byte by byte is cut, and others get responses meanwhile', async () => {
  const socket = connect(Number(new URL(test.url).port), '127.0.0.1');
  let answer = '';
  const closed = new Promise<void>((resolve) => socket.on('error', () => undefined).on('close', () => resolve()));
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.write('GET /healthz HTTP/1.1\r\nX-Slow: ');
  const over = new AbortController();
  const dripping = (async (): Promise<number> => {
    let others = 0;
    while (!over.signal.aborted) {
      if (socket.writable) socket.write('x');
      others += Number((await fetch(`${test.url}/healthz`)).status === 200);
    }
    return others;
  })();
  await closed;
  over.abort();
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
  expect(await dripping).toBeGreaterThan(0);
});
