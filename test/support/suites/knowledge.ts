import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { Journal, type JournalEntry } from '../../../src/core/journal/index.js';
import { CharacterDocuments } from '../../../src/modules/knowledge/character-documents.js';
import { KnowledgeService } from '../../../src/modules/knowledge/index.js';
import { Recall } from '../../../src/modules/memory/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../create-test-app.js';
import { docxOf, pdfOf } from '../documents.mjs';
import { expectError } from '../expect-envelope.js';
import { eventually } from '../memory-app.js';
import { serverEvents } from '../sse-client.js';
import { form, storedFiles } from '../uploads.js';

type Data = ApiResponse['body'];

const PATH = `/api/agents/${ADA.id}/knowledge`;
const sentences = (count: number, about: string): string =>
  Array.from({ length: count }, (_, index) => `Sentence ${index} of this text says one more thing about ${about}.`).join(' ');
/** A handbook with a section for each subject, of two or three pieces. */
const handbook = (...subjects: string[]): string => subjects.map((subject) => `# ${subject}\n\n${sentences(40, subject)}`).join('\n\n');

/** Documents of agents from the upload to what an agent recalls, with a real worker, database and web server. */
export function describeKnowledge(engine: Engine): void {
  describe('documents that a character names', () => {
    let test: TestApp;
    let api: ApiClient;
    let path: string;
    const file = (name: string): string => join(test.config.charactersDir, name);
    const listed = async (): Promise<Data[]> => (await api.get(path)).body.data.documents;
    const settled = async (names: string[]): Promise<Data[]> => {
      let documents: Data[] = [];
      await eventually(async () => {
        documents = await listed();
        const found = new Set(documents.map(({ name }) => name as string));
        return (
          documents.every(({ status }) => /ready|failed/.test(status)) &&
          found.size === names.length &&
          names.every((name) => found.has(name))
        );
      });
      return documents;
    };

    beforeAll(async () => {
      test = await createTestApp({ engine });
      api = new ApiClient(() => test.url);
      await mkdir(file('notes'));
      await writeFile(join(test.config.charactersDir, '..', 'outside.md'), 'Never read.');
      await symlink(join(test.config.charactersDir, '..', 'outside.md'), file('notes/link.md'));
      await writeFile(file('notes/tides.md'), '# Tides\n\nThe tide is high at noon.');
      await writeFile(file('notes/lamp.pdf'), pdfOf([['# Lamp', 'The lamp is green.']]));
      const character = { name: 'Keeper', bio: 'Keeps.', knowledge: ['Fog is cloud.', { directory: 'notes' }, 'notes/link.md', 'none.md'] };
      const { data } = (await api.post('/api/agents', { characterJson: character })).body;
      path = `/api/agents/${data.id}/knowledge`;
    });
    afterAll(() => test.close());

    it('are read once, again when they change, and deleted with their entries', async () => {
      const before = await settled(['notes/lamp.pdf', 'notes/tides.md']);
      expect(before).toEqual([
        expect.objectContaining({ source: 'character', status: 'ready', pieces: 1, url: null }),
        expect.objectContaining({ source: 'character', status: 'ready', pieces: 1, url: null }),
      ]);
      await test.restart();
      await test.app.get(CharacterDocuments).whenIdle();
      expect(await listed()).toEqual(before);
      await writeFile(file('notes/tides.md'), '# Tides\n\nThe tide is low at noon.');
      await rm(file('notes/lamp.pdf'));
      await test.restart();
      const [tides] = await settled(['notes/tides.md']);
      expect(tides).toMatchObject({ id: before.find(({ name }) => name === 'notes/tides.md').id, pieces: 1 });
      const { places } = (await api.get(`${path}/${tides.id}`)).body.data;
      const memory = (await api.get(`${path.replace('knowledge', 'memories')}/${places[0].id}`)).body.data;
      expect(memory.content.text).toBe('Tides\n\nThe tide is low at noon.');
      // The folder is away, but the entry is there.
      await rename(file('notes'), file('away'));
      await test.restart();
      await test.app.get(CharacterDocuments).whenIdle();
      await settled(['notes/tides.md']);
      await api.patch(path.replace('/knowledge', ''), { knowledge: ['Fog is cloud.'] });
      await settled([]);
    });

    it('change only with their files', async () => {
      await rename(file('away'), file('notes'));
      await api.patch(path.replace('/knowledge', ''), { knowledge: ['notes/tides.md'] });
      const [{ id }] = (await settled(['notes/tides.md'])) as [Data];
      for (const answer of [await api.delete(`${path}/${id}`), await api.send('PUT', `${path}/${id}`, { text: 'Other.' })]) {
        expectError(answer, 409, 'CONFLICT');
      }
    });
  });

  describe('documents of an agent', () => {
    let test: TestApp;
    let api: ApiClient;
    let web: Server;
    let url: string;
    let page: { status: number; type: string; body: string | Buffer };

    beforeAll(async () => {
      web = createServer((request, response) => {
        if (request.url === '/old') response.writeHead(301, { location: '/guide.html' }).end();
        else response.writeHead(page.status, { 'content-type': page.type }).end(page.body);
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => web.once('listening', resolve));
      url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/guide.html`;
      test = await createTestApp({ engine, env: { OUTBOUND_ALLOWED_NETWORKS: 'loopback' } });
      api = new ApiClient(() => test.url);
    });
    beforeEach(() => {
      page = { status: 200, type: 'text/html', body: '<h1>Guide</h1><p>The lamp is on the pier.' };
    });
    afterEach(async () => {
      for (const { id } of (await api.get(`${PATH}?limit=100`)).body.data.documents) await api.delete(`${PATH}/${id}`);
      expect(await storedFiles(test)).toEqual([]);
    });
    afterAll(async () => {
      await test.close();
      web.close();
      web.closeAllConnections();
    });

    const sent = async (answer: Promise<ApiResponse>): Promise<Data> => {
      const { status, body } = await answer;
      expect({ status, error: body.error }).toEqual({ status: 202, error: undefined });
      return body.data;
    };
    const upload = (content: string | Buffer, name: string, type = ''): Promise<Data> => sent(api.post(PATH, form(content, name, type)));
    const read = async (id: string, query = '?limit=100'): Promise<Data> => (await api.get(`${PATH}/${id}${query}`)).body.data;
    const ended = async ({ id }: Data): Promise<Data> => {
      let document: Data;
      await eventually(async () => /ready|failed/.test((document = await read(id)).status));
      return document;
    };
    const recalled = async (query: string): Promise<string[]> => {
      const memories = await test.app.get(Recall).relevant(ADA.id, query, { limit: 5, budgetMs: 5000 });
      return memories.map(({ text }) => text);
    };

    it.each<[string, string, () => Buffer | string | Promise<Buffer>, string]>([
      ['Markdown', 'guide.md', () => '# Harbour\n\nThe lighthouse keeper is called Ann.', 'text/markdown'],
      ['plain text', 'guide', () => 'The lighthouse keeper is called Ann.', 'text/plain'],
      ['HTML', 'guide.htm', () => '<!doctype html><h1>Harbour</h1><p>The lighthouse keeper is called Ann.', 'text/html'],
      ['a PDF', 'guide.pdf', () => pdfOf([['# Harbour', 'The lighthouse keeper is called Ann.']]), 'application/pdf'],
      ['a PDF under another name', 'guide.txt', () => pdfOf([['The lighthouse keeper is called Ann.']]), 'application/pdf'],
      [
        'a Word document',
        'guide.docx',
        () => docxOf(['# Harbour', 'The lighthouse keeper is called Ann.']),
        expect.stringMatching(/wordprocessingml/) as never,
      ],
    ])('recalls %s', async (_words, name, make, mediaType) => {
      const content = await make();
      const document = await upload(content, name);
      expect(document).toMatchObject({ name, source: 'upload', url: null, mediaType, size: Buffer.byteLength(content), error: null });
      expect(await ended(document)).toMatchObject({ status: 'ready', progress: { done: 1, total: 1 }, pieces: 1 });
      expect((await recalled('lighthouse keeper'))[0]).toContain('The lighthouse keeper is called Ann.');
    });

    it('are listed with the places of their pieces, and cited by their memories', async () => {
      const document = await ended(
        await upload(
          pdfOf([
            ['# Lamp', sentences(2, 'lamps').slice(0, 90)],
            ['# Fog', 'It is loud.'],
          ]),
          'guide.pdf',
        ),
      );
      expect(document.places).toMatchObject([
        { position: 0, heading: 'Lamp', page: 1 },
        { position: 1, heading: 'Fog', page: 2 },
      ]);
      const first = await read(document.id, '?limit=1');
      expect(first.places).toEqual(document.places.slice(0, 1));
      expect((await read(document.id, `?limit=1&cursor=${first.nextCursor}`)).places).toEqual(document.places.slice(1));
      const [, fog] = document.places;
      const passages = await test.app.get(KnowledgeService).passages(ADA.id, [fog.id, document.id]);
      expect([...passages]).toEqual([
        [
          fog.id,
          expect.objectContaining({ documentId: document.id, document: 'guide.pdf', source: 'upload', url: null, place: 'page 2, Fog' }),
        ],
      ]);
      expect((await test.app.get(KnowledgeService).passages(BOB.id, [fog.id])).size).toBe(0);
      const memory = (await api.get(`/api/agents/${ADA.id}/memories/${fog.id}`)).body.data;
      expect(memory).toMatchObject({ roomId: ADA.id, entityId: ADA.id, content: { text: 'Fog\n\nIt is loud.' } });
      expect(memory.metadata).toEqual({
        ...{ type: 'fragment', documentId: document.id, position: 1, heading: 'Fog', page: 2, name: 'guide.pdf', source: 'upload' },
      });
    });

    it('keep unchanged pieces when they are replaced, and lose the others', async () => {
      const before = await ended(await upload(handbook('Lamp', 'Fog', 'Tide'), 'handbook.md'));
      const after = await ended(await upload(handbook('Fog', 'Boat', 'Lamp'), 'handbook.md'));
      expect(after).toMatchObject({ id: before.id, status: 'ready', createdAt: before.createdAt });
      const ids = ({ places }: Data, subject: string): string[] =>
        places.filter(({ heading }: Data) => heading === subject).map(({ id }: Data) => id);
      expect(ids(after, 'Fog')).toEqual(ids(before, 'Fog'));
      expect(ids(after, 'Lamp')).toEqual(ids(before, 'Lamp'));
      expect(after.places.map(({ position }: Data) => position)).toEqual(after.places.map((_: Data, index: number) => index));
      expect(ids(after, 'Boat').length).toBeGreaterThan(1);
      expect(await recalled('Tide')).toEqual([]);
      for (const id of ids(before, 'Tide')) expect((await api.get(`/api/agents/${ADA.id}/memories/${id}`)).status).toBe(404);
    });

    it('may be replaced and deleted during ingestion', async () => {
      const subjects = Array.from({ length: 300 }, (_, index) => `Subject ${index}`);
      const begun = async (): Promise<Data> => {
        const document = await upload(handbook(...subjects), 'handbook.md');
        await eventually(async () => (await read(document.id)).pieces > 0);
        return document;
      };
      const { id } = await begun();
      expect((await upload('# Short\n\nThe lamp is red.', 'handbook.md')).id).toBe(id);
      expect(await ended({ id })).toMatchObject({ status: 'ready', pieces: 1, progress: { done: 1, total: 1 } });
      await begun();
      expect((await api.delete(`${PATH}/${id}`)).status).toBe(204);
      expect((await api.get(`/api/agents/${ADA.id}/memories?type=knowledge`)).body.data.memories).toEqual([]);
      expect(await ended(await upload('The lamp is red.', 'handbook.md'))).toMatchObject({ id, pieces: 1 });
    });

    it('tell what could not be read of them', async () => {
      const document = await ended(await upload('<p>The lamp.<iframe src="x"></iframe><canvas></canvas>', 'lamp.html'));
      const losses = [
        { what: 'embedded pages', count: 1 },
        { what: 'drawings', count: 1 },
      ];
      expect(document).toMatchObject({ status: 'ready', losses });
      expect((await api.get(PATH)).body.data.documents[0]).toMatchObject({ losses });
      expect(await ended(await upload('<p>The lamp.', 'lamp.html'))).toMatchObject({ status: 'ready', losses: [] });
    });

    it('are replaced by id, and keep their name', async () => {
      const document = await ended(await sent(api.post(PATH, { text: 'The lamp is red.', name: 'lamp.md' })));
      const replaced = await ended(await sent(api.send('PUT', `${PATH}/${document.id}`, form('The lamp is green.', 'other.txt'))));
      expect(replaced).toMatchObject({ id: document.id, name: 'lamp.md', source: 'upload', mediaType: 'text/plain', pieces: 1 });
      expect(await recalled('lamp')).toEqual(['The lamp is green.']);
    });

    it('are unchanged when they are sent again', async () => {
      const document = await ended(await upload('The lamp is red.', 'lamp.md'));
      const { places, ...again } = await read((await upload('The lamp is red.', 'lamp.md')).id);
      expect({ ...again, places }).toEqual(document);
      // Unless pieces were deleted meanwhile.
      await api.delete(`/api/agents/${ADA.id}/memories/${places[0].id}`);
      expect(await ended(await upload('The lamp is red.', 'lamp.md'))).toMatchObject({ status: 'ready', pieces: 1 });
    });

    it('come from the web, and are downloaded again on request', async () => {
      const document = await sent(api.post(PATH, { url }));
      expect(document).toMatchObject({ name: 'guide.html', source: 'url', url, mediaType: null, size: null });
      expect(await ended(document)).toMatchObject({ status: 'ready', mediaType: 'text/html', pieces: 1 });
      page.body = '<h1>Guide</h1><p>The lamp is in the tower.';
      expect(await ended(await sent(api.send('PUT', `${PATH}/${document.id}`, { url })))).toMatchObject({ id: document.id, pieces: 1 });
      expect(await recalled('lamp')).toEqual(['Guide\n\nThe lamp is in the tower.']);
    });

    it('come from the address to which another one redirects, in the charset of the response', async () => {
      Object.assign(page, { type: 'text/html; charset=windows-1251', body: iconv.encode('<p>Лампа на пирсе.', 'windows-1251') });
      const old = url.replace('guide.html', 'old');
      const document = await ended(await sent(api.post(PATH, { url: old })));
      expect(document).toMatchObject({ status: 'ready', url: old, mediaType: 'text/html', charset: 'windows-1251' });
      expect(await recalled('Лампа')).toEqual(['Лампа на пирсе.']);
    });

    it.each<[string, Partial<typeof page>, string]>([
      ['is refused', { status: 404 }, 'VALIDATION_ERROR'],
      ['has another type', { type: 'image/png', body: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') }, 'UNSUPPORTED_MEDIA_TYPE'],
      ['is broken', { type: 'application/pdf', body: '%PDF-1.4 and nothing else' }, 'DOCUMENT_UNREADABLE'],
    ])('fail when the download %s', async (_words, answer, code) => {
      Object.assign(page, answer);
      const document = await ended(await sent(api.post(PATH, { url })));
      expect(document).toMatchObject({
        status: 'failed',
        pieces: 0,
        error: { code, message: expect.any(String), details: expect.any(String) },
      });
      page = { status: 200, type: 'text/html', body: '<p>Now it is there.' };
      expect(await ended(await sent(api.post(PATH, { url })))).toMatchObject({ status: 'ready', error: null });
    });

    it('are retried while the address fails', async () => {
      page.status = 503;
      const document = await sent(api.post(PATH, { url }));
      await eventually(async () => (await read(document.id)).error !== null);
      expect(await read(document.id)).toMatchObject({ status: 'pending', error: { code: 'DOCUMENT_UNAVAILABLE' } });
    });

    it('are deleted with their pieces, and with their agent', async () => {
      const document = await ended(await upload(handbook('Lamp', 'Fog'), 'handbook.md'));
      expect((await api.delete(`${PATH}/${document.id}`)).status).toBe(204);
      expect((await api.get(`${PATH}/${document.id}`)).body.error.code).toBe('DOCUMENT_NOT_FOUND');
      expect(await recalled('Lamp')).toEqual([]);
      const { data } = (await api.post('/api/agents', { characterJson: { name: 'Short', bio: 'Lived.' } })).body;
      await sent(api.post(`/api/agents/${data.id}/knowledge`, form('# A\n\nThe lamp.', 'lamp.md')));
      expect((await api.delete(`/api/agents/${data.id}`)).status).toBe(204);
    });

    it('stream their progress to callers who may read the agent, until deletion', async () => {
      const { data } = (await api.post('/api/agents', { characterJson: { name: 'Streamed', bio: 'Lives.' } })).body;
      const path = `/api/agents/${data.id}/knowledge`;
      const events = serverEvents(await fetch(`${test.url}${path}/events`));
      const next = async (): Promise<Data> => (await events.next()).value;
      expect(await next()).toMatchObject({ event: 'ready', data: { agentId: data.id, offset: expect.any(Number) } });
      await upload('Of another agent.', 'other.md');
      const document = await sent(api.post(path, form(handbook('Lamp'), 'handbook.md')));
      const seen: Data[] = [];
      while (seen.at(-1)?.data.status !== 'ready') seen.push(await next());
      for (const { id, event, data: fields } of seen) {
        expect({ id, event }).toEqual({ id: String(fields.offset), event: 'knowledge.updated' });
        expect(fields).toMatchObject({ agentId: data.id, documentId: document.id, name: 'handbook.md', error: null });
      }
      await api.delete(`/api/agents/${data.id}`);
      while (!(await events.next()).done);
    });

    it('append their progress to the journal, and nothing for other agents', async () => {
      const entries: JournalEntry[] = [];
      const stop = test.app.get(Journal).subscribe((entry) => entries.push(entry));
      const document = await ended(await upload(handbook('Lamp', 'Fog'), 'handbook.md'));
      await eventually(() => entries.some(({ payload }) => (payload as Data).status === 'ready'));
      stop();
      const told = entries
        .filter(({ type }) => type === 'knowledge.updated')
        .map(({ channelId, payload }) => ({ channelId, ...(payload as Data) }));
      expect(told.map(({ status }) => status)).toEqual(['pending', 'processing', 'processing', 'ready']);
      expect(told.at(-1)).toEqual({
        ...{ channelId: null, agentId: ADA.id, documentId: document.id, name: 'handbook.md', status: 'ready', error: null },
        progress: { done: document.pieces, total: document.pieces },
      });
      expect((await api.get(`/api/agents/${BOB.id}/knowledge`)).body.data).toEqual({ documents: [], total: 0 });
      expect((await api.get(`/api/agents/${BOB.id}/knowledge/${document.id}`)).status).toBe(404);
    });
  });
}
