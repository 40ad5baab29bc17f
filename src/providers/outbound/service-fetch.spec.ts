import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceFetch } from './service-fetch.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  '/text': (response) => response.setHeader('set-cookie', ['a=1', 'b=2']).end('Grüße'),
  '/compressed': (response) => response.setHeader('content-encoding', 'br, gzip').end(gzipSync(brotliCompressSync('Grüße'))),
  '/not-compressed': (response) => response.setHeader('content-encoding', 'gzip').end('Grüße'),
  '/empty': (response) => response.writeHead(204).end(),
  '/failed': (response) => response.writeHead(503, { 'retry-after': '7' }).end('later'),
  '/elsewhere': (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('Grü', () => response.destroy());
  },
  '/huge': (response) => response.writeHead(200, { 'content-length': String(2 ** 40) }).write('x'),
};

describe('service fetch, compared with fetch of Node.js', () => {
  const server = createServer((request, response) => ANSWERS[request.url ?? '']?.(response));
  let origin: string;

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const told = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  const outcome = async (answer: Promise<Response>): Promise<unknown> => {
    try {
      const response = await answer;
      const { status, statusText, ok, headers } = response;
      const cookies = headers.getSetCookie();
      return { status, statusText, ok, cookies, retry: headers.get('retry-after'), text: await response.text().catch(told) };
    } catch (error) {
      return told(error);
    }
  };

  it.each(['/text', '/compressed', '/not-compressed', '/empty', '/failed', '/elsewhere', '/cut'])(
    'returns the same for %s',
    async (path) => {
      const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' }, redirect: 'error' } as const;
      expect(await outcome(serviceFetch(origin)(origin + path, init))).toEqual(await outcome(fetch(origin + path, init)));
    },
  );

  it('fails in the same way when no server listens', async () => {
    const nowhere = createServer();
    await once(nowhere.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(nowhere.address() as AddressInfo).port}`;
    await new Promise((resolve) => nowhere.close(resolve));
    const answer = await outcome(serviceFetch(url)(url));
    expect(answer).toBe('TypeError: fetch failed');
    expect(answer).toEqual(await outcome(fetch(url)));
  });

  it('refuses a response beyond the limit before reading it', async () => {
    expect(await outcome(serviceFetch(origin)(`${origin}/huge`))).toMatch(/more than \d+ bytes/);
  });

  it('reads a long response at the pace of its reader', async () => {
    const long = 'x'.repeat(8_000_000);
    ANSWERS['/long'] = (response) => response.end(long);
    const { body } = await serviceFetch(origin)(`${origin}/long`);
    let length = 0;
    for await (const chunk of body!) {
      length += chunk.byteLength;
      await readFile(import.meta.filename);
    }
    expect(length).toBe(long.length);
  });
});

describe('service fetch with an aborted signal', () => {
  let server: Server;
  let url: string;
  let closed: Promise<unknown>;

  beforeAll(async () => {
    // A model that stops in the middle of its answer.
    server = createServer((_, response) => {
      closed = once(response, 'close');
      response.write('Hello');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function open(signal: AbortSignal): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const { body } = await serviceFetch(url)(url, { method: 'POST', body: '{}', signal });
    const reader = body!.getReader();
    await reader.read();
    return reader;
  }

  it('ends a body with the reason of the abort, even after its response was garbage-collected', async () => {
    const stop = new AbortController();
    const reader = await open(stop.signal);
    const next = reader.read().catch((error: unknown) => error);
    for (let round = 0; round < 5; round += 1) {
      await readFile(import.meta.filename);
      collectGarbage();
    }
    const reason = new Error('stopped');
    stop.abort(reason);
    expect(await next).toBe(reason);
    await closed;
  });

  it('ends a body whose request is aborted before it is read', async () => {
    const stop = new AbortController();
    const response = await serviceFetch(url)(url, { signal: stop.signal });
    stop.abort(new Error('too late'));
    await expect(response.text()).rejects.toThrow('too late');
    await closed;
  });
});
