// STATIC routes: files and folders, and nothing beside them.
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rawRequest } from '../contract/support/raw-request.js';
import type { ApiResponse } from '../support/api-client.js';
import { expectError } from '../support/expect-envelope.js';
import { PluginApp } from './support/plugin-app.js';

const SECRET = 'this is nobody else’s';

const FILES = {
  'site/index.mjs': `export default { name: 'site', routes: [
    { type: 'GET', path: '/site-pages/made', handler: (request, response) => response.send('made') },
    { type: 'STATIC', path: '/site-pages', filePath: 'public' },
    { type: 'STATIC', path: '/site-one', filePath: './public/page.html', public: true, name: 'One page' },
    { type: 'STATIC', path: '/site-empty', filePath: 'empty' },
  ] };`,
  'site/secret.txt': SECRET,
  'site/public-secret/secret.txt': SECRET,
  'site/public/index.html': '<h1>index</h1>',
  'site/public/page.html': '<h1>page</h1>',
  'site/public/style.css': 'a{}',
  'site/public/app.js': '1',
  'site/public/module.mjs': '1',
  'site/public/data.json': '{}',
  'site/public/picture.svg': '<svg/>',
  'site/public/words.txt': 'words 0123456789',
  'site/public/noending': 'x',
  'site/public/a b#c?d%e.txt': 'odd',
  'site/public/übersicht.txt': 'umlaut',
  'site/public/.env': SECRET,
  'site/public/.hidden/file.txt': SECRET,
  'site/public/sub/index.html': '<h1>sub</h1>',
  'site/public/sub/deep/file.txt': 'deep',
  'site/public/bare/file.txt': 'bare',
  'site/empty/.keep': '',
};

const app = new PluginApp();
const { api } = app;
beforeAll(async () => {
  await app.start(FILES);
  const folder = join(app.test.config.pluginsDir, 'site/public');
  await mkdir(join(folder, 'links'));
  await symlink(join(app.test.config.pluginsDir, 'site/secret.txt'), join(folder, 'links/out.txt'));
  await symlink('../../../site', join(folder, 'links/folder'));
  await symlink('/etc', join(folder, 'links/etc'));
  await symlink('../words.txt', join(folder, 'links/in.txt'));
});
afterAll(() => app.close());

describe('a STATIC route', () => {
  it.each([
    ['/site-pages/', 'text/html; charset=utf-8', '<h1>index</h1>'],
    ['/site-pages/index.html', 'text/html; charset=utf-8', '<h1>index</h1>'],
    ['/site-pages/page.html', 'text/html; charset=utf-8', '<h1>page</h1>'],
    ['/site-pages/style.css', 'text/css; charset=utf-8', 'a{}'],
    ['/site-pages/app.js', 'text/javascript; charset=utf-8', '1'],
    ['/site-pages/module.mjs', 'text/javascript; charset=utf-8', '1'],
    ['/site-pages/data.json', 'application/json; charset=utf-8', {}],
    ['/site-pages/picture.svg', 'image/svg+xml', '<svg/>'],
    ['/site-pages/words.txt', 'text/plain; charset=utf-8', 'words 0123456789'],
    ['/site-pages/noending', 'application/octet-stream', 'x'],
    ['/site-pages/a%20b%23c%3Fd%25e.txt', 'text/plain; charset=utf-8', 'odd'],
    ['/site-pages/%C3%BCbersicht.txt', 'text/plain; charset=utf-8', 'umlaut'],
    ['/site-pages/sub/', 'text/html; charset=utf-8', '<h1>sub</h1>'],
    ['/site-pages/sub/deep/file.txt', 'text/plain; charset=utf-8', 'deep'],
    ['/site-pages/sub%2Fdeep%2Ffile.txt', 'text/plain; charset=utf-8', 'deep'],
    ['/site-pages/links/in.txt', 'text/plain; charset=utf-8', 'words 0123456789'],
    ['/site-one', 'text/html; charset=utf-8', '<h1>page</h1>'],
    ['/site/site-pages/page.html', 'text/html; charset=utf-8', '<h1>page</h1>'],
    ['/api/agents/9f2c0000-0000-4000-8000-000000000000/plugins/site/site-pages/page.html', 'text/html; charset=utf-8', '<h1>page</h1>'],
  ])('serves %s [routes.static]', async (path, type, body) => {
    const answer = await api.get(path);
    expect({ status: answer.status, type: answer.headers.get('content-type'), body: answer.body }).toEqual({ status: 200, type, body });
  });

  it.each(['/site-pages/', '/site-pages/words.txt', '/site-one'])('responds to HEAD %s as to GET, without the body', async (path) => {
    const [get, head] = [await api.get(path), await api.send('HEAD', path)];
    expect({ status: head.status, body: head.body }).toEqual({ status: 200, body: '' });
    for (const name of ['content-type', 'content-length', 'etag', 'last-modified']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect(get.headers.get('content-length')).toMatch(/^\d+$/);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('does not respond to %s', async (method) => {
    expectError(await api.send(method, '/site-pages/page.html'), 404, 'NOT_FOUND');
  });

  it.each(['/site-pages', '/site-pages/sub', '/site-pages/sub?a=1&b=2'])(
    'redirects %s to the folder, so that its links work',
    async (path) => {
      const answer = await fetch(app.test.url + path, { redirect: 'manual' });
      const [bare, query] = path.split('?');
      expect({ status: answer.status, to: answer.headers.get('location') }).toEqual({
        status: 301,
        to: `${bare}/${query ? `?${query}` : ''}`,
      });
    },
  );

  it.each([
    '/site-pages/nothing.html',
    '/site-pages/bare/',
    '/site-pages/bare',
    '/site-pages/page.html/more',
    '/site-one/more',
    '/site-empty/',
    '/site-pages/INDEX.HTM',
  ])('has nothing at %s', async (path) => {
    expectError(await api.get(path), 404, 'NOT_FOUND');
  });

  it('leaves a request to an earlier route of the same plugin', async () => {
    expect((await api.get('/site-pages/made')).body).toBe('made');
  });
});

describe('conditions and ranges', () => {
  const path = '/site-pages/words.txt';
  // Not through fetch, which adds conditions of its own.
  const get = (headers: Record<string, string>): Promise<ApiResponse> => {
    const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    return rawRequest(app.test.url, `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  };
  const tags = async (): Promise<Record<'etag' | 'modified', string>> => {
    const { headers } = await api.get(path);
    return { etag: headers.get('etag') ?? '', modified: headers.get('last-modified') ?? '' };
  };

  it('returns 304 for a cached file', async () => {
    const { etag, modified } = await tags();
    expect(await get({ 'if-none-match': etag })).toMatchObject({ status: 304, body: '' });
    expect(await get({ 'if-modified-since': modified })).toMatchObject({ status: 304, body: '' });
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
    expect((await get({ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).status).toBe(200);
  });

  it("returns 412 when the caller's condition does not hold", async () => {
    expect((await get({ 'if-match': '"other"' })).status).toBe(412);
    expect((await get({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).status).toBe(412);
    expect((await get({ 'if-match': (await tags()).etag })).status).toBe(200);
  });

  it.each([
    ['bytes=6-8', 206, '012', 'bytes 6-8/16'],
    ['bytes=6-', 206, '0123456789', 'bytes 6-15/16'],
    ['bytes=-3', 206, '789', 'bytes 13-15/16'],
    ['bytes=6-1000', 206, '0123456789', 'bytes 6-15/16'],
    ['bytes=16-20', 416, '', 'bytes */16'],
    ['bytes=x', 200, 'words 0123456789', null],
    ['lines=1-2', 200, 'words 0123456789', null],
  ])('%s', async (range, status, body, shown) => {
    const answer = await get({ range });
    expect({ status: answer.status, body: answer.body, range: answer.headers.get('content-range') }).toEqual({
      status,
      body,
      range: shown,
    });
  });

  it('returns the whole file when the range is of an older version', async () => {
    const { etag } = await tags();
    expect((await get({ range: 'bytes=6-8', 'if-range': etag })).status).toBe(206);
    expect((await get({ range: 'bytes=6-8', 'if-range': '"other"' })).status).toBe(200);
  });
});

const UP = [
  '..',
  '%2e%2e',
  '%2E%2E',
  '.%2e',
  '%2e.',
  '%252e%252e',
  '%25252e%25252e',
  '..%00',
  '%00..',
  '%c0%ae%c0%ae',
  '%c0%2e%c0%2e',
  '%e0%80%ae%e0%80%ae',
  '%u002e%u002e',
  '..;',
  '..%3b',
  '....',
  '..%20',
  '%20..',
  '...',
  '.../..',
  './..',
  'sub/../..',
  '%ef%bc%8e%ef%bc%8e',
];
const SLASHES = ['/', '%2f', '%2F', '\\', '%5c', '%252f', '//', '%c0%af', '/./'];
const WAYS = [
  ...UP.flatMap((up) => SLASHES.map((slash) => `${up}${slash}secret.txt`)),
  ...SLASHES.flatMap((slash) => [
    `${slash}etc${slash}passwd`,
    `..${slash}..${slash}..${slash}..${slash}..${slash}..${slash}etc${slash}passwd`,
  ]),
  '../public-secret/secret.txt',
  '..%2fpublic-secret/secret.txt',
  '-secret/secret.txt',
  '%2fetc%2fpasswd',
  'file:///etc/passwd',
  'file:%2f%2f%2fetc%2fpasswd',
  'C:\\secret.txt',
  'sub/deep/../../../secret.txt',
  'sub%2fdeep%2f..%2f..%2f..%2fsecret.txt',
  'words.txt/../../secret.txt',
  'words.txt%00.html',
  'words.txt%00',
  '.env',
  '%2eenv',
  '%252eenv',
  'sub/../.env',
  './.env',
  '.hidden/file.txt',
  '%2ehidden/file.txt',
  '.hidden%2ffile.txt',
  'sub/%2e%2e/.hidden/file.txt',
  'links/out.txt',
  'links/folder/secret.txt',
  'links/etc/passwd',
  'links%2fout.txt',
];

describe('a file outside the folder', () => {
  // Not through fetch, which would take the dots out.
  const get = (path: string): Promise<ApiResponse> =>
    rawRequest(app.test.url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

  it(`is unreachable in ${WAYS.length} ways, at any of the route's paths`, async () => {
    const reached: unknown[] = [];
    for (const base of ['/site-pages/', '/site/site-pages/', '/site-one/', '/site-empty/']) {
      for (const way of WAYS) {
        const { status, body } = await get(base + way);
        if (![400, 404].includes(status) || JSON.stringify(body).includes(SECRET)) reached.push({ path: base + way, status, body });
      }
    }
    expect(reached).toEqual([]);
  });

  it('inside the folder is reachable in the same ways, so they do reach the route', async () => {
    for (const path of ['/site-pages/words.txt', '/site-pages/sub%2fdeep%2ffile.txt', '/site-pages//words.txt']) {
      expect((await get(path)).status).toBe(path.includes('//') ? 404 : 200);
    }
  });
});

describe('a STATIC route is refused at load when its file', () => {
  it.each([
    ['is not there', 'nothing', 'does not exist'],
    ['lies above', '../other.txt', "is outside the plugin's folder"],
    ['is absolute', '/etc', "is outside the plugin's folder"],
  ])('%s', async (_name, filePath, reason) => {
    const other = await new PluginApp().start({
      'other.txt': 'x',
      'out/index.mjs': `export default { name: 'out', routes: [{ type: 'STATIC', path: '/out', filePath: ${JSON.stringify(filePath)} }] };`,
      'fine.mjs': `export default { name: 'fine', routes: [{ type: 'GET', path: '/fine', handler: (q, r) => r.json({ fine: true }) }] };`,
    });
    try {
      expect((await other.listed())['out']).toMatchObject({ state: 'failed', reason: expect.stringContaining(reason) });
      expect((await other.api.get('/fine')).body).toEqual({ fine: true });
    } finally {
      await other.close();
    }
  });
});
