// What holds for every operation: the error envelope, bodies and media types, and request ids
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SERVER_ID } from '../../src/core/ids/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { CHANNELS, contractApp, NOBODY, SESSIONS, SUBMIT, USER } from './support/contract-app.js';
import { rawRequest } from './support/raw-request.js';

type Code = Parameters<typeof expectError>[2];

type Payload = NonNullable<RequestInit['body']>;

const JSON_TYPE = { 'content-type': 'application/json' };
const SESSION = { agentId: ADA.id, userId: USER };
const LIMIT = 2 * 1024 * 1024;

/** Whose path no operation has. */
const UNKNOWN_PATHS: [method: string, path: string][] = [
  ['GET', '/api/nothing'],
  ['POST', '/api/nothing'],
  ['GET', '/api'],
  ['GET', '/api/'],
  ['GET', '/'],
  ['GET', '/nothing'],
  ['GET', '/index.html'],
  ['GET', '/api/messaging'],
  ['GET', '/api/agents/%20/nothing'],
  ['GET', '//api//agents'],
  ['GET', '/../../etc/passwd'],
  ['GET', '/api/%zz'],
  ['PUT', '/api/agents'],
  ['DELETE', '/api/agents'],
  ['PATCH', SESSIONS],
  ['GET', SUBMIT],
  ['OPTIONS', '/api/agents'],
  ['PROPFIND', '/api/agents'],
  ['TRACE', '/api/agents'],
];

/** Sent to the creation of a session. */
const BODIES: [name: string, body: string | undefined, status: number, code: Code][] = [
  ['nothing', undefined, 400, 'VALIDATION_ERROR'],
  ['white space', ' \n', 400, 'INVALID_JSON'],
  ['text that is no JSON', 'hello', 400, 'INVALID_JSON'],
  ['an object that is cut off', '{"agentId":', 400, 'INVALID_JSON'],
  ['an object with a comma too many', '{"a":1,}', 400, 'INVALID_JSON'],
  ['an object in single quotes', "{'a':1}", 400, 'INVALID_JSON'],
  ['two objects', '{}{}', 400, 'INVALID_JSON'],
  ['a form', 'agentId=1&userId=2', 400, 'INVALID_JSON'],
  ['a list', '[]', 400, 'VALIDATION_ERROR'],
  ['text', '"hello"', 400, 'VALIDATION_ERROR'],
  ['a number', '7', 400, 'VALIDATION_ERROR'],
  ['a number that no double holds', '1e999', 400, 'VALIDATION_ERROR'],
  ['null', 'null', 400, 'VALIDATION_ERROR'],
  ['false', 'false', 400, 'VALIDATION_ERROR'],
  ['an empty object', '{}', 400, 'VALIDATION_ERROR'],
  ['lists in lists, a hundred thousand deep', '['.repeat(100_000) + ']'.repeat(100_000), 400, 'VALIDATION_ERROR'],
  ['objects in metadata, 200 deep', deepMetadata(200), 400, 'VALIDATION_ERROR'],
  ['objects in metadata, a hundred thousand deep', deepMetadata(100_000), 400, 'VALIDATION_ERROR'],
];

/** A session whose metadata has so many objects in each other. */
function deepMetadata(levels: number): string {
  return `{"agentId":"${ADA.id}","userId":"${USER}","metadata":${'{"a":'.repeat(levels)}1${'}'.repeat(levels + 1)}`;
}

const UNREADABLE_TYPES: [name: string, type: string | undefined][] = [
  ['text', 'text/plain'],
  ['a form', 'application/x-www-form-urlencoded'],
  ['multipart', 'multipart/form-data; boundary=x'],
  ['bytes', 'application/octet-stream'],
  ['XML', 'application/xml'],
  ['something like JSON', 'application/jsonp'],
  ['no media type', 'json'],
  ['nothing', undefined],
  ['JSON in an unknown charset', 'application/json; charset=klingon'],
];

const READABLE_TYPES: [type: string][] = [
  ['application/json'],
  ['application/json; charset=utf-8'],
  ['application/json;charset=UTF-8'],
  ['application/json; charset=latin1'],
  ['Application/JSON'],
  ['application/vnd.api+json'],
];

/** Operations that read a body, none of which may take it for another media type. */
const READERS: [method: string, path: string][] = [
  ['POST', SESSIONS],
  ['POST', `${SESSIONS}/${NOBODY}/messages`],
  ['PATCH', `${SESSIONS}/${NOBODY}/timeout`],
  ['POST', CHANNELS],
  ['PATCH', `${CHANNELS}/${NOBODY}`],
  ['POST', `${CHANNELS}/${NOBODY}/messages`],
  ['POST', SUBMIT],
  ['POST', `/api/agents/${ADA.id}/rooms`],
  ['POST', `/api/agents/${ADA.id}/worlds`],
  ['PATCH', `/api/memory/${ADA.id}/memories/${NOBODY}`],
];

/** Requests that no client library sends; ended by the server. */
const RAW: [name: string, head: string, body: string, status: number, code: Code][] = [
  ['a method that does not exist', 'FOO /api/agents HTTP/1.1', '', 400, 'BAD_REQUEST'],
  ['a protocol that is not HTTP', 'HELLO', '', 400, 'BAD_REQUEST'],
  ['a header of 20,000 characters', `GET /api/agents HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}`, '', 400, 'BAD_REQUEST'],
  ['a header without a name', 'GET /api/agents HTTP/1.1\r\n: x', '', 400, 'BAD_REQUEST'],
  [
    'a length that is no number',
    `POST ${SESSIONS} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2x`,
    '{}',
    400,
    'BAD_REQUEST',
  ],
  [
    'a chunk whose length is no number',
    `POST ${SESSIONS} HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked`,
    'zz\r\n{}\r\n',
    400,
    'BAD_REQUEST',
  ],
  ['a percent sign without digits in an id', `GET ${CHANNELS}/%zz HTTP/1.1`, '', 400, 'BAD_REQUEST'],
  ['half a character in an id', `GET ${SESSIONS}/%E0%A4%A HTTP/1.1`, '', 400, 'BAD_REQUEST'],
  ['a null character in an id', `GET ${CHANNELS}/%00 HTTP/1.1`, '', 400, 'INVALID_ID'],
  ['a null character in the id of a session', `GET ${SESSIONS}/%00 HTTP/1.1`, '', 404, 'SESSION_NOT_FOUND'],
  ['a percent sign without digits in the query', `GET ${SESSIONS}?userId=%zz HTTP/1.1`, '', 400, 'VALIDATION_ERROR'],
  [
    'an encoding that is unknown',
    `POST ${SESSIONS} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Encoding: foo\r\nContent-Length: 2`,
    '{}',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'an encoding that the body does not have',
    `POST ${SESSIONS} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 2`,
    '{}',
    400,
    'BAD_REQUEST',
  ],
  [
    'bytes that are no UTF-8',
    `POST ${SESSIONS} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 4`,
    '{"\xff\xfe',
    400,
    'INVALID_JSON',
  ],
  [
    'an empty body in chunks',
    `POST ${SESSIONS} HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked`,
    '0\r\n\r\n',
    400,
    'VALIDATION_ERROR',
  ],
];

const GOOD_IDS: [name: string, id: string][] = [
  ['a letter', 'a'],
  ['a UUID', NOBODY],
  ['letters, digits and signs', 'Az09_.:-'],
  ['128 characters', 'x'.repeat(128)],
];
const BAD_IDS: [name: string, id: string | undefined][] = [
  ['nothing', undefined],
  ['empty', ''],
  ['129 characters', 'x'.repeat(129)],
  ['white space', 'a b'],
  ['a slash', 'a/b'],
  ['quotes', '"a"'],
  ['a letter that is not ASCII', 'ü'],
  ['two ids', 'a, b'],
];

describe('every operation', () => {
  const app = contractApp();
  const { api } = app;
  const create = (body: unknown, headers: Record<string, string> = JSON_TYPE): Promise<ApiResponse> =>
    api.post(SESSIONS, body, { headers });

  describe('an unknown path is 404', () => {
    it.each(UNKNOWN_PATHS)('%s %s', async (method, path) => {
      expectError(
        await rawRequest(app.test.url, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
        404,
        'NOT_FOUND',
      );
    });
  });

  describe('refuses as a body [bodies.refused]', () => {
    it.each(BODIES)('%s', async (_name, body, status, code) => {
      expectError(await create(body), status, code);
    });

    it.each(UNREADABLE_TYPES)('content declared as %s', async (_name, type) => {
      const bytes = new TextEncoder().encode(JSON.stringify(SESSION));
      expectError(await create(bytes, type === undefined ? {} : { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    });

    it.each(READERS)('text: %s %s', async (method, path) => {
      expectError(await api.send(method, path, '{}', { headers: { 'content-type': 'text/plain' } }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    });

    it('a form with files', async () => {
      const form = new FormData();
      form.set('agentId', ADA.id);
      form.set('file', new Blob(['x']), 'x.txt');
      expectError(await api.post(SESSIONS, form), 415, 'UNSUPPORTED_MEDIA_TYPE');
    });
  });

  it.each(READABLE_TYPES)('accepts a body declared as %s', async (type) => {
    expect((await create(JSON.stringify(SESSION), { 'content-type': type })).status).toBe(201);
  });

  it('accepts a body with 200 levels', async () => {
    expect((await create(deepMetadata(199))).status).toBe(201);
  });

  it('accepts a compressed body', async () => {
    expect((await create(gzipSync(JSON.stringify(SESSION)), { ...JSON_TYPE, 'content-encoding': 'gzip' })).status).toBe(201);
  });

  it('treats keys with a meaning in JavaScript as plain data', async () => {
    const body = `{"agentId":"${ADA.id}","userId":"${USER}","__proto__":{"hacked":1},"constructor":{"prototype":{"hacked":1}},
      "metadata":{"__proto__":{"hacked":1},"toString":"x","hasOwnProperty":"x"},"timeoutConfig":{"__proto__":{"autoRenew":"no"}}}`;
    expect((await create(body)).status).toBe(201);
    expect(({} as { hacked?: number }).hacked).toBeUndefined();
    const metadata = { constructor: 'x', nested: { constructor: { prototype: 1 }, list: [{ constructor: null }] } };
    expect((await create(JSON.stringify({ ...SESSION, metadata }))).body.data.metadata).toEqual(metadata);
  });

  it.each(['timeoutMinutes', 'autoRenew', 'maxDurationMinutes'])(
    'refuses an object with a "constructor" as timeoutConfig.%s',
    async (field) => {
      const timeoutConfig = { [field]: { constructor: { prototype: { polluted: true } } } };
      expect(await create(JSON.stringify({ ...SESSION, timeoutConfig }))).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', message: expect.stringContaining(field) } },
      });
    },
  );

  describe('has a limit of 2 MiB for its body [bodies.size]', () => {
    const ofSize = (bytes: number): string => {
      const body = JSON.stringify({ ...SESSION, padding: '' });
      return body.replace('"padding":""', `"padding":"${'x'.repeat(bytes - body.length)}"`);
    };
    const inChunks = (text: string): ReadableStream => new Blob([text]).stream();
    const send = async (body: Payload, headers: Record<string, string> = {}): Promise<ApiResponse> => {
      const options = { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body, duplex: 'half' } as RequestInit;
      const response = await fetch(app.test.url + SESSIONS, options);
      return { status: response.status, headers: response.headers, body: await response.json() };
    };

    it.each([
      ['of exactly that is read', (size: number) => ofSize(size), {}, 0, 201],
      ['with one byte more is refused with 413', (size: number) => ofSize(size), {}, 1, 413],
      ['of exactly that, in chunks, is read', (size: number) => inChunks(ofSize(size)), {}, 0, 201],
      ['with one byte more, in chunks, is refused with 413', (size: number) => inChunks(ofSize(size)), {}, 1, 413],
      ['of exactly that, compressed, is read', (size: number) => gzipSync(ofSize(size)), { 'content-encoding': 'gzip' }, 0, 201],
      [
        'with one byte more when it is unpacked is refused with 413',
        (size: number) => gzipSync(ofSize(size)),
        { 'content-encoding': 'gzip' },
        1,
        413,
      ],
    ] as [string, (size: number) => Payload, Record<string, string>, number, number][])(
      '%s',
      async (_name, make, headers, more, status) => {
        const answer = await send(make(LIMIT + more), headers);
        if (status === 413) expectError(answer, 413, 'PAYLOAD_TOO_LARGE');
        else expect(answer.status).toBe(201);
      },
    );

    it('responds to others while it refuses one', async () => {
      expectError(await send(ofSize(LIMIT + 1)), 413, 'PAYLOAD_TOO_LARGE');
      expect((await create(SESSION)).status).toBe(201);
    });
  });

  describe('uses the envelope for [envelope.error]', () => {
    it.each(RAW)('%s', async (_name, head, body, status, code) => {
      expectError(await rawRequest(app.test.url, `${head}\r\nHost: localhost\r\nConnection: close\r\n\r\n${body}`), status, code);
    });
  });

  describe('accepts HEAD as GET without a body:', () => {
    it.each([
      ['/api/agents', 200],
      ['/healthz', 200],
      [`/api/messaging/message-servers/${DEFAULT_SERVER_ID}/channels`, 200],
      [`${CHANNELS}/${NOBODY}`, 404],
      [`${CHANNELS}/x`, 400],
      ['/api/nothing', 404],
    ])('%s is %i', async (path, status) => {
      const head = await rawRequest(app.test.url, `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      const get = await api.get(path);
      expect([head.status, get.status]).toEqual([status, status]);
      expect(head.body).toBe('');
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
    });
  });

  describe('returns the request id in X-Request-Id: [requests.id]', () => {
    it.each(GOOD_IDS)("the caller's, when that is %s", async (_name, id) => {
      const headers = { ...JSON_TYPE, 'x-request-id': id };
      const good = await create(SESSION, headers);
      expect(good.headers.get('x-request-id')).toBe(id);
      expect(good.body).not.toHaveProperty('requestId');
      const refusals = [
        await create({}, headers),
        await create('{', headers),
        await api.get('/api/nothing', { headers }),
        await api.get(`${SESSIONS}/x`, { headers }),
      ];
      for (const refused of refusals) {
        expect(refused.headers.get('x-request-id')).toBe(id);
        expect(refused.body.requestId).toBe(id);
      }
    });

    it.each(BAD_IDS)('a new one, when the caller sends %s', async (_name, id) => {
      const headers: Record<string, string> = id === undefined ? {} : { 'x-request-id': id };
      const answer = await api.get(`${SESSIONS}/x`, { headers });
      expectError(answer, 404, 'SESSION_NOT_FOUND');
      expect(answer.body.requestId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    });

    it('a different one each time', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => api.get('/api/agents')));
      expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(20);
    });

    it('the same one as in the entries of the journal', async () => {
      const { channelId } = (await create(SESSION, { ...JSON_TYPE, 'x-request-id': 'mine' })).body;
      expect((await app.entries(channelId)).map(({ requestId }) => requestId)).toEqual(['mine', 'mine']);
    });
  });

  it('hides the software that it uses [envelope.internal]', async () => {
    const { headers } = await api.get('/api/agents');
    expect([headers.get('x-powered-by'), headers.get('server')]).toEqual([null, null]);
  });
});
