import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { ConfigModule } from '../../../src/core/config/index.js';
import { DatabaseModule, type Engine } from '../../../src/core/database/index.js';
import { append, Journal, JournalModule, JournalRetention, type Gap, type JournalEntry } from '../../../src/core/journal/index.js';
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
      test = await openTestStore(engine, []);
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

    async function take(count: number, source: AsyncIterable<JournalEntry | Gap>): Promise<(number | string)[]> {
      const seen: (number | string)[] = [];
      for await (const entry of source) {
        seen.push(entry.type === 'gap' ? `gap ${entry.from}-${entry.to}` : entry.offset);
        if (seen.length === count) break;
      }
      return seen;
    }

    it('gives a follower what it missed and then what comes, once and in order, while others write', async () => {
      for (let index = 0; index < 20; index++) await write(index % 2 === 0 ? CHANNEL : OTHER);
      const stop = new AbortController();
      const following = take(39, journal.follow(CHANNEL, 5, stop.signal));
      await Promise.all(Array.from({ length: 64 }, (_, index) => write(index % 2 === 0 ? CHANNEL : OTHER)));
      const offsets = (await journal.read(CHANNEL, 5)).map(({ offset }) => offset);
      expect(await following).toEqual(offsets);
      stop.abort();
    });

    it('pages through more than one read holds', async () => {
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

    it("says what is gone when a cursor is older than what is kept, and keeps each channel's newest entry and numbering", async () => {
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

    it('removes the chunks of answers that are long finished, and nothing else', async () => {
      const turn = { messageId: OTHER, channelId: CHANNEL, serverId: OTHER, agentId: OTHER, agentName: 'A', replyId: OTHER };
      await test.store.unitOfWork.commit([append('message.chunk', CHANNEL, { ...turn, text: 'x', index: 0 }, clock.now())]);
      await write(CHANNEL);
      clock.advance(HOUR);
      await test.store.unitOfWork.commit([append('message.chunk', CHANNEL, { ...turn, text: 'y', index: 1 }, clock.now())]);
      await context.get(JournalRetention).sweep();
      expect((await journal.read(CHANNEL, 0)).map(({ offset, seq }) => [offset, seq])).toEqual([
        [2, 1],
        [3, 1],
      ]);
    });
  });
}
