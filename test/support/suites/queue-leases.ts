import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import type { FakeClock } from '../fake-clock.js';
import { HEARTBEAT_MS, LEASE_MS, ordered, plain, QueueFixture, until } from '../queue-fixture.js';

/** Ends that cannot be stored, and jobs that are inserted as leased. */
export function describeQueueLeases(engine: Engine): void {
  describe(`leases of a queue on ${engine}`, () => {
    const fixture = new QueueFixture();
    const { execute, read, insert, heartbeat, open } = fixture;
    let clock: FakeClock;

    beforeEach(async () => {
      ({ clock } = await fixture.openTable(engine));
    });
    afterEach(fixture.close);

    it('stores other ends and looks for jobs although one end cannot be stored', async () => {
      const { queue, runs } = open(plain);
      const [first, second] = [await insert('1', { topic: 'a' }), await insert('2', { topic: 'b' })];
      queue.start();
      queue.offer([first, second]);
      await until(() => runs.length === 2);
      await runs[0]?.end('done', { error: 'unstorable' });
      await execute('ALTER TABLE kept_jobs RENAME COLUMN ended_at TO hidden');
      await runs[1]?.end('done');
      await until(() => queue.active === 0);
      await execute('ALTER TABLE kept_jobs RENAME COLUMN hidden TO ended_at');
      await insert('3', { topic: 'c' });
      await heartbeat();
      await until(() => runs.length === 3);
      await until(async () => (await read('2'))?.status === 'done');
    });

    it('releases a job whose run met a database error, without counting the attempt', async () => {
      const { queue, runs } = open(plain);
      queue.start();
      queue.offer([await insert('1')]);
      await until(() => runs.length === 1);
      runs[0]?.fail(new Error('a fault of the tests'));
      await until(() => queue.active === 0);
      expect(await read('1')).toMatchObject({ status: 'running', attempts: 1 });
      await heartbeat();
      await until(() => runs.length === 2);
      expect(await read('1')).toMatchObject({ status: 'running', attempts: 1 });
    });

    it('does not repeat a job whose end could not be stored, and stores the end later', async () => {
      const { queue, runs, begun } = open(plain);
      queue.start();
      queue.offer([await insert('1')]);
      await until(() => runs.length === 1);
      await execute('ALTER TABLE kept_jobs RENAME COLUMN ended_at TO hidden');
      await runs[0]?.end('done');
      await until(() => queue.active === 0);
      clock.advance(LEASE_MS * 2);
      await queue.lookUp();
      await execute('ALTER TABLE kept_jobs RENAME COLUMN hidden TO ended_at');
      await until(async () => {
        clock.advance(HEARTBEAT_MS);
        await new Promise(setImmediate);
        return (await read('1'))?.status === 'done';
      });
      expect(begun).toEqual(['1']);
    });

    it('does not extend the lease of a job that has just started', async () => {
      const { queue, runs } = open(plain);
      queue.start();
      clock.advance(HEARTBEAT_MS - 1);
      queue.offer([await insert('1')]);
      await until(() => runs.length === 1);
      const leasedUntil = (await read('1'))?.due_at;
      await insert('2', { topic: 'b' });
      clock.advance(1);
      // The heartbeat looks for jobs last.
      await until(() => runs.length === 2);
      expect((await read('1'))?.due_at).toEqual(leasedUntil);
      await heartbeat();
      await until(async () => Number((await read('1'))?.due_at) === clock.now() + LEASE_MS);
    });

    it('drops a job whose lease was lost before its end was stored, and continues', async () => {
      const { queue, runs } = open(plain);
      queue.start();
      queue.offer([await insert('1')]);
      await until(() => runs.length === 1);
      await execute(`UPDATE kept_jobs SET lease_owner = 'another', due_at = ?`, [clock.now() + 1000 * LEASE_MS]);
      await runs[0]?.end('done');
      await until(() => queue.active === 0);
      await insert('2');
      await heartbeat();
      await until(() => runs.length === 2);
      expect(await read('1')).toMatchObject({ status: 'running', lease_owner: 'another' });
    });

    const leasedJob = (id: string, topic = 'a'): { id: string; topic: string; place: number } => ({ id, topic, place: 1 });
    const insertLeased = (id: string, { owner, until }: { owner: string; until: number }, topic = 'a'): ReturnType<typeof insert> =>
      insert(id, { topic, status: 'running', attempts: 1, due_at: until, lease_owner: owner });

    it('runs a job inserted as leased without a claim while it has a free slot', async () => {
      const [one, other] = [open(plain), open(plain)];
      expect(one.queue.lease(leasedJob('1'))).toBeUndefined();
      for (const { queue } of [one, other]) queue.start();
      const lease = one.queue.lease(leasedJob('1'));
      expect(lease?.until).toBe(clock.now() + LEASE_MS);
      const job = await insertLeased('1', lease!);
      expect(one.queue.isLeased(job)).toBe(true);
      one.queue.runLeased(job);
      expect(one.queue.isLeased(job)).toBe(false);
      other.queue.offer([job]);
      await until(() => one.runs.length === 1 && other.begun.length === 1 && other.queue.active === 0);
      expect(other.runs).toHaveLength(0);
      await one.runs[0]?.end('done');
      expect(await read('1')).toMatchObject({ status: 'done', attempts: 1 });
      one.queue.offer([await insert('2'), await insert('3')]);
      expect(one.queue.lease(leasedJob('5'))).toBeUndefined();
      const late = one.queue.lease(leasedJob('4', 'b'));
      await insertLeased('4', late!, 'b');
      await one.queue.drain(0);
      one.queue.runLeased(leasedJob('4', 'b'));
      expect(await read('4')).toMatchObject({ attempts: 0, lease_owner: null });
    });

    it('reserves the slot of a job that is being inserted as leased until its insertion fails', async () => {
      const { queue, begun } = open(ordered, { concurrency: 1 });
      queue.start();
      expect(queue.lease(leasedJob('1'))).toBeDefined();
      expect(queue.lease(leasedJob('2', 'b'))).toBeUndefined();
      queue.offer([await insert('3', { topic: 'b' }), await insert('4')]);
      queue.cancel('a', ({ id }) => id === '1');
      expect([begun, queue.isLeased(leasedJob('1'))]).toEqual([[], true]);
      queue.unlease(leasedJob('1'), false);
      await until(() => begun.length === 1);
    });

    it('releases a job whose insertion has an unknown outcome', async () => {
      const { queue, runs } = open(plain);
      queue.start();
      await insertLeased('1', queue.lease(leasedJob('1'))!);
      queue.unlease(leasedJob('1'), true);
      await heartbeat();
      await until(() => runs.length === 1);
      expect(await read('1')).toMatchObject({ status: 'running', attempts: 1 });
    });
  });
}
