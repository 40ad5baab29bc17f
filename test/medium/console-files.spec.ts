// The page of the console, from folders as builds leave them.
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { sendPage } from '../../src/interfaces/console/console-files.js';
import { rawRequest } from '../contract/support/raw-request.js';

let folder: string;
let server: Server;
let url: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-files-'));
  const app = express().disable('etag');
  app.use((request, response, next) => void sendPage(request, response, folder).catch(next));
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

async function built(page: string): Promise<void> {
  await writeFile(join(folder, 'index.html'), page);
  // As npm packs files.
  await utimes(join(folder, 'index.html'), 499_162_500, 499_162_500);
}

describe('the console page', () => {
  it('names the build command when it is not built', async () => {
    const response = await fetch(url);
    expect([response.status, response.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(await response.text()).toContain('npm run build');
  });

  it('is reloaded after an upgrade, although it has the same size and time', async () => {
    await built('<p>build-one</p>');
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    // fetch makes a conditional request an unconditional one.
    const conditional = `GET / HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: ${etag}\r\nConnection: close\r\n\r\n`;
    expect((await rawRequest(url, conditional)).status).toBe(304);
    await built('<p>build-two</p>');
    expect(await rawRequest(url, conditional)).toMatchObject({ status: 200, body: '<p>build-two</p>' });
  });

  it('is sent uncompressed without a compressed build', async () => {
    await built('<p>plain</p>');
    const response = await fetch(url, { headers: { 'accept-encoding': 'br, gzip' } });
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual([null, '<p>plain</p>']);
  });
});
