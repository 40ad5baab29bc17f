// GET and DELETE of /api/memory/{agentId}/memories and below, also under /api/agents/{agentId}
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UnitOfWork } from '../../src/core/database/index.js';
import { idForAgent, newId } from '../../src/core/ids/index.js';
import { AgentMemory, Recall } from '../../src/modules/memory/index.js';
import { ModelRegistry } from '../../src/providers/models/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError, expectHybrid } from '../support/expect-envelope.js';
import { FakeEmbedding } from '../support/fake-embedding.js';
import { contractApp, NOBODY, SESSIONS } from './support/contract-app.js';
import { describePathId } from './support/describe-operation.js';
import { expectShape } from './support/shapes.js';

const MEMORY = {
  id: expect.any(String),
  type: expect.any(String),
  createdAt: expect.any(Number),
  content: expect.any(Object),
  entityId: expect.any(String),
  agentId: ADA.id,
  roomId: expect.any(String),
  unique: true,
  metadata: expect.any(Object),
};

const BAD_QUERIES = [
  ...['limit=0', 'limit=1001', 'limit=x', 'limit=-1', 'limit=1.5', 'count=0', 'count=all', 'offset=-1', 'offset=x', 'page=0', 'page=x'],
  ...['roomId=x', 'channelId=x', 'entityId=x', 'includeEmbedding=yes', 'unique=1', 'from=soon', 'to=soon', 'start=x', 'end=x'],
  ...['before=x', 'after=x', 'before=MTIz', 'tableName=', 'search='],
];

describe.each(['/api/memory', '/api/agents'])('memories under %s', (base) => {
  const app = contractApp();
  const { api } = app;
  const path = (agentId: string = ADA.id): string => `${base}/${agentId}/memories`;
  const memory = (): AgentMemory => app.test.app.get(AgentMemory);
  const list = async (
    query = '',
  ): Promise<{ memories: { id: string; content: { text: string } }[]; nextCursor: string | null; hasMore: boolean }> =>
    expectData(await api.get(`${path()}?${query}`));
  const texts = async (query = ''): Promise<string[]> => (await list(query)).memories.map(({ content }) => content.text);
  const remember = (text: string, more: object = {}): Promise<string> =>
    memory().create(ADA.id, { type: 'facts', content: { text }, metadata: {}, ...more });

  beforeEach(async () => {
    await api.delete(path());
    await api.delete(path(BOB.id));
    app.clock.advance(1000);
  });

  describe('GET', () => {
    describePathId('agentId', { send: (id) => api.get(path(id)), unknown: 'AGENT_NOT_FOUND' });

    it('lists messages, newest first, and other kinds by tableName or type', async () => {
      app.test.model.reply('I like it too.');
      const { sessionId, channelId } = await app.newSession();
      await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'I like tea.', transport: 'http' });
      const fact = await remember('Tea is a drink.');
      const { memories, nextCursor, hasMore } = await list();
      expect({ nextCursor, hasMore }).toEqual({ nextCursor: null, hasMore: false });
      for (const one of memories) expectShape(one, { ...MEMORY, type: 'messages' });
      expect(memories.map(({ content }) => content.text).sort()).toEqual(['I like it too.', 'I like tea.']);
      const roomId = idForAgent(ADA.id, channelId);
      expect(await texts(`roomId=${roomId}`)).toHaveLength(2);
      expect(await texts(`channelId=${channelId}`)).toHaveLength(2);
      expect(await texts(`entityId=${ADA.id}`)).toEqual(['I like it too.']);
      expect(await texts(`roomId=${NOBODY}`)).toEqual([]);
      for (const kind of ['tableName=facts', 'type=facts']) expect((await list(kind)).memories.map(({ id }) => id)).toEqual([fact]);
    });

    it('lists the same for every X-Entity-Id [memory.entity-header]', async () => {
      await remember('Tea is a drink.');
      const { body } = await api.get(path(), { headers: { 'x-entity-id': NOBODY } });
      expect(body.data).toEqual(await list());
    });

    it('pages through memories of the same millisecond, each once, in both directions, over deletions and a full last page [memory.pages]', async () => {
      const ids = new Set<string>();
      for (let number = 0; number < 6; number++) ids.add(await remember(`Fact ${number}.`));
      const all = (await list('type=facts')).memories.map(({ id }) => id);
      expect(new Set(all)).toEqual(ids);
      const seen: string[] = [];
      let page = await list('type=facts&limit=2');
      for (;;) {
        seen.push(...page.memories.map(({ id }) => id));
        if (page.nextCursor === null) break;
        // What the cursor points at may go.
        if (seen.length === 2) await api.delete(`${path()}/${seen[1]}`);
        page = await list(`type=facts&limit=2&before=${page.nextCursor}`);
      }
      expect(seen).toEqual(all);
      expect(page.hasMore).toBe(false);
      const back: string[][] = [];
      let after = Buffer.from(`0_${NOBODY}`).toString('base64url');
      for (;;) {
        const next = await list(`type=facts&limit=2&after=${after}`);
        back.unshift(next.memories.map(({ id }) => id));
        if (next.nextCursor === null) break;
        after = next.nextCursor;
      }
      expect(back.flat()).toEqual(all.filter((id) => id !== seen[1]));
    });

    it('accepts the paging and time parameters of the client and of the published text [memory.pages] [clients.times]', async () => {
      const start = app.clock.now();
      for (const text of ['one', 'two', 'three']) {
        await remember(text);
        app.clock.advance(60_000);
      }
      const at = (minutes: number): number => start + minutes * 60_000;
      const iso = (minutes: number): string => new Date(at(minutes)).toISOString();
      const printed = (minutes: number): string => encodeURIComponent(new Date(at(minutes)).toString());
      const cases: [query: string, texts: string[]][] = [
        ['limit=2', ['three', 'two']],
        ['count=1', ['three']],
        ['limit=all', ['three', 'two', 'one']],
        ['limit=1&offset=1', ['two']],
        ['limit=1&page=3', ['one']],
        [`from=${at(1)}`, ['three', 'two']],
        [`from=${iso(1)}&to=${iso(1)}`, ['two']],
        [`start=${at(1)}&end=${at(1)}`, ['two']],
        [`from=${printed(1)}`, ['three', 'two']],
        [`before=${at(2)}`, ['two', 'one']],
        [`after=${at(0)}`, ['three', 'two']],
        ['search=TW', ['two']],
        ['search=%25', []],
        ['search=_', []],
        [`search=${encodeURIComponent("' OR 1=1 --")}`, []],
        ['unique=true', ['three', 'two', 'one']],
      ];
      for (const [query, expected] of cases) expect([query, await texts(`type=facts&${query}`)]).toEqual([query, expected]);
    });

    it('returns vectors on request', async () => {
      jest.spyOn(app.test.app.get(ModelRegistry), 'embeddings').mockReturnValue(new FakeEmbedding());
      const id = await remember('Tea.');
      const { dimension } = new FakeEmbedding();
      await api.patch(`${path()}/${id}`, { embedding: Array.from({ length: dimension }, () => 1) });
      const [plain] = (await list('type=facts')).memories;
      expect(plain).not.toHaveProperty('embedding');
      const [full] = (await list('type=facts&includeEmbedding=true')).memories;
      expect((full as unknown as { embedding: number[] }).embedding).toHaveLength(dimension);
    });

    it.each(BAD_QUERIES)('refuses ?%s', async (query) => {
      const answer = await api.get(`${path()}?${query}`);
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain(query.split('=')[0]);
    });

    it('hides memories of other agents', async () => {
      await memory().create(BOB.id, { type: 'facts', content: { text: 'Hush.' }, metadata: {} });
      expect(await texts('type=facts')).toEqual([]);
    });
  });

  describe('GET {memoryId}', () => {
    describePathId('memoryId', { send: (id) => api.get(`${path()}/${id}`), unknown: 'MEMORY_NOT_FOUND' });

    it('returns one memory, to its agent only', async () => {
      const id = await remember('Tea.');
      expectShape(expectData(await api.get(`${path()}/${id}`)), { ...MEMORY, id, content: { text: 'Tea.' } });
      expectError(await api.get(`${path(BOB.id)}/${id}`), 404, 'MEMORY_NOT_FOUND');
    });
  });

  describe('DELETE {memoryId}', () => {
    describePathId('memoryId', { send: (id) => api.delete(`${path()}/${id}`), unknown: 'MEMORY_NOT_FOUND' });

    it('deletes it, with the pieces of a document, from lists and recall', async () => {
      const document = await remember('A book about the tides of Lisbon.', { type: 'documents' });
      await remember('Tides rise.', { type: 'fragments', metadata: { documentId: document, position: 0 } });
      const other = await remember('Tides fall.', { type: 'fragments', metadata: { documentId: newId(), position: 0 } });
      const recalled = async (): Promise<string[]> => {
        const found = await app.test.app.get(Recall).relevant(ADA.id, 'tides of Lisbon', { limit: 10, budgetMs: 1000 });
        return found.map(({ text }) => text);
      };
      expect(await recalled()).toEqual(['A book about the tides of Lisbon.']);
      expectError(await api.delete(`${path(BOB.id)}/${document}`), 404, 'MEMORY_NOT_FOUND');
      const answer = await api.delete(`${path()}/${document}`, { headers: { 'content-type': 'application/json' } });
      expect(expectHybrid(answer)).toEqual({ success: true, message: 'Memory deleted successfully' });
      expect((await list('type=fragments')).memories.map(({ id }) => id)).toEqual([other]);
      expect(await recalled()).toEqual(['Tides fall.']);
      expectError(await api.delete(`${path()}/${document}`), 404, 'MEMORY_NOT_FOUND');
    });
  });

  describe('DELETE', () => {
    describePathId('agentId', { send: (id) => api.delete(path(id)), unknown: 'AGENT_NOT_FOUND' });
    describePathId('agentId', { send: (id) => api.delete(`${path(id)}/all/${NOBODY}`), unknown: 'AGENT_NOT_FOUND' });

    it('deletes all memories of the agent, and no others; more than one batch, too', async () => {
      await memory().create(BOB.id, { type: 'facts', content: { text: 'Mine.' }, metadata: {} });
      await remember('One.');
      await remember('Two.', { type: 'documents' });
      await fill(1200);
      expect(expectHybrid(await api.delete(path()))).toMatchObject({ success: true, deleted: 1202 });
      expect(await texts('type=facts')).toEqual([]);
      expect(await memory().list(BOB.id, {})).toHaveLength(1);
      expect(expectHybrid(await api.delete(path())).deleted).toBe(0);
    });

    it('all/{roomId} deletes the memories of a room permanently [memory.deletion]', async () => {
      const { id: roomId } = expectData(await api.post(`/api/agents/${ADA.id}/rooms`, { name: 'Tea room' }), 201);
      await remember('In the room.', { roomId });
      await remember('Elsewhere.');
      expectError(await api.delete(`${path()}/all/x`), 400, 'INVALID_ID');
      expect(expectHybrid(await api.delete(`${path()}/all/${roomId}`)).deleted).toBe(1);
      expect(await texts('type=facts')).toEqual(['Elsewhere.']);
    });

    it("all/{roomId} accepts a channel's id, too, and refuses an unknown room", async () => {
      app.test.model.reply('Hello.');
      const { sessionId, channelId } = await app.newSession();
      await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Hello!', transport: 'http' });
      expect(expectHybrid(await api.delete(`${path()}/all/${channelId}`)).deleted).toBe(2);
      expectError(await api.delete(`${path()}/all/${NOBODY}`), 404, 'ROOM_NOT_FOUND');
    });
  });

  it('hide the cause of an internal error', async () => {
    const id = await remember('Tea.');
    app.breakStorage();
    expectError(await api.delete(`${path()}/${id}`), 500, 'INTERNAL_ERROR');
    expectError(await api.delete(path()), 500, 'INTERNAL_ERROR');
  });

  /** Facts straight into the table. */
  async function fill(count: number): Promise<void> {
    await app.test.app.get(UnitOfWork).commit(
      Array.from({ length: count }, (_, index) => ({
        sql: `INSERT INTO memories (id, agent_id, room_id, entity_id, world_id, type, content, metadata, is_unique, seq, embedded_by, created_at)
          VALUES (?, ?, ?, ?, NULL, 'facts', '{"text":"x"}', '{}', ?, NULL, 'none', ?)`,
        params: [newId(), ADA.id, ADA.id, ADA.id, true, index],
      })),
    );
  }
});
