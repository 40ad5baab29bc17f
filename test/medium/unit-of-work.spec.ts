import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Database } from 'sqlite3';
import { SCHEMA } from '../../src/app.module.js';
import { yieldToEventLoop } from '../../src/core/clock/index.js';
import { withRequestId } from '../../src/core/context/request-context.js';
import { openStore, type Outcome, type Statement } from '../../src/core/database/index.js';
import { append } from '../../src/core/journal/index.js';
import { describeUnitOfWork } from '../support/suites/unit-of-work.js';
import { openTestStore, type TestStore } from '../support/test-store.js';

describeUnitOfWork('sqlite');

describe('a data directory', () => {
  let test: TestStore | undefined;
  afterEach(() => test?.close());

  it('belongs to one process: a second store on it is refused with the remedy', async () => {
    test = await openTestStore('sqlite');
    await expect(openStore(test.config, SCHEMA)).rejects.toMatchObject({
      code: 'DATA_DIR_IN_USE',
      details: expect.stringContaining('DATA_DIR'),
    });
  });
});

describe('units that share a commit on sqlite', () => {
  let test: TestStore;
  const statement = (sql: string, ...params: string[]): Statement => ({ sql, params });
  const insert = (id: string): Statement => statement('INSERT INTO kept (id) VALUES (?)', id);
  const commit = (...statements: Statement[]): Promise<unknown> => test.store.unitOfWork.commit(statements);
  const run = (...statements: Statement[]): Promise<unknown> => test.store.unitOfWork.run('test', (tx) => tx.apply(statements));
  const kept = async (): Promise<string[]> =>
    (await test.store.reader.rows<{ id: string }>('SELECT id FROM kept ORDER BY id')).map(({ id }) => id);
  const statusesOf = async (units: Promise<unknown>[]): Promise<string[]> =>
    (await Promise.allSettled(units)).map(({ status }) => (status === 'fulfilled' ? 'kept' : 'failed'));

  beforeEach(async () => {
    test = await openTestStore('sqlite');
    // The age of an open transaction: on a busy machine, the first units would be committed before the others.
    jest.spyOn(performance, 'now').mockReturnValue(0);
    await commit(statement('CREATE TABLE kept (id text PRIMARY KEY, of text REFERENCES kept DEFERRABLE INITIALLY DEFERRED)'));
  });
  afterEach(() => test.close());

  it('lets other work run while many units go on with their results, and while listeners hear of them', async () => {
    let now = 0;
    let [inOneIteration, most] = [0, 0];
    const spend = (): void => {
      now += 1;
      inOneIteration += 1;
      most = Math.max(most, inOneIteration);
    };
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const heard = new Promise<void>((resolve) => {
      let left = 100;
      test.store.unitOfWork.onCommit(() => {
        spend();
        left -= 1;
        if (left === 0) resolve();
      });
    });
    const channelId = 'aaaaaaaa-0000-0000-0000-000000000000';
    const entry = append('channel.cleared', channelId, { channelId }, 0);
    const units = Array.from({ length: 100 }, (_, index) => commit(insert(String(index)), entry).then(spend));
    const over = new AbortController();
    void Promise.all([...units, heard]).then(() => over.abort());
    while (!over.signal.aborted) {
      await yieldToEventLoop();
      inOneIteration = 0;
    }
    expect(now).toBe(200);
    expect(most).toBeLessThanOrEqual(10);
  });

  it('commits units of both forms once, and rolls back only the failing ones', async () => {
    const { transaction } = (test.store.unitOfWork as unknown as { engine: { transaction: { database: Database } } }).engine;
    let commits = 0;
    transaction.database.on('trace', (sql: string) => (commits += sql === 'COMMIT' ? 1 : 0));
    const units = [
      run(insert('a')),
      run(insert('a'), insert('b')),
      commit(insert('c')),
      commit(insert('d'), insert('a')),
      run(insert('e'), insert('f')),
      run(insert('g'), statement('no SQL')),
      commit(insert('h')),
    ];
    expect(await statusesOf(units)).toEqual(['kept', 'failed', 'kept', 'failed', 'kept', 'failed', 'kept']);
    expect(await kept()).toEqual(['a', 'c', 'e', 'f', 'h']);
    expect(commits).toBe(1);
  });

  it('fails all units of a failed commit, including read-only ones, and continues', async () => {
    const reads = test.store.unitOfWork.run('test', (tx) => tx.rows('SELECT id FROM kept', []));
    const first = run(insert('a'));
    const afterwards = test.store.unitOfWork.run('test', (tx) => tx.rows('SELECT id FROM kept', []));
    const refused = run(insert('a'));
    const dangling = run(statement('INSERT INTO kept (id, of) VALUES (?, ?)', 'b', 'absent'));
    expect(await statusesOf([reads, first, afterwards, refused, dangling])).toEqual(['failed', 'failed', 'failed', 'failed', 'failed']);
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('FOREIGN KEY') });
    expect(await kept()).toEqual([]);
    expect(await statusesOf([run(insert('c')), commit(insert('d'))])).toEqual(['kept', 'kept']);
  });

  it('fails all units of a transaction that SQLite has rolled back by itself', async () => {
    const units = [run(insert('a')), run(insert('b'), statement('ROLLBACK'), insert('c'), statement('no SQL')), run(insert('d'))];
    expect(await statusesOf(units)).toEqual(['failed', 'failed', 'kept']);
  });

  it('reports the positions of entries even after others were rolled back', async () => {
    const entry = (channelId: string): Statement => append('channel.cleared', channelId, { channelId }, 1);
    const [a, b] = ['aaaaaaaa-0000-0000-0000-000000000000', 'bbbbbbbb-0000-0000-0000-000000000000'];
    const reported: (Outcome['position'] & { channelId: string })[] = [];
    const note = async (channelId: string, unit: Promise<Outcome[]>): Promise<void> => {
      for (const { position } of await unit) if (position) reported.push({ ...position, channelId });
    };
    const { unitOfWork } = test.store;
    for (let round = 0; round < 3; round++) {
      const units = [
        note(a, unitOfWork.commit([entry(a), entry(a)])),
        note(
          b,
          unitOfWork.run('test', (tx) => tx.apply([entry(b)])),
        ),
        // Goes on after the refusal of its first statements.
        note(
          b,
          unitOfWork.run('test', async (tx) => {
            await expect(tx.apply([insert('taken'), insert('taken'), entry(b)])).rejects.toThrow('UNIQUE');
            return tx.apply([entry(b), statement('DELETE FROM kept')]);
          }),
        ),
        note(a, unitOfWork.commit([entry(a), insert('taken'), insert('taken')])),
        note(
          a,
          unitOfWork.run('test', async (tx) => {
            await tx.apply([entry(a)]);
            throw new Error('undone');
          }),
        ),
        note(a, unitOfWork.commit([entry(a)])),
      ];
      expect(await statusesOf(units)).toEqual(['kept', 'kept', 'kept', 'failed', 'failed', 'kept']);
      expect(await statusesOf([note(b, unitOfWork.commit([entry(b)]))])).toEqual(['kept']);
    }
    const rows = await test.store.reader.rows<{ pos: number; seq: number; channel_id: string }>(
      'SELECT pos, seq, channel_id FROM journal ORDER BY pos',
    );
    expect(reported.toSorted((one, other) => one.offset - other.offset)).toEqual(
      rows.map(({ pos, seq, channel_id: channelId }) => ({ offset: pos, seq, channelId })),
    );
    expect(rows.map(({ pos }) => pos)).toEqual(rows.map((_, index) => index + 1));
  });

  it('stores the request id of each unit with its journal entries', async () => {
    const channel = 'aaaaaaaa-0000-0000-0000-000000000000';
    const post = (requestId: string): Promise<unknown> =>
      withRequestId(requestId, () =>
        test.store.unitOfWork.run('test', (tx) => tx.apply([append('channel.cleared', channel, { channelId: channel }, 1)])),
      );
    await Promise.all([post('first'), post('second'), post('third')]);
    const rows = await test.store.reader.rows<{ request_id: string }>('SELECT request_id FROM journal ORDER BY pos');
    expect(rows.map(({ request_id: requestId }) => requestId)).toEqual(['first', 'second', 'third']);
  });
});
