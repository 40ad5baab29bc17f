import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { ConfigModule } from '../../../src/core/config/index.js';
import { DatabaseModule, type Engine } from '../../../src/core/database/index.js';
import { append, Journal, JournalModule, JournalRetention, type JournalEntry, type JournalItem } from '../../../src/core/journal/index.js';
import { JournalSequence } from '../../../src/core/journal/journal-sequence.js';
import { FakeClock } from '../fake-clock.js';
import { openTestStore, type TestStore } from '../test-store.js';

const CHANNEL = 'aaaaaaaa-0000-0000-0000-000000000000';
const OTHER = 'bbbbbbbb-0000-0000-0000-000000000000';
const HOUR = 3_600_000;

/** What readers of the journal are promised: every entry once and in order, from any cursor, or an explicit gap. */
export function describeJournal(engine: Engine): void {
  describe(`journal on ${engine}`, () => {
    let test: TestStore;
    let context: INestApplicationContext;
    let journal: Journal;
    const clock = new FakeClock();

    beforeEach(async () => {
      test = await openTestStore(engine);
      context = await NestFactory.createApplicationContext(
        {
          module: class TestModule {},
          imports: [ConfigModule.forRoot(test.config, clock), DatabaseModule.forRoot(test.store), JournalModule],
        },
        { logger: false },
      );
      journal = context.get(Journal);
    });
    afterEach(async () => {
      await context.close();
      await test.close();
    });

    const write = (channelId: string, at = clock.now()): Promise<unknown> =>
      test.store.unitOfWork.commit([append('channel.cleared', channelId, { channelId }, at)]);

    async function take(count: number, source: AsyncIterable<JournalItem>): Promise<(number | string)[]> {
      const seen: (number | string)[] = [];
      for await (const entry of source) {
        if (entry.type === 'piece') continue;
        seen.push(entry.type === 'gap' ? `gap ${entry.from}-${entry.to}` : entry.offset);
        if (seen.length === count) break;
      }
      return seen;
    }

    it('yields missed and then new entries to a follower, once and in order, while others write', async () => {
      for (let index = 0; index < 20; index++) await write(index % 2 === 0 ? CHANNEL : OTHER);
      const stop = new AbortController();
      const following = take(39, journal.follow(CHANNEL, 5, stop.signal));
      await Promise.all(Array.from({ length: 64 }, (_, index) => write(index % 2 === 0 ? CHANNEL : OTHER)));
      const offsets = (await journal.read(CHANNEL, 5)).map(({ offset }) => offset);
      expect(await following).toEqual(offsets);
      stop.abort();
    });

    it('pages through more entries than one read returns', async () => {
      await test.store.unitOfWork.run('many', async (tx) => {
        for (let index = 0; index < 1203; index++) await tx.apply([append('channel.cleared', CHANNEL, { channelId: CHANNEL }, 1)]);
      });
      const stop = new AbortController();
      expect(await take(1203, journal.follow(CHANNEL, 0, stop.signal))).toEqual(Array.from({ length: 1203 }, (_, index) => index + 1));
      stop.abort();
    });

    it('ends a follower whose signal aborts, whether it waits or reads', async () => {
      const waiting = new AbortController();
      const ended = take(1, journal.follow(CHANNEL, 0, waiting.signal));
      waiting.abort();
      expect(await ended).toEqual([]);
      const before = new AbortController();
      before.abort();
      await write(CHANNEL);
      expect(await take(1, journal.follow(CHANNEL, 0, before.signal))).toEqual([]);
    });

    it('delivers entries to other listeners when one fails', async () => {
      const heard: number[] = [];
      journal.subscribe(() => {
        throw new Error('a fault of the tests');
      });
      journal.subscribeToChannel(CHANNEL, () => {
        throw new Error('a fault of the tests');
      });
      journal.subscribe(({ offset }) => heard.push(offset));
      const stop = new AbortController();
      const following = take(2, journal.follow(CHANNEL, 0, stop.signal));
      await write(CHANNEL);
      await write(CHANNEL);
      expect(await following).toEqual([1, 2]);
      expect(heard).toEqual([1, 2]);
      stop.abort();
    });

    it('buffers a limited number of entries for a slow reader, which gets the rest from the database', async () => {
      const stop = new AbortController();
      const heard: number[] = [];
      journal.subscribe(({ offset }) => heard.push(offset));
      const slow = journal.follow(CHANNEL, 0, stop.signal)[Symbol.asyncIterator]();
      const writeMany = async (count: number): Promise<void> => {
        const total = heard.length + count;
        await test.store.unitOfWork.commit(
          Array.from({ length: count }, () => append('channel.cleared', CHANNEL, { channelId: CHANNEL }, clock.now())),
        );
        while (heard.length < total) await new Promise((resolve) => setImmediate(resolve));
      };
      await writeMany(1);
      expect(await slow.next()).toMatchObject({ value: { offset: 1 } });
      const patient = journal.live(CHANNEL, stop.signal);
      await writeMany(1299);
      expect(await take(1299, slow)).toEqual(Array.from({ length: 1299 }, (_, index) => index + 2));
      // Once retention has deleted the entries, a reader that kept them would still show them.
      clock.advance(test.config.journalRetentionHours * HOUR + 1);
      await writeMany(1);
      await context.get(JournalRetention).sweep();
      const [first] = await take(1, patient);
      expect(first).toBe('gap 1-1300');
      stop.abort();
    });

    it('reports a cursor ahead of all entries, as after a restore, and continues with new ones', async () => {
      for (let index = 0; index < 3; index++) await write(CHANNEL);
      const stop = new AbortController();
      expect(await take(3, journal.follow(CHANNEL, 0, stop.signal))).toEqual([1, 2, 3]);
      const following = take(2, journal.follow(CHANNEL, 1000, stop.signal));
      await new Promise((resolve) => setImmediate(resolve));
      await write(CHANNEL);
      expect(await following).toEqual(['gap 1000-3', 4]);
      stop.abort();
    });

    it("reports the gap after a cursor older than the retention, and keeps each channel's newest entry and numbering", async () => {
      for (let index = 0; index < 4; index++) await write(CHANNEL);
      await write(OTHER);
      clock.advance(test.config.journalRetentionHours * HOUR + 1);
      await write(CHANNEL);
      await context.get(JournalRetention).sweep();
      const stop = new AbortController();
      expect(await take(2, journal.follow(CHANNEL, 2, stop.signal))).toEqual(['gap 2-5', 6]);
      expect(await take(1, journal.follow(CHANNEL, 0, stop.signal))).toEqual([6]);
      stop.abort();
      await write(OTHER);
      const [kept, next] = await journal.read(OTHER, 0);
      expect([kept?.seq, next?.seq]).toEqual([1, 2]);
    });

    it("deletes a quiet channel's retained entry once the channel has newer ones", async () => {
      await write(OTHER);
      const later = async (): Promise<void> => {
        clock.advance(test.config.journalRetentionHours * HOUR + 1);
        await write(CHANNEL);
        await context.get(JournalRetention).sweep();
      };
      await later();
      for (let index = 0; index < 3; index++) await write(OTHER);
      await write(CHANNEL);
      const offsets = async (): Promise<number[]> => (await journal.read(OTHER, 0)).map(({ offset }) => offset);
      expect(await offsets()).toEqual([1, 3, 4, 5]);
      await later();
      expect(await offsets()).toEqual([5]);
      await write(OTHER);
      expect(await new JournalSequence(test.store.reader).violation()).toBeUndefined();
    });

    it('orders entries without a channel with the others, delivers them live and from the store alike, and deletes them in time', async () => {
      const heard: JournalEntry[] = [];
      journal.subscribe((entry) => heard.push(entry));
      const delivery = { deliveryId: OTHER, plugin: 'p', route: 'POST /p', agentId: OTHER, senderId: null, attempts: 1, error: null };
      const tell = (): Promise<unknown> => test.store.unitOfWork.commit([append('delivery.done', null, delivery, clock.now())]);
      await tell();
      await write(CHANNEL);
      await tell();
      while (heard.length < 3) await new Promise((resolve) => setImmediate(resolve));
      expect(heard.map(({ offset, channelId, seq }) => [offset, channelId, seq])).toEqual([
        [1, null, null],
        [2, CHANNEL, 1],
        [3, null, null],
      ]);
      const rows = (): Promise<unknown[]> => test.store.readSource.query<unknown[]>('SELECT pos, seq FROM journal ORDER BY pos');
      expect(await rows()).toEqual([
        { pos: 1, seq: null },
        { pos: 2, seq: 1 },
        { pos: 3, seq: null },
      ]);
      clock.advance(test.config.journalRetentionHours * HOUR + 1);
      await context.get(JournalRetention).sweep();
      // The newest of all stays, or its offset would be given out again.
      expect(await rows()).toEqual([
        { pos: 2, seq: 1 },
        { pos: 3, seq: null },
      ]);
      await write(OTHER);
      expect((await journal.read(OTHER, 0)).map(({ offset, seq }) => [offset, seq])).toEqual([[4, 1]]);
      clock.advance(test.config.journalRetentionHours * HOUR + 1);
      await context.get(JournalRetention).sweep();
      expect(await rows()).toEqual([
        { pos: 2, seq: 1 },
        { pos: 4, seq: 1 },
      ]);
    });

    it('deletes the chunks of many long replies in steps of at most 5,000, and nothing else', async () => {
      const chunks = `INSERT INTO journal (pos, channel_id, seq, type, payload, at, shard)
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 27000)
        SELECT n, '${CHANNEL}', n, CASE WHEN n % 9000 = 0 THEN 'channel.cleared' ELSE 'message.chunk' END, '{}', ${clock.now()}, 0 FROM numbers`;
      await test.store.unitOfWork.commit([{ sql: chunks, params: [] }]);
      clock.advance(HOUR);
      const steps: number[] = [];
      const commit = test.store.unitOfWork.commit.bind(test.store.unitOfWork);
      jest.spyOn(test.store.unitOfWork, 'commit').mockImplementation(async ([statement]) => {
        const [outcome] = await commit([{ ...statement!, counted: true }]);
        if (statement!.sql.startsWith('DELETE')) steps.push(outcome!.changed);
        return [outcome!];
      });
      await context.get(JournalRetention).sweep();
      expect((await journal.read(CHANNEL, 0)).map(({ offset }) => offset)).toEqual([9000, 18_000, 27_000]);
      expect([steps.reduce((sum, step) => sum + step, 0), Math.max(...steps) <= 5000]).toEqual([26_997, true]);
    });

    it('deletes the chunks of replies that completed long ago, and nothing else', async () => {
      const turn = { messageId: OTHER, channelId: CHANNEL, serverId: OTHER, agentId: OTHER, agentName: 'A', replyId: OTHER };
      const part = { attempt: 1, restart: 0, start: 0 };
      await test.store.unitOfWork.commit([append('message.chunk', CHANNEL, { ...turn, ...part, text: 'x', index: 0 }, clock.now())]);
      await write(CHANNEL);
      clock.advance(HOUR);
      await test.store.unitOfWork.commit([append('message.chunk', CHANNEL, { ...turn, ...part, text: 'y', index: 1 }, clock.now())]);
      await context.get(JournalRetention).sweep();
      expect((await journal.read(CHANNEL, 0)).map(({ offset, seq }) => [offset, seq])).toEqual([
        [2, 1],
        [3, 1],
      ]);
    });
  });
}
