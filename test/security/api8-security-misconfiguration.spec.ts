// OWASP API8:2023. Headers on every kind of answer, pages of other sites, names of hosts, and what answers say of the inside.
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/core/config/index.js';
import { ADA, createTestApp } from '../support/create-test-app.js';
import { form, png } from '../support/uploads.js';
import { ADMIN, guardedApp, NOBODY, OTHER, USER } from './support/guarded-app.js';
import { bodyOf, rawRequest, sendRaw, statusOf } from './support/raw-http.js';

const EVIL = 'https://evil.example';
const DM = `/api/messaging/dm-channel?currentUserId=${USER}&targetUserId=${OTHER}`;
const PLUGIN = `export default { name: 'broken', routes: [
  { type: 'GET', path: '/broken', public: true, handler: () => { throw new Error('secret inside ' + import.meta.url); } },
  { type: 'GET', path: '/fine', public: true, handler: (request, response) => response.json({ fine: true }) },
] };`;
const INSIDE = [
  /\n\s+at /,
  /node_modules/,
  /\.(ts|js|mjs):\d/,
  /SQLITE|SELECT |INSERT /,
  /TypeError|RangeError|URIError/,
  /secret inside/,
  /\/tmp\//,
];

const app = guardedApp({
  plugins: { 'broken.mjs': PLUGIN },
  characters: [{ name: ADA.name, bio: 'An agent.', settings: { secrets: { TOKEN: 'canary' } } }],
});
const { api } = app;

describe('without a key, Parley', () => {
  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.org'])('refuses to listen on %s', (host) => {
    expect(() => loadConfig({ SERVER_HOST: host }, '1.0.0')).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', details: expect.stringContaining('API_KEY') }),
    );
  });
});

describe('every response', () => {
  it.each([
    ['GET', '/healthz', 200],
    ['GET', '/api/agents', 401],
    ['GET', '/api/nothing', 404],
    ['GET', '/nothing', 404],
    ['GET', '/fine', 200],
    ['GET', '/broken', 500],
    ['GET', `/media/uploads/agents/${NOBODY}/x.png`, 404],
    ['GET', '/api/docs', 200],
    ['GET', '/api/openapi.json', 200],
    ['POST', '/api/messaging/sessions', 400],
    ['PUT', '/api/agents', 404],
  ])('to %s %s has security headers, and reveals no internals', async (method, path, status) => {
    const answer = await fetch(app.test.url + path, { method });
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(/default-src '(self|none)'/),
    });
    for (const name of ['x-powered-by', 'server', 'access-control-allow-origin', 'set-cookie']) expect(answer.headers.get(name)).toBeNull();
    const body = await answer.text();
    if (status >= 400) expect(INSIDE.filter((pattern) => pattern.test(body))).toEqual([]);
  });

  it('that shows stored data disables caching', async () => {
    for (const path of ['/api/agents', `/api/agents/${ADA.id}`, '/api/keys']) {
      expect((await api.get(path, app.as())).headers.get('cache-control')).toBe('no-store');
    }
    expect((await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).headers.get('cache-control')).toBe('no-store');
  });

  it('with a file declares its type, and disables scripts in it', async () => {
    const page = '<!doctype html><script>alert(1)</script>';
    const upload = async (content: Uint8Array | string, name: string): Promise<Response> =>
      fetch(app.test.url + app.data(await api.post(`/api/media/agents/${ADA.id}/upload-media`, form(content, name), app.as())).url);
    for (const name of [
      'a.png',
      'a"; filename="x.html',
      'a\r\nSet-Cookie: x=1\r\n\r\n.html',
      '\ud800.html',
      '../../x.html',
      '%0d%0aX: y.svg',
      `${'é'.repeat(300)}.html`,
    ]) {
      const answer = await upload(page, name);
      expect([name, answer.status]).toEqual([name, 200]);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[^"\r\n]*"; filename\*=UTF-8''[^"\r\n;]*$/);
      expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
      expect([answer.headers.get('set-cookie'), answer.headers.get('x')]).toEqual([null, null]);
    }
    expect((await upload(png(), 'a.png')).headers.get('content-type')).toBe('image/png');
  });
});

describe('a page of another site', () => {
  it.each([
    'https://evil.example',
    'null',
    'http://localhost:1',
    'http://127.0.0.1.evil.example',
    'file://',
    'http://localhost.evil.example',
    '',
  ])('of the origin "%s" is refused', async (origin) => {
    const send = (type: string, body: string): Promise<string> =>
      sendRaw(
        app.test.url,
        rawRequest('POST /api/messaging/sessions', [`Origin: ${origin}`, `Content-Type: ${type}`, `Content-Length: ${body.length}`], body),
      );
    const json = JSON.stringify({ agentId: ADA.id, userId: USER });
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await send(type, json);
      expect([type, statusOf(answer), JSON.parse(bodyOf(answer)).error.code]).toEqual([type, 403, 'FORBIDDEN']);
      expect(answer.toLowerCase()).not.toContain('access-control-allow');
    }
  });

  it('gets no body read that a form could have sent, even without an Origin', async () => {
    const json = JSON.stringify({ agentId: ADA.id, userId: USER });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      expect((await api.send('POST', '/api/messaging/sessions', json, { headers: { 'content-type': type } })).status).toBe(415);
    }
  });

  it('gets no permission from a preflight', async () => {
    const headers = { origin: EVIL, 'access-control-request-method': 'DELETE', 'access-control-request-headers': 'x-api-key' };
    const answer = await fetch(`${app.test.url}/api/agents`, { method: 'OPTIONS', headers });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each([
    ['with a key', undefined],
    ['where no key is asked for', {}],
  ])('changes nothing by a GET, %s: as a picture, a link or a window', async (_words, env) => {
    const own = env && (await createTestApp({ env }));
    const ask = async (site: string, origin?: string): Promise<number> =>
      statusOf(
        await sendRaw(
          (own ?? app.test).url,
          rawRequest(`GET ${DM}`, [
            `X-API-KEY: ${ADMIN}`,
            `Sec-Fetch-Site: ${site}`,
            ...(origin === undefined ? [] : [`Origin: ${origin}`]),
          ]),
        ),
      );
    try {
      expect([await ask('cross-site'), await ask('same-site'), await ask('cross-site', EVIL)]).toEqual([403, 403, 403]);
      expect([await ask('same-origin'), await ask('none'), await ask('cross-site', 'http://localhost')]).toEqual([200, 200, 200]);
    } finally {
      await own?.close();
    }
  });
});

it.each([
  ['localhost', 200],
  ['LOCALHOST:1', 200],
  ['[::1]', 200],
  ['[0:0:0:0:0:0:0:1]:3000', 200],
  ['127.0.0.1:65535', 200],
  ['localhost.', 403],
  ['evil.example', 403],
  ['localhost:3000@evil.example', 403],
  ['evil.example#localhost', 403],
  ['evil.example/localhost', 403],
  ['127.0.0.1.nip.io', 403],
  ['0.0.0.0', 403],
  ['[::]', 403],
  ['[::ffff:127.0.0.1]', 403],
  ['xn--lcalhost-2jg', 403],
  ['', 403],
])('the host name "%s" returns %i', async (host, status) => {
  const request = (extra: string): string => `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n${extra}Connection: close\r\n\r\n`;
  for (const extra of ['', 'X-Forwarded-Host: localhost\r\n', 'Forwarded: host=localhost\r\n']) {
    expect(statusOf(await sendRaw(app.test.url, request(extra)))).toBe(status);
  }
});

it('with a public address on https the server sends HSTS', async () => {
  const test = await createTestApp({ env: { SERVER_URL: 'https://parley.example' } });
  try {
    expect((await fetch(`${test.url}/healthz`)).headers.get('strict-transport-security')).toMatch(/max-age=\d+/);
  } finally {
    await test.close();
  }
});
