// Uploads to agents and channels, and how they are served.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { MediaService } from '../../src/modules/media/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA } from '../support/create-test-app.js';
import { expectError, expectHybrid } from '../support/expect-envelope.js';
import { form, storedFiles, png } from '../support/uploads.js';
import { CHANNELS, contractApp, HOUR, NOBODY, USER } from './support/contract-app.js';
import { describePathId } from './support/describe-operation.js';
import { until } from './support/until.js';

const LIMIT = 200_000;
const AGENT_PATHS: [path: (id: string) => string][] = [
  [(id) => `/api/media/agents/${id}/upload-media`],
  [(id) => `/api/media/${id}/upload-media`],
];
const CHANNEL_PATHS: [path: (id: string) => string][] = [
  [(id) => `/api/messaging/channels/${id}/upload-media`],
  [(id) => `/api/media/channels/${id}/upload-media`],
];

const WAV = Buffer.concat([
  Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\0\0\0\0', 'latin1'),
]);
// ID3v2.3 with a length of 2,097,151 bytes.
const TAGGED = Buffer.concat([Buffer.from('494433030000007f7f7f', 'hex'), Buffer.alloc(64)]);
const PDF = '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF';

/** Uploaded content with its name and declared type, and the detected type. */
const KEPT: [
  words: string,
  content: Uint8Array | string,
  name: string,
  declared: string,
  mimeType: string,
  kind: string,
  ending: string,
][] = [
  ['a picture', png(), 'a.png', 'image/png', 'image/png', 'image', '.png'],
  ['a picture with the name and the type of another', png(), 'a.jpg', 'image/jpeg', 'image/png', 'image', '.png'],
  ['a picture without a type', png(), 'a', '', 'image/png', 'image', '.png'],
  [
    'a picture with a page behind it',
    Buffer.concat([png(), Buffer.from('<script>alert(1)</script>')]),
    'a.html',
    'image/png',
    'image/png',
    'image',
    '.png',
  ],
  ['a sound', WAV, 'a.wav', 'audio/x-wav', 'audio/wav', 'audio', '.wav'],
  ['a song whose tags are said to be longer than it', TAGGED, 'a.mp3', 'audio/mpeg', 'audio/mpeg', 'audio', '.mp3'],
  ['a PDF', PDF, 'a.pdf', 'application/pdf', 'application/pdf', 'document', '.pdf'],
  ['a text', 'Just words.', 'a.txt', 'text/plain', 'text/plain', 'document', '.txt'],
  ['a text without a name ending', 'Just words.', 'README', 'text/plain;charset=utf-8', 'text/plain', 'document', '.txt'],
  ['a text in Markdown', '# Words', 'a.md', 'application/octet-stream', 'text/markdown', 'document', '.md'],
  ['a table', 'a,b\n1,2', 'a.csv', 'application/vnd.ms-excel', 'text/csv', 'document', '.csv'],
  ['JSON', '{"a":1}', 'a.json', 'application/json', 'application/json', 'document', '.json'],
  ['JSON behind a byte order mark, which is not JSON', '\uFEFF{}', 'a.json', 'application/json', 'text/plain', 'document', '.txt'],
  ['what is called JSON and is none', '{"a":', 'a.json', 'application/json', 'text/plain', 'document', '.txt'],
  [
    'a drawing',
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'a.svg',
    'image/svg+xml',
    'image/svg+xml',
    'document',
    '.svg',
  ],
  [
    'a drawing behind a prologue',
    '<?xml version="1.0"?><svg onload="alert(1)"/>',
    'a.txt',
    'text/plain',
    'image/svg+xml',
    'document',
    '.svg',
  ],
  ['a page', '<!doctype html><script>alert(1)</script>', 'a.html', 'text/html', 'text/html', 'document', '.html'],
  ['a page that is called a text', ' <body onload=alert(1)>', 'a.txt', 'text/plain', 'text/html', 'document', '.html'],
  ['text that is not UTF-8', Buffer.from([0x66, 0xfc, 0x72]), 'a.txt', 'text/plain', 'text/plain', 'document', '.txt'],
];

const REFUSED: [words: string, content: Uint8Array | string, name: string, declared: string][] = [
  ['a page that is declared a picture', '<html><script>alert(1)</script>', 'a.png', 'image/png'],
  ['a drawing that is declared a picture', '<svg onload="alert(1)"/>', 'a.png', 'image/png'],
  ['a text that is declared a sound', 'RIFF, it says.', 'a.wav', 'audio/wav'],
  ['a picture that is declared a text', png(), 'a.txt', 'text/plain'],
  ['a program', Buffer.from('7f454c46020101000000000000000000', 'hex'), 'a.txt', ''],
  ['an archive', Buffer.from('504b0304140000000000', 'hex'), '../../bomb.zip', 'application/octet-stream'],
  ['an archive that is declared a picture', Buffer.from('1f8b0800000000000003', 'hex'), 'a.png', 'image/png'],
  ['a text of a declared type that is not kept', 'words', 'a.exe', 'application/x-msdownload'],
  ['bytes of no type', Buffer.from([1, 2, 3, 0, 255]), 'a', ''],
];

/** What senders write as file name, and what is kept of it. */
const NAMES: [sent: string, kept: string][] = [
  ['../../../etc/passwd', 'passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['/etc/shadow', 'shadow'],
  ['Grüße, 世界 👋.txt', 'Grüße, 世界 👋.txt'],
  [`a"b'c;d%2e.txt`, `a"b'c;d%2e.txt`],
  ['x'.repeat(400), 'x'.repeat(255)],
  ['-rf', '-rf'],
  ['CON.txt', 'CON.txt'],
];

describe('media', () => {
  const app = contractApp({ UPLOAD_LIMIT_BYTES: String(LIMIT) });
  const { api } = app;
  const toAda = (content: Uint8Array | string, name?: string, type?: string): Promise<ApiResponse> =>
    api.post(`/api/media/agents/${ADA.id}/upload-media`, form(content, name, type));
  const get = (url: string, headers: Record<string, string> = {}): Promise<Response> => fetch(app.test.url + url, { headers });
  const sweep = async (): Promise<void> => {
    const media = app.test.app.get(MediaService);
    while (await media.removeUnused(app.clock.now() - 168 * HOUR, 10));
  };

  describe.each(AGENT_PATHS)('POST to an agent', (path) => {
    it(`${path('{agentId}')} returns the fields needed to show the file`, async () => {
      const data = expectHybrid(await api.post(path(ADA.id), form(png(), 'me.png', 'image/png')));
      expect(data).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url: `/media/uploads/agents/${ADA.id}/${data.filename}`,
        type: 'image',
        mimeType: 'image/png',
        filename: expect.stringMatching(/^\d+-[0-9a-f]{32}\.png$/),
        originalName: 'me.png',
        size: png().length,
      });
      expect(Buffer.from(await (await get(data.url)).arrayBuffer())).toEqual(png());
    });

    describePathId('agentId', { send: (id) => api.post(path(id), form(png())), unknown: 'AGENT_NOT_FOUND' });
  });

  describe.each(CHANNEL_PATHS)('POST to a channel', (path) => {
    it(`${path('{channelId}')} returns the whole media type as the type [media.response]`, async () => {
      const { id } = await app.newChannel();
      const data = expectHybrid(await api.post(path(id), form('words', 'a.txt', 'text/plain')));
      expect(data).toMatchObject({ type: 'text/plain', mimeType: 'text/plain', url: `/media/uploads/channels/${id}/${data.filename}` });
      expect(await (await get(data.url)).text()).toBe('words');
    });

    describePathId('channelId', { send: (id) => api.post(path(id), form(png())), unknown: 'CHANNEL_NOT_FOUND' });
  });

  describe('an upload', () => {
    it.each(KEPT)('%s is stored with its detected type [media.type]', async (_words, content, name, declared, mimeType, kind, ending) => {
      const data = expectHybrid(await toAda(content, name, declared));
      expect(data).toMatchObject({ mimeType, type: kind });
      expect(data.filename.endsWith(ending)).toBe(true);
    });

    it.each(REFUSED)('is refused with 415 when it is %s [media.type]', async (_words, content, name, declared) => {
      const before = await storedFiles(app.test);
      expectError(await toAda(content, name, declared), 415, 'UNSUPPORTED_MEDIA_TYPE');
      expect(await storedFiles(app.test)).toEqual(before);
    });

    it.each(NAMES)('with the name %s keeps the last part of it', async (sent, kept) => {
      const data = expectHybrid(await toAda(sent, sent, 'text/plain'));
      expect(data).toMatchObject({ originalName: kept, filename: expect.stringMatching(/^\d+-[0-9a-f]{32}\.txt$/) });
      const served = await get(data.url);
      expect(served.status).toBe(200);
      expect(decodeURIComponent(/filename\*=UTF-8''(\S+)/.exec(served.headers.get('content-disposition') ?? '')?.[1] ?? '')).toBe(kept);
    });

    it('of exactly the limit is stored, and one of a byte more is refused with 413', async () => {
      expectHybrid(await toAda('x'.repeat(LIMIT), 'a.txt'));
      const before = await storedFiles(app.test);
      expectError(await toAda('y'.repeat(LIMIT + 1), 'a.txt'), 413, 'FILE_TOO_LARGE');
      expect(await storedFiles(app.test)).toEqual(before);
    });

    it('is refused before it is read when it declares a size far beyond the limit', async () => {
      const answer = await toAda(Buffer.alloc(8_000_000, 'x'), 'a.txt');
      expectError(answer, 413, 'FILE_TOO_LARGE');
    });

    it('is stored once when it is sent twice [media.once]', async () => {
      const before = (await storedFiles(app.test)).length;
      const [one, two] = [expectHybrid(await toAda('the same words')), expectHybrid(await toAda('the same words'))];
      expect(one.filename).not.toBe(two.filename);
      expect(await storedFiles(app.test)).toHaveLength(before + 1);
    });
  });

  describe('a body is refused when', () => {
    const path = `/api/media/agents/${ADA.id}/upload-media`;
    const two = (second: string): FormData => {
      const data = form('one', 'a.txt');
      data.append(second, new Blob(['two']), 'b.txt');
      return data;
    };
    const field = new FormData();
    field.append('file', 'no file at all');

    it.each<[string, unknown, Record<string, string>, number, Parameters<typeof expectError>[2]]>([
      ['there is none', undefined, {}, 400, 'VALIDATION_ERROR'],
      ['it is JSON', '{}', { 'content-type': 'application/json' }, 400, 'VALIDATION_ERROR'],
      ['it is text', 'words', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['it is a picture alone', png(), { 'content-type': 'image/png' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['it has no boundary', 'words', { 'content-type': 'multipart/form-data' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['it is no form', 'words', { 'content-type': 'multipart/form-data; boundary=x' }, 400, 'BAD_REQUEST'],
      [
        'it ends in the middle',
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nwor',
        { 'content-type': 'multipart/form-data; boundary=x' },
        400,
        'BAD_REQUEST',
      ],
      ['it has no file', field, {}, 400, 'VALIDATION_ERROR'],
      ['its file has another field', form('x', 'a.txt', '', 'picture'), {}, 400, 'VALIDATION_ERROR'],
      ['its file has another field, and is too large', form('x'.repeat(LIMIT + 1), 'a.txt', '', 'picture'), {}, 400, 'VALIDATION_ERROR'],
      ['it has two files', two('file'), {}, 400, 'VALIDATION_ERROR'],
      ['it has a second file in another field', two('other'), {}, 400, 'VALIDATION_ERROR'],
      ['its file is empty', form('', 'a.txt'), {}, 400, 'VALIDATION_ERROR'],
    ])('%s', async (_words, body, headers, status, code) => {
      const before = await storedFiles(app.test);
      const answer = await api.post(path, body, { headers });
      expectError(answer, status, code);
      if (code === 'VALIDATION_ERROR') expect(answer.body.error.message).toContain('file');
      expect(await storedFiles(app.test)).toEqual(before);
    });

    it('its client disconnects midway, and leaves nothing behind', async () => {
      const before = await storedFiles(app.test);
      const { hostname, port } = new URL(app.test.url);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n` +
          `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${'words '.repeat(2000)}`,
      );
      await until(async () => (await storedFiles(app.test)).some((name) => name.endsWith('.part')));
      socket.destroy();
      await once(socket, 'close');
      await until(async () => (await storedFiles(app.test)).every((name) => before.includes(name)));
    });

    it('the storage fails, and leaves nothing behind that a sweep does not find', async () => {
      const before = await storedFiles(app.test);
      app.breakStorage();
      expectError(await toAda('words that are lost'), 500, 'INTERNAL_ERROR');
      const left = (await storedFiles(app.test)).filter((name) => !before.includes(name));
      expect(left).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    });
  });

  describe('GET /media [media.served]', () => {
    it('serves displayable files with their type, and disables sniffing', async () => {
      const { url } = expectHybrid(await toAda(png(7), 'a.png', 'image/png'));
      const { status, headers } = await get(url);
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(png(7).length),
        'content-disposition': `inline; filename="a.png"; filename*=UTF-8''a.png`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
        'cache-control': 'private, max-age=31536000, immutable',
        'accept-ranges': 'bytes',
        etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      });
    });

    it.each([
      ['a page', '<html><script>alert(1)</script>', 'a.html', 'text/html; charset=utf-8'],
      ['a drawing', '<svg onload="alert(1)"/>', 'a.svg', 'image/svg+xml'],
    ])('offers %s for download only', async (_words, content, name, type) => {
      const { url } = expectHybrid(await toAda(content, name));
      const { headers } = await get(url);
      expect(headers.get('content-disposition')).toMatch(/^attachment;/);
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('content-security-policy')).toContain('sandbox');
    });

    it('serves ranges, and 416 for one beyond the end', async () => {
      const { url } = expectHybrid(await toAda('0123456789', 'a.txt'));
      const part = await get(url, { range: 'bytes=2-4' });
      expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234']);
      const last = await get(url, { range: 'bytes=-3' });
      expect([last.status, await last.text()]).toEqual([206, '789']);
      const beyond = await get(url, { range: 'bytes=99-' });
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    });

    it('returns 304 for a cached file, and no body for HEAD', async () => {
      const { url } = expectHybrid(await toAda('cached words', 'a.txt'));
      // Said because fetch says no-cache otherwise, which asks for the whole.
      const fresh = { 'cache-control': 'max-age=0' };
      const tag = (await get(url)).headers.get('etag') ?? '';
      expect((await get(url, { ...fresh, 'if-none-match': tag })).status).toBe(304);
      expect((await get(url, { ...fresh, 'if-none-match': '"another"' })).status).toBe(200);
      const head = await fetch(app.test.url + url, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '12', '']);
    });

    it.each([
      ['an unknown name', (url: string) => url.replace(/[^/]+$/, '1-00000000000000000000000000000000.png')],
      ['another owner', (url: string) => url.replace(ADA.id, NOBODY)],
      ['another area', (url: string) => url.replace('uploads/agents', 'uploads/channels')],
      ['generated files', (url: string) => url.replace('uploads/agents', 'generated')],
      ['a path that leads out', (url: string) => `${url.replace(/[^/]+$/, '')}..%2f..%2f..%2fetc%2fpasswd`],
      ['a content by its hash', (url: string) => url.replace(/[^/]+$/, 'a'.repeat(64))],
    ])('returns 404 for %s', async (_words, change) => {
      const { url } = expectHybrid(await toAda(png(9)));
      expectError(await api.get(change(url)), 404, 'MEDIA_NOT_FOUND');
    });

    it('returns 404 for missing content, without the headers of a file', async () => {
      const { url } = expectHybrid(await toAda('about to vanish', 'a.txt'));
      const file = (await storedFiles(app.test)).at(-1);
      expect(file).toBeDefined();
      await rm(app.test.config.mediaDir, { recursive: true });
      const answer = await api.get(url);
      expectError(answer, 404, 'MEDIA_NOT_FOUND');
      expect(answer.headers.get('cache-control')).toBeNull();
      expect((await fetch(app.test.url + url, { method: 'HEAD' })).status).toBe(404);
    });

    describePathId('agentId', { send: (id) => api.get(`/media/uploads/agents/${id}/a.png`), unknown: 'MEDIA_NOT_FOUND' });
    describePathId('channelId', { send: (id) => api.get(`/media/uploads/channels/${id}/a.png`), unknown: 'MEDIA_NOT_FOUND' });
    describePathId('agentId', { send: (id) => api.get(`/media/generated/${id}/a.png`), unknown: 'MEDIA_NOT_FOUND' });
  });

  describe('a file is deleted [media.lifetime]', () => {
    const uploaded = async (): Promise<{ channelId: string; url: string }> => {
      const { id } = await app.newChannel({ participants: [USER] });
      const { url } = expectHybrid(await api.post(`${CHANNELS}/${id}/upload-media`, form(randomBytes(20).toString('hex'), 'a.txt')));
      return { channelId: id, url };
    };
    const status = async (url: string): Promise<number> => (await get(url)).status;

    it('with the last message that contains it', async () => {
      const { channelId, url } = await uploaded();
      const one = await app.say(channelId, 'look', { attachments: [{ url, type: 'document' }] });
      const two = await app.say(channelId, 'look again', {
        raw_message: { text: 'x', attachments: [{ url: `${app.test.url}${url}?x=1` }] },
      });
      await api.delete(`${CHANNELS}/${channelId}/messages/${one.id}`);
      await sweep();
      expect(await status(url)).toBe(200);
      const files = (await storedFiles(app.test)).length;
      await api.delete(`${CHANNELS}/${channelId}/messages/${two.id}`);
      await sweep();
      expect(await status(url)).toBe(404);
      expect(await storedFiles(app.test)).toHaveLength(files - 1);
    });

    it('when its channel is cleared', async () => {
      const { channelId, url } = await uploaded();
      await app.say(channelId, 'look', { attachments: [{ url }] });
      await api.delete(`${CHANNELS}/${channelId}/messages`);
      await sweep();
      expect(await status(url)).toBe(404);
    });

    it('with its channel: at once for readers, its content with the next sweep', async () => {
      const { channelId, url } = await uploaded();
      await app.say(channelId, 'look', { attachments: [{ url }] });
      const files = (await storedFiles(app.test)).length;
      await api.delete(`${CHANNELS}/${channelId}`);
      expect(await status(url)).toBe(404);
      await sweep();
      expect(await storedFiles(app.test)).toHaveLength(files - 1);
    });

    it('by itself, soon after its message', async () => {
      const { channelId, url } = await uploaded();
      const { id } = await app.say(channelId, 'look', { attachments: [{ url }] });
      await api.delete(`${CHANNELS}/${channelId}/messages/${id}`);
      await until(async () => {
        app.clock.advance(1000);
        return (await status(url)) === 404;
      });
    });

    it('after a week when no message contains it', async () => {
      const { url } = await uploaded();
      await sweep();
      expect(await status(url)).toBe(200);
      app.clock.advance(169 * HOUR);
      await sweep();
      expect(await status(url)).toBe(404);
    });

    it('not while another file has the same content', async () => {
      const { id } = await app.newChannel({ participants: [USER] });
      const upload = async (): Promise<string> =>
        expectHybrid(await api.post(`${CHANNELS}/${id}/upload-media`, form('shared words', 'a.txt'))).url;
      const [one, two] = [await upload(), await upload()];
      const message = await app.say(id, 'look', { attachments: [{ url: one }] });
      await api.delete(`${CHANNELS}/${id}/messages/${message.id}`);
      await sweep();
      expect([await status(one), await status(two)]).toEqual([404, 200]);
    });

    it('not when storing its message fails', async () => {
      const { channelId, url } = await uploaded();
      const { id } = await app.say(channelId, 'first', { clientMessageId: 'same' });
      expectError(
        await api.post(`${CHANNELS}/${channelId}/messages`, {
          author_id: USER,
          content: 'other',
          clientMessageId: 'same',
          attachments: [{ url }],
        }),
        409,
        'MESSAGE_EXISTS',
      );
      await api.delete(`${CHANNELS}/${channelId}/messages/${id}`);
      await sweep();
      expect(await status(url)).toBe(200);
    });
  });

  it('contents without a file are deleted at the next start, and the others are kept', async () => {
    const { url } = expectHybrid(await toAda('kept over a restart', 'a.txt'));
    const before = await storedFiles(app.test);
    app.breakStorage();
    expectError(await toAda('lost in between', 'a.txt'), 500, 'INTERNAL_ERROR');
    jest.restoreAllMocks();
    expect(await storedFiles(app.test)).toHaveLength(before.length + 1);
    await app.test.restart();
    await until(async () => (await storedFiles(app.test)).length <= before.length);
    expect(await (await get(url)).text()).toBe('kept over a restart');
  });
});
