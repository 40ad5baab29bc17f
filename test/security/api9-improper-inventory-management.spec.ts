// OWASP API9:2023. What answers is what the document says: no forgotten operation, no file of the installation, no older path with softer
// rules.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { routesOf } from '../contract/support/routes.js';
import { ADA } from '../support/create-test-app.js';
import { ADMIN, guardedApp, NOBODY, USER } from './support/guarded-app.js';
import { bodyOf, rawRequest, sendRaw, statusOf } from './support/raw-http.js';

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/reference/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { deprecated?: boolean }>>;
};
const app = guardedApp();

it('every operation is in the document, and every one of the document responds', () => {
  const served = routesOf(app.test)
    .filter(({ method, path }) => !['_ALL', 'HEAD'].includes(method) && path !== '')
    .map(({ method, path }) => `${method} ${path.replaceAll(/[:*](\w+)/g, '{$1}')}`);
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(new Set(served)).toEqual(new Set(described));
});

describe('the older path', () => {
  it.each([
    ['/api/messaging/central-servers', '/api/messaging/message-servers'],
    ['/api/messaging/servers', '/api/messaging/message-servers'],
    [`/api/messaging/central-channels/${NOBODY}`, `/api/messaging/channels/${NOBODY}`],
  ])('%s has the permissions of the newer one, and names it', async (older, newer) => {
    const reader = await app.key({ scope: 'read', agents: [ADA.id] });
    for (const method of ['GET', 'DELETE', 'PATCH', 'POST']) {
      const [one, other] = await Promise.all(
        [older, newer].map((path) => app.api.send(method, path, method === 'GET' ? undefined : {}, app.as(reader))),
      );
      expect([method, one?.status]).toEqual([method, other?.status]);
      expect([401, (await app.api.send(method, older)).status === 404 ? 401 : (await app.api.send(method, older)).status]).toEqual([
        401, 401,
      ]);
    }
    const { headers } = await app.api.get(older, app.as());
    expect([headers.get('deprecation'), headers.get('link')]).toEqual([
      expect.stringMatching(/^@\d+$/),
      `<${newer}>; rel="successor-version"`,
    ]);
  });
});

describe('undocumented details are hidden:', () => {
  it.each([
    '/.env',
    '/.git/config',
    '/.git/HEAD',
    '/data/parley.sqlite',
    '/data/secret.key',
    '/secret.key',
    '/package.json',
    '/src/main.ts',
    '/dist/main.js',
    '/node_modules/express/package.json',
    '/characters/character-0.json',
    '/plugins/',
    '/metrics',
    '/actuator/env',
    '/server-status',
    '/debug/pprof',
    '/console',
    '/graphql',
    '/swagger.json',
    '/swagger-ui',
    '/v2/chat/completions',
    '/wp-login.php',
    '/api',
    '/api/',
    '/api/debug',
    '/api/v1/agents',
    '/api/docs/package.json',
    '/api/docs/..%2f..%2fpackage.json',
    '/api/docs/%2e%2e%2fswagger-ui.js',
    '/media/',
    '/media/uploads',
    '/media/uploads/agents/',
    `/media/uploads/agents/${USER}/..%2f..%2f..%2fsecret.key`,
    `/media/uploads/agents/${USER}/%2e%2e/%2e%2e/secret.key`,
    `/media/generated/${USER}/..\\..\\secret.key`,
    `/media/uploads/agents/${USER}/x%00.png`,
    '/media/incoming',
    '/socket.io/socket.io.js',
    '/socket.io/admin',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..;/api/keys',
    '//etc/passwd',
    '/\\etc\\passwd',
    '/%c0%ae%c0%ae/etc/passwd',
    '/%',
    '/%zz',
    '/%ff',
    '/api/%u0061gents',
  ])('%s', async (path) => {
    const answer = await sendRaw(app.test.url, rawRequest(`GET ${path}`, [`X-API-KEY: ${ADMIN}`]));
    expect([400, 404]).toContain(statusOf(answer));
    expect(answer).not.toMatch(/root:x:|SQLite format|"dependencies"|\n\s+at |node_modules/);
    if (!path.startsWith('/socket.io')) {
      expect(JSON.parse(bodyOf(answer))).toMatchObject({ success: false, error: { code: expect.any(String) } });
    }
  });

  it("the server's environment is shown to callers with read permission only", async () => {
    expect((await app.api.get('/api/system/version')).status).toBe(401);
    for (const path of ['/healthz', '/health', '/api/server/ping', '/api/server/health', '/api/system/config']) {
      expect(JSON.stringify((await app.api.get(path)).body)).not.toMatch(/sqlite|postgres|node|\/tmp|provider|plugin/i);
    }
    expect((await app.api.get('/health', app.as())).body.checks).toMatchObject({ database: 'sqlite' });
  });
});
