// Documents of an agent: what the operations accept, refuse and return. What becomes of documents is in test/e2e/knowledge.spec.ts.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { deflateSync } from 'node:zlib';
import iconv from 'iconv-lite';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { pdfOf } from '../support/documents.mjs';
import { expectError } from '../support/expect-envelope.js';
import { eventually } from '../support/memory-app.js';
import { form, png, storedFiles } from '../support/uploads.js';
import { contractApp, NOBODY } from './support/contract-app.js';
import { describePathId } from './support/describe-operation.js';

type Data = ApiResponse['body'];

const LIMIT = 100_000;
const DOCUMENTS = 40;
const PATH = `/api/agents/${ADA.id}/knowledge`;
const UPLOADED = {
  ...{
    id: expect.any(String),
    name: expect.any(String),
    source: 'upload',
    url: null,
    mediaType: expect.any(String),
    charset: null,
    size: expect.any(Number),
  },
  ...{ status: expect.stringMatching(/^(pending|processing|ready)$/), progress: { done: expect.any(Number), total: expect.any(Number) } },
  ...{ pieces: expect.any(Number), losses: [], error: null, createdAt: expect.any(String), updatedAt: expect.any(String) },
};

/** Uploaded content with its name and declared type, and the detected type. */
const KEPT: [words: string, content: string | Uint8Array, name: string, declared: string, mediaType: string][] = [
  ['Markdown', '# A', 'a.md', '', 'text/markdown'],
  ['Markdown by its type alone', '# A', 'README', 'text/markdown', 'text/markdown'],
  ['Markdown that begins with HTML', '<div>A</div>', 'a.md', '', 'text/markdown'],
  ['text without an ending', 'A.', 'README', '', 'text/plain'],
  ['text with a point in its name', 'A.', 'Chapter 2. The sea', 'application/octet-stream', 'text/plain'],
  ['text of an unknown ending', 'A.', 'a.xyz', 'application/octet-stream', 'text/plain'],
  ['a log', 'A.', 'server.log.1', '', 'text/x-log'],
  ['separated values', 'a,b', 'a.csv', 'application/vnd.ms-excel', 'text/csv'],
  ['JSON by its type alone', '{}', 'data', 'application/json', 'application/json'],
  ['code that begins with HTML', '<div>A</div>', 'a.vue', '', 'text/x-source'],
  ['a page that is called a program', '<!doctype html><p>A', 'index.php', 'text/html', 'text/html'],
  ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><title>A</title></svg>', 'a.svg', '', 'image/svg+xml'],
  ['text that begins like a picture', 'BMW builds cars.', 'cars.txt', '', 'text/plain'],
  ['RTF that is called a Word document', '{\\rtf1 A}', 'a.doc', 'application/msword', 'application/rtf'],
  ['HTML', '<p>A', 'a.htm', 'application/octet-stream', 'text/html'],
  ['HTML that is called text', '<!doctype html><p>A', 'a.txt', 'text/plain', 'text/html'],
  ['a PDF that is called text', pdfOf([['A.']]), 'a.txt', 'text/plain', 'application/pdf'],
];

const REFUSED: [words: string, content: string | Uint8Array, name: string, declared: string][] = [
  ['a picture', png(), 'a.png', 'image/png'],
  ['a picture that is called a PDF', png(), 'a.pdf', 'application/pdf'],
  ['text that is called a PDF', 'A.', 'a.pdf', 'application/pdf'],
  ['an archive', deflateSync(Buffer.from('A')), 'a.docx', ''],
  ['an old Word document', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]), 'a.doc', 'application/msword'],
  ['text with control characters', 'a\u0001b', 'a.txt', 'text/plain'],
  ['text of an unknown charset', Buffer.from([0x41, 0xc4]), 'a.txt', 'text/plain;charset=x-klingon'],
];

const BODIES: [words: string, body: unknown, field: string][] = [
  ['there is none', undefined, 'body'],
  ['it is a list', '[]', 'body'],
  ['it is empty', {}, 'url or text'],
  ['it has both an address and a text', { url: 'https://example.com/', text: 'A.', name: 'a' }, 'url or text'],
  ['the text has no name', { text: 'A.' }, 'name'],
  ['the text is blank', { text: ' ', name: 'a' }, 'text'],
  ['the text is a number', { text: 1, name: 'a' }, 'text'],
  ['the text is null', { text: null, name: 'a' }, 'text'],
  ['the text has a NUL', { text: 'a\0b', name: 'a' }, 'text'],
  ['the name is blank', { text: 'A.', name: '' }, 'name'],
  ['the name is too long', { text: 'A.', name: 'x'.repeat(201) }, 'name'],
  ['the name is null', { text: 'A.', name: null }, 'name'],
  ['the address is none', { url: 'example.com' }, 'url'],
  ['the address is a file', { url: 'file:///etc/passwd' }, 'url'],
  ['the address is a list', { url: ['https://example.com/'] }, 'url'],
  ['the address is too long', { url: `https://example.com/${'x'.repeat(2000)}` }, 'url'],
];

const QUERIES: [query: string, field: string][] = [
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=x', 'limit'],
  ['limit=1&limit=2', 'limit'],
  ['cursor=x', 'cursor'],
  ['cursor=1&cursor=2', 'cursor'],
];

/** Texts in other charsets, with their names and declared types, and the charset that is found. */
const CHARSETS: [words: string, content: Buffer, name: string, declared: string, charset: string | null][] = [
  ['in UTF-16 with its mark', iconv.encode('The lamp.', 'utf-16le', { addBOM: true }), 'a.txt', 'text/plain', 'utf-16le'],
  ['in UTF-8 with its mark', iconv.encode('Ça.', 'utf-8', { addBOM: true }), 'a.txt', 'text/plain', null],
  ['that declares its charset', iconv.encode('<meta charset="koi8-r"><p>Все', 'koi8-r'), 'a.html', 'text/html', 'koi8-r'],
  ['whose sender declares it', iconv.encode('Все чаи', 'windows-1251'), 'a.md', 'text/markdown;charset=CP1251', 'windows-1251'],
  ['that begins like MP3', iconv.encode('яблоко и груша', 'windows-1251'), 'a.txt', '', 'windows-1251'],
  ['that begins like a picture', Buffer.from('BMW: prices'), 'a.txt', '', null],
];

describe('documents of an agent', () => {
  const app = contractApp({ UPLOAD_LIMIT_BYTES: String(LIMIT), KNOWLEDGE_DOCUMENT_LIMIT: String(DOCUMENTS) });
  const { api } = app;
  let id: string;

  const data = ({ status, body }: ApiResponse, expected = 202): Data => {
    expect({ status, error: body.error }).toEqual({ status: expected, error: undefined });
    return body.data;
  };

  beforeAll(async () => {
    id = data(await api.post(PATH, { text: 'The lamp is red.', name: 'lamp' })).id;
  });

  describe('are accepted:', () => {
    it.each(KEPT)('%s', async (_words, content, name, declared, mediaType) => {
      const document = data(await api.post(PATH, form(content, name, declared)));
      expect(document).toEqual({ ...UPLOADED, name, mediaType, size: Buffer.byteLength(content) });
    });

    it.each(CHARSETS)('text %s', async (_words, content, name, declared, charset) => {
      expect(data(await api.post(PATH, form(content, name, declared)))).toMatchObject({ charset });
    });

    it('a text, with other fields ignored', async () => {
      const document = data(await api.post(PATH, { text: 'A.', name: 'Prices v2.3', color: 'ignore-me' }));
      expect(document).toMatchObject({ name: 'Prices v2.3', source: 'text', mediaType: 'text/markdown', size: 2 });
    });

    it('an address, without its fragment', async () => {
      const document = data(await api.post(PATH, { url: 'http://192.0.2.1/deep/guide.pdf?x=1#page=2' }));
      expect(document).toMatchObject({
        name: 'guide.pdf',
        source: 'url',
        url: 'http://192.0.2.1/deep/guide.pdf?x=1',
        mediaType: null,
        size: null,
      });
      expect(data(await api.post(PATH, { url: 'http://192.0.2.1/deep/guide.pdf?x=1' })).id).toBe(document.id);
    });
  });

  describe.each([
    ['POST', () => PATH],
    ['PUT', () => `${PATH}/${id}`],
  ])('%s refuses', (method, path) => {
    it.each(REFUSED)('%s', async (_words, content, name, declared) => {
      const before = await storedFiles(app.test);
      const answer = await api.send(method, path(), form(content, name, declared));
      expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
      expect(answer.body.error.details).toContain('Accepted are PDF, Word (.docx), Excel (.xlsx)');
      expect(await storedFiles(app.test)).toEqual(before);
    });

    it('a workbook that is protected by a password', async () => {
      const content = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
      const answer = await api.send(method, path(), form(content, 'a.xlsx', ''));
      expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
      expect(answer.body.error.message).toBe('file is protected by a password');
    });

    it('a file that is empty, too large, or in another field', async () => {
      expectError(await api.send(method, path(), form('', 'a.md')), 400, 'VALIDATION_ERROR');
      expectError(await api.send(method, path(), form('x'.repeat(LIMIT + 1), 'a.md')), 413, 'FILE_TOO_LARGE');
      expectError(await api.send(method, path(), form('A.', 'a.md', '', 'other')), 400, 'VALIDATION_ERROR');
    });

    it.each(BODIES)('a body when %s', async (words, body, field) => {
      // A document that exists has its name.
      if (method === 'PUT' && words === 'the text has no name') return;
      const answer = await api.send(method, path(), body, { headers: { 'content-type': 'application/json' } });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain(field);
    });

    it('a body of another type', async () => {
      const answer = await api.send(method, path(), 'text=A.', { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
      expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    });
  });

  it('PUT refuses a changed address, and an address for a text', async () => {
    const { id: web } = data(await api.post(PATH, { url: 'http://192.0.2.1/page' }));
    for (const [document, body] of [
      [web, { url: 'http://192.0.2.1/other' }],
      [web, { text: 'A.' }],
      [id, { url: 'http://192.0.2.1/page' }],
    ] as const) {
      const answer = await api.send('PUT', `${PATH}/${document}`, body);
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain('url');
    }
  });

  describe.each<[string, object | undefined]>([
    ['GET', undefined],
    ['PUT', { text: 'A.' }],
    ['DELETE', undefined],
  ])('%s of one', (method, body) => {
    it('is 404 for an unknown id, and for the document of another agent', async () => {
      for (const path of [`${PATH}/${NOBODY}`, `/api/agents/${BOB.id}/knowledge/${id}`]) {
        expectError(await api.send(method, path, body), 404, 'DOCUMENT_NOT_FOUND');
      }
    });
    describePathId('documentId', {
      send: (documentId) => api.send(method, `${PATH}/${documentId}`, body),
      unknown: 'DOCUMENT_NOT_FOUND',
    });
  });

  it('require an existing agent', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${id}`],
      ['PUT', `/${id}`],
      ['DELETE', `/${id}`],
    ] as const) {
      expectError(await api.send(method, `/api/agents/${NOBODY}/knowledge${path}`), 404, 'AGENT_NOT_FOUND');
      expectError(await api.send(method, `/api/agents/x/knowledge${path}`), 400, 'INVALID_ID');
    }
  });

  it.each(QUERIES)('are not listed with %s', async (query, field) => {
    for (const path of [PATH, `${PATH}/${id}`]) {
      const answer = await api.get(`${path}?${query}`);
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain(field);
    }
  });

  it('are listed in pages, newest first', async () => {
    const all = data(await api.get(`${PATH}?limit=100`), 200);
    expect(all.total).toBe(all.documents.length);
    expect(all).not.toHaveProperty('nextCursor');
    const nameOf = ({ name }: Data): string => name as string;
    const names: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: Data = data(await api.get(`${PATH}?limit=4${cursor && `&cursor=${cursor}`}`), 200);
      names.push(...(page.documents as Data[]).map(nameOf));
      cursor = page.nextCursor as string | undefined;
    }
    expect(names).toEqual((all.documents as Data[]).map(nameOf));
  });

  it('are limited in number; existing ones may be replaced', async () => {
    const path = `/api/agents/${BOB.id}/knowledge`;
    for (let index = 0; index < DOCUMENTS; index++) data(await api.post(path, { text: 'A.', name: `note ${index}` }));
    const before = await storedFiles(app.test);
    const answer = await api.post(path, { text: 'Another.', name: 'one more' });
    expectError(answer, 409, 'DOCUMENT_LIMIT_REACHED');
    expect(answer.body.error.details).toContain('KNOWLEDGE_DOCUMENT_LIMIT');
    expect(await storedFiles(app.test)).toEqual(before);
    const { id: first } = data(await api.post(path, { text: 'B.', name: 'note 0' }));
    await eventually(async () => (await api.get(`${path}/${first}`)).body.data.status === 'ready');
  });
});
