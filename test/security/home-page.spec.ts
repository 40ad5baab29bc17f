// The page at `/`: names of agents are what their owners wrote, the Host header is what a caller wrote, and not everybody may know the agents.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { rawRequest } from '../contract/support/raw-request.js';
import { ApiClient, type Answer } from '../support/api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';

const HOSTILE = `<script>alert(1)</script>"'&lt;<img src=x onerror=alert(2)>\u202e$(id)\``;
const ADMIN = 'the administrator of the tests';
const USER = '11111111-1111-1111-1111-111111111111';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

async function page(test: TestApp, { accept = BROWSER, host = 'localhost', method = 'GET', more = '' } = {}): Promise<Answer> {
  return rawRequest(
    test.url,
    `${method} / HTTP/1.1\r\nHost: ${host}\r\n${accept === '' ? '' : `Accept: ${accept}\r\n`}${more}Connection: close\r\n\r\n`,
  );
}

describe('the page at /', () => {
  let test: TestApp;
  const api = new ApiClient(() => test.url);
  beforeAll(async () => {
    test = await createTestApp();
    expect((await api.patch(`/api/agents/${BOB.id}`, { name: HOSTILE })).status).toBe(200);
  });
  afterAll(() => test.close());

  it('shows names as text', async () => {
    const { status, headers, body } = await page(test);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;lt;&lt;img src=x onerror=alert(2)&gt;');
    expect(body).toContain(`<bdi>${ADA.name}</bdi>`);
    expect(body).not.toMatch(/<script|<img|onerror=alert\(2\)>\s*</i);
    // The commands name an agent by its id alone.
    const commands = (body as string).slice((body as string).indexOf('Try it'));
    expect([ADA.id, BOB.id].filter((id) => commands.includes(id))).toHaveLength(1);
    expect(commands).not.toContain('alert');
  });

  it('runs nothing and fetches nothing, and its style is the one that its policy knows', async () => {
    const { headers, body } = await page(test);
    const style = /<style>([^<]*)<\/style>/.exec(body as string)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(body).not.toMatch(/<[^>]*\s(style|on\w+)=|<(script|iframe|object|embed|form|base)\b|@import|url\(/i);
    expect([...(body as string).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      'data:,',
      '/api/docs',
      '/api/openapi.json',
      '/health',
    ]);
    expect([headers.get('cache-control'), headers.get('vary'), headers.get('x-content-type-options')]).toEqual([
      'no-store',
      'Accept',
      'nosniff',
    ]);
  });

  it.each(['', '*/*', 'application/json', 'application/json, text/html', 'text/plain', 'text/html;q=0', 'image/*'])(
    'is a 404 in the envelope for Accept %j, as ever',
    async (accept) => {
      expectError(await page(test, { accept }), 404, 'NOT_FOUND');
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is a 404 in the envelope for %s', async (method) => {
    expectError(await page(test, { method }), 404, 'NOT_FOUND');
  });

  it('answers HEAD without a body', async () => {
    const { status, headers, body } = await page(test, { method: 'HEAD' });
    expect([status, headers.get('content-type'), body]).toEqual([200, 'text/html; charset=utf-8', '']);
  });

  it('has commands that work as they stand', async () => {
    const { body } = await page(test, { host: new URL(test.url).host });
    const text = (body as string).replaceAll('&quot;', '"').replaceAll('&#39;', "'");
    const [, address, session] = /curl -s (\S+\/api\/messaging\/sessions) [^]*?-d '([^']*)'/.exec(text) ?? [];
    expect(address).toBe(`${test.url}/api/messaging/sessions`);
    const created = await api.post('/api/messaging/sessions', JSON.parse(session ?? ''));
    expect(created.status).toBe(201);
    const [, message] = /sessions\/\$SESSION\/messages [^]*?-d '([^']*)'/.exec(text) ?? [];
    test.model.reply('Hello yourself.');
    const answer = await api.post(`/api/messaging/sessions/${created.body.data.sessionId}/messages`, JSON.parse(message ?? ''));
    expect(answer.body.data.agentResponse.text).toBe('Hello yourself.');
  });
});

describe('the page of a server with a key', () => {
  let test: TestApp;
  const api = new ApiClient(() => test.url);
  beforeAll(async () => {
    test = await createTestApp({ env: { API_KEY: ADMIN, SERVER_HOST: '0.0.0.0', RATE_LIMIT: 'off' } });
  });
  afterAll(() => test.close());

  it.each([
    ['without one', ''],
    ['with a wrong one', 'X-API-KEY: wrong\r\n'],
  ])('names no agent %s, and says how to send it', async (_name, more) => {
    const { status, body } = await page(test, { more });
    expect(status).toBe(200);
    for (const { id, name } of [ADA, BOB]) {
      expect(body).not.toContain(id);
      expect(body).not.toContain(name);
    }
    expect(body).toContain('X-API-KEY');
    expect(body).toContain('Authorization: Bearer');
  });

  it('shows the agents that the credential may reach', async () => {
    const as = { headers: { 'x-api-key': ADMIN } };
    const { data } = (await api.post('/api/keys', { name: 'a key', scope: 'read', agents: [BOB.id] }, as)).body;
    const { token } = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data;
    const seen = async (credential: string): Promise<boolean[]> => {
      const { body } = await page(test, { more: `X-API-KEY: ${credential}\r\n` });
      return [ADA, BOB].map(({ id }) => (body as string).includes(id));
    };
    expect(await seen(ADMIN)).toEqual([true, true]);
    expect(await seen(data.token)).toEqual([false, true]);
    expect(await seen(token)).toEqual([true, false]);
  });

  it.each([`x';rm -rf ~;'`, 'evil.example$(id)', 'a"><b>', 'evil.example/x'])('puts no Host like %j into its commands', async (host) => {
    const { body } = await page(test, { host });
    expect(body).not.toContain(host);
    expect(body).not.toMatch(/<b>|rm -rf|\$\(id\)/);
  });
});
