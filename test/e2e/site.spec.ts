// Limits for pages of other sites and for all clients: Host, Origin, CORS, headers, rate limits.
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { SocketClient } from '../support/socket-client.js';

const USER = '11111111-1111-1111-1111-111111111111';
const ADMIN = 'the administrator of the tests';
const EVIL = 'https://evil.example';

describe('Parley', () => {
  const api = new ApiClient(() => test.url);
  let test: TestApp;
  afterEach(() => test.close());

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    test = await createTestApp({ env });
  };
  /** With headers that fetch does not let a caller choose. */
  const send = (method: string, path: string, headers: Record<string, string>): Promise<[number, Record<string, unknown>]> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(test.url + path, { method, headers }, (response) => {
        response.resume().once('end', () => resolve([response.statusCode ?? 0, response.headers]));
      });
      sent.once('error', reject).end();
    });
  const status = async (method: string, path: string, headers: Record<string, string>): Promise<number> =>
    (await send(method, path, headers))[0];
  const connects = (extraHeaders: Record<string, string>): Promise<boolean> => {
    const client = new SocketClient(test.url, { extraHeaders });
    return client.connected().then(
      () => (client.close(), true),
      () => false,
    );
  };

  it("responds on loopback to the machine's names only, over HTTP and sockets", async () => {
    await start({ SERVER_URL: 'https://parley.example' });
    const { port } = new URL(test.url);
    for (const host of [
      'localhost',
      `localhost:${port}`,
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
      'app.localhost',
      'parley.example',
      'PARLEY.example',
    ]) {
      expect([host, await status('GET', '/api/agents', { host })]).toEqual([host, 200]);
    }
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', 'a b']) {
      expect([host, await status('GET', '/api/agents', { host })]).toEqual([host, 403]);
      expect([host, await status('GET', '/healthz', { host })]).toEqual([host, 403]);
    }
    expect(await connects({ host: 'evil.example' })).toBe(false);
    expect(await connects({ host: 'parley.example' })).toBe(true);
  });

  it('responds beyond loopback to the names in ALLOWED_HOSTS, and to local probes and the command line', async () => {
    await start({ SERVER_HOST: '0.0.0.0', API_KEY: ADMIN, ALLOWED_HOSTS: 'agents.example' });
    for (const host of ['agents.example', 'AGENTS.example:8080', 'localhost', '127.0.0.1']) {
      expect([host, await status('GET', '/healthz', { host })]).toEqual([host, 200]);
    }
    for (const host of ['evil.example', '10.0.0.1']) expect([host, await status('GET', '/healthz', { host })]).toEqual([host, 403]);
  });

  it('refuses requests and sockets of pages of other sites', async () => {
    await start();
    const renew = (origin: string): Promise<number> => status('POST', '/api/messaging/channels/x/messages', { origin });
    expect([await renew(EVIL), await renew('null'), await renew('http://127.0.0.1:1')]).toEqual([403, 403, 403]);
    expect(await renew(test.url)).toBe(400);
    expect(await status('DELETE', '/api/messaging/channels/x', { origin: EVIL })).toBe(403);
    const [reading, headers] = await send('GET', '/api/agents', { origin: EVIL });
    expect([reading, headers['access-control-allow-origin']]).toEqual([200, undefined]);
    expect(await connects({ origin: EVIL })).toBe(false);
    expect(await connects({ origin: test.url })).toBe(true);
    expect(await connects({})).toBe(true);
  });

  it('admits the origins in CORS_ORIGIN', async () => {
    const mine = 'https://mine.example';
    await start({ CORS_ORIGIN: mine });
    const [reading, headers] = await send('GET', '/api/agents', { origin: mine });
    expect([reading, headers['access-control-allow-origin']]).toEqual([200, mine]);
    expect(await status('POST', '/api/messaging/channels/x/messages', { origin: mine })).toBe(400);
    expect(await status('POST', '/api/messaging/channels/x/messages', { origin: EVIL })).toBe(403);
    expect(await connects({ origin: mine })).toBe(true);
    expect(await connects({ origin: EVIL })).toBe(false);
  });

  it('sends security headers', async () => {
    await start();
    const [, headers] = await send('GET', '/api/agents', {});
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
    });
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  it('does not limit local clients', async () => {
    await start({ RATE_LIMIT_REQUESTS: '2' });
    for (let count = 0; count < 5; count++) {
      const { status: answered, headers } = await api.get('/api/agents');
      expect([answered, headers.get('ratelimit-limit')]).toEqual([200, null]);
    }
  });

  it('limits each key, each address without one, and wrong credentials, and reports the remaining number', async () => {
    await start({
      API_KEY: ADMIN,
      RATE_LIMIT_REQUESTS: '3',
      RATE_LIMIT_SESSIONS: '2',
      RATE_LIMIT_CREDENTIALS: '2',
      RATE_LIMIT_WINDOW_SECONDS: '600',
    });
    const as = (token: string): { headers: Record<string, string> } => ({ headers: { 'x-api-key': token } });
    const keys: string[] = [];
    for (let count = 0; count < 2; count++) keys.push((await api.post('/api/keys', { name: 'a key' }, as(ADMIN))).body.data.token);
    for (const left of ['2', '1', '0']) {
      const { status: answered, headers } = await api.get('/api/agents', as(keys[0]!));
      expect([answered, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([200, '3', left]);
      expect(headers.get('ratelimit-policy')).toBe('3;w=600');
    }
    const over = await api.get('/api/agents', as(keys[0]!));
    expect([over.status, over.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await api.get('/api/agents', as(keys[1]!))).status).toBe(200);

    const createSession = async (): Promise<number> =>
      (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).status;
    expect([await createSession(), await createSession(), await createSession()]).toEqual([201, 201, 429]);
    const guess = async (): Promise<number> => (await api.get('/api/agents', as('wrong'))).status;
    expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429]);
    for (let count = 0; count < 5; count++) expect((await api.get('/api/agents', as(ADMIN))).status).toBe(200);
    expect((await api.get('/healthz')).status).toBe(200);

    const socket = await SocketClient.connect(test.url, { auth: { apiKey: keys[1] } });
    const join = async (): Promise<boolean> => (await socket.ask('join', { channelId: USER })).ok;
    expect([await join(), await join(), await join()]).toEqual([true, true, false]);
    socket.close();
  });
});
