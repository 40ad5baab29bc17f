import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Reader, UnitOfWork, type Engine, type Statement } from '../../../src/core/database/index.js';
import { DEFAULT_SERVER_ID, newId } from '../../../src/core/ids/index.js';
import { Journal } from '../../../src/core/journal/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../create-test-app.js';

const ADMIN = 'the administrator of the tests';
/** More than SQLite takes as variables of a statement (32,766). */
const CHANNELS = 41_000;
const COUNT = 'WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < CAST(? AS integer))';
/** Of the numbered channel or server; the same length for each, so that the order of texts is that of numbers. */
const ID = `substr(CAST(100000000 + n AS varchar), 2, 8) || '-0000-4000-8000-000000000000'`;
const numbered = (n: number): string => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
const idOf = (kind: string, number: number): string => `${kind}000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** What one request and one unit of work may cost where there is much of everything, on one engine. */
export function describeLargeInstallation(engine: Engine): void {
  describe(`an installation with ${CHANNELS} channels on ${engine}`, () => {
    let test: TestApp;
    const api = new ApiClient(() => test.url);
    const as = (token = ADMIN): { headers: Record<string, string> } => ({ headers: { 'x-api-key': token } });
    // Not by `api`, which holds each answer against the document: these are tens of megabytes.
    const list = async (query = '', token = ADMIN, server = DEFAULT_SERVER_ID): Promise<ApiResponse> => {
      const answer = await fetch(`${test.url}/api/messaging/message-servers/${server}/channels${query}`, as(token));
      return { status: answer.status, headers: answer.headers, body: await answer.json() };
    };
    const ids = ({ body }: ApiResponse): string[] => body.data.map(({ id }: { id: string }) => id);
    const commit = (...statements: Statement[]): Promise<unknown> => test.app.get(UnitOfWork).commit(statements);
    const keyOf = async (...agents: string[]): Promise<string> =>
      (await api.post('/api/keys', { name: 'x', scope: 'read', agents }, as())).body.data.token;

    beforeAll(async () => {
      test = await createTestApp({ engine, env: { API_KEY: ADMIN, RATE_LIMIT: 'off' } });
      // Ten of the same instant. Of ten, one is Ada's, one is shared, one has no participants, and the rest are Bob's.
      await commit(
        {
          sql: `INSERT INTO channels (id, server_id, name, type, channel_type, metadata, turn_policy, created_at, updated_at)
            ${COUNT} SELECT ${ID}, CAST(? AS varchar), 'channel', 'text', 'GROUP', '{}', 'enqueue', n / 10, 0 FROM count`,
          params: [CHANNELS, DEFAULT_SERVER_ID],
        },
        {
          sql: `INSERT INTO channel_participants (channel_id, entity_id, kind, joined_at)
            ${COUNT} SELECT ${ID}, CAST(? AS varchar), 'agent', 0 FROM count WHERE n % 10 < 2`,
          params: [CHANNELS, ADA.id],
        },
        {
          sql: `INSERT INTO channel_participants (channel_id, entity_id, kind, joined_at)
            ${COUNT} SELECT ${ID}, CAST(? AS varchar), 'agent', 0 FROM count WHERE n % 10 <> 0 AND n % 10 <> 2`,
          params: [CHANNELS, BOB.id],
        },
        // As autovacuum does behind so many rows.
        ...(engine === 'postgres' ? ['channels', 'channel_participants'].map((name) => ({ sql: `ANALYZE ${name}`, params: [] })) : []),
      );
    });
    afterAll(() => test.close());
    afterEach(() => void jest.restoreAllMocks());

    /** The most that a query gave back, and the most that a query was given, while this was done. */
    async function largestQuery<T>(work: () => Promise<T>): Promise<{ done: T; rows: number; params: number }> {
      const rows = jest.spyOn(test.app.get(Reader), 'rows');
      const done = await work();
      const given = await Promise.all(rows.mock.results.map(async ({ value }) => ((await value) as unknown[]).length));
      return { done, rows: Math.max(...given), params: Math.max(...rows.mock.calls.map(([, params = []]) => params.length)) };
    }

    it('lists all of them, in order', async () => {
      const { done, rows } = await largestQuery(() => list());
      const shown = ids(done);
      expect(shown).toHaveLength(CHANNELS + 1);
      expect(new Set(shown).size).toBe(CHANNELS + 1);
      const times = done.body.data.map(({ createdAt }: { createdAt: string }) => Date.parse(createdAt));
      expect(times.every((time: number, index: number) => index === 0 || time >= times[index - 1])).toBe(true);
      // A page and one row behind it.
      expect(rows).toBeLessThanOrEqual(201);
    });

    it("lists a restricted key's own, with few parameters for any number", async () => {
      const { done, rows, params } = await largestQuery(async () => list('', await keyOf(ADA.id)));
      expect(ids(done)).toHaveLength(CHANNELS / 10);
      const wanted = Array.from({ length: CHANNELS / 10 }, (_, index) => numbered((index + 1) * 10));
      expect(ids(done)).toEqual(wanted);
      expect([rows <= 201, params < 20]).toEqual([true, true]);
    });

    it('lists the channels of a key restricted to a thousand agents', async () => {
      const others = Array.from({ length: 998 }, () => newId());
      const both = ids(await list('', await keyOf(ADA.id, BOB.id, ...others)));
      expect(both).toHaveLength((CHANNELS / 10) * 9 + 1);
      expect(ids(await list('', await keyOf(...others)))).toEqual([]);
    });

    it('returns full pages to a restricted key, one after the other', async () => {
      const key = await keyOf(ADA.id);
      const all = ids(await list('', key));
      const paged: string[] = [];
      for (let cursor = ''; ;) {
        const answer = await list(`?limit=1000${cursor}`, key);
        paged.push(...ids(answer));
        const next = answer.headers.get('x-next-cursor');
        if (next === null) break;
        expect(ids(answer)).toHaveLength(1000);
        cursor = `&cursor=${next}`;
      }
      expect(paged).toEqual(all);
    });

    it('removes an agent from a message server with many channels, and deletes it, in units of limited size', async () => {
      const server = (await api.post('/api/messaging/message-servers', { name: 'Large', sourceType: 'test' }, as())).body.data.id;
      await api.post(`/api/messaging/message-servers/${server}/agents`, { agentId: ADA.id }, as());
      const many = 250;
      await commit(
        {
          sql: `INSERT INTO channels (id, server_id, name, type, channel_type, metadata, turn_policy, created_at, updated_at)
            ${COUNT} SELECT 'e' || substr(${ID}, 2), CAST(? AS varchar), 'c', 'text', 'GROUP', '{}', 'enqueue', n, 0 FROM count`,
          params: [many, server],
        },
        ...[ADA, BOB].map(({ id }) => ({
          sql: `INSERT INTO channel_participants (channel_id, entity_id, kind, joined_at)
            SELECT id, CAST(? AS varchar), 'agent', 0 FROM channels WHERE server_id = ?`,
          params: [id, server],
        })),
      );
      const units = jest.spyOn(test.app.get(UnitOfWork), 'run');
      const journal = test.app.get(Journal);
      const before = await journal.head();
      expect((await api.delete(`/api/messaging/message-servers/${server}/agents/${ADA.id}`, as())).status).toBe(200);
      expect([units.mock.calls.length, (await journal.head()) - before]).toEqual([3, many]);
      expect(ids(await list('', await keyOf(BOB.id), server))).toHaveLength(many);
      units.mockClear();
      expect((await api.delete(`/api/messaging/message-servers/${server}`, as())).status).toBe(204);
      // One entry is the server's.
      expect([units.mock.calls.length, (await journal.head()) - before]).toEqual([3, 2 * many + 1]);
      expect((await list('', ADMIN, server)).status).toBe(404);
    });

    it('changes the participants of a channel with thousands in a few statements', async () => {
      const people = Array.from({ length: 3_000 }, (_, index) => idOf('aa', index));
      const units = jest.spyOn(test.app.get(UnitOfWork), 'commit');
      const created = await api.post('/api/messaging/channels', { name: 'full', participantCentralUserIds: [ADA.id, ...people] }, as());
      const { id } = created.body.data;
      expect(Math.max(...units.mock.calls.map(([statements]) => statements.length))).toBeLessThan(10);
      const path = `/api/messaging/channels/${id}`;
      const participants = async (): Promise<string[]> => (await api.get(`${path}/participants`, as())).body.data;
      expect(await participants()).toEqual([ADA.id, ...people].sort());
      expect((await api.post(`${path}/agents`, { agentId: BOB.id }, as())).status).toBe(201);
      expect(await participants()).toEqual([...[ADA.id, ...people].sort(), BOB.id]);
      const others = Array.from({ length: 1_000 }, (_, index) => idOf('bb', index));
      const next = [BOB.id, ...people.slice(1_500), ...others];
      expect((await api.patch(path, { participantCentralUserIds: next }, as())).status).toBe(200);
      expect((await participants()).sort()).toEqual([...next].sort());
      const expanded = (await api.get(`${path}/participants?expand=true`, as())).body.data;
      expect(expanded).toHaveLength(next.length);
      expect(expanded).toContainEqual(expect.objectContaining({ id: BOB.id, name: BOB.name, role: 'agent' }));
    });
  });
}
