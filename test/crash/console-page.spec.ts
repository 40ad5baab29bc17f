// The console's page at `/` and at addresses that nothing else answers: it is public and holds no data. Reads the built console.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rawRequest } from '../contract/support/raw-request.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';

const ASSETS = join(import.meta.dirname, '../../dist/console/console-assets');
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

let test: TestApp;

async function get(path: string, { accept = BROWSER, host = 'localhost', method = 'GET', more = '' } = {}): Promise<ApiResponse> {
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${accept === '' ? '' : `Accept: ${accept}\r\n`}${more}`;
  return rawRequest(test.url, `${head}Connection: close\r\n\r\n`);
}

const asset = (extension: string): string => {
  const name = readdirSync(ASSETS).find((file) => file.endsWith(extension));
  if (name === undefined) throw new Error(`the built console has no ${extension} file`);
  return `/console-assets/${name}`;
};

describe('the console page', () => {
  beforeAll(async () => {
    test = await createTestApp({ env: { API_KEY: 'the administrator of the tests' } });
  });
  afterAll(() => test.close());

  it.each(['/', '/chat/11111111-1111-4111-8111-111111111111', '/agents', '/runs/a/b', '/Agents/', '/what%20is%20this'])(
    'is served at %s to browsers, without a credential',
    async (path) => {
      const { status, headers, body } = await get(path);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(body).toContain('<div id="app">');
      expect(body).not.toContain(ADA.name);
      expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['no-cache', 'Accept, Accept-Encoding']);
    },
  );

  it('runs and loads files of this server only', async () => {
    const { headers, body } = await get('/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(body).not.toMatch(/<style|<[^>]*\s(style|on\w+)=|<script(?![^>]*\ssrc=)/i);
    const addresses = [...(body as string).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.every((address) => /^\/console-assets\/[\w.-]+$/.test(address ?? ''))).toBe(true);
    expect(addresses.length).toBeGreaterThan(1);
  });

  it.each([`x';script-src *`, 'a"><b>', 'evil.example/x', 'a, b'])('puts no Host such as %j into its policy', async (host) => {
    const { headers } = await get('/', { host });
    expect(headers.get('content-security-policy') ?? '').not.toContain(host);
  });

  it.each(['', '*/*', 'application/json', 'application/json, text/html', 'text/plain', 'text/html;q=0', 'image/*'])(
    'is a 404 in the envelope for Accept %j',
    async (accept) => {
      for (const path of ['/', '/agents']) {
        const answer = await get(path, { accept });
        expectError(answer, 404, 'NOT_FOUND');
        expect(answer.headers.get('vary')).toContain('Accept');
      }
    },
  );

  it.each([
    '/api/unknown',
    '/api',
    '/media/x/y',
    '/health/x',
    '/a/b.js',
    '/favicon.ico',
    '/%61pi/agents',
    '/console-assets/x',
    '/websocket/x',
  ])('is not served at %s', async (path) => {
    const { status, body } = await get(path);
    expect(status).not.toBe(200);
    expect(JSON.stringify(body)).not.toContain('<div id=\\"app\\">');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is a 404 in the envelope for %s', async (method) => {
    expectError(await get('/agents', { method }), 404, 'NOT_FOUND');
  });

  it('responds to HEAD without a body, and with 304 to a browser that has it', async () => {
    const { status, headers, body } = await get('/agents', { method: 'HEAD' });
    expect([status, headers.get('content-type'), body]).toEqual([200, 'text/html; charset=utf-8', '']);
    const again = await get('/agents', { more: `If-None-Match: ${headers.get('etag')?.trim()}\r\n` });
    expect([again.status, again.body]).toEqual([304, '']);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('is compressed for Accept-Encoding %j: %s', async (accepted, encoding) => {
    const response = await fetch(`${test.url}/agents`, { headers: { accept: BROWSER, 'accept-encoding': accepted } });
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, encoding]);
    expect(await response.text()).toContain('<div id="app">');
  });

  it('may use the microphone, and cannot be framed by other sites', async () => {
    const { headers } = await get('/');
    expect(headers.get('permissions-policy')).toContain('microphone=(self)');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('console files', () => {
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test.close());

  it.each([
    ['.js', 'text/javascript; charset=utf-8'],
    ['.css', 'text/css; charset=utf-8'],
    ['.woff2', 'font/woff2'],
    ['.svg', 'image/svg+xml'],
  ])('%s files are cached permanently', async (extension, type) => {
    const { status, headers } = await get(asset(extension), { accept: '*/*' });
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, 'public, max-age=31536000, immutable']);
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['deflate', null],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ])('are compressed for Accept-Encoding %j: %s', async (accepted, encoding) => {
    const response = await fetch(test.url + asset('.js'), { headers: { 'accept-encoding': accepted } });
    const text = await response.text();
    expect([response.status, response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
      200,
      encoding,
      'Accept-Encoding',
    ]);
    expect(text).toBe(await (await fetch(test.url + asset('.js'))).text());
  });

  it.each([
    '/console-assets/',
    '/console-assets/..%2findex.html',
    '/console-assets/nothing-12345678.js',
    '/console-assets/%2e%2e/index.html',
  ])('are not served at %s', async (path) => {
    expectError(await get(path), 404, 'NOT_FOUND');
  });

  it('do not include compressed files under their own names', async () => {
    expectError(await get(`${asset('.js')}.br`), 404, 'NOT_FOUND');
  });
});

describe('CONSOLE=off', () => {
  beforeAll(async () => {
    test = await createTestApp({ env: { CONSOLE: 'off' } });
  });
  afterAll(() => test.close());

  it('has no page and no files', async () => {
    for (const path of ['/', '/agents', asset('.js')]) expectError(await get(path), 404, 'NOT_FOUND');
  });
});
