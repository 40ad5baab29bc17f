import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isUniqueViolation, type Engine, type Statement } from '../../../src/core/database/index.js';
import { AppError } from '../../../src/core/errors/index.js';
import { append, entryPosition } from '../../../src/core/journal/index.js';
import { openTestStore, type TestStore } from '../test-store.js';

const CHANNEL = 'aaaaaaaa-0000-0000-0000-000000000000';
const OTHER = 'bbbbbbbb-0000-0000-0000-000000000000';

/** What every engine promises about writing: acknowledged means kept, refused means without a trace, offsets follow the commits. */
export function describeUnitOfWork(engine: Engine): void {
  describe(`unit of work on ${engine}`, () => {
    let test: TestStore;
    const uow = (): TestStore['store']['unitOfWork'] => test.store.unitOfWork;
    const rows = <T>(sql: string): Promise<T[]> => test.store.readSource.query<T[]>(sql);
    const insert = (id: string, value = 'v'): Statement => ({ sql: 'INSERT INTO kept (id, value) VALUES (?, ?)', params: [id, value] });
    const kept = async (): Promise<string[]> => (await rows<{ id: string }>('SELECT id FROM kept ORDER BY id')).map(({ id }) => id);
    const chunk = (channelId: string): Statement => append('channel.cleared', channelId, { channelId }, 1);

    beforeAll(async () => {
      test = await openTestStore(engine);
      await uow().commit([{ sql: 'CREATE TABLE kept (id varchar(64) PRIMARY KEY, value text)', params: [] }]);
    });
    afterAll(() => test.close());
    beforeEach(async () => {
      await uow().commit([{ sql: 'DELETE FROM kept', params: [] }]);
    });

    it('keeps every acknowledged row of 400 overlapping units of both forms, of which some fail', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 400 }, async (_, index) => {
          const id = `row-${String(index).padStart(3, '0')}`;
          if (index % 4 === 0) {
            await uow().run('test', async (tx) => {
              await tx.apply([insert(id)]);
              await new Promise((resolve) => setImmediate(resolve));
              if (index % 8 === 0) throw new Error('undone');
            });
          } else if (index % 4 === 1) {
            await uow().commit([insert(id), insert(index % 3 === 0 ? id : `${id}-b`)]);
          } else {
            await uow().commit([insert(id)]);
          }
          return id;
        }),
      );
      const acknowledged = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      const stored = await kept();
      expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([]);
      const refused = outcomes.flatMap((outcome, index) =>
        outcome.status === 'rejected' ? [`row-${String(index).padStart(3, '0')}`] : [],
      );
      expect(refused.length).toBeGreaterThan(70);
      expect(refused.filter((id) => stored.some((row) => row.startsWith(id)))).toEqual([]);
    });

    it('lets one failing unit of a group fail alone', async () => {
      const outcomes = await Promise.allSettled([uow().commit([insert('a')]), uow().commit([insert('a')]), uow().commit([insert('b')])]);
      // Of the two that want the same, either may be first on PostgreSQL.
      const refused = outcomes.flatMap((outcome, index) =>
        outcome.status === 'rejected' ? [{ index, reason: outcome.reason as unknown }] : [],
      );
      expect(refused).toHaveLength(1);
      expect(refused[0]?.index).toBeLessThan(2);
      expect(isUniqueViolation(refused[0]?.reason)).toBe(true);
      expect(await kept()).toEqual(['a', 'b']);
    });

    it('rolls back a unit whose rows are refused, and reports its reason', async () => {
      const refusal = new AppError('CONFLICT', 'no');
      const refused: Statement = {
        sql: 'UPDATE kept SET value = ? WHERE id = ?',
        params: ['x', 'absent'],
        refuse: ({ changed }) => (changed === 0 ? refusal : undefined),
      };
      await expect(uow().commit([insert('c'), refused])).rejects.toBe(refusal);
      await expect(uow().run('test', (tx) => tx.apply([insert('c'), refused]))).rejects.toBe(refusal);
      expect(await kept()).toEqual([]);
    });

    it('reports the refusal as the reason when a later statement violates a constraint', async () => {
      await uow().commit([insert('a')]);
      const refusal = new AppError('CONFLICT', 'no');
      const ended: Statement = {
        sql: 'UPDATE kept SET value = ? WHERE id = ?',
        params: ['x', 'absent'],
        refuse: ({ changed }) => (changed === 0 ? refusal : undefined),
      };
      const noted: Statement = { ...ended, params: ['x', 'a'] };
      await expect(uow().commit([noted, ended, insert('a')])).rejects.toBe(refusal);
      await expect(uow().run('test', (tx) => tx.apply([noted, ended, insert('a')]))).rejects.toBe(refusal);
      expect(
        isUniqueViolation(
          await uow()
            .commit([noted, insert('a'), ended])
            .catch((error: unknown) => error),
        ),
      ).toBe(true);
      expect(await rows('SELECT value FROM kept')).toEqual([{ value: 'v' }]);
    });

    it('hides an uncommitted unit from readers', async () => {
      await uow().run('test', async (tx) => {
        await tx.apply([insert('d')]);
        expect(await kept()).toEqual([]);
      });
      expect(await kept()).toEqual(['d']);
    });

    it('refuses a nested unit at once, instead of waiting for itself', async () => {
      await expect(uow().run('outer', () => uow().commit([insert('e')]))).rejects.toThrow('was started inside unit "outer"');
      expect(await kept()).toEqual([]);
    });

    it('numbers journal entries without a gap per channel, and in commit order over all', async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 120 }, async (_, index) => {
          const channelId = index % 2 === 0 ? CHANNEL : OTHER;
          const form =
            index % 3 === 0
              ? uow().run('test', (tx) => tx.apply([chunk(channelId)]))
              : uow().commit([chunk(channelId), ...(index % 5 === 1 ? [insert('same')] : [])]);
          const position = entryPosition((await form)[0]);
          return { channelId, ...position };
        }),
      );
      const positions = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(positions.length).toBeLessThan(120);
      const journal = await rows<{ pos: number; seq: number; channel_id: string }>('SELECT pos, seq, channel_id FROM journal ORDER BY pos');
      for (const channelId of [CHANNEL, OTHER]) {
        const entries = journal.filter((entry) => entry.channel_id === channelId);
        expect(entries.map(({ seq }) => Number(seq))).toEqual(entries.map((_, index) => index + 1));
      }
      // On PostgreSQL, a position may have been drawn by a unit that was rolled back.
      if (engine === 'sqlite') expect(journal.map(({ pos }) => Number(pos))).toEqual(journal.map((_, index) => index + 1));
      expect(positions.map(({ offset }) => offset).sort((a, b) => a - b)).toEqual(journal.map(({ pos }) => Number(pos)));
    });

    it('runs the statements of a unit in order, however many units share a commit', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 300 }, (_, index) =>
          uow().commit([
            insert(`order-${index}`, '1'),
            {
              sql: 'UPDATE kept SET value = (SELECT value FROM kept WHERE id = ?) || ? WHERE id = ?',
              params: [`order-${index}`, '2', `order-${index}`],
            },
            chunk(index % 2 === 0 ? CHANNEL : OTHER),
            {
              sql: 'UPDATE kept SET value = value || (SELECT max(pos) FROM journal WHERE channel_id = ?) WHERE id = ?',
              params: [index % 2 === 0 ? CHANNEL : OTHER, `order-${index}`],
              counted: true,
              returns: { sql: 'SELECT value FROM kept WHERE id = ?', params: [`order-${index}`] },
            },
          ]),
        ),
      );
      for (const [, , appended, updated] of outcomes) {
        expect(updated).toMatchObject({ changed: 1, rows: [{ value: `12${entryPosition(appended).offset}` }] });
      }
    });

    it('counts the rows of refusable statements, whether they change one, none or several', async () => {
      await uow().commit([insert('d', 'same'), insert('e', 'same'), insert('f', 'other')]);
      const update = (value: string): Statement => ({
        sql: 'UPDATE kept SET value = ? WHERE value = ?',
        params: ['changed', value],
        refuse: ({ changed }) => (changed === 0 ? new AppError('CONFLICT', 'none', 'none') : undefined),
      });
      const settled = await Promise.allSettled([
        uow().commit([chunk(CHANNEL), update('same'), chunk(CHANNEL)]),
        uow().commit([chunk(CHANNEL), update('unknown')]),
        uow().run('test', (tx) => tx.apply([update('other'), chunk(CHANNEL)])),
        uow().run('test', async (tx) => {
          await tx.apply([insert('g', 'unknown')]);
          return tx.apply([update('unknown'), chunk(CHANNEL)]);
        }),
      ]);
      const counts = settled.map((each) =>
        each.status === 'fulfilled' ? each.value.find(({ position }) => !position)?.changed : each.status,
      );
      expect(counts).toEqual([2, 'rejected', 1, 1]);
      const offsets = settled.flatMap((each) =>
        each.status === 'fulfilled' ? each.value.flatMap(({ position }) => position?.offset ?? []) : [],
      );
      const stored = await rows<{ pos: number | string }>(
        `SELECT pos FROM journal WHERE channel_id = '${CHANNEL}' ORDER BY pos DESC LIMIT 4`,
      );
      expect(offsets.sort((a, b) => b - a)).toEqual(stored.map(({ pos }) => Number(pos)));
      expect(await rows(`SELECT id FROM kept WHERE value <> 'changed'`)).toEqual([]);
    });

    it('stores every kind of value unchanged', async () => {
      const texts = ["it's; DROP TABLE kept; --", 'a ? b', 'nul\0 inside', '\u{1F600} \u00e9 \n\t\\', '', "''''", '$1'].filter(
        (text) => engine === 'sqlite' || !text.includes('\0'),
      );
      await uow().commit(texts.map((text, index) => insert(`value-${index}`, text)));
      await uow().run('values', (tx) => tx.apply(texts.map((text, index) => insert(`again-${index}`, text))));
      const stored = new Map((await rows<{ id: string; value: string }>('SELECT id, value FROM kept')).map(({ id, value }) => [id, value]));
      for (const [index, text] of texts.entries()) {
        expect([stored.get(`value-${index}`), stored.get(`again-${index}`)]).toEqual([text, text]);
      }
      await uow().commit([
        { sql: 'CREATE TABLE numbers (id integer PRIMARY KEY, big bigint, yes boolean, none text)', params: [] },
        { sql: 'INSERT INTO numbers (id, big, yes, none) VALUES (?, ?, ?, ?)', params: [-1, 8_640_000_000_000_000, true, null] },
      ]);
      const [found] = await rows<{ id: number; big: number; yes: unknown; none: null }>('SELECT * FROM numbers');
      expect([Number(found?.id), Number(found?.big), Boolean(found?.yes), found?.none]).toEqual([-1, 8_640_000_000_000_000, true, null]);
      await expect(uow().commit([{ sql: 'DELETE FROM numbers WHERE id = ?', params: [] }])).rejects.toThrow();
    });

    it('wakes the readers of the journal after the commit, and only for units that appended to it', async () => {
      let calls = 0;
      const stop = uow().onCommit(() => calls++);
      await uow().commit([insert('f')]);
      expect(calls).toBe(0);
      await uow().commit([chunk(CHANNEL)]);
      await uow().run('test', (tx) => tx.apply([chunk(CHANNEL)]));
      await uow()
        .run('undone', async (tx) => {
          await tx.apply([chunk(CHANNEL)]);
          throw new Error('undone');
        })
        .catch(() => undefined);
      stop();
      expect(calls).toBe(2);
    });

    it('keeps acknowledged units after it was closed and reopened, and refuses new ones while it closes', async () => {
      const late = test.store.unitOfWork;
      await Promise.all([uow().commit([insert('g')]), uow().commit([insert('h')])]);
      await test.reopen();
      expect(await kept()).toEqual(['g', 'h']);
      await expect(late.commit([insert('i')])).rejects.toMatchObject({ code: 'SERVER_STOPPING' });
    });
  });
}
