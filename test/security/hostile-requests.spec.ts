// Requests that no client of good will sends, byte by byte: smuggling, spellings, broken forms. Each is refused in the one error shape, or
// answered once, and the server goes on.
import { expect, it } from '@jest/globals';
import { ADA } from '../support/create-test-app.js';
import { ADMIN, guardedApp } from './support/guarded-app.js';
import { bodyOf, rawRequest, sendRaw, statusOf } from './support/raw-http.js';

const app = guardedApp();
const HEAD = `POST /api/keys HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${ADMIN}\r\nContent-Type: application/json\r\n`;
const SMUGGLED = `POST /api/keys HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${ADMIN}\r\nContent-Type: application/json\r\nContent-Length: 19\r\n\r\n{"name":"smuggled"}`;

it.each<[string, string]>([
  ['a length and chunks', `${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['chunks and a length', `${HEAD}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['two lengths', `${HEAD}Content-Length: 2\r\nContent-Length: 200\r\n\r\n{}${SMUGGLED}`],
  ['lengths in a list', `${HEAD}Content-Length: 2, 200\r\n\r\n{}${SMUGGLED}`],
  ['a length with a sign', `${HEAD}Content-Length: +2\r\n\r\n{}${SMUGGLED}`],
  ['a length in another base', `${HEAD}Content-Length: 0x2\r\n\r\n{}${SMUGGLED}`],
  ['a length below nothing', `${HEAD}Content-Length: -1\r\n\r\n${SMUGGLED}`],
  ['a length beyond numbers', `${HEAD}Content-Length: 99999999999999999999\r\n\r\n{}${SMUGGLED}`],
  ['a space before a colon', `${HEAD}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['an encoding that is none', `${HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['chunked that is not the last', `${HEAD}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['a folded header', `${HEAD}Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['lines that end in LF alone', `${HEAD.replaceAll('\r\n', '\n')}Content-Length: 4\nTransfer-Encoding: chunked\n\n0\n\n${SMUGGLED}`],
  ['a line break in a value', `${HEAD}X-Y: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['a NUL in a value', `${HEAD}X-Y: a\0b\r\nContent-Length: 2\r\n\r\n{}`],
  ['a chunk size with a sign', `${HEAD}Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
  ['a chunk size beyond numbers', `${HEAD}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n`],
  ['a chunk longer than it says', `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}xx\r\n0\r\n\r\n${SMUGGLED}`],
  ['a method in small letters', 'get /api/keys HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['no version', 'GET /api/keys\r\nHost: localhost\r\n\r\n'],
  ['a version that is none', 'GET /api/keys HTTP/9.9\r\nHost: localhost\r\n\r\n'],
  ['no host', 'GET /api/keys HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
])('%s is refused, and no hidden request is executed', async (_what, bytes) => {
  const answer = await sendRaw(app.test.url, bytes);
  expect([400, 401, 404, 431, 501, 505]).toContain(statusOf(answer));
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  const { keys } = app.data(await app.api.get('/api/keys', app.as()));
  expect(keys).toEqual([]);
});

const BOUNDARY = 'Content-Type: multipart/form-data; boundary=x';
const PART = 'Content-Disposition: form-data; name="file"; filename="a.txt"';

it.each<[string, string, string]>([
  ['no boundary', 'Content-Type: multipart/form-data', `--x\r\n${PART}\r\n\r\nhi\r\n--x--\r\n`],
  ['an empty boundary', 'Content-Type: multipart/form-data; boundary=', `--\r\n${PART}\r\n\r\nhi\r\n----\r\n`],
  ['a boundary of 10,000 characters', `Content-Type: multipart/form-data; boundary=${'x'.repeat(10_000)}`, 'hi'],
  ['another boundary', BOUNDARY, `--y\r\n${PART}\r\n\r\nhi\r\n--y--\r\n`],
  ['no end', BOUNDARY, `--x\r\n${PART}\r\n\r\nhi`],
  ['nothing in it', BOUNDARY, ''],
  ['nothing but its end', BOUNDARY, '--x--\r\n'],
  ['a part without a head', BOUNDARY, '--x\r\n\r\nhi\r\n--x--\r\n'],
  ['a part without a name', BOUNDARY, '--x\r\nContent-Disposition: form-data\r\n\r\nhi\r\n--x--\r\n'],
  ['a head that does not end', BOUNDARY, `--x\r\n${'X-Y: z\r\n'.repeat(20_000)}`],
  [
    'names of what objects have',
    BOUNDARY,
    `--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n{}\r\n--x\r\nContent-Disposition: form-data; name="constructor[prototype][x]"\r\n\r\ny\r\n--x--\r\n`,
  ],
  ['fields in fields', BOUNDARY, `--x\r\nContent-Disposition: form-data; name="a${'[b]'.repeat(5000)}"\r\n\r\ny\r\n--x--\r\n`],
  [
    'an encoding that is none',
    BOUNDARY,
    `--x\r\n${PART}\r\nContent-Transfer-Encoding: rot13\r\nContent-Type: text/plain; charset=none\r\n\r\n\r\n--x--\r\n`,
  ],
])('a form with %s is refused', async (_what, type, body) => {
  for (const path of [`/api/media/agents/${ADA.id}/upload-media`, `/api/audio/${ADA.id}/transcriptions`]) {
    const answer = await sendRaw(
      app.test.url,
      rawRequest(`POST ${path}`, [`X-API-KEY: ${ADMIN}`, type, `Content-Length: ${body.length}`], body),
    );
    expect([path, [400, 413, 415].includes(statusOf(answer))]).toEqual([path, true]);
    expect(JSON.parse(bodyOf(answer))).toMatchObject({ success: false, error: { code: expect.any(String), details: expect.any(String) } });
  }
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});
