import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { idForAgent, newId } from '../../../src/core/ids/index.js';
import { Journal } from '../../../src/core/journal/index.js';
import { ApiClient } from '../api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../create-test-app.js';
import { SocketClient } from '../socket-client.js';

const USER = '11111111-1111-1111-1111-111111111111';
const OTHER = '22222222-2222-2222-2222-222222222222';
const CHANNELS = '/api/messaging/channels';
const SEARCH = '/api/messaging/messages/search';

/** Texts that are operators, quotes or worse in the language of some search, and have no word that was said. */
const HOSTILE = [
  '"',
  '""',
  '" "',
  '*',
  'sea*"',
  '-',
  '--',
  '(',
  ')',
  '()',
  'NEAR(',
  'NEAR(a b, 2)',
  'AND',
  'OR',
  'NOT',
  'a AND',
  'NOT a',
  'content:x',
  '{content}: x',
  '^x',
  'x:*',
  'x <-> y',
  '!x',
  'x & | y',
  "'; DROP TABLE messages; --",
  '\\',
  '%',
  '_',
  '?',
  '$1',
  ':',
  '+',
  '<',
  '>',
  '~',
  '\u2028',
  '👋',
  'x'.repeat(1000),
  '"'.repeat(1000),
  '('.repeat(1000),
];

type Found = { content: string }[];

/** What the SQL of messaging promises, on either engine. */
export function describeMessaging(engine: Engine): void {
  describe(`messaging on ${engine}`, () => {
    let test: TestApp;
    let api: ApiClient;
    beforeAll(async () => {
      test = await createTestApp({ engine });
      api = new ApiClient(() => test.url);
    });
    afterAll(() => test.close());

    const newChannel = async (participants = [USER]): Promise<string> =>
      (await api.post(CHANNELS, { name: 'room', participantCentralUserIds: participants })).body.data.id;
    const say = async (channelId: string, content: string, author = USER): Promise<string> =>
      (await api.post(`${CHANNELS}/${channelId}/messages`, { author_id: author, content })).body.data.id;
    const search = async (body: object): Promise<Found> => {
      const answer = await api.post(SEARCH, body);
      expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200 });
      return answer.body.data.messages;
    };
    const texts = (found: Found): string[] => found.map(({ content }) => content);

    describe('search', () => {
      it('finds messages that have all the words, the best match first', async () => {
        const channelId = await newChannel();
        await say(channelId, 'The tide comes in at noon, and there is much more to say about this day by the sea.');
        await say(channelId, 'Noon is when I eat.');
        await say(channelId, 'Tide at noon!');
        await say(channelId, 'Nothing of the kind.');
        expect(texts(await search({ query: 'noon TIDE', channelId }))).toEqual([
          'Tide at noon!',
          'The tide comes in at noon, and there is much more to say about this day by the sea.',
        ]);
        expect(texts(await search({ query: 'tide noon moon', channelId }))).toEqual([]);
        expect(texts(await search({ query: 'tid', channelId }))).toEqual([]);
      });

      it('treats quoted or hyphenated words as a phrase', async () => {
        const channelId = await newChannel();
        await say(channelId, 'red car');
        await say(channelId, 'a car that is red');
        await say(channelId, 'write to red-car@example.com');
        expect(texts(await search({ query: '"red car"', channelId })).sort()).toEqual(['red car', 'write to red-car@example.com']);
        expect(texts(await search({ query: 'red car', channelId }))).toHaveLength(3);
      });

      it('supports other scripts', async () => {
        const channelId = await newChannel();
        await say(channelId, 'Привет, как дела?');
        await say(channelId, 'Schöne Grüße');
        expect(texts(await search({ query: 'ДЕЛА', channelId }))).toEqual(['Привет, как дела?']);
        expect(texts(await search({ query: 'grüße', channelId }))).toEqual(['Schöne Grüße']);
      });

      it('filters by channel, author and time', async () => {
        const [one, two] = [await newChannel(), await newChannel()];
        await say(one, 'kestrel one');
        await say(one, 'kestrel two', OTHER);
        await say(two, 'kestrel three');
        expect(texts(await search({ query: 'kestrel' }))).toHaveLength(3);
        expect(texts(await search({ query: 'kestrel', channelId: one.toUpperCase() }))).toEqual(['kestrel two', 'kestrel one']);
        expect(texts(await search({ query: 'kestrel', authorId: OTHER }))).toEqual(['kestrel two']);
        expect(texts(await search({ query: 'kestrel', channelId: two, authorId: OTHER }))).toEqual([]);
        expect(texts(await search({ authorId: OTHER, channelId: one }))).toEqual(['kestrel two']);
        expect(texts(await search({ channelId: one }))).toEqual(['kestrel two', 'kestrel one']);
        const [last] = (await search({ channelId: two })) as unknown as { created_at: number; createdAt: string }[];
        expect(texts(await search({ query: 'kestrel', channelId: two, from: last!.created_at, to: last!.createdAt }))).toEqual([
          'kestrel three',
        ]);
        expect(texts(await search({ query: 'kestrel', channelId: two, from: last!.created_at + 1 }))).toEqual([]);
        expect(texts(await search({ query: 'kestrel', channelId: two, to: last!.created_at - 1 }))).toEqual([]);
      });

      it('returns nothing, without an error, for texts that are operators elsewhere', async () => {
        await say(await newChannel(), 'x a y sea content and or not near');
        const channelId = await newChannel();
        for (const query of HOSTILE) expect([query, texts(await search({ query, channelId }))]).toEqual([query, []]);
      });

      it('pages by a cursor that keeps its place while messages change', async () => {
        const channelId = await newChannel();
        const said = Array.from({ length: 10 }, (_, index) => `heron ${'and '.repeat(index % 3)}${index}`);
        for (const text of said) await say(channelId, text);
        for (const query of ['heron', undefined]) {
          const seen: string[] = [];
          let cursor: string | undefined;
          for (let pages = 0; pages < 6; pages += 1) {
            const { data } = (await api.post(SEARCH, { query, channelId, limit: 2, cursor })).body;
            seen.push(...texts(data.messages));
            cursor = data.nextCursor;
            expect(data.hasMore).toBe(cursor !== undefined);
            if (cursor === undefined) break;
            if (pages === 1) await say(await newChannel(), 'heron heron heron');
          }
          expect(seen).toHaveLength(10);
          expect([...seen].sort()).toEqual([...said].sort());
          expect(texts(await search({ query, channelId, limit: 4, offset: 4 }))).toEqual(seen.slice(4, 8));
          expect(texts(await search({ query, channelId, limit: 4, page: 2 }))).toEqual(seen.slice(4, 8));
        }
      });

      it('pages through more messages than it sorts at once, each once', async () => {
        const { id: serverId } = (await api.post('/api/messaging/message-servers', { name: 'Busy' })).body.data;
        const platform = { platform: 'busy', channelId: 'all', message_server_id: serverId };
        for (let batch = 0; batch < 6; batch += 1) {
          const messages = Array.from({ length: 100 }, (_, index) => ({
            id: `${batch}-${index}`,
            authorId: 'x',
            content: `gannet ${batch * 100 + index}`,
          }));
          await api.post('/api/messaging/ingest-external', { ...platform, messages });
        }
        const seen: string[] = [];
        for (let cursor: string | undefined, pages = 0; pages < 20; pages += 1) {
          const { data } = (await api.post(SEARCH, { query: 'gannet', limit: 100, cursor })).body;
          expect(data.messages).toHaveLength(100);
          seen.push(...texts(data.messages));
          cursor = data.nextCursor;
          if (cursor === undefined) break;
        }
        expect([seen.length, new Set(seen).size]).toEqual([600, 600]);
      });

      it('follows edits, deletions, cleared channels and deleted channels [memory.of-messages]', async () => {
        const channelId = await newChannel();
        const query = 'pelican';
        const edited = await say(channelId, 'pelican one');
        const deleted = await say(channelId, 'pelican two');
        await api.patch(`/api/messaging/messages/${edited}`, { content: 'a stork' });
        expect(texts(await search({ query }))).toEqual(['pelican two']);
        expect(texts(await search({ query: 'stork' }))).toEqual(['a stork']);
        await api.delete(`${CHANNELS}/${channelId}/messages/${deleted}`);
        expect(await search({ query })).toEqual([]);
        await say(channelId, 'pelican three');
        await api.delete(`${CHANNELS}/${channelId}/messages`);
        expect(await search({ query })).toEqual([]);
        await say(channelId, 'pelican four');
        expect(await search({ query })).toHaveLength(1);
        await api.delete(`${CHANNELS}/${channelId}`);
        expect(await search({ query })).toEqual([]);
      });
    });

    describe('an edit', () => {
      it('reaches clients in the channel, appears in the history, and affects later replies', async () => {
        test.model.reply('Noted.').reply('You said tea.');
        const channelId = await newChannel([USER, ADA.id]);
        const client = await SocketClient.connect(test.url);
        try {
          await client.ask('join', { channelId });
          const ask = { author_id: USER, transport: 'http' };
          const id = (
            await api.post(`${CHANNELS}/${channelId}/messages`, {
              ...ask,
              content: 'I drink coffee.',
              raw_message: { text: 'I drink coffee.' },
            })
          ).body.data.id;
          const edit = await api.patch(`/api/messaging/messages/${id}`, { content: 'I drink tea.', metadata: { edited: true } });
          expect(edit.body.data).toMatchObject({
            id,
            content: 'I drink tea.',
            rawMessage: { text: 'I drink tea.' },
            metadata: { edited: true },
          });
          expect(await client.waitFor('messageUpdated')).toMatchObject({ id, text: 'I drink tea.', channelId });
          expect((await api.get(`/api/messaging/messages/${id}`)).body.data).toEqual(edit.body.data);
          await api.post(`${CHANNELS}/${channelId}/messages`, { ...ask, content: 'What do I drink?' });
          const seen = test.model.requests
            .at(-1)
            ?.messages.map(({ content }) => content)
            .join('\n');
          expect(seen).toContain('I drink tea.');
          expect(seen).not.toContain('coffee');
          const memory = idForAgent(ADA.id, `${id}-${ADA.id}`);
          expect((await api.patch(`/api/memory/${ADA.id}/memories/${memory}`, {})).body.data.memory.content.text).toBe('I drink tea.');
        } finally {
          client.close();
        }
      });

      it.each([
        ['one after another', false],
        ['concurrently', true],
      ])('and another %s are both in the journal, and the later one applies', async (_name, atOnce) => {
        const channelId = await newChannel();
        const id = await say(channelId, 'first');
        const edit = (content: string): Promise<unknown> => api.patch(`/api/messaging/messages/${id}`, { content });
        if (atOnce) await Promise.all(['a', 'b', 'c'].map(edit));
        else for (const content of ['a', 'b', 'c']) await edit(content);
        const entries = (await test.app.get(Journal).read(channelId, 0)).flatMap((entry) =>
          entry.type === 'message.updated' ? [entry.payload.content] : [],
        );
        expect([...entries].sort()).toEqual(['a', 'b', 'c']);
        expect((await api.get(`/api/messaging/messages/${id}`)).body.data.content).toBe(entries.at(-1));
      });
    });

    describe('a job', () => {
      it('ends with its reply also when the server was stopped meanwhile [jobs.end]', async () => {
        const calls = test.model.requests.length;
        test.model.stall();
        const asked = await api.post('/api/messaging/jobs', { userId: USER, content: 'Are you there?', timeoutMs: 300_000 });
        const job = `/api/messaging/jobs/${asked.body.data.jobId}`;
        const { channelId } = (await api.get(job)).body.data;
        await test.model.called(calls + 1);
        await test.restart();
        test.model.reply('Here I am.');
        const done = new AbortController();
        for await (const { type } of test.app.get(Journal).follow(channelId, 0, done.signal)) if (type === 'turn.finished') done.abort();
        expect((await api.get(job)).body.data).toMatchObject({
          status: 'completed',
          result: { didRespond: true, message: { content: 'Here I am.' } },
        });
        expect((await api.get('/api/messaging/jobs?status=completed')).body.data).toMatchObject({ total: 1, filtered: 1 });
        const health = (await api.get('/api/messaging/jobs/health')).body.data;
        expect(health).toMatchObject({ totalJobs: 1, statusCounts: { completed: 1, failed: 0 }, metrics: { successRate: 1 } });
        expect(health.metrics.averageProcessingTimeMs).toBeGreaterThan(0);
      });
    });

    describe('concurrently', () => {
      it('many requests for a direct channel get the same one', async () => {
        const [one, other] = [newId(), newId()];
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            api.get(`/api/messaging/dm-channel?currentUserId=${index % 2 ? one : other}&targetUserId=${index % 2 ? other : one}`),
          ),
        );
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
        expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
      });

      it('agents join a channel, and all of them are in it', async () => {
        const channelId = await newChannel();
        await Promise.all([ADA.id, BOB.id].map((agentId) => api.post(`${CHANNELS}/${channelId}/agents`, { agentId })));
        expect((await api.get(`${CHANNELS}/${channelId}/agents`)).body.data.agents.sort()).toEqual([ADA.id, BOB.id].sort());
      });

      it('a platform sends its channels twice, and each is stored once', async () => {
        const { id } = (await api.post('/api/messaging/message-servers', { name: 'Guild' })).body.data;
        const channels = Array.from({ length: 5 }, (_, index) => ({ sourceId: String(index), name: `c${index}` }));
        const path = `/api/messaging/message-servers/${id}/sync-channels`;
        const answers = await Promise.all([api.post(path, { channels }), api.post(path, { channels })]);
        expect(answers.map(({ body }) => body.data.synced)).toEqual([5, 5]);
        expect((await api.get(`/api/messaging/message-servers/${id}/channels`)).body.data).toHaveLength(5);
      });
    });
  });
}
