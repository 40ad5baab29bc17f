import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { DEFAULT_SERVER_ID, newId } from '../../../src/core/ids/index.js';
import { FORGOTTEN_USER_ID } from '../../../src/core/personal-data/index.js';
import type { ChatRequest } from '../../../src/providers/models/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, createTestApp, type TestApp } from '../create-test-app.js';
import { FakeClock } from '../fake-clock.js';
import { FakeEmbedding } from '../fake-embedding.js';
import { forgetting } from '../forgetting.js';
import { eventually } from '../memory-app.js';
import { form } from '../uploads.js';

type Data = ApiResponse['body'];

const FILLER = 'The lamp in the hall is bright and the garden behind the house is green. '.repeat(4);
const HEARTBEAT_MS = 10_000;
const JSON_BODY = { 'content-type': 'application/json' };
const PLUGIN = `export default {
  name: 'keeper',
  description: 'Keeps what it is told.',
  routes: [
    { type: 'POST', path: '/hook', public: true, webhook: { verify: () => true, mode: 'ack' }, handler: () => undefined },
    { type: 'POST', path: '/keep', public: true, handler: async ({ body }, response, runtime) => {
      const { userId, text } = body;
      await runtime.memories.create({ entityId: userId, content: { text } });
      await runtime.memories.create({ content: { text }, metadata: { about: userId } });
      await runtime.store.set('user:' + userId, { text });
      await runtime.store.set('last', { userId });
      response.json({ kept: true });
    } },
  ],
};`;

/**
 * Tables without texts or ids of users. A new table fails the audit until it is here, or until the audit plants something in it.
 */
const NOTHING_OF_USERS: Readonly<Record<string, string>> = {
  agents: 'characters, by the operator',
  api_keys: 'names and grants, by the operator',
  deleted_agents: 'ids of agents',
  document_pieces: 'places in documents of the operator',
  embedding_claims: 'ids of memories; deleted with them',
  file_readings: 'ids of files, and what their readers say; deleted with them',
  forget_requests: 'a keyed hash and numbers at the end, checked by every search of this suite',
  forget_scope: 'empty at the end of a request, checked by this suite',
  idempotency_keys: 'sealed, so no search can see it; the suite of forgetting counts the rows',
  installation_key: 'a key',
  journal_floor: 'numbers',
  journal_heads: 'numbers',
  leases: 'ids of processes',
  server_model: 'the model of the server, by the operator',
  memory_places: 'ids of memories; deleted with them',
  memory_sources: 'ids of memories; deleted with them',
  memory_vectors: 'vectors; deleted with their memory',
  message_attachments: 'ids of messages; deleted with them',
  message_places: 'ids of messages; deleted with them',
  message_server_agents: 'ids of agents',
  migrations: 'names of migrations',
  protocol_requests: 'keyed hashes, and ids of messages; deleted with them',
  search_backlog: 'a name of a table, and the key of a row',
  server_versions: 'versions of servers',
  rate_limit_counters: 'numbers; which counter a user has is computed with a key',
  sqlite_sequence: 'numbers',
  sqlite_stat1: 'numbers',
  sqlite_stat4: 'samples of indexes',
  turn_requests: 'sealed, so no search can see it; deleted when the turn ends, and with the message',
  vault_check: 'a sealed constant',
  server_samples: 'sizes of processes and of the database',
  backup_runs: 'names and errors of backups',
};

const systemOf = ({ messages }: ChatRequest): string => messages[0]?.content ?? '';
const isSummary = (request: ChatRequest): boolean => systemOf(request).startsWith('Summarise the conversation');
const isExtraction = (request: ChatRequest): boolean => systemOf(request).startsWith('You keep notes');

/** Plants a word in every table, forgets the user, and searches everything. */
export function describeForgettingAudit(engine: Engine): void {
  describe(`after the deletion of a user's data on ${engine}`, () => {
    let test: TestApp;
    let clock: FakeClock;
    let canary = '';
    const embedding = new FakeEmbedding();
    const api = new ApiClient(() => test.url);
    const { store, tables, rowsWith, filesWith, forget } = forgetting(() => test, engine);
    const rows = (sql: string): Promise<Data[]> => store().readSource.query(sql);
    const tablesWith = async (text: string): Promise<string[]> => [
      ...new Set((await rowsWith(text)).map((row) => row.slice(0, row.indexOf(':')))),
    ];

    beforeAll(async () => {
      clock = new FakeClock();
      test = await createTestApp({
        engine,
        clock,
        embeddings: () => embedding,
        env: {
          RUN_PROMPTS: 'true',
          RATE_LIMIT: 'off',
          MEMORY_EXTRACTION: 'auto',
          CONVERSATION_SUMMARY: 'auto',
          CONVERSATION_TOKENS: '500',
        },
        plugins: { 'keeper.mjs': PLUGIN },
      });
      // The model repeats the word when it reads it, in answers only when the last message has it.
      test.model.always((request) => {
        const seen = isSummary(request) || isExtraction(request) ? request.messages : request.messages.slice(-1);
        const word = seen.some(({ content }) => content.includes(canary)) ? canary : 'nothing';
        if (!isExtraction(request)) return `${isSummary(request) ? 'Summary' : 'Answer'} with ${word}.`;
        return JSON.stringify({ add: word === canary ? [{ text: `Likes ${canary}.`, key: 'topic', sources: [1] }] : [] });
      });
    });
    beforeEach(() => {
      canary = `zqxaudit${newId().replaceAll('-', '')}`;
    });
    afterAll(() => test.close());

    const sent = ({ status, body }: ApiResponse): Data => {
      if (status >= 300) throw new Error(`this was to succeed: ${status} ${JSON.stringify(body)}`);
      return body.data ?? body;
    };
    const channelOf = (users: string[], name: string): Promise<string> =>
      api
        .post('/api/messaging/channels', {
          ...{ name, serverId: DEFAULT_SERVER_ID, type: 'GROUP', description: `About ${users[0]}` },
          ...{ participantCentralUserIds: [...users, ADA.id], metadata: { lower: users[0], upper: users[0]?.toUpperCase() } },
        })
        .then((answer) => sent(answer).channel?.id ?? sent(answer).id);
    const say = async (channelId: string, author_id: string, content: string, more: object = {}): Promise<Data> => {
      clock.advance(1000);
      return sent(await api.post(`/api/messaging/channels/${channelId}/messages`, { author_id, content, transport: 'http', ...more }));
    };
    const inSession = async (sessionId: string, content: string): Promise<Data> => {
      clock.advance(1000);
      return sent(await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' }));
    };
    const summaries = (channelId: string, more = ''): Promise<Data[]> =>
      rows(`SELECT s.* FROM conversation_summaries s JOIN rooms r ON r.id = s.room_id AND r.agent_id = s.agent_id
        WHERE r.channel_id = '${channelId}' ${more}`);
    const idle = (channelId: string): Promise<void> =>
      eventually(async () => {
        clock.advance(HEARTBEAT_MS);
        return (await summaries(channelId, `AND s.status IN ('pending', 'running')`)).length === 0;
      });
    const untilSummarised = async (channelId: string, speak: (text: string) => Promise<unknown>): Promise<void> => {
      for (let said = 0; said < 20 && (await summaries(channelId, 'AND s.text IS NOT NULL')).length === 0; said++) {
        await speak(`w${said} ${FILLER}`);
        await idle(channelId);
      }
      expect((await summaries(channelId))[0].text).toContain(canary);
    };

    it('no table contains any of it', async () => {
      const [userId, other] = [newId(), newId()];
      const server = sent(await api.post('/api/messaging/message-servers', { name: `Server of ${userId}`, metadata: { of: userId } }));
      sent(await api.post(`/api/agents/${ADA.id}/worlds`, { name: `World of ${userId}`, metadata: { of: userId, server: server.id } }));
      sent(await api.post(`/api/agents/${ADA.id}/rooms`, { name: `Room of ${userId}`, entityId: userId, metadata: { of: userId } }));
      sent(await api.post(`/api/agents/${ADA.id}/knowledge`, { name: `Notes on ${userId}.txt`, text: 'The harbour opens at seven.' }));
      const session = sent(await api.post('/api/messaging/sessions', { agentId: ADA.id, userId, metadata: { note: canary, of: userId } }));
      const own = await inSession(session.sessionId, `My word is ${canary}. ${FILLER}`);
      await untilSummarised(session.channelId, (text) => inSession(session.sessionId, text));
      const groupId = await channelOf([userId, other], `Group of ${userId}`);
      const first = await say(groupId, userId, `In the group: ${canary} ${FILLER}`, { metadata: { user_display_name: canary } });
      // A conversation of the user alone, in which facts are noted, and which another user joins.
      const joinedId = await channelOf([userId], 'Joined');
      await say(joinedId, userId, 'Before the other joined.');
      sent(await api.patch(`/api/messaging/channels/${joinedId}`, { participantCentralUserIds: [userId, other, ADA.id] }));
      await say(groupId, other, `The other names ${userId}.`, { metadata: { to: userId.toUpperCase() } });
      await untilSummarised(groupId, (text) => say(groupId, other, text));
      await eventually(async () => {
        clock.advance(5000);
        return (await rows(`SELECT 1 FROM memories WHERE type = 'facts' AND entity_id = '${userId}'`)).length > 0;
      });
      const [memory] = await rows(`SELECT id FROM memories WHERE type = 'messages' AND entity_id = '${userId}' ORDER BY seq DESC`);
      for (const text of [`Edited ${canary}`, `Edited again ${canary}`]) {
        sent(await api.patch(`/api/agents/${ADA.id}/memories/${memory.id}`, { content: { text } }));
      }
      sent(await api.post('/api/messaging/jobs', { userId, content: `A job about ${canary}`, agentId: ADA.id, metadata: { of: userId } }));
      const { url } = sent(
        await api.post(`/api/messaging/channels/${groupId}/upload-media`, form(`Text of ${canary}`, `${canary}.txt`, 'text/plain')),
      );
      await say(groupId, userId, 'A file', { metadata: { attachments: [{ url }] }, attachments: [{ url }] });
      for (const path of ['hook', 'keep']) {
        const body = JSON.stringify({ userId, text: `Kept ${canary}` });
        expect((await fetch(`${test.url}/${path}`, { method: 'POST', headers: JSON_BODY, body })).status).toBeLessThan(300);
      }
      await eventually(async () => {
        clock.advance(1000);
        return (await rows(`SELECT 1 FROM jobs j JOIN turns t ON t.message_id = j.message_id WHERE t.status <> 'done'`)).length === 0;
      });
      const planted = new Set((await Promise.all([canary, userId, own.userMessage.id].map(tablesWith))).flat());
      expect((await tables()).filter((table) => !planted.has(table) && !(table in NOTHING_OF_USERS))).toEqual([]);
      expect([...planted].filter((table) => table in NOTHING_OF_USERS)).toEqual([]);
      const { records } = sent(await api.get(`/api/users/${userId}/export`));
      const told = records.filter(({ kind }: Data) => kind === 'summaries').map(({ record }: Data) => record.text);
      expect(told).toEqual([`Summary with ${canary}.`]);
      const before = await rows('SELECT pos, channel_id, seq, type FROM journal ORDER BY pos');

      const { erased } = await forget(userId);

      await idle(groupId);
      expect(await rowsWith(canary)).toEqual([]);
      expect(await rowsWith(userId)).toEqual([]);
      // Of messages, only the journal keeps the ids.
      for (const { id } of [own.userMessage, first.userMessage]) expect(await tablesWith(id)).toEqual(['journal']);
      expect(await rows('SELECT * FROM forget_scope')).toEqual([]);
      const after = await rows('SELECT pos, channel_id, seq, type FROM journal ORDER BY pos');
      expect(after.slice(0, before.length)).toEqual(before);
      expect(erased).toEqual(
        expect.arrayContaining([
          { kind: 'summaries of own conversations', deleted: 1, redacted: 0 },
          { kind: 'summaries of groups', deleted: 0, redacted: 1 },
        ]),
      );
      // The summary of the group was made anew, from what the other said.
      const [summary] = await summaries(groupId);
      expect(summary).toMatchObject({ text: 'Summary with nothing.', status: 'done' });
      const channel = sent(await api.get(`/api/messaging/channels/${groupId}/details`));
      expect(JSON.stringify(channel)).toContain(`Group of ${FORGOTTEN_USER_ID}`);
      if (engine === 'sqlite') {
        expect(await filesWith(userId)).toEqual([]);
        expect(await filesWith(canary.slice(4))).toEqual([]);
      }
    });

    it('a summary that was being written contains none of it', async () => {
      const [userId, other] = [newId(), newId()];
      const groupId = await channelOf([userId, other], 'Group');
      await say(groupId, userId, `My word is ${canary}. ${FILLER}`);
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      const holding: ChatRequest[] = [];
      const stream = test.model.stream.bind(test.model);
      test.model.stream = async function* (request, options) {
        if (isSummary(request) && holding.length === 0) {
          holding.push(request);
          await held;
        }
        yield* stream(request, options);
      };
      for (let said = 0; said < 20 && holding.length === 0; said++) await say(groupId, userId, `w${said} ${FILLER}`);
      expect(holding[0]?.messages[1]?.content).toContain(canary);
      for (let said = 0; said < 8; said++) await say(groupId, other, `o${said} ${FILLER}`);
      await forget(userId);
      const calls = test.model.requests.length;
      release();
      await test.model.called(calls + 1);
      await idle(groupId);
      await eventually(async () => (await rows(`SELECT 1 FROM usage WHERE kind = 'summary' AND channel_id = '${groupId}'`)).length > 0);
      expect(await rowsWith(canary)).toEqual([]);
      expect(await rowsWith(userId)).toEqual([]);
    });

    it('concurrent requests count as one', async () => {
      const userId = newId();
      const asked = await Promise.all(Array.from({ length: 4 }, () => api.post(`/api/users/${userId}/forget`, {})));
      expect(new Set(asked.map((answer) => sent(answer).requestId)).size).toBe(1);
    });
  });
}
