import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { currentRequestId, withRequestId } from '../context/request-context.js';
import { SystemClock } from '../clock/index.js';
import { BodyMemory } from './body-memory.js';
import { RequestBodies } from './request-bodies.js';
import { UNSUPPORTED_BODY } from './validation.pipe.js';

const LIMIT = 100;

/** The error, or the value of the body and its bytes; and the request id of the context. */
const about = (request: Request & { rawBody?: Buffer }, error?: { status?: number; type?: string; message?: string }): object => ({
  ...(error === undefined
    ? { body: request.body === UNSUPPORTED_BODY ? 'unsupported' : (request.body as unknown), raw: request.rawBody?.toString('hex') }
    : { status: error.status, type: error.type, message: error.message }),
  requestId: currentRequestId(),
});

/** As Express reads bodies, with the rules of this reader for what is absent or unsupported. */
function readWithExpress(request: Request & { rawBody?: Buffer }, response: Response, next: NextFunction): void {
  const verify = (of: object, _response: object, bytes: Buffer): void => void ((of as { rawBody?: Buffer }).rawBody = bytes);
  const json = express.json({ limit: LIMIT, strict: false, type: ['application/json', 'application/*+json'], verify });
  json(request, response, (error?: unknown) => {
    if (error === undefined && request.rawBody?.length === 0) request.body = undefined;
    else if (error === undefined && request.body === undefined) request.body = UNSUPPORTED_BODY;
    next(error);
  });
}

describe('the reader of JSON bodies', () => {
  let onAborted: (seen: object) => void = () => undefined;
  const servers: Server[] = [];
  const urls: string[] = [];

  beforeAll(async () => {
    const config = { bodyLimitBytes: LIMIT, bodyTimeoutMs: 60_000, bodyBufferBytes: 10_000, bodyBufferBytesPerAddress: 10_000 };
    const bodies = new RequestBodies(new BodyMemory(config), new SystemClock(), config);
    const readDirectly: RequestHandler = (request, _response, next) => {
      void Promise.resolve()
        .then(() => bodies.receive(request))
        .then(() => next(), next);
    };
    for (const reader of [readDirectly, readWithExpress]) {
      const app = express();
      app.use((_request, _response, next) => withRequestId('of the request', next));
      app.use(bodies.prepare.bind(bodies), reader);
      app.use((request, response) => void response.json(about(request)));
      app.use((error: { type?: string }, request: Request, response: Response, _next: NextFunction) => {
        if (error.type === 'request.aborted') onAborted(about(request, error));
        response.json(about(request, error));
      });
      const server = app.listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push(server);
      urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
  });
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const send = async (url: string, body: Buffer, headers: Record<string, string>, chunked: boolean): Promise<unknown> => {
    const given = chunked ? { body: new Blob([body]).stream(), duplex: 'half' } : { body };
    return (await fetch(url, { method: 'POST', headers, ...given } as RequestInit)).json();
  };

  it.each<[string, string | Buffer, string?, string?]>([
    ['an object', '{"a":[1,"ü"]}'],
    ['a value', '"text"'],
    ['null', 'null'],
    ['a byte order mark', '\ufeff{"a":1}'],
    ['a byte order mark alone', '\ufeff'],
    ['white space', '  \n'],
    ['malformed JSON', '{"a":}'],
    ['more than the limit', `"${'a'.repeat(LIMIT)}"`],
    ['an unusual media type', '{"a":1}', 'application/x+json'],
    ['UTF-16', Buffer.from('{"a":"ü"}', 'utf16le'), 'application/json; charset=utf-16le'],
    ['another media type', 'a=1', 'text/plain'],
    ['a charset in capitals', '{"a":"ü"}', 'Application/JSON;charset=UTF-8'],
    ['a compressed object', gzipSync('{"a":1}'), 'application/json', 'gzip'],
    ['an object compressed by zlib', deflateSync('{"a":1}'), 'application/json', 'deflate'],
    ['an object compressed by Brotli', brotliCompressSync('{"a":1}'), 'application/json', 'br'],
    ['an encoding in capitals', gzipSync('{"a":1}'), 'application/json', 'GZIP'],
    ['more than the limit when it is unpacked', gzipSync(`"${'a'.repeat(LIMIT)}"`), 'application/json', 'gzip'],
    ['an unknown encoding', '{"a":1}', 'application/json', 'compress'],
  ])('parses a body as Express does: %s', async (_case, body, type = 'application/json', encoding = '') => {
    const headers = { 'content-type': type, ...(encoding === '' ? {} : { 'content-encoding': encoding }) };
    const answers = await Promise.all(
      urls.flatMap((url) => [true, false].map((chunked) => send(url, Buffer.from(body), headers, chunked))),
    );
    expect(answers).toEqual(Array(4).fill(answers[3]));
    expect(answers[0]).toMatchObject({ requestId: 'of the request' });
  });

  it('refuses a body that cannot be decompressed', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(await send(urls[0]!, Buffer.from('{"a":1}'), headers, false)).toMatchObject({ status: 400 });
  });

  it('reports a body that ends early', async () => {
    const socket = connect((servers[0]!.address() as AddressInfo).port, '127.0.0.1');
    const received = once(servers[0]!, 'request');
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"a"');
    const [request] = (await received) as [Request];
    const aborted = new Promise<object>((resolve) => (onAborted = resolve));
    request.once('error', () => undefined);
    socket.destroy();
    expect(await aborted).toMatchObject({ status: 400, type: 'request.aborted', requestId: 'of the request' });
  });
});
