// OWASP API2:2023. Credentials in wrong places and wrong shapes, guessing, and who speaks on a socket.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ADA } from '../support/create-test-app.js';
import { SocketClient } from '../support/socket-client.js';
import { ADMIN, guardedApp, OTHER, USER } from './support/guarded-app.js';
import { rawRequest, sendRaw, statusOf } from './support/raw-http.js';

const WINDOW_S = 600;

describe('a credential', () => {
  const app = guardedApp();
  const { api } = app;
  const encoded = encodeURIComponent(ADMIN);

  it.each<[string, string, Record<string, string>]>([
    ['in the query', `?api_key=${encoded}&apiKey=${encoded}&access_token=${encoded}&token=${encoded}`, {}],
    ['in a cookie', '', { cookie: `apiKey=${encoded}; X-API-KEY=${encoded}` }],
    ['as a name and password', '', { authorization: `Basic ${Buffer.from(`admin:${ADMIN}`).toString('base64')}` }],
    ['as another scheme', '', { authorization: `Token ${encoded}` }],
    ['with something before it', '', { 'x-api-key': `x${ADMIN}` }],
    ['with something behind it', '', { 'x-api-key': `${ADMIN}x` }],
    ['in other letters', '', { 'x-api-key': ADMIN.toUpperCase() }],
    ['cut short', '', { 'x-api-key': ADMIN.slice(0, -1) }],
    ['given twice', '', { 'x-api-key': `${ADMIN}, ${ADMIN}` }],
    ['as a forwarded header', '', { 'x-forwarded-api-key': ADMIN, 'x-original-authorization': `Bearer ${encoded}`, 'x-user': 'admin' }],
    ['very long', '', { 'x-api-key': 'x'.repeat(8000) }],
  ])('is invalid %s', async (_where, query, headers) => {
    expect(await app.outcome(api.get(`/api/agents${query}`, { headers }))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('is not read from a body, or from the query of a socket', async () => {
    expect((await api.post('/api/keys', { name: 'x', scope: 'admin', apiKey: ADMIN, token: ADMIN })).status).toBe(401);
    const socket = new SocketClient(app.test.url, { query: { apiKey: ADMIN, token: ADMIN, access_token: ADMIN } });
    await expect(socket.connected()).rejects.toMatchObject({ data: { code: 'UNAUTHORIZED' } });
    for (const apiKey of [{}, [ADMIN], { toString: ADMIN }, true, 0]) {
      await expect(new SocketClient(app.test.url, { auth: { apiKey } }).connected()).rejects.toMatchObject({
        data: { code: 'UNAUTHORIZED' },
      });
    }
  });

  it('in two different headers is invalid', async () => {
    const answer = await sendRaw(app.test.url, rawRequest('GET /api/agents', ['X-API-KEY: wrong', `X-API-KEY: ${ADMIN}`]));
    expect(statusOf(answer)).toBe(401);
  });

  it('of a session has one spelling', async () => {
    const { sessionId, token } = await app.session();
    const read = (text: string): ReturnType<typeof app.outcome> =>
      app.outcome(api.get(`/api/messaging/sessions/${sessionId}`, { headers: { authorization: `Bearer ${text}` } }));
    expect((await read(token))[0]).toBe(200);
    for (const other of [`${token}!`, `${token}=`, `${token}A`, token.replace('_s', '_S'), token.slice(0, -1)]) {
      expect([other, await read(other)]).toEqual([other, [401, 'UNAUTHORIZED']]);
    }
  });

  it('of a session expires with it, also on an open socket', async () => {
    const { sessionId, channelId, token } = await app.session();
    const socket = await app.socket(token);
    const gone = new Promise((resolve) => socket.socket.once('disconnect', resolve));
    expect((await socket.ask('join', { channelId })).ok).toBe(true);
    app.clock.advance(30 * 60_000);
    await socket.waitFor('sessionExpired');
    expect(await app.outcome(api.get(`/api/messaging/sessions/${sessionId}`, app.as(token)))).toEqual([410, 'SESSION_EXPIRED']);
    expect(await app.outcome(api.get(`/api/messaging/channels/${channelId}/messages`, app.as(token)))).toEqual([401, 'UNAUTHORIZED']);
    app.clock.advance(6000);
    await gone;
    await expect(new SocketClient(app.test.url, { auth: { token } }).connected()).rejects.toMatchObject({ data: { code: 'UNAUTHORIZED' } });
  });

  it('is nowhere in the data directory', async () => {
    const tokens = [await app.key({ scope: 'admin' }), (await app.session()).token, ADMIN];
    await api.post('/api/keys', { name: 'once more' }, { headers: { 'x-api-key': ADMIN, 'idempotency-key': 'the same' } });
    const folder = app.test.config.dataDir;
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = await readFile(join(entry.parentPath, entry.name));
      expect([entry.name, tokens.filter((token) => bytes.includes(token)), /parley_[\w-]{43}/.test(bytes.toString('latin1'))]).toEqual([
        entry.name,
        [],
        false,
      ]);
    }
  });
});

describe('a socket', () => {
  const app = guardedApp();

  it('with conflicting identities still sends as one', async () => {
    const channelId = await app.channel(ADA.id, USER);
    const socket = await app.socket(ADMIN);
    const said = await Promise.all([USER, OTHER].map((senderId) => socket.ask('2', { channelId, senderId, message: 'It is me' })));
    expect(said.filter(({ ok }) => ok === true)).toHaveLength(1);
    const { messages } = app.data(await app.api.get(`/api/messaging/channels/${channelId}/messages`, app.as()));
    expect(messages).toHaveLength(1);
  });

  it('of a session sends as its user in every field', async () => {
    const { channelId, token } = await app.session();
    const socket = await app.socket(token);
    for (const name of ['senderId', 'author_id', 'userId', 'entityId']) {
      expect([name, await socket.ask('2', { channelId, [name]: OTHER, message: 'It is me' })]).toMatchObject([
        name,
        { ok: false, error: { code: 'FORBIDDEN' } },
      ]);
    }
  });
});

describe('guessing', () => {
  const app = guardedApp({ env: { RATE_LIMIT: 'on', RATE_LIMIT_CREDENTIALS: '3', RATE_LIMIT_WINDOW_SECONDS: String(WINDOW_S) } });
  const { api } = app;

  it('stops after a limit, over HTTP and sockets together, whatever address the client claims', async () => {
    const guess = async (forwarded: string): Promise<number> =>
      (await api.get('/api/agents', { headers: { 'x-api-key': 'wrong', 'x-forwarded-for': forwarded, forwarded: `for=${forwarded}` } }))
        .status;
    expect([await guess('192.0.2.1'), await guess('192.0.2.2')]).toEqual([401, 401]);
    const connect = (): Promise<unknown> =>
      new SocketClient(app.test.url, { auth: { apiKey: 'wrong' } }).connected().then(
        () => 'open',
        (error: { data: { code: string } }) => error.data.code,
      );
    expect([await connect(), await connect()]).toEqual(['UNAUTHORIZED', 'RATE_LIMIT_EXCEEDED']);
    expect(await guess('192.0.2.3')).toBe(429);
    expect((await api.get('/api/agents', app.as())).status).toBe(200);
  });
});
