// OWASP API5:2023. Ways round the rule of an operation: other spellings of its path, other methods, sockets, plugin routes.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADA, BOB } from '../support/create-test-app.js';
import { guardedApp, USER } from './support/guarded-app.js';
import { bodyOf, rawRequest, sendRaw, statusOf } from './support/raw-http.js';

const PLUGIN = `export default { name: 'reports', routes: [
  { type: 'GET', path: '/api/reports/:id', handler: (request, response) => response.json({ secret: 'of the reports' }) },
  { type: 'POST', path: '/api/reports', handler: (request, response) => response.json({ secret: 'of the reports' }) },
  { type: 'GET', path: '/who', handler: (request, response) => response.json({ secret: 'of the reports' }) },
] };`;

const app = guardedApp({ plugins: { 'reports.mjs': PLUGIN } });
const { api } = app;

/** Sends a path as it stands: fetch would tidy it up. */
async function send(method: string, path: string, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const answer = await sendRaw(app.test.url, rawRequest(`${method} ${path}`, lines));
  return { status: statusOf(answer), body: bodyOf(answer) };
}

const SPELLINGS = (path: string): string[] => [
  path.toUpperCase(),
  path.replace('/api', '/Api'),
  `${path}/`,
  `/${path}`,
  path.replace('/api/', '/api//'),
  path.replace('/api/', '/./api/'),
  path.replace('/api/', '/x/../api/'),
  path.replace('/api/', '/%61pi/'),
  path.replace('/api/', '/api%2f'),
  path.replace('/api/', '\\api\\'),
  `${path};x=1`,
  `${path}?`,
  `${path}#x`,
  `${path}%00`,
  `${path}.json`,
  `http://localhost${path}`,
];

describe('the rule of an operation', () => {
  it.each([
    '/api/keys',
    '/api/server/logs',
    '/api/system/env/local',
    `/api/agents/${ADA.id}`,
    '/api/reports/1',
    `/api/agents/${ADA.id}/plugins/reports/who`,
  ])('applies to every spelling of %s', async (path) => {
    for (const spelling of SPELLINGS(path)) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const { status, body } = await send(method, spelling);
        expect([method, spelling, [400, 401, 403, 404, 405].includes(status), body.includes('of the reports')]).toEqual([
          method,
          spelling,
          true,
          false,
        ]);
      }
    }
  });

  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
    'is that of the actual method, regardless of %s',
    async (name) => {
      const channelId = await app.channel(ADA.id, USER);
      const reader = await app.key({ scope: 'read' });
      const path = `/api/messaging/channels/${channelId}`;
      expect((await send('GET', `${path}?_method=DELETE`, { 'x-api-key': reader, [name]: 'DELETE' })).status).toBe(200);
      expect((await send('POST', path, { 'x-api-key': reader, [name]: 'GET' })).status).not.toBe(200);
      expect((await api.get(path, app.as())).status).toBe(200);
    },
  );

  it.each(['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Path', 'X-Forwarded-Prefix'])(
    'is that of the actual path, regardless of %s',
    async (name) => {
      const { status, body } = await send('GET', '/healthz', { [name]: '/api/keys' });
      expect([status, body.includes('keys')]).toEqual([200, false]);
      expect((await send('GET', '/api/keys', { [name]: '/healthz' })).status).toBe(401);
    },
  );

  it('refuses undeclared methods without echoing the request', async () => {
    for (const method of ['OPTIONS', 'TRACE', 'PUT', 'PROPFIND', 'LOCK']) {
      const { status, body } = await send(method, '/api/keys', { 'x-api-key': 'nothing that is echoed' });
      expect([method, status >= 400, body.includes('nothing that is echoed')]).toEqual([method, true, false]);
    }
  });
});

describe("an administrator's operation", () => {
  let keys: Record<string, string>;
  beforeAll(async () => {
    keys = {
      reader: await app.key({ scope: 'read' }),
      writer: await app.key({ scope: 'write' }),
      'administrator of one agent': await app.key({ scope: 'admin', agents: [ADA.id] }),
      session: (await app.session()).token,
    };
  });

  it.each(['reader', 'writer', 'administrator of one agent', 'session'])('refuses a %s', async (who) => {
    const requests: [string, string, unknown?][] = [
      ['POST', '/api/keys', { name: 'mine', scope: 'admin' }],
      ['POST', '/api/server/stop'],
      ['GET', '/api/server/logs'],
      ['DELETE', '/api/server/logs'],
      ['POST', '/api/system/env/local', { content: { API_KEY: 'mine' } }],
      ['GET', '/api/server/debug/servers'],
    ];
    const answers = requests.map(([method, path, body]) => app.outcome(api.send(method, path, body, app.as(keys[who]))));
    expect(await Promise.all(answers)).toEqual(requests.map(() => [403, 'FORBIDDEN']));
    const socket = await app.socket(keys[who] ?? '');
    expect(await socket.ask('subscribe_logs')).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
    expect(socket.all('log_subscription_confirmed')).toEqual([]);
  });

  it('refuses a key that its holder tries to extend', async () => {
    const { token, key } = app.data(await api.post('/api/keys', { name: 'narrow', scope: 'write', agents: [ADA.id] }, app.as()));
    for (const [method, body] of [
      ['PATCH', { scope: 'admin', agents: null }],
      ['PUT', { scope: 'admin' }],
      ['POST', { id: key.id, scope: 'admin' }],
      ['DELETE', undefined],
    ] as const) {
      expect((await api.send(method, `/api/keys/${key.id}`, body, app.as(token))).status).toBeGreaterThanOrEqual(403);
    }
    expect((await api.get(`/api/agents/${BOB.id}`, app.as(token))).status).toBe(403);
  });
});
