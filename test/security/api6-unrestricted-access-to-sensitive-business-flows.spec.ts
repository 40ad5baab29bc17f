// OWASP API6:2023. What costs money or fills a disk when it is done by a machine: sessions, answers, speech, keys.
import { describe, expect, it } from '@jest/globals';
import { ADA } from '../support/create-test-app.js';
import { guardedApp, OTHER, USER } from './support/guarded-app.js';

const SESSION = { agentId: ADA.id, userId: USER };

describe('the public creation of sessions', () => {
  const app = guardedApp({ env: { RATE_LIMIT: 'on', RATE_LIMIT_SESSIONS: '3', RATE_LIMIT_WINDOW_SECONDS: '600' } });
  const { api } = app;

  it('stops at a limit per address, whatever address the client claims, and continues with a key', async () => {
    const create = async (headers: Record<string, string>): Promise<number> =>
      (await api.post('/api/messaging/sessions', SESSION, { headers })).status;
    expect([
      await create({}),
      await create({ 'x-forwarded-for': '192.0.2.1' }),
      await create({ 'x-real-ip': '192.0.2.2', 'cf-connecting-ip': '192.0.2.3', 'true-client-ip': '192.0.2.4' }),
      await create({ 'x-forwarded-for': '192.0.2.5', 'x-entity-id': OTHER }),
    ]).toEqual([201, 201, 201, 429]);
    expect(await create(app.as().headers)).toBe(201);
  });

  it('counts a repeated Idempotency-Key, too', async () => {
    const headers = { 'idempotency-key': 'again' };
    expect((await api.post('/api/messaging/sessions', SESSION, { headers })).status).toBe(429);
  });
});

describe('behind a trusted proxy,', () => {
  const app = guardedApp({
    env: { RATE_LIMIT: 'on', RATE_LIMIT_SESSIONS: '2', RATE_LIMIT_WINDOW_SECONDS: '600', TRUSTED_PROXIES: 'loopback' },
  });
  const create = async (address: string, key?: string): Promise<[number, string | undefined]> => {
    const headers = { 'x-forwarded-for': address, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    const { status, body } = await app.api.post('/api/messaging/sessions', SESSION, { headers });
    return [status, body.data?.token];
  };

  it('each address is counted separately, and an IPv6 network as one', async () => {
    const statuses: number[] = [];
    for (const address of [
      '192.0.2.1',
      '192.0.2.1',
      '192.0.2.1',
      '192.0.2.2',
      '2001:db8::1',
      '2001:db8::2',
      '2001:db8::3',
      '192.0.2.1, 198.51.100.7',
    ]) {
      statuses.push((await create(address))[0]);
    }
    expect(statuses).toEqual([201, 201, 429, 201, 201, 201, 429, 201]);
  });

  it('guessing an Idempotency-Key reveals no token', async () => {
    const [status, first] = await create('203.0.113.1', 'session-1');
    const others = await Promise.all(['203.0.113.1', '203.0.113.2'].map((address) => create(address, 'session-1')));
    expect([status, typeof first]).toEqual([201, 'string']);
    expect(others).toEqual([
      [409, undefined],
      [409, undefined],
    ]);
  });
});

describe('with SESSIONS_REQUIRE_AUTH', () => {
  const app = guardedApp({ env: { SESSIONS_REQUIRE_AUTH: 'true' } });

  it('sessions require write permission', async () => {
    const create = (token?: string): ReturnType<typeof app.outcome> =>
      app.outcome(app.api.post('/api/messaging/sessions', SESSION, token === undefined ? {} : app.as(token)));
    expect(await create()).toEqual([401, 'UNAUTHORIZED']);
    expect(await create(await app.key({ scope: 'read' }))).toEqual([403, 'FORBIDDEN']);
    const own = app.data(await app.api.post('/api/messaging/sessions', SESSION, app.as()));
    expect(await create(own.token)).toEqual([403, 'FORBIDDEN']);
  });
});

describe('an operation that calls a model or speaks', () => {
  const app = guardedApp();

  it.each<[string, object]>([
    ['/api/messaging/jobs', { ...SESSION, content: 'x' }],
    ['/api/messaging/external-messages', { platform: 'x', messageId: 'x', channelId: 'x', userId: 'x', content: 'x' }],
    ['/api/messaging/complete', { ...SESSION, prompt: 'x' }],
    [`/api/messaging/channels/${USER}/generate-title`, { agentId: ADA.id }],
    [`/api/audio/${ADA.id}/speech/generate`, { text: 'x' }],
    [`/api/audio/${ADA.id}/speech/conversation`, { text: 'x' }],
    [
      `/api/messaging/channels/${USER}/messages`,
      { author_id: USER, content: 'x', message_server_id: '00000000-0000-0000-0000-000000000000', metadata: { targetAgentId: ADA.id } },
    ],
  ])('refuses callers without a credential and readers: %s', async (path, body) => {
    const reader = await app.key({ scope: 'read' });
    expect(await app.outcome(app.api.post(path, body))).toEqual([401, 'UNAUTHORIZED']);
    expect(await app.outcome(app.api.post(path, body, app.as(reader)))).toEqual([403, 'FORBIDDEN']);
    expect(app.test.model.requests).toEqual([]);
  });

  it('runs once per Idempotency-Key, for any number and speed of requests', async () => {
    app.test.model.always(() => 'Yes.');
    const { sessionId, token } = await app.session();
    const extra = { headers: { 'x-api-key': token, 'idempotency-key': 'only once' } };
    const said = { content: 'Hi', transport: 'http' };
    await Promise.all(Array.from({ length: 10 }, () => app.api.post(`/api/messaging/sessions/${sessionId}/messages`, said, extra)));
    expect(app.test.model.requests).toHaveLength(1);
  });
});
