// Two processes on one PostgreSQL database: each receives what both append, although it reads only what it did not write itself.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { SCHEMA } from '../../src/app.module.js';
import { SystemClock } from '../../src/core/clock/index.js';
import { ConfigModule } from '../../src/core/config/index.js';
import { DatabaseModule, openStore, type Store } from '../../src/core/database/index.js';
import { append, Journal, JournalModule } from '../../src/core/journal/index.js';
import { openTestStore, type TestStore } from '../support/test-store.js';

const CHANNELS = ['aaaaaaaa-0000-0000-0000-000000000000', 'bbbbbbbb-0000-0000-0000-000000000000'];
const EACH = 200;

describe('the journal of two processes', () => {
  let test: TestStore;
  let second: Store;
  let secondDir: string;
  let contexts: INestApplicationContext[];

  beforeEach(async () => {
    test = await openTestStore('postgres');
    secondDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
    second = await openStore({ ...test.config, dataDir: secondDir }, SCHEMA);
    contexts = [];
    for (const store of [test.store, second]) {
      const imports = [ConfigModule.forRoot(test.config, new SystemClock()), DatabaseModule.forRoot(store), JournalModule];
      contexts.push(await NestFactory.createApplicationContext({ module: class TestModule {}, imports }, { logger: false }));
    }
  });
  afterEach(async () => {
    for (const context of contexts) await context.close();
    await second.close();
    await test.close();
    await rm(secondDir, { recursive: true, force: true });
  });

  it('tells watchers in both of every entry once, in the order of the offsets, while both write', async () => {
    const journals = contexts.map((context) => context.get(Journal));
    for (const journal of journals) for (const channelId of CHANNELS) await journal.watch(channelId).ready;
    const heard = journals.map((journal) => hearAll(journal, 2 * EACH));
    const write = async (store: Store): Promise<void> => {
      for (let index = 0; index < EACH; index++) {
        const channelId = CHANNELS[index % 2] ?? '';
        await store.unitOfWork.commit([
          append('message.completed', channelId, { channelId, serverId: channelId, messageId: null, status: 'done' }, 1),
        ]);
      }
    };
    await Promise.all([write(test.store), write(second)]);
    const rows = await test.store.reader.rows<{ pos: number }>('SELECT pos FROM journal ORDER BY pos');
    const order = rows.map(({ pos }) => pos);
    expect(order).toHaveLength(2 * EACH);
    expect(await Promise.all(heard)).toEqual([order, order]);
  });
});

/** Offsets of the next so many entries, as they are heard. */
function hearAll(journal: Journal, count: number): Promise<number[]> {
  const offsets: number[] = [];
  return new Promise((resolve) => {
    const stop = journal.subscribeToWatched(({ offset }) => {
      offsets.push(offset);
      if (offsets.length < count) return;
      stop();
      resolve(offsets);
    });
  });
}
