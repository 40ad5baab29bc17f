import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { currentRequestId, withRequestId } from '../context/request-context.js';
import { readJsonBody } from './json-body.js';
import { UNSUPPORTED_BODY } from './validation.pipe.js';

const LIMIT = 100;

/** The error, or the value of the body and its bytes; and the request id of the context. */
const about = (request: Request & { rawBody?: Buffer }, error?: { status?: number; type?: string; message?: string }): object => ({
  ...(error === undefined
    ? { body: request.body === UNSUPPORTED_BODY ? 'unsupported' : (request.body as unknown), raw: request.rawBody?.toString('hex') }
    : { status: error.status, type: error.type, message: error.message }),
  requestId: currentRequestId(),
});

describe('the reader of JSON bodies', () => {
  const aborted: object[] = [];
  let server: Server;
  let url: string;

  beforeAll(async () => {
    const app = express();
    app.use((_request, _response, next) => withRequestId('of the request', next));
    app.use(readJsonBody(LIMIT));
    app.use((request, response) => void response.json(about(request)));
    app.use((error: { type?: string }, request: Request, response: Response, _next: NextFunction) => {
      if (error.type === 'request.aborted') aborted.push(about(request, error));
      response.json(about(request, error));
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = async (body: Buffer, type: string, chunked: boolean): Promise<unknown> => {
    const given = chunked ? { body: new Blob([body]).stream(), duplex: 'half' } : { body };
    return (await fetch(url, { method: 'POST', headers: { 'content-type': type }, ...given } as RequestInit)).json();
  };

  it.each([
    ['an object', '{"a":[1,"ü"]}'],
    ['a value', '"text"'],
    ['null', 'null'],
    ['a byte order mark', '\ufeff{"a":1}'],
    ['a byte order mark alone', '\ufeff'],
    ['half a character', Buffer.from([0x22, 0xc3, 0x22])],
    ['white space', '  \n'],
    ['malformed JSON', '{"a":}'],
    ['more than the limit', `"${'a'.repeat(LIMIT)}"`],
    ['an unusual media type', '{"a":1}', 'application/x+json'],
    ['another charset', '{"a":1}', 'application/json; charset=latin1'],
    ['another media type', 'a=1', 'text/plain'],
    ['a charset in capitals', '{"a":"ü"}', 'Application/JSON;charset=UTF-8'],
  ])('takes a body of known length as Express takes a chunked one: %s', async (_case, body, type = 'application/json') => {
    const direct = await send(Buffer.from(body), type, false);
    expect(direct).toEqual(await send(Buffer.from(body), type, true));
    expect(direct).toMatchObject({ requestId: 'of the request' });
  });

  it('reports a body that ends early', async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const received = once(server, 'request');
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"a"');
    const [request] = (await received) as [Request];
    const closed = once(request, 'close').catch(() => undefined);
    socket.destroy();
    await closed;
    expect(aborted).toEqual([expect.objectContaining({ status: 400, type: 'request.aborted', requestId: 'of the request' })]);
  });
});
