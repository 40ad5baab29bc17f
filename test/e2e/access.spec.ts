// Keys, scopes and session tokens: who may do what, over HTTP, streams, sockets and plugin routes.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_SERVER_ID } from '../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { SocketClient } from '../support/socket-client.js';
import { allEvents, serverEvents } from '../support/sse-client.js';

const USER = '11111111-1111-1111-1111-111111111111';
const OTHER = '22222222-2222-2222-2222-222222222222';
const ADMIN = 'the administrator of the tests';
const DAY = 86_400_000;

const PLUGIN = `export default { name: 'routes', routes: [
  { type: 'GET', path: '/who', handler: (request, response, runtime) => response.json({ agentId: runtime.agentId }) },
  { type: 'GET', path: '/open', name: 'open', public: true, handler: (request, response) => response.json({ open: true }) },
] };`;

type Data = ApiResponse['body'];

describe('with an API key, Parley', () => {
  const clock = new FakeClock();
  const api = new ApiClient(() => test.url);
  const as = (token: string): { headers: Record<string, string> } => ({ headers: { 'x-api-key': token } });
  const sockets: SocketClient[] = [];
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ clock, env: { API_KEY: ADMIN, QUERY_TOKENS: 'true' }, plugins: { 'routes.mjs': PLUGIN } });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });
  afterAll(() => test.close());

  const createKey = async (body: object): Promise<{ key: Data; token: string }> => {
    const created = await api.post('/api/keys', { name: 'a key', ...body }, as(ADMIN));
    expect(created.status).toBe(201);
    return created.body.data;
  };
  const createSession = async (agentId = ADA.id, userId = USER): Promise<Data> =>
    (await api.post('/api/messaging/sessions', { agentId, userId })).body.data;
  const createChannel = async (...participantCentralUserIds: string[]): Promise<string> =>
    (await api.post('/api/messaging/channels', { name: 'a channel', participantCentralUserIds }, as(ADMIN))).body.data.id;
  const connect = (auth: object): SocketClient => {
    const socket = new SocketClient(test.url, { auth: { ...auth } });
    sockets.push(socket);
    return socket;
  };
  const outcome = async (answer: Promise<ApiResponse>): Promise<[number, string | undefined]> => {
    const { status, body } = await answer;
    return [status, body?.error?.code];
  };

  describe('issues keys', () => {
    it('that are shown once, stored hashed, and listed with their last use', async () => {
      const { key, token } = await createKey({ name: 'reader', scope: 'read' });
      expect(key).toEqual({
        id: expect.any(String),
        name: 'reader',
        scope: 'read',
        agents: null,
        users: null,
        createdAt: new Date(clock.now()).toISOString(),
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
      });
      expect(token).toMatch(/^parley_[\w-]{43}$/);
      const listed = async (): Promise<Data> =>
        (await api.get('/api/keys', as(ADMIN))).body.data.keys.find(({ id }: { id: string }) => id === key.id);
      expect((await api.get('/api/agents', as(token))).status).toBe(200);
      // Noted behind the answer.
      for (let look = 0; look < 100 && (await listed()).lastUsedAt === null; look++);
      expect((await listed()).lastUsedAt).toBe(new Date(clock.now()).toISOString());
      expect(JSON.stringify(await listed())).not.toContain(token);
    });

    it.each([
      [{ name: '' }, 'name'],
      [{ scope: 'all' }, 'scope'],
      [{ agents: [] }, 'agents'],
      [{ agents: ['Ada'] }, 'agents'],
      [{ users: 'some' }, 'users'],
      [{ users: [] }, 'users'],
      [{ users: [USER, 'Ann'] }, 'users'],
      [{ users: null }, 'users'],
      [{ expiresAt: 'tomorrow' }, 'expiresAt'],
      [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
    ])('but not for %j', async (body, field) => {
      const { status, body: answer } = await api.post('/api/keys', { name: 'a key', ...body }, as(ADMIN));
      expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.error.message).toContain(field);
    });

    it.each([['all'], [[USER, OTHER]]])('that vouch for users: %j', async (users) => {
      const { key } = await createKey({ users });
      expect(key.users).toEqual(users);
      const listed = (await api.get('/api/keys', as(ADMIN))).body.data.keys;
      expect(listed.find(({ id }: { id: string }) => id === key.id).users).toEqual(users);
    });

    it('to administrators only', async () => {
      const { token } = await createKey({ scope: 'write' });
      expect(await outcome(api.get('/api/keys', as(token)))).toEqual([403, 'FORBIDDEN']);
      expect(await outcome(api.post('/api/keys', { name: 'mine', scope: 'admin' }, as(token)))).toEqual([403, 'FORBIDDEN']);
      const limited = await createKey({ scope: 'admin', agents: [ADA.id] });
      expect(await outcome(api.post('/api/keys', { name: 'mine', scope: 'admin' }, as(limited.token)))).toEqual([403, 'FORBIDDEN']);
    });
  });

  it.each([
    [undefined, 401, 401],
    ['wrong', 401, 401],
    ['parley_wrong', 401, 401],
    ['parley_session_wrong', 401, 401],
  ])('admits no caller with the credential %s', async (token, reading, writing) => {
    const extra = token === undefined ? {} : as(token);
    expect((await api.get('/api/agents', extra)).status).toBe(reading);
    expect((await api.post('/api/messaging/channels', { name: 'x' }, extra)).status).toBe(writing);
  });

  it('accepts a key as X-API-KEY and as a bearer token', async () => {
    const { token } = await createKey({});
    expect((await api.get('/api/agents', as(token))).status).toBe(200);
    expect((await api.get('/api/agents', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    expect((await api.get(`/api/agents?access_token=${token}`)).status).toBe(401);
  });

  it('enforces the scope of a key', async () => {
    const reader = await createKey({ scope: 'read' });
    const writer = await createKey({ scope: 'write' });
    const create = (token: string): Promise<ApiResponse> => api.post('/api/messaging/channels', { name: 'x' }, as(token));
    expect(await outcome(create(reader.token))).toEqual([403, 'FORBIDDEN']);
    expect((await create(writer.token)).status).toBe(201);
    expect((await api.get('/api/agents', as(writer.token))).status).toBe(200);
    expect(await outcome(api.get('/api/messaging/sessions', as(writer.token)))).toEqual([403, 'FORBIDDEN']);
  });

  it('refuses revoked and expired keys at once, and cuts their connections', async () => {
    const session = await createSession();
    const end = new Date(clock.now() + DAY).toISOString();
    const [revoked, expired] = [await createKey({}), await createKey({ expiresAt: end })];
    const streams = await Promise.all(
      [revoked, expired].map(({ token }) => fetch(`${test.url}/api/messaging/sessions/${session.sessionId}/events`, as(token))),
    );
    const ended = streams.map((stream) => expect(allEvents(stream)).rejects.toThrow());
    const heard = [revoked, expired].map(({ token }) => connect({ apiKey: token }));
    await Promise.all(heard.map((socket) => socket.connected()));
    const cut = heard.map((socket) => new Promise((resolve) => socket.socket.once('disconnect', resolve)));

    expect((await api.delete(`/api/keys/${revoked.key.id}`, as(ADMIN))).body.data.revokedAt).toBe(new Date(clock.now()).toISOString());
    expect(await outcome(api.get('/api/agents', as(revoked.token)))).toEqual([401, 'UNAUTHORIZED']);
    expect((await api.get('/api/agents', as(expired.token))).status).toBe(200);
    clock.advance(0);
    await Promise.all([cut[0], ended[0]]);

    clock.advance(DAY);
    expect(await outcome(api.get('/api/agents', as(expired.token)))).toEqual([401, 'UNAUTHORIZED']);
    await Promise.all([cut[1], ended[1]]);
    await test.restart();
    expect(await outcome(api.get('/api/agents', as(revoked.token)))).toEqual([401, 'UNAUTHORIZED']);
  });

  describe('restricts a key for one agent', () => {
    let token: string;
    beforeAll(async () => {
      ({ token } = await createKey({ scope: 'admin', agents: [ADA.id] }));
    });

    it('to that agent in every list', async () => {
      const mine = await createChannel(ADA.id, USER);
      const shared = await createChannel(ADA.id, BOB.id);
      await Promise.all([createSession(ADA.id), createSession(BOB.id)]);
      expect((await api.get('/api/agents', as(token))).body.data.agents.map(({ name }: { name: string }) => name)).toEqual(['Ada']);
      const channels = (await api.get(`/api/messaging/message-servers/${DEFAULT_SERVER_ID}/channels`, as(token))).body.data as {
        id: string;
      }[];
      expect(channels.map(({ id }) => id)).toContain(mine);
      expect(channels.map(({ id }) => id)).not.toContain(shared);
      const { sessions } = (await api.get('/api/messaging/sessions', as(token))).body.data as { sessions: { agentId: string }[] };
      expect(new Set(sessions.map(({ agentId }) => agentId))).toEqual(new Set([ADA.id]));
    });

    it('to resources of that agent', async () => {
      const [mine, shared] = [await createChannel(ADA.id, USER), await createChannel(ADA.id, BOB.id)];
      const [own, foreign] = [await createSession(ADA.id), await createSession(BOB.id)];
      const message = { author_id: USER, content: 'Hi' };
      expect((await api.get(`/api/messaging/sessions/${own.sessionId}`, as(token))).status).toBe(200);
      expect((await api.post(`/api/messaging/channels/${mine}/messages`, message, as(token))).status).toBe(201);
      const closed: Promise<ApiResponse>[] = [
        api.get(`/api/messaging/sessions/${foreign.sessionId}`, as(token)),
        api.post(`/api/messaging/sessions/${foreign.sessionId}/messages`, { content: 'Hi' }, as(token)),
        api.get(`/api/messaging/channels/${shared}/messages`, as(token)),
        api.get(`/api/messaging/channels/${foreign.channelId}/events`, as(token)),
        api.post(`/api/messaging/channels/${mine}/messages`, { ...message, metadata: { targetAgentId: BOB.id } }, as(token)),
        api.post(`/api/messaging/submit`, { channel_id: mine, author_id: BOB.id, content: 'Hi' }, as(token)),
        api.post(`/api/messaging/submit`, { channel_id: shared, author_id: ADA.id, content: 'Hi' }, as(token)),
        api.post(`/api/messaging/channels`, { name: 'x', participantCentralUserIds: [BOB.id.toUpperCase()] }, as(token)),
        api.post('/api/messaging/sessions', { agentId: BOB.id, userId: USER }, as(token)),
        api.post(`/api/agents/${BOB.id}/worlds`, { name: 'x' }, as(token)),
        api.get('/api/plugins', as(token)),
        api.get(`/api/agents/${BOB.id}/plugins/routes/who`, as(token)),
        api.get(`/api/agents/${ADA.id}/plugins/routes/who?agentId=${BOB.id}`, as(token)),
      ];
      expect(await Promise.all(closed.map(outcome))).toEqual(closed.map(() => [403, 'FORBIDDEN']));
      expect((await api.get(`/api/agents/${ADA.id}/plugins/routes/who`, as(token))).body).toEqual({ agentId: ADA.id });
    });

    it('on sockets', async () => {
      const socket = connect({ apiKey: token, entityId: USER });
      await socket.connected();
      const [mine, shared] = [await createChannel(ADA.id, USER), await createChannel(ADA.id, BOB.id)];
      expect((await socket.ask('join', { channelId: mine })).ok).toBe(true);
      expect(await socket.ask('join', { channelId: shared })).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
      expect(await socket.ask('2', { channelId: shared, message: 'Hi' })).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
      const { agents } = await socket.ask('request-world-state', { channelId: mine });
      expect(agents.map(({ id }: { id: string }) => id)).toEqual([ADA.id]);
    });
  });

  it("reveals the data's location to administrators only", async () => {
    const folderFor = async (token: string): Promise<unknown> => (await api.get('/api/server/status', as(token))).body.data.dataFolder;
    expect(await folderFor((await createKey({ scope: 'read' })).token)).toBeNull();
    expect(await folderFor((await createKey({ scope: 'admin' })).token)).toMatch(/^\//);
  });

  it.each(['read', 'write', 'admin'])("reports a key's scope: %s", async (scope) => {
    const { token } = await createKey({ scope });
    expect((await api.get('/api/server/status', as(token))).body.data.scope).toBe(scope);
  });

  it("hides the server's size from keys restricted to agents", async () => {
    const statisticsFor = async (body: object): Promise<Data> =>
      (await api.get('/api/server/statistics', as((await createKey({ scope: 'read', ...body })).token))).body.data;
    expect(await statisticsFor({ agents: [ADA.id] })).toMatchObject({ memoryBytes: null, databaseBytes: null });
    expect((await statisticsFor({ agents: [ADA.id] })).buckets.at(-1)).toMatchObject({ memoryBytes: null, databaseBytes: null });
    expect((await statisticsFor({})).memoryBytes).toBeGreaterThan(0);
  });

  it('lets a reader receive on a socket, but not send', async () => {
    const channelId = await createChannel(ADA.id, USER);
    const socket = connect({ apiKey: (await createKey({ scope: 'read' })).token, entityId: USER });
    await socket.connected();
    expect((await socket.ask('join', { channelId })).ok).toBe(true);
    expect(await socket.ask('2', { channelId, message: 'Hi' })).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
  });

  describe('gives the creator of a session a token', () => {
    it('that reads and writes in the session', async () => {
      test.model.always(() => 'Hello');
      const { sessionId, channelId, token } = await createSession();
      const path = `/api/messaging/sessions/${sessionId}`;
      const answered = await api.post(`${path}/messages`, { content: 'Hi', transport: 'http' }, as(token));
      expect(answered.body).toMatchObject({ success: true, data: { agentResponse: expect.anything() } });
      expect((await api.get(`${path}/messages`, as(token))).body.data.messages).toHaveLength(2);
      expect((await api.get(path, as(token))).body.data.token).toBeUndefined();
      expect((await api.get(`/api/messaging/channels/${channelId}/messages`, as(token))).status).toBe(200);
      expect((await api.post(`/api/messaging/channels/${channelId}/messages`, { author_id: USER, content: 'Hi' }, as(token))).status).toBe(
        201,
      );
      expect((await api.post(`${path}/renew`, undefined, as(token))).status).toBe(200);
      const stream = serverEvents(await fetch(`${test.url}${path}/events?access_token=${token}`));
      expect((await stream.next()).value).toMatchObject({ event: 'ready' });
      await stream.return();
      const socket = connect({ token });
      expect((await socket.waitFor('authenticated')).entityId).toBe(USER);
      expect((await socket.ask('join', { channelId: sessionId })).channelId).toBe(channelId);
      expect((await socket.ask('2', { channelId, message: 'Hi' })).ok).toBe(true);
    });

    it('and permits nothing else', async () => {
      const [session, other] = [await createSession(), await createSession()];
      const { channelId, token } = session;
      const message = { author_id: USER, content: 'Hi' };
      const closed: Promise<ApiResponse>[] = [
        api.get('/api/agents', as(token)),
        api.get('/api/keys', as(token)),
        api.get(`/api/messaging/sessions/${other.sessionId}`, as(token)),
        api.get(`/api/messaging/sessions/${other.sessionId}/messages`, as(token)),
        api.get(`/api/messaging/channels/${other.channelId}/messages`, as(token)),
        api.post(`/api/messaging/channels/${other.channelId}/messages`, message, as(token)),
        api.post(`/api/messaging/channels/${channelId}/messages`, { ...message, author_id: OTHER }, as(token)),
        api.post(
          `/api/messaging/channels/${channelId}/messages`,
          { content: 'Hi' },
          { headers: { 'x-api-key': token, 'x-entity-id': OTHER } },
        ),
        api.post(`/api/messaging/channels/${channelId}/messages`, { ...message, metadata: { targetAgentId: BOB.id } }, as(token)),
        api.patch(`/api/messaging/sessions/${session.sessionId}/timeout`, { timeoutMinutes: 1440 }, as(token)),
        api.delete(`/api/messaging/channels/${channelId}`, as(token)),
        api.patch(`/api/messaging/channels/${channelId}`, { name: 'x' }, as(token)),
        api.post('/api/messaging/submit', { channel_id: channelId, author_id: ADA.id, content: 'Hi' }, as(token)),
        api.get(`/api/agents/${ADA.id}/plugins/routes/who`, as(token)),
      ];
      const answers = await Promise.all(closed.map(outcome));
      expect(answers).toEqual(closed.map(() => [403, 'FORBIDDEN']));

      const refused = connect({ token, entityId: OTHER });
      await expect(refused.connected()).rejects.toMatchObject({ data: { code: 'FORBIDDEN' } });
      const socket = connect({ token });
      await socket.connected();
      for (const [event, payload] of [
        ['join', { channelId: other.sessionId }],
        ['join', { channelId: other.channelId }],
        ['2', { channelId: other.channelId, message: 'Hi' }],
        ['2', { channelId, senderId: OTHER, message: 'Hi' }],
        ['request-world-state', { channelId: other.channelId }],
      ] as const) {
        expect(await socket.ask(event, payload)).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
      }
    });

    it('that expires with it, and is invalid when one bit is changed', async () => {
      const { sessionId, token } = await createSession();
      const path = `/api/messaging/sessions/${sessionId}`;
      const forged = token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA');
      expect(await outcome(api.get(path, as(forged)))).toEqual([401, 'UNAUTHORIZED']);
      await test.restart();
      expect((await api.get(path, as(token))).status).toBe(200);
      await api.delete(path, as(token));
      expect(await outcome(api.get(path, as(token)))).toEqual([401, 'UNAUTHORIZED']);
    });
  });

  it('does not let a socket send as an agent, nor as two users', async () => {
    const channelId = await createChannel(ADA.id, USER);
    const socket = connect({ apiKey: ADMIN });
    await socket.connected();
    const say = (senderId: string): Promise<Data> => socket.ask('2', { channelId, senderId, message: 'Hi' });
    expect(await say(ADA.id)).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
    expect((await say(USER)).ok).toBe(true);
    expect(await say(OTHER)).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
  });

  it('requires a key on the plugin paths under /api, unless the route is public [routes.public]', async () => {
    expect((await api.get(`/api/agents/${ADA.id}/plugins/routes/open`)).body).toEqual({ open: true });
    expect(await outcome(api.get(`/api/agents/${ADA.id}/plugins/routes/who`))).toEqual([401, 'UNAUTHORIZED']);
    expect((await api.get('/who')).status).toBe(200);
  });

  it('never reveals its signing key', () => {
    expect(statSync(join(test.config.dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  });
});

describe('with PLUGIN_ROUTES_REQUIRE_AUTH, plugin routes', () => {
  it('require a key on their own paths too, unless they are public', async () => {
    const test = await createTestApp({ env: { API_KEY: ADMIN, PLUGIN_ROUTES_REQUIRE_AUTH: 'true' }, plugins: { 'routes.mjs': PLUGIN } });
    const api = new ApiClient(() => test.url);
    try {
      expect((await api.get('/who')).status).toBe(401);
      expect((await api.get('/who', { headers: { 'x-api-key': ADMIN } })).status).toBe(200);
      expect((await api.get('/open')).status).toBe(200);
    } finally {
      await test.close();
    }
  });
});
