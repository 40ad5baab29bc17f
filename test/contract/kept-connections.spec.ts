// Every operation, called by a client that keeps its connections: whatever the answer, the connection is usable afterwards, and nothing is
// recorded as a fault.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { onErrorLine } from '../../src/core/logging/index.js';
import { apiDocument } from '../support/api-document.js';
import { KeptConnection, type KeptResponse } from '../support/kept-connection.js';
import { scriptedSpeech } from '../support/scripted-speech-app.js';
import { contractApp } from './support/contract-app.js';
import { OperationFixtures, type GoodRequest } from './support/every-operation.js';
import { ROWS } from './support/operations.js';
import { requestOf } from './support/bad-requests.js';

const PAGES = `
  export default { name: 'pages', routes: [
    { type: 'STATIC', path: '/pages', filePath: 'files' },
    { type: 'GET', path: '/tagged', handler: (request, response) => response.set('ETag', '"one"').send('tagged') },
    { type: 'GET', path: '/nothing', handler: (request, response) => response.status(204).end() },
    { type: 'GET', path: '/slices', handler: (request, response) => response.stream((async function* () { yield 'a'; yield 'b'; })()) },
    { type: 'POST', path: '/parrot', handler: ({ body }, response) => response.json(body) },
  ] };
`;
const PLUGINS = {
  'pages/index.mjs': PAGES,
  'pages/package.json': '{"name":"pages","version":"1.0.0","main":"index.mjs"}',
  'pages/files/index.html': '<p>A page.</p>',
  'pages/files/style.css': 'p { color: green }',
};

const app = contractApp({ RATE_LIMIT: 'off', TEE_ROOT: '/nonexistent' }, { plugins: PLUGINS });
const speech = scriptedSpeech(() => app.test);
const world = new OperationFixtures(app);
const client = new KeptConnection(() => app.test.url);
const errors: string[] = [];
let stopListening = (): void => undefined;

/** The operations of the document, and what has no entry there. */
const OPERATIONS = [
  ...apiDocument().operations,
  'GET /index.html',
  'GET /no-such-page',
  'GET /api/no-such-operation',
  'GET /pages/',
  'GET /pages',
  'GET /pages/style.css',
  'GET /pages/no-such-file.css',
  'GET /tagged',
  'GET /nothing',
  'GET /slices',
  'POST /parrot',
  'GET /metrics',
];
const BROWSER = { accept: 'text/html' };
const isStream = (operation: string): boolean => /\/events$/.test(operation);

beforeAll(async () => {
  await world.fill();
  stopListening = onErrorLine(({ part, message, error }) => errors.push(`${part}: ${message} ${String(error)}`));
});
beforeEach(() => {
  app.test.model.always(() => 'Noon.');
  speech.transcriber.always('What is the time?');
  speech.synthesizer.always();
});
afterEach(() => {
  expect(errors.splice(0)).toEqual([]);
});
afterAll(() => {
  stopListening();
  client.close();
});

/** Whether the connection of an answer carries another request. Node's client closes it after a HEAD response without length and encoding. */
async function usableAfter({ status, port, headers, body }: KeptResponse): Promise<boolean> {
  const next = await client.send('GET', '/livez');
  const isOpenEnded = body.length === 0 && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
  return next.status === 200 && (next.port === port || headers.connection === 'close' || (status === 200 && isOpenEnded));
}

async function given(operation: string): Promise<ReturnType<typeof requestOf>> {
  const good = ROWS.find(([, name]) => name === operation)?.[2] ?? ((): GoodRequest => ({}));
  return requestOf(operation, await good(world), world.ids);
}

describe.each(OPERATIONS.filter((operation) => !isStream(operation)))('%s', (operation) => {
  it('keeps the connection usable', async () => {
    const { method, path, body, headers } = await given(operation);
    const answer = await client.send(method, path, { body, headers: { ...BROWSER, ...headers } });
    expect([answer.status >= 500 ? String(answer.body) : '', await usableAfter(answer)]).toEqual([
      answer.status === 501 ? expect.any(String) : '',
      true,
    ]);
  });

  if (operation.startsWith('GET ')) {
    it.each([BROWSER, { accept: '*/*' }])('keeps the connection usable for a 304, for HEAD and for a range (%j)', async (kind) => {
      const { path } = await given(operation);
      const first = await client.send('GET', path, { headers: kind });
      const { etag } = first.headers;
      for (const [method, extra] of [
        ['GET', { 'if-none-match': etag ?? '"none"' }],
        ['GET', { 'if-none-match': '*' }],
        ['GET', { 'if-modified-since': new Date().toUTCString() }],
        ['HEAD', {}],
        ['HEAD', { 'if-none-match': etag ?? '*' }],
        ['GET', { range: 'bytes=0-1' }],
        ['GET', { range: 'bytes=999999999-' }],
        ['GET', { 'if-match': '"another"' }],
      ] as const) {
        const answer = await client.send(method, path, { headers: { ...kind, ...(extra as object) } });
        const unchanged = etag !== undefined && (extra as Record<string, string>)['if-none-match'] === etag;
        expect([method, extra, answer.status === 304, answer.status < 500 || answer.status === first.status]).toEqual([
          ...[method, extra, unchanged ? true : expect.any(Boolean), true],
        ]);
        if (method === 'HEAD' || answer.status === 304) expect(answer.body).toHaveLength(0);
        expect([method, extra, await usableAfter(answer)]).toEqual([method, extra, true]);
      }
    });
  }

  it.each(['answered', 'sending'] as const)('logs no error when the client disconnects (%s)', async (when) => {
    const { method, path, body, headers } = await given(operation);
    await client.abort(method, path, { body, headers }, when);
    expect((await client.send('GET', '/livez')).status).toBe(200);
  });
});

it.each<Record<string, string>>([{}, { 'idempotency-key': 'f1b7c0de-6f3e-4a43-9d39-6c39a3f6a2c5' }])(
  'a conversation without words to speak gets one response (%j)',
  async (headers) => {
    app.test.model.always(() => '🎉');
    const path = `/api/audio/${world.ids['agentId']}/speech/conversation`;
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await client.send('POST', path, { body: { text: 'Hello?' }, headers });
      expect([answer.status, answer.body.length, await usableAfter(answer)]).toEqual([204, 0, true]);
    }
  },
);

describe.each(OPERATIONS.filter(isStream))('%s', (operation) => {
  it('responds to HEAD, and keeps the connection usable', async () => {
    const { path } = await given(operation);
    const answer = await client.send('HEAD', path);
    expect([answer.status < 500, answer.body.length, await usableAfter(answer)]).toEqual([true, 0, true]);
  });

  it('logs no error when the client disconnects', async () => {
    const { method, path } = await given(operation);
    await client.abort(method, path, {}, 'answered');
    expect((await client.send('GET', '/livez')).status).toBe(200);
  });
});
