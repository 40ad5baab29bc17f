// What answers a path: the server's own, plugins' routes, the server's newer interfaces, a plugin's STATIC /, the page at /.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { HttpAdapterHost } from '@nestjs/core';
import { PluginModule } from '../../src/modules/plugins/index.js';
import { rawRequest } from '../contract/support/raw-request.js';
import { routesOf } from '../contract/support/routes.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { PluginApp, withRoutes } from './support/plugin-app.js';

const site = (name: string, routes = ''): string =>
  `export default { name: '${name}', routes: [{ type: 'STATIC', path: '/', filePath: 'public' }, ${routes}] };`;
const says = (name: string, ...paths: string[]): string =>
  withRoutes(name, `[${paths.map((path) => `{ type: 'GET', path: '${path}', handler: (q, r) => r.send('${name}') }`).join(', ')}]`);

const FILES = {
  'a/index.mjs': site('a', `{ type: 'GET', path: '/made', handler: (q, r) => r.send('made') }`),
  'a/public/index.html': 'site a',
  'a/public/app.js': 'app',
  'a/public/made': 'never served',
  'a/public/deep/index.html': 'deep',
  'a/public/metrics': 'never served',
  'a/public/mcp': 'never served',
  'a/public/v1/notes.txt': 'notes',
  'a/public/api/index.html': 'never served',
  'a/public/api/notes.txt': 'never served',
  'a/public/media/notes.txt': 'never served',
  'a/public/healthz/notes.txt': 'never served',
  'b/index.mjs': site('b'),
  'b/public/index.html': 'site b',
  'b/public/only-b.txt': 'only b',
  'v.mjs': says('v', '/v1/mine', '/mcp', '/v-own/:id'),
  // Named as paths of the server are: nothing of it is served there.
  'media/index.mjs': `export default { name: 'media', routes: [{ type: 'GET', path: '/x-media', handler: (q, r) => r.send('x') }] };`,
};
// Stand-ins for interfaces that the server may get.
const NEWER = ['/metrics', '/v1/mine', '/mcp'];

/** An application whose server has newer interfaces. */
async function start(files: Readonly<Record<string, string>>, env: Record<string, string> = {}): Promise<PluginApp> {
  const original = PluginModule.prototype.onModuleInit;
  jest.spyOn(PluginModule.prototype, 'onModuleInit').mockImplementation(function init(this: PluginModule): Promise<void> {
    const { httpAdapter } = (this as unknown as { adapter: HttpAdapterHost }).adapter;
    for (const path of NEWER) {
      httpAdapter.get(path, (_request: unknown, response: { send(text: string): void }) => response.send(`the server's ${path}`));
    }
    return original.call(this);
  });
  return new PluginApp().start(files, { env });
}

describe('a path', () => {
  let app: PluginApp;
  beforeAll(async () => {
    app = await start(FILES);
  });
  afterAll(() => app.close());

  /** As it stands, without what fetch makes of it. */
  const get = (path: string, method = 'GET'): Promise<ApiResponse> =>
    rawRequest(app.test.url, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n`);

  it.each([
    ['the plugin’s index, instead of the page', '/', 'site a'],
    ['a file', '/app.js', 'app'],
    ['a folder', '/deep/', 'deep'],
    ['a file in a folder that a newer interface has the name of', '/v1/notes.txt', 'notes'],
    ['a route of the same plugin before its files', '/made', 'made'],
    ['a route of another plugin before the files', '/v-own/7', 'v'],
    ['a plugin’s route before a newer interface', '/v1/mine', 'v'],
    ['a plugin’s route before a newer interface of one part', '/mcp', 'v'],
    ['a newer interface before the files', '/metrics', "the server's /metrics"],
    ['files below the plugin’s name', '/a/app.js', 'app'],
    ['files of the second plugin below its name', '/b/only-b.txt', 'only b'],
    ['files below agent and plugin', `/api/agents/${ADA.id}/plugins/b/only-b.txt`, 'only b'],
  ])('is %s: %s', async (_what, path, body) => {
    expect(await get(path)).toMatchObject({ status: 200, body });
    const head = await get(path, 'HEAD');
    expect([head.status, head.body]).toEqual([200, '']);
  });

  it.each([
    '/api',
    '/api/',
    '/api/notes.txt',
    '/API/notes.txt',
    '/api%2Fnotes.txt',
    '/api%2fnotes.txt',
    '/api%5Cnotes.txt',
    '/%61pi/notes.txt',
    '/%41PI/notes.txt',
    '//api/notes.txt',
    '/./api/notes.txt',
    '/deep/../api/notes.txt',
    '/deep%2f..%2fapi/notes.txt',
    '/media/notes.txt',
    '/Media/notes.txt',
    '/healthz/notes.txt',
    '/only-b.txt',
    `/api/agents/${ADA.id}/plugins/app.js`,
    `/api/agents/${ADA.id}/plugins/a/nothing.txt`,
    '/nothing.txt',
    '/%zz',
  ])('remains a 404 in the envelope: %s', async (path) => {
    expectError(await get(path), 404, 'NOT_FOUND');
  });

  it.each(['/made/', '/v-own/7', '/deep/'])('of a plugin is not the console: %s', async (path) => {
    expect((await get(path)).headers.has('permissions-policy')).toBe(false);
  });

  it('without any other match is the console, also when a plugin has a site', async () => {
    // Also where it is not built, and says so.
    expect((await get('/agents')).headers.has('permissions-policy')).toBe(true);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('has files for GET and HEAD only, not for %s', async (method) => {
    for (const path of ['/', '/app.js']) expectError(await get(path, method), 404, 'NOT_FOUND');
  });

  it.each([['/healthz'], ['/api/agents'], ['/websocket'], ['/health']])("remains the server's: %s", async (path) => {
    expect((await get(path)).body).toMatchObject(expect.any(Object));
  });

  it('is reported when another plugin or the server takes precedence', async () => {
    const listed = await app.listed();
    const of = (name: string, type: string, path: string): object =>
      listed[name].routes.find((route: { type: string; path: string }) => route.type === type && route.path === path);
    expect(of('a', 'STATIC', '/')).toMatchObject({
      shadows: ['GET /'],
      shadowedBy: ['the server, below /api', 'the server, below /healthz', 'the server, below /media'],
    });
    expect(of('b', 'STATIC', '/')).toMatchObject({ shadows: [], shadowedBy: ['STATIC / of plugin a'] });
    expect(of('v', 'GET', '/mcp')).toMatchObject({ shadows: ['GET /mcp'], shadowedBy: [] });
    expect(of('v', 'GET', '/v1/mine')).toMatchObject({ shadows: ['GET /v1/mine'], shadowedBy: [] });
    expect(of('v', 'GET', '/v-own/:id')).toMatchObject({ shadows: [], shadowedBy: [] });
  });

  it('of the server outside of its original ones is a newer interface', () => {
    const parts = new Set(routesOf(app.test).map(({ path }) => path.split('/')[1] ?? ''));
    // Before you add to this list: the first part of a new path is not reserved, and a plugin that has it goes on to answer it.
    const newer = ['', 'console-assets', 'docs', 'livez', 'llms.txt', 'metrics', 'mcp', 'readyz', 'startupz', 'v1'];
    expect([...parts].filter((part) => !newer.includes(part)).sort()).toEqual(['api', 'health', 'healthz', 'media', 'websocket']);
  });
});

describe('the root', () => {
  const withPlugins = async (files: Readonly<Record<string, string>>, check: (app: PluginApp) => Promise<void>): Promise<void> => {
    const app = await start(files);
    try {
      await check(app);
    } finally {
      await app.close();
    }
  };
  const html = { headers: { accept: 'text/html' } };

  it("is the console while the plugin's folder has no index", () =>
    withPlugins({ 'a/index.mjs': site('a'), 'a/public/app.js': 'app' }, async (app) => {
      expect((await app.api.get('/', html)).body).toContain('Parley');
      expectError(await app.api.get('/'), 404, 'NOT_FOUND');
      expect((await app.api.get('/app.js')).body).toBe('app');
    }));

  it("is a plugin's GET / before the files of another", () =>
    withPlugins({ 'a/index.mjs': site('a'), 'a/public/index.html': 'site', 'root.mjs': says('root', '/') }, async (app) => {
      expect((await app.api.get('/', html)).body).toBe('root');
      const { a, root } = await app.listed();
      expect(a.routes[0]).toMatchObject({ shadows: [], shadowedBy: ['GET / of plugin root'] });
      expect(root.routes[0]).toMatchObject({ shadows: ['GET /'], shadowedBy: [] });
    }));

  it('may be a single file', () =>
    withPlugins(
      {
        'a/index.mjs': `export default { name: 'a', routes: [{ type: 'STATIC', path: '/', filePath: 'one.html' }] };`,
        'a/one.html': 'one',
      },
      async (app) => {
        expect((await app.api.get('/', html)).body).toBe('one');
        expectError(await app.api.get('/one.html', html), 404, 'NOT_FOUND');
      },
    ));

  it('is served once by a plugin that declares it twice', () =>
    withPlugins(
      { 'a/index.mjs': site('a', `{ type: 'STATIC', path: '//', filePath: 'public' }`), 'a/public/index.html': 'x' },
      async (app) => {
        expect((await app.listed())['a']).toMatchObject({
          state: 'failed',
          reason: expect.stringContaining('STATIC / of the same plugin'),
        });
      },
    ));

  it('remains with a reloaded plugin, in its place', () =>
    withPlugins(FILES, async (app) => {
      await app.write('a/public/index.html', 'site a, again');
      await app.host.reload(app.host.plugins().find(({ plugin }) => plugin.name === 'a')!.source);
      expect((await app.api.get('/', html)).body).toBe('site a, again');
      await app.host.unload('a');
      expect((await app.api.get('/', html)).body).toBe('site b');
    }));
});
