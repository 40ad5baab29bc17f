// Paging through the messages of a session and of a channel (contract 2.10): the same rules at both doors
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../support/api-client.js';
import { ADA } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { CHANNELS, contractApp, SESSIONS, SUBMIT } from './support/contract-app.js';

type Page = { messages: { content: string }[]; hasMore: boolean; cursors?: object; nextCursor?: { before: string; after: string } };

const T0 = Date.UTC(2026, 0, 1);
const iso = (ms: number): string => new Date(T0 + ms).toISOString();

/** When each message was written, ms after T0: four of them in the same millisecond. */
const WRITTEN: Record<string, number> = { a: 0, b: 1000, c: 1000, d: 1000, e: 1000, f: 2000, g: 2001 };

/** What a query answers: the messages, newest first, and whether there are more. */
const QUERIES: [query: string, shown: string, hasMore: boolean][] = [
  ['', 'gfedcba', false],
  ['limit=3', 'gfe', true],
  ['limit=6', 'gfedcb', true],
  ['limit=7', 'gfedcba', false],
  ['limit=8', 'gfedcba', false],

  ['limit=0', 'g', true],
  ['limit=-1', 'g', true],
  ['limit=-99999', 'g', true],
  ['limit=many', 'gfedcba', false],
  ['limit=2.5', 'gfedcba', false],
  ['limit=', 'gfedcba', false],
  ['limit=1&limit=2', 'gfedcba', false],

  [`before=${T0 + 2001}`, 'fedcba', false],
  [`before=${T0 + 2000}`, 'edcba', false],
  [`before=${T0 + 1001}`, 'edcba', false],
  [`before=${T0 + 1000}`, 'a', false],
  [`before=${T0 + 2000}&limit=2`, 'ed', true],
  [`before=${T0 + 2000}&limit=5`, 'edcba', false],
  [`before=${T0}`, '', false],
  ['before=0', '', false],
  ['before=', 'gfedcba', false],
  [`before=${iso(2000)}`, 'edcba', false],
  [`before=${encodeURIComponent('2026-01-01T01:00:02+01:00')}`, 'edcba', false],
  ['before=2026-01-01', '', false],

  [`after=${T0}`, 'gfedcb', false],
  [`after=${T0 + 999}`, 'gfedcb', false],
  [`after=${T0 + 1000}`, 'gf', false],
  [`after=${T0}&limit=2`, 'cb', true],
  [`after=${T0}&limit=6`, 'gfedcb', false],
  [`after=${T0 + 2001}`, '', false],
  ['after=0', 'gfedcba', false],
  [`after=${iso(1000)}`, 'gf', false],

  [`after=${T0}&before=${T0 + 2000}`, 'edcb', false],
  [`after=${T0}&before=${T0 + 2000}&limit=3`, 'edc', true],
  [`after=${T0}&before=${T0 + 2000}&limit=4`, 'edcb', false],
  [`after=${iso(0)}&before=${T0 + 2001}`, 'fedcb', false],
  [`after=${T0 + 2000}&before=${T0}`, '', false],
  ['page=2&offset=3&color=red', 'gfedcba', false],
];

const opaque = (text: string): string => Buffer.from(text).toString('base64url');

const NO_CURSORS: [name: string, cursor: string][] = [
  ['a word', 'yesterday'],
  ['a number with a word behind it', '12abc'],
  ['a number with white space', '%2012'],
  ['a fraction', '1.5'],
  ['NaN', 'NaN'],
  ['null', 'null'],
  ['an object', '{}'],
  ['a date that does not exist', '2026-13-45'],
  ['a time that does not exist', '2026-01-01T25:00:00Z'],
  ['a date with something behind it', '2026-01-01x'],
  ['the inside of an opaque cursor', 'm5'],
  ['an opaque cursor of something else', opaque('x5')],
  ['an opaque cursor without its number', opaque('m')],
  ['an opaque cursor with something behind it', `${opaque('m5')}!!`],
  ['a UUID', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
];

const TRAVERSALS: [door: 'session' | 'channel', limit: number][] = [1, 2, 7, 50, 100].flatMap(
  (limit): [door: 'session' | 'channel', limit: number][] => [
    ['session', limit],
    ['channel', limit],
  ],
);

/** So many that no page holds them, half of them in one millisecond and the rest in another. */
const MANY = 104;
/** A page for each of them would be slow: the pages of one message go through this many. */
const FEW = 8;

describe('paging through messages', () => {
  const app = contractApp();
  const { api } = app;
  const paths = { session: '', channel: '' };
  const many = { session: '', channel: '' };
  const few = { session: '', channel: '' };

  const get = (path: string, query: string): Promise<ApiResponse> => api.get(`${path}?${query}`);
  const page = async (path: string, query: string): Promise<Page> => {
    const answer = await get(path, query);
    expect(answer.status).toBe(200);
    return answer.body.data as Page;
  };
  const contents = ({ messages }: Page): string[] => messages.map(({ content }) => content);

  async function place(target: typeof paths): Promise<(content: string) => Promise<void>> {
    const { sessionId, channelId } = await app.newSession({ timeoutConfig: { timeoutMinutes: 1440 } });
    Object.assign(target, { session: `${SESSIONS}/${sessionId}/messages`, channel: `${CHANNELS}/${channelId}/messages` });
    return async (content) => {
      expect((await api.post(SUBMIT, { channel_id: channelId, author_id: ADA.id, content })).status).toBe(201);
    };
  }

  beforeAll(async () => {
    const write = await place(paths);
    for (const [content, at] of Object.entries(WRITTEN)) {
      app.clock.set(T0 + at);
      await write(content);
    }
    const writeMany = await place(many);
    for (let index = 0; index < MANY; index += 1) {
      if (index === MANY / 2) app.clock.advance(1);
      await writeMany(String(index));
    }
    const writeFew = await place(few);
    for (let index = 0; index < FEW; index += 1) await writeFew(String(index));
  });

  describe.each(['session', 'channel'] as const)('of a %s', (door) => {
    it.each(QUERIES)('with ?%s shows "%s" and hasMore %s', async (query, shown, hasMore) => {
      const answer = await page(paths[door], query);
      expect({ shown: contents(answer).join(''), hasMore: answer.hasMore }).toEqual({ shown, hasMore });
      if (shown === '') {
        expect(answer).not.toHaveProperty('cursors');
        expect(answer).not.toHaveProperty('nextCursor');
      } else {
        const [newest = '', oldest = ''] = [shown[0], shown.at(-1)];
        expect(answer.cursors).toEqual({ before: T0 + (WRITTEN[oldest] ?? 0), after: T0 + (WRITTEN[newest] ?? 0) });
      }
    });

    it.each([
      ['nothing', '', 50],
      ['1', 'limit=1', 1],
      ['100', 'limit=100', 100],
      ['101', 'limit=101', 100],
      ['a million', 'limit=1000000', 100],
    ])('returns, for %s, the right number of messages', async (_name, query, count) => {
      const answer = await page(many[door], query);
      expect({ count: answer.messages.length, hasMore: answer.hasMore }).toEqual({ count, hasMore: true });
    });

    it.each(NO_CURSORS.flatMap(([name, cursor]) => [['before', name, cursor] as const, ['after', name, cursor] as const]))(
      'refuses %s that is %s with 400',
      async (parameter, _name, cursor) => {
        const answer = await get(paths[door], `${parameter}=${cursor}`);
        expectError(answer, 400, 'VALIDATION_ERROR');
        expect(answer.body.error.message).toContain(`'${parameter}'`);
      },
    );

    it.each(['before', 'after'])('refuses a repeated %s with 400', async (parameter) => {
      expectError(await get(paths[door], `${parameter}=1&${parameter}=2`), 400, 'VALIDATION_ERROR');
    });
  });

  describe('by nextCursor', () => {
    const target = (limit: number): typeof many => (limit < 7 ? few : many);
    const all = (limit: number): string[] => Array.from({ length: limit < 7 ? FEW : MANY }, (_, index) => String(index));

    it.each(TRAVERSALS)('back through a %s in pages of %i, returns every message once, although times collide', async (door, limit) => {
      const seen: string[] = [];
      let query = `limit=${limit}`;
      for (let more = true; more;) {
        const answer = await page(target(limit)[door], query);
        expect(answer.messages.length).toBeGreaterThan(0);
        seen.push(...contents(answer));
        query = `limit=${limit}&before=${answer.nextCursor?.before}`;
        more = answer.hasMore;
        expect(seen.length).toBeLessThanOrEqual(all(limit).length);
      }
      expect(seen.reverse()).toEqual(all(limit));
    });

    it.each(TRAVERSALS)('forward through a %s in pages of %i, returns every message once, although times collide', async (door, limit) => {
      const seen: string[] = [];
      let query = `limit=${limit}&after=0`;
      for (let more = true; more;) {
        const answer = await page(target(limit)[door], query);
        expect(answer.messages.length).toBeGreaterThan(0);
        seen.push(...contents(answer).reverse());
        query = `limit=${limit}&after=${answer.nextCursor?.after}`;
        more = answer.hasMore;
        expect(seen.length).toBeLessThanOrEqual(all(limit).length);
      }
      expect(seen).toEqual(all(limit));
    });

    it('ends with an exactly full page that reports no more', async () => {
      const first = await page(few.channel, `limit=${FEW / 2}`);
      const last = await page(few.channel, `limit=${FEW / 2}&before=${first.nextCursor?.before}`);
      expect([first.hasMore, last.hasMore]).toEqual([true, false]);
      expect(contents(last)).toHaveLength(FEW / 2);
      expect(await page(few.channel, `before=${last.nextCursor?.before}`)).toEqual({ messages: [], hasMore: false });
    });

    it('continues from its place although messages are added meanwhile', async () => {
      const target = { session: '', channel: '' };
      const write = await place(target);
      for (const content of 'abcd') await write(content);
      const first = await page(target.channel, 'limit=2');
      for (const content of 'efg') await write(content);
      const second = await page(target.channel, `limit=2&before=${first.nextCursor?.before}`);
      const newer = await page(target.channel, `after=${first.nextCursor?.after}`);
      expect([contents(first), contents(second), contents(newer)].map((list) => list.join(''))).toEqual(['dc', 'ba', 'gfe']);
    });
  });
});
