import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PAGE_BYTES, Reader, UnitOfWork, type Engine } from '../../../src/core/database/index.js';
import { idFromText } from '../../../src/core/ids/index.js';
import { MemoriesRepository } from '../../../src/modules/memory/repositories/memories.repository.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, createTestApp, type TestApp } from '../create-test-app.js';
import { SocketClient } from '../socket-client.js';

const USER = '11111111-1111-1111-1111-111111111111';
const SERVER = '00000000-0000-0000-0000-000000000000';
const COUNT = 24;
/** What a large element holds: 24 of them are more than two pages. */
const PADDING = 'x'.repeat(90_000);

type Data = ApiResponse['body'];

/** How a list is asked for its next page, and what a page has. */
interface List {
  readonly first: string;
  readonly next: (page: Data) => string | undefined;
  readonly items: (page: Data) => Data[];
}

/** Lists of large elements: pages end early, nothing is lost, and the database returns no more than a page. */
export function describePageBytes(engine: Engine): void {
  describe(`pages of large elements on ${engine}`, () => {
    let test: TestApp;
    const api = new ApiClient(() => test.url);
    let channelId: string;
    let memoryId: string;

    const times = async (work: (index: number) => Promise<ApiResponse>): Promise<string[]> => {
      const ids: string[] = [];
      for (let index = 0; index < COUNT; index += 1) {
        const { status, body } = await work(index);
        expect([index, status < 300]).toEqual([index, true]);
        ids.push(body.data.id ?? body.data.world?.id);
      }
      return ids;
    };
    const ids: Record<string, string[]> = {};

    beforeAll(async () => {
      test = await createTestApp({ engine });
      const padded = { metadata: { padding: PADDING } };
      const body = { name: 'c', participantCentralUserIds: [USER, ADA.id] };
      channelId = (await api.post('/api/messaging/channels', body)).body.data.id;
      await api.post(`/api/agents/${ADA.id}/stop`);
      const path = `/api/messaging/channels/${channelId}/messages`;
      ids['messages'] = await times((index) => api.post(path, { author_id: USER, content: `cormorant ${index} ${PADDING}`, ...padded }));
      ids['worlds'] = await times((index) => api.post(`/api/agents/${ADA.id}/worlds`, { name: `w${index}`, ...padded }));
      ids['servers'] = await times((index) => api.post('/api/messaging/message-servers', { name: `s${index}`, ...padded }));
      ids['channels'] = await times((index) => api.post('/api/messaging/channels', { name: `c${index}`, ...padded }));
      const memories = test.app.get(MemoriesRepository, { strict: false });
      const rows = Array.from({ length: COUNT }, (_, index) => ({
        id: idFromText(`memory ${index}`),
        type: 'messages',
        createdAt: index + 1,
        content: { text: PADDING },
        entityId: USER,
        agentId: ADA.id,
        roomId: ADA.id,
        worldId: null,
        isUnique: true,
        metadata: { padding: PADDING },
        seq: null,
        embeddedBy: 'none',
        vouched: true,
      }));
      await test.app.get(UnitOfWork).commit(memories.insertAll(rows));
      memoryId = rows[0]!.id;
      await times((index) => api.patch(`/api/memory/${ADA.id}/memories/${memoryId}`, { content: `${index} ${PADDING}` }));
    });
    afterAll(() => test.close());

    /** The largest result of a query during `work`, characters. */
    async function largestRead(work: () => Promise<unknown>): Promise<number> {
      let largest = 0;
      const reader = test.app.get(Reader);
      const rows = reader.rows.bind(reader);
      const spy = jest.spyOn(reader, 'rows').mockImplementation(async (sql, params) => {
        const found = await rows(sql, params);
        largest = Math.max(largest, JSON.stringify(found).length);
        return found;
      });
      await work();
      spy.mockRestore();
      return largest;
    }

    /** All pages of a list, each of which is held against the budget. */
    async function walk({ first, next, items }: List): Promise<Data[][]> {
      const pages: Data[][] = [];
      const read = await largestRead(async () => {
        for (let path: string | undefined = first; path !== undefined;) {
          const { status, body } = await api.get(path);
          expect(status).toBe(200);
          pages.push(items(body.data));
          path = next(body.data);
          // A page of the database and the row behind it.
          expect(JSON.stringify(body.data).length).toBeLessThan(2.5 * PAGE_BYTES);
        }
      });
      expect(read).toBeLessThan(PAGE_BYTES + 4 * PADDING.length);
      expect(Math.max(...pages.map((page) => page.length))).toBeLessThan(COUNT);
      expect(Math.min(...pages.map((page) => page.length))).toBeGreaterThan(0);
      return pages;
    }

    const messages = (query: string): string => `/api/messaging/channels/${channelId}/messages?limit=100${query}`;
    const idsOf = (pages: Data[][]): string[] => pages.flat().map(({ id }) => id);

    it('messages, towards older ones', async () => {
      const pages = await walk({
        first: messages(''),
        next: ({ hasMore, nextCursor }) => (hasMore ? messages(`&before=${nextCursor.before}`) : undefined),
        items: (page) => page.messages,
      });
      expect(idsOf(pages)).toEqual([...ids['messages']!].reverse());
    });

    it('messages, towards newer ones', async () => {
      const pages = await walk({
        first: messages('&after=0'),
        next: ({ hasMore, nextCursor }) => (hasMore ? messages(`&after=${nextCursor.after}`) : undefined),
        items: (page) => page.messages,
      });
      expect(idsOf(pages.map((page) => page.reverse()))).toEqual(ids['messages']);
    });

    it.each([undefined, 'cormorant'])('found messages (%s)', async (query) => {
      const found: string[] = [];
      const read = await largestRead(async () => {
        for (let cursor: string | undefined, more = true; more;) {
          const { body } = await api.post('/api/messaging/messages/search', { query, channelId, limit: 100, cursor });
          expect(body.data.messages.length).toBeLessThan(COUNT);
          found.push(...idsOf([body.data.messages]));
          ({ hasMore: more, nextCursor: cursor } = body.data);
        }
      });
      expect(read).toBeLessThan(PAGE_BYTES + 4 * PADDING.length);
      expect([...found].sort()).toEqual([...ids['messages']!].sort());
    });

    it('found messages by page number: the page is whole and read in parts', async () => {
      const found: string[] = [];
      const read = await largestRead(async () => {
        for (const page of [1, 2]) {
          const { body } = await api.post('/api/messaging/messages/search', { channelId, limit: 20, page });
          found.push(...idsOf([body.data.messages]));
        }
      });
      expect(found).toEqual([...ids['messages']!].reverse());
      expect(read).toBeLessThan(PAGE_BYTES + 4 * PADDING.length);
    });

    it('memories, in both directions and by page number', async () => {
      const path = (query: string): string => `/api/memory/${ADA.id}/memories?limit=all${query}`;
      const items = (page: Data): Data[] => page.memories;
      const older = await walk({
        first: path(''),
        next: ({ nextCursor }) => (nextCursor === null ? undefined : path(`&before=${nextCursor}`)),
        items,
      });
      expect(new Set(idsOf(older)).size).toBe(COUNT);
      const newer = await walk({
        first: path('&after=0'),
        next: ({ nextCursor }) => (nextCursor === null ? undefined : path(`&after=${nextCursor}`)),
        items,
      });
      expect(idsOf(newer.map((page) => page.reverse()))).toEqual(idsOf(older).reverse());
      const numbered: Data[][] = [];
      const read = await largestRead(async () => {
        for (const page of [1, 2]) {
          const { body } = await api.get(`/api/memory/${ADA.id}/memories?limit=20&page=${page}`);
          expect(body.data.hasMore).toBe(page === 1);
          numbered.push(body.data.memories);
        }
      });
      expect(numbered.map((page) => page.length)).toEqual([20, COUNT - 20]);
      expect(idsOf(numbered)).toEqual(idsOf(older));
      expect(read).toBeLessThan(PAGE_BYTES + 4 * PADDING.length);
    });

    it('versions of a memory', async () => {
      const path = `/api/memory/${ADA.id}/memories/${memoryId}/history?limit=100`;
      const pages = await walk({
        first: path,
        next: ({ nextCursor }) => (nextCursor === null ? undefined : `${path}&before=${nextCursor}`),
        items: (page) => page.versions,
      });
      expect(pages.flat().map(({ version }) => version)).toEqual(Array.from({ length: COUNT }, (_, index) => COUNT - index));
    });

    it('worlds and message servers', async () => {
      const worlds = await walk({
        first: '/api/agents/worlds',
        next: ({ nextCursor }) => (nextCursor === null ? undefined : `/api/agents/worlds?after=${nextCursor}`),
        items: (page) => page.worlds,
      });
      expect(idsOf(worlds)).toEqual(expect.arrayContaining(ids['worlds']!));
      const servers = '/api/messaging/message-servers?limit=100';
      const pages = await walk({
        first: servers,
        next: ({ nextCursor }) => (nextCursor === null ? undefined : `${servers}&cursor=${nextCursor}`),
        // The answer has the list under two names.
        items: (page) => page.messageServers,
      });
      expect(idsOf(pages)).toEqual(expect.arrayContaining(ids['servers']!));
    });

    it('channels of a server: pages with a limit, and all without one', async () => {
      const path = `/api/messaging/message-servers/${SERVER}/channels`;
      const found: string[] = [];
      const read = await largestRead(async () => {
        for (let cursor: string | null = '', page = ''; cursor !== null; page = `&cursor=${cursor}`) {
          const { headers, body } = await api.get(`${path}?limit=100${page}`);
          expect(body.data.length).toBeLessThan(COUNT);
          found.push(...idsOf([body.data]));
          cursor = headers.get('x-next-cursor');
        }
        expect(idsOf([(await api.get(path)).body.data])).toEqual(found);
        expect((await api.get(`/api/users/${USER}/export`)).status).toBe(200);
      });
      expect(found).toEqual(expect.arrayContaining(ids['channels']!));
      expect(new Set(found).size).toBe(found.length);
      expect(read).toBeLessThan(PAGE_BYTES + 4 * PADDING.length);
    });

    it('the state of a channel over a socket', async () => {
      const socket = await SocketClient.connect(test.url);
      const state: Data = await socket.ask('request-world-state', { channelId });
      expect(state.messages.length).toBeGreaterThan(0);
      expect(JSON.stringify(state).length).toBeLessThan(2.5 * PAGE_BYTES);
      socket.close();
    });

    it('entries of the journal are read in parts that fit in a page', async () => {
      const socket = await SocketClient.connect(test.url);
      const read = await largestRead(async () => {
        await socket.ask('join', { channelId, after: 0 });
        const told = await socket.waitForMany('messageBroadcast', COUNT);
        expect(told.map(({ id }) => id)).toEqual(ids['messages']);
      });
      expect(read).toBeLessThan(PAGE_BYTES + 4 * PADDING.length);
      socket.close();
    });

    it('messages with large attachments, which a page contains under several names', async () => {
      const { body } = await api.post('/api/messaging/channels', { name: 'files', participantCentralUserIds: [USER, ADA.id] });
      const path = `/api/messaging/channels/${body.data.id}/messages`;
      const attachments = [{ url: 'x'.repeat(100_000) }];
      for (let index = 0; index < 12; index += 1) {
        expect((await api.post(path, { author_id: USER, content: 'Hi', attachments })).status).toBe(201);
      }
      const page = (await api.get(path)).body.data;
      expect(page).toMatchObject({ hasMore: true });
      expect(JSON.stringify(page).length).toBeLessThan(1.5 * PAGE_BYTES);
    });
  });
}
