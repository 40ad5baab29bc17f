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
let complete: number;
let feeds: ChannelFeeds;

beforeEach(() => {
  [reads, heard, failures, stored, complete] = [0, [], [], [], 10];
  const inOrder = ([query]: readonly ReadQuery[]): Promise<Row[][]> => {
    reads += 1;
    return Promise.resolve([stored.filter(({ pos }) => Number(pos) > Number(query?.params[1]))]);
  };
  feeds = new ChannelFeeds(
    { inOrder } as Partial<Reader> as Reader,
    () => complete,
    (error) => failures.push(error),
  );
});

const listen = (): unknown => feeds.add(CHANNEL, ({ offset }) => heard.push(offset));
const rows = (...offsets: number[]): Row[] =>
  offsets.map((pos) => ({ pos, channel_id: CHANNEL, seq: 1, type: 'turn.started', payload: '{}', at: 0, request_id: null }));

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('a hint about delivered entries causes no read', async () => {
  listen();
  feeds.committed(CHANNEL, [entry(12), entry(13)], 10);
  for (const offset of [11, 12, 13]) feeds.changed(HINT, offset);
  await settled();
  expect([reads, heard, failures]).toEqual([0, [12, 13], []]);
});

it('a listener gets earlier entries of its own process without a read', async () => {
  feeds.committed(CHANNEL, [entry(11)], 10);
  listen();
  feeds.committed(CHANNEL, [entry(12)], 11);
  await settled();
  expect([reads, heard, failures]).toEqual([0, [12], []]);
});

it('a listener gets commits in offset order, even if they are acknowledged in another', async () => {
  listen();
  stored = rows(11, 12);
  feeds.committed(CHANNEL, [entry(12)], 11);
  feeds.committed(CHANNEL, [entry(11)], 10);
  await settled();
  expect([heard, failures]).toEqual([[11, 12], []]);
});

it('a listener gets an entry that another process appended before the first own one', async () => {
  listen();
  stored = rows(11, 12);
  feeds.committed(CHANNEL, [entry(12)], 11);
  await settled();
  feeds.changed(HINT, 11);
  await settled();
  expect([heard, failures]).toEqual([[11, 12], []]);
});

it('forgets own entries once every entry up to them is complete', async () => {
  feeds.committed(CHANNEL, [entry(11)], 10);
  complete = 20;
  feeds.completed();
  // Shows that 11 is no longer known.
  complete = 5;
  listen();
  stored = rows(6);
  feeds.changed(HINT, 6);
  await settled();
  expect([heard, failures]).toEqual([[6], []]);
});

it('a hint about a later entry causes a read from the last delivered one', async () => {
  listen();
  feeds.committed(CHANNEL, [entry(12)], 10);
  stored = rows(11, 12, 15);
  feeds.changed(HINT, 15);
  feeds.changed(HINT, 15);
  await settled();
  feeds.changed(HINT, 15);
  await settled();
  expect([heard, failures]).toEqual([[12, 15], []]);
  expect(reads).toBeLessThanOrEqual(2);
});
