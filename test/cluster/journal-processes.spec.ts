// Two processes on one PostgreSQL database: each receives what both append, although it reads only what it did not write itself.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JournalProcess } from '../support/journal-process.js';
import { testConfig } from '../support/test-store.js';

const CHANNELS = ['aaaaaaaa-0000-0000-0000-000000000000', 'bbbbbbbb-0000-0000-0000-000000000000'];
const EACH = 200;

describe('the journal of two processes', () => {
  let processes: JournalProcess[];
  let remove: () => Promise<void>;

  beforeEach(async () => {
    const made = await testConfig('postgres');
    remove = made.remove;
    processes = [await JournalProcess.open(made.config), await JournalProcess.open(made.config)];
  });
  afterEach(async () => {
    for (const process of processes) await process.close();
    await remove();
  });

  it('tells watchers in both of every entry once, in the order of the offsets, while both write', async () => {
    for (const { journal } of processes) for (const channelId of CHANNELS) await journal.watch(channelId).ready;
    const heard = processes.map((process) => process.hear(2 * EACH));
    const write = async (process: JournalProcess): Promise<void> => {
      for (let index = 0; index < EACH; index++) await process.append(CHANNELS[index % 2] ?? '');
    };
    await Promise.all(processes.map(write));
    const rows = (await processes[0]?.store.reader.rows<{ pos: number }>('SELECT pos FROM journal ORDER BY pos')) ?? [];
    const order = rows.map(({ pos }) => pos);
    expect(order).toHaveLength(2 * EACH);
    expect(await Promise.all(heard)).toEqual([order, order]);
  });
});
