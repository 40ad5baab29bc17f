import { beforeEach, expect, it } from '@jest/globals';
import { hintOf, type Reader, type ReadQuery, type Row } from '../database/index.js';
import { ChannelFeeds } from './channel-feeds.js';
import type { JournalEntry } from './events.js';

const CHANNEL = '11111111-0000-4000-8000-00000000000a';
const HINT = hintOf(CHANNEL, false);

const entry = (offset: number): JournalEntry => ({ offset, channelId: CHANNEL }) as JournalEntry;

let reads: number;
let heard: number[];
let failures: unknown[];
let stored: Row[];
let feeds: ChannelFeeds;

beforeEach(() => {
  [reads, heard, failures, stored] = [0, [], [], []];
  const inOrder = ([query]: readonly ReadQuery[]): Promise<Row[][]> => {
    reads += 1;
    return Promise.resolve([stored.filter(({ pos }) => Number(pos) > Number(query?.params[1]))]);
  };
  feeds = new ChannelFeeds(
    { inOrder } as Partial<Reader> as Reader,
    () => 10,
    (error) => failures.push(error),
  );
  feeds.add(CHANNEL, ({ offset }) => heard.push(offset));
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('a hint about entries that have been told causes no read', async () => {
  feeds.committed(CHANNEL, [entry(12), entry(13)], 11);
  for (const offset of [11, 12, 13]) feeds.changed(HINT, offset);
  await settled();
  expect([reads, heard, failures]).toEqual([0, [12, 13], []]);
});

it('a hint about a later entry causes a read from the last one told', async () => {
  feeds.committed(CHANNEL, [entry(12)], 11);
  stored = [11, 12, 15].map((pos) => ({ pos, channel_id: CHANNEL, seq: 1, type: 'turn.started', payload: '{}', at: 0, request_id: null }));
  feeds.changed(HINT, 15);
  feeds.changed(HINT, 15);
  await settled();
  feeds.changed(HINT, 15);
  await settled();
  expect([heard, failures]).toEqual([[12, 15], []]);
  expect(reads).toBeLessThanOrEqual(2);
});
