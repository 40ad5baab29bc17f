import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceFetch } from './service-fetch.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('fetch of a service', () => {
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
    server.close();
  });

  async function open(signal: AbortSignal): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const { body } = await serviceFetch(url)(url, { method: 'POST', body: '{}', signal });
    const reader = body!.getReader();
    await reader.read();
    return reader;
  }

  it('ends a body with the reason of the abort, also after its response was garbage-collected', async () => {
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
