// Two processes on one PostgreSQL database: each receives what both append, although it reads only what it did not write itself.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JournalProcess } from '../support/journal-process.js';
import { eventually } from '../support/memory-app.js';
import { testConfig } from '../support/test-store.js';

const CHANNELS = ['aaaaaaaa-0000-0000-0000-000000000000', 'bbbbbbbb-0000-0000-0000-000000000000'];
const EACH = 200;
const ROUNDS = 100;

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

  it('delivers every entry of a channel once, in the order of offsets, to listeners in both while both write', async () => {
    const heard = processes.map((process) => Promise.all(CHANNELS.map((channelId) => process.hear(channelId, EACH))));
    const write = async (process: JournalProcess): Promise<void> => {
      for (let index = 0; index < EACH; index++) await process.append(CHANNELS[index % 2] ?? '');
    };
    await Promise.all(processes.map(write));
    const order = async (channelId: string): Promise<number[]> =>
      ((await processes[0]?.journal.read(channelId, 0)) ?? []).map(({ offset }) => offset);
    const orders = await Promise.all(CHANNELS.map(order));
    expect(orders.map(({ length }) => length)).toEqual([EACH, EACH]);
    expect(await Promise.all(heard)).toEqual([orders, orders]);
  });

  it('delivers an entry to a listener of its own process while the other writes to the channel', async () => {
    const [first, second] = processes as [JournalProcess, JournalProcess];
    const [channelId = ''] = CHANNELS;
    let others = 0;
    const over = new AbortController();
    const writing = (async (): Promise<void> => {
      while (!over.signal.aborted) await second.append(channelId, `other ${(others += 1)}`);
    })();
    const lost: string[] = [];
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const heard: unknown[] = [];
        const stop = first.journal.subscribeToChannel(channelId, ({ payload }) =>
          heard.push((payload as { messageId: unknown }).messageId),
        );
        await first.append(channelId, `own ${round}`);
        const later = `other ${others + 1}`;
        await eventually(() => heard.includes(later));
        if (!heard.includes(`own ${round}`)) lost.push(`own ${round}`);
        stop();
      }
    } finally {
      over.abort();
      await writing;
    }
    expect(lost).toEqual([]);
  });
});
