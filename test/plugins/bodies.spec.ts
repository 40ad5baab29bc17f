// What a handler gets to see of a body: parsed, as bytes, and as files.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { rawRequest } from '../contract/support/raw-request.js';
import { pluginApp, withRoutes } from './support/plugin-app.js';

const show = `(request, response) => response.json({
  body: request.body instanceof Uint8Array ? { bytes: [...request.body] } : request.body,
  raw: request.rawBody.toString('latin1'),
  file: request.file?.originalname,
  files: request.files.map(({ buffer, ...rest }) => ({ ...rest, text: buffer.toString() })),
})`;

const LIMIT = 10_000;
const FORM = 'application/x-www-form-urlencoded';

const app = pluginApp(
  {
    'bodies.mjs': `
      import { createHmac, timingSafeEqual } from 'node:crypto';
      ${withRoutes(
        'bodies',
        `[
          { type: 'POST', path: '/body', handler: ${show} },
          { type: 'POST', path: '/upload', isMultipart: true, handler: ${show} },
          { type: 'POST', path: '/small', isMultipart: true, maxBytes: ${LIMIT}, handler: ${show} },
          { type: 'POST', path: '/signed', handler(request, response) {
            const signed = createHmac('sha256', 'key').update(request.rawBody).digest();
            const given = Buffer.from(request.headers['x-signature'] ?? '', 'hex');
            const right = given.length === signed.length && timingSafeEqual(given, signed);
            response.status(right ? 200 : 401).json({ right, body: request.body });
          } },
        ]`,
      )}`,
  },
  { env: { BODY_LIMIT_BYTES: '20000' } },
);
const { api } = app;

const post = (path: string, type: string | undefined, body: string | Uint8Array): ReturnType<typeof api.post> =>
  api.send('POST', path, typeof body === 'string' ? Buffer.from(body) : body, {
    headers: type === undefined ? {} : { 'content-type': type },
  });

describe('a body', () => {
  it.each([
    ['JSON', 'application/json', '{"a":1}', { a: 1 }],
    ['JSON with a charset', 'application/json; charset=utf-8', '{"a":"ü"}', { a: 'ü' }],
    ['JSON of a vendor', 'application/vnd.github+json', '{"a":1}', { a: 1 }],
    ['JSON events', 'application/cloudevents+json', '{"a":1}', { a: 1 }],
    ['a JSON list', 'application/json', '[1]', [1]],
    ['a JSON text', 'application/json', '"x"', 'x'],
    ['a JSON number', 'application/json', '7', 7],
    ['a JSON null', 'application/json', 'null', null],
    ['a form', 'application/x-www-form-urlencoded', 'a=1&b=x+y%C3%BC&c=', { a: '1', b: 'x yü', c: '' }],
    ['a form with a name twice', 'application/x-www-form-urlencoded', 'a=1&a=2', { a: ['1', '2'] }],
    ['a form with a name that is special', 'application/x-www-form-urlencoded', 'constructor=1', { constructor: '1' }],
    ['a form that holds JSON', 'application/x-www-form-urlencoded', 'payload=%7B%22a%22%3A1%7D', { payload: '{"a":1}' }],
    ['a form in another charset', 'application/x-www-form-urlencoded; charset=windows-1251', 'a=%EF%F0%E8+%E2%E5%F2', { a: 'при вет' }],
    ['a form with bytes of its charset', `${FORM}; charset=koi8-r`, Buffer.from('613dc4c1', 'hex'), { a: 'да' }],
    ['a form with signs that mean themselves', FORM, 'a=100%&b=%zz&=c&&d', { a: '100%', b: '%zz', '': 'c', d: '' }],
    ['a form with bytes of UTF-8', FORM, 'ü=世', { ü: '世' }],
    ['JSON in another charset', 'application/json; charset="Shift_JIS"', Buffer.from('2293fa967b22', 'hex'), '日本'],
    ['text in another charset', 'text/plain; charset=ISO-8859-1', Buffer.from('80fc', 'hex'), '€ü'],
    ['text with a byte order mark', 'text/plain', '\ufeffplain', 'plain'],
    ['text', 'text/plain', 'plain ü', 'plain ü'],
    ['XML', 'text/xml', '<a/>', '<a/>'],
    ['bytes', 'application/octet-stream', Buffer.from([0, 255]), { bytes: [0, 255] }],
    ['bytes of no known type', 'application/x-unknown', 'ab', { bytes: [97, 98] }],
    ['bytes of no type', undefined, 'ab', { bytes: [97, 98] }],
    ['a multipart body on a route that takes none', 'multipart/form-data; boundary=x', '--x--', { bytes: [...Buffer.from('--x--')] }],
  ])('%s', async (_name, type, body, parsed) => {
    expect(await post('/body', type, body)).toMatchObject({
      status: 200,
      body: { body: parsed, raw: Buffer.from(body).toString('latin1') },
    });
  });

  it('that is absent is undefined, and has no bytes', async () => {
    expect((await api.post('/body')).body).toEqual({ raw: '', files: [] });
    expect((await post('/body', 'application/json', '')).body).toEqual({ raw: '', files: [] });
  });

  it('with a __proto__ key does not change the prototype', async () => {
    const { body } = await post('/body', 'application/x-www-form-urlencoded', '__proto__=1');
    expect(JSON.stringify(body.body)).toBe('{"__proto__":"1"}');
  });

  it.each([
    ['JSON that is none', 'application/json', '{"a":', 400],
    ['JSON that is too large', 'application/json', `"${'x'.repeat(20_000)}"`, 413],
    ['text that is too large', 'text/plain', 'x'.repeat(20_001), 413],
    ['a form that is too large', 'application/x-www-form-urlencoded', `a=${'x'.repeat(20_000)}`, 413],
    ['bytes that are far too large', 'application/octet-stream', Buffer.alloc(3_000_000), 413],
    ['JSON that is not UTF-8', 'application/json', Buffer.from('22e922', 'hex'), 400],
    ['text that is not UTF-8', 'text/plain', Buffer.from('e9', 'hex'), 400],
    ['a form that is not UTF-8', FORM, 'a=%E9', 400],
    ['text in an unknown charset', 'text/plain; charset=x-klingon', 'a', 415],
    ['JSON in a charset that nobody knows', 'application/json; charset=x-klingon', '{}', 415],
  ])('%s is refused in the flat form', async (_name, type, body, status) => {
    const answer = await post('/body', type, body);
    expect(answer).toMatchObject({ status, body: { success: false, error: expect.stringMatching(/\S/) } });
    expect(Object.keys(answer.body)).toEqual(['success', 'error']);
  });

  it('that is chunked and too large is refused', async () => {
    const chunk = `${(8192).toString(16)}\r\n${'x'.repeat(8192)}\r\n`;
    const head =
      'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
    const answer = await rawRequest(app.test.url, `${head}${chunk.repeat(5)}0\r\n\r\n`);
    expect(answer.status).toBe(413);
  });
});

describe('the bytes of a body', () => {
  it.each([
    ['white space', '{ "a" : 1 ,\n\t"b":[ ] }'],
    ['numbers that change', '{"a":1.0,"b":1e2,"c":12345678901234567890,"d":-0}'],
    ['keys twice', '{"a":1,"a":2}'],
    ['escapes', '{"a":"\\u00fc\\/","\\u0062":"\\ud83d\\udc4b"}'],
    ['keys out of order', '{"b":1,"a":2,"2":3,"1":4}'],
    ['a key that is special', '{"__proto__":{"a":1}}'],
    ['letters beyond ASCII', '{"a":"ü 世界 👋"}'],
  ])('are the signed ones, with %s', async (_name, text) => {
    const signature = createHmac('sha256', 'key').update(text).digest('hex');
    const send = (bytes: string): ReturnType<typeof api.post> =>
      api.send('POST', '/signed', bytes, { headers: { 'content-type': 'application/json', 'x-signature': signature } });
    expect(await send(text)).toMatchObject({ status: 200, body: { right: true } });
    expect(await send(JSON.stringify(JSON.parse(text)).concat(' '))).toMatchObject({ status: 401 });
  });
});

describe('an upload', () => {
  const form = (...parts: [name: string, value: string | Blob, file?: string][]): FormData => {
    const data = new FormData();
    for (const [name, value, file] of parts) {
      if (typeof value === 'string') data.append(name, value);
      else data.append(name, value, file);
    }
    return data;
  };
  const blob = (text: string, type = 'text/plain'): Blob => new Blob([text], { type });

  it('has name, size, type, bytes and the other fields [routes.uploads]', async () => {
    const { status, body } = await api.post('/upload', form(['note', 'hello'], ['doc', blob('content', 'application/pdf'), 'a b.pdf']));
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        body: { note: 'hello' },
        raw: '',
        file: 'a b.pdf',
        files: [{ fieldname: 'doc', originalname: 'a b.pdf', encoding: '7bit', mimetype: 'application/pdf', size: 7, text: 'content' }],
      },
    });
  });

  it.each(['übersicht.txt', '世界.txt', '👋🏽.txt', 'a;b="c".txt', "it's.txt", 'x'.repeat(200)])('keeps the file name %s', async (name) => {
    expect((await api.post('/upload', form(['doc', blob('x'), name]))).body.file).toBe(name.replaceAll('"', '%22').replaceAll('%22', '"'));
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['/etc/passwd', 'passwd'],
    ['C:\\secret\\a.txt', 'a.txt'],
  ])('has a bare file name for %s', async (name, bare) => {
    expect((await api.post('/upload', form(['doc', blob('x'), name]))).body.file).toBe(bare);
  });

  it.each([
    ['a field', 'name="a"', '', 'e9', 'the field "a"'],
    ['a name', 'name="\xe9"', '', '61', 'the field "\ufffd"'],
    ['a field in a charset that the parser lacks', 'name="a"', 'Content-Type: text/plain; charset=koi8-r\r\n', '61', 'the field "a"'],
    ['a file name', 'name="a"; filename="\xe9.txt"', '', '61', 'the file name "\ufffd.txt"'],
  ])('is refused over %s that is not UTF-8', async (_what, names, type, hex, said) => {
    const head = `--x\r\nContent-Disposition: form-data; ${names}\r\n${type}\r\n`;
    const bytes = Buffer.from(`${head}${Buffer.from(hex, 'hex').toString('latin1')}\r\n--x--\r\n`, 'latin1');
    const { status, body } = await post('/upload', 'multipart/form-data; boundary=x', bytes);
    expect([status, body]).toEqual([400, { success: false, error: expect.stringContaining(`${said} is not valid UTF-8`) }]);
  });

  it.each([
    ['a field that names its charset', 'name="a"', 'Content-Type: text/plain; charset=iso-8859-1\r\n', { body: { a: '\xe9' } }],
    ['a file name that names its charset', 'name="a"; filename*=iso-8859-1\'\'%E9.txt', '', { file: 'é.txt' }],
    ['a file name in UTF-8', 'name="a"; filename*=UTF-8\'\'%C3%A9.txt', '', { file: 'é.txt' }],
  ])('decodes %s', async (_what, names, type, seen) => {
    const bytes = Buffer.from(`--x\r\nContent-Disposition: form-data; ${names}\r\n${type}\r\n\xe9\r\n--x--\r\n`, 'latin1');
    expect(await post('/upload', 'multipart/form-data; boundary=x', bytes)).toMatchObject({ status: 200, body: seen });
  });

  it('of several files keeps their order, under any field', async () => {
    const { body } = await api.post('/upload', form(['a', blob('1'), '1.txt'], ['b', blob('2'), '2.txt'], ['a', blob(''), '3.txt']));
    expect(
      body.files.map(({ fieldname, originalname, text, size }: Record<string, unknown>) => [fieldname, originalname, text, size]),
    ).toEqual([
      ['a', '1.txt', '1', 1],
      ['b', '2.txt', '2', 1],
      ['a', '3.txt', '', 0],
    ]);
    expect(body.file).toBe('1.txt');
  });

  it('without a file has none', async () => {
    const { status, body } = await api.post('/upload', form(['note', 'hello']));
    expect({ status, body }).toEqual({ status: 200, body: { body: { note: 'hello' }, raw: '', files: [] } });
  });

  it('may be a body other than multipart', async () => {
    expect((await api.post('/upload', { a: 1 })).body).toEqual({ body: { a: 1 }, raw: '{"a":1}', files: [] });
    expect((await api.post('/upload')).body).toEqual({ raw: '', files: [] });
  });

  it.each([
    ['a file of just the limit', form(['a', blob('x'.repeat(LIMIT)), 'a']), 200],
    ['a file of a byte more', form(['a', blob('x'.repeat(LIMIT + 1)), 'a']), 413],
    ['files of just the limit together', form(['a', blob('x'.repeat(LIMIT / 2)), 'a'], ['b', blob('x'.repeat(LIMIT / 2)), 'b']), 200],
    ['files of a byte more together', form(['a', blob('x'.repeat(LIMIT / 2)), 'a'], ['b', blob('x'.repeat(LIMIT / 2 + 1)), 'b']), 413],
    ['a field that is larger than the limit', form(['a', 'x'.repeat(LIMIT + 1)]), 413],
    ['a file that is far larger than the limit', form(['a', blob('x'.repeat(5_000_000)), 'a']), 413],
    ['as many files as may be', form(...Array.from({ length: 20 }, (_, n) => ['a', blob('x'), `${n}`] as [string, Blob, string])), 200],
    ['too many files', form(...Array.from({ length: 21 }, (_, n) => ['a', blob('x'), `${n}`] as [string, Blob, string])), 413],
    ['too many fields', form(...Array.from({ length: 201 }, (_, n) => [`f${n}`, 'x'] as [string, string])), 413],
  ])('%s', async (_name, data, status) => {
    const answer = await api.post('/small', data);
    expect(answer.status).toBe(status);
    if (status === 413) expect(answer.body).toEqual({ success: false, error: expect.stringMatching(/^The upload (has|is)/) });
  });

  it('has a default limit of 10 MiB', async () => {
    expect((await api.post('/upload', form(['a', blob('x'.repeat(10 * 1024 * 1024 + 1)), 'a']))).status).toBe(413);
  });

  it.each([
    ['has no boundary', 'multipart/form-data', 'x'],
    [
      'ends in the middle of a file',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\nhalf',
    ],
    ['ends in the middle of a head', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; na'],
    ['is empty', 'multipart/form-data; boundary=x', ' '],
    ['has a part without a name', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data\r\n\r\nv\r\n--x--\r\n'],
  ])('that %s is 400', async (_name, type, text) => {
    expect(await post('/upload', type, text)).toMatchObject({
      status: 400,
      body: { success: false, error: expect.stringContaining('multipart') },
    });
  });
});
