import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { afterFailure } from '../../../src/core/queue/after-failure.js';
import { LeaseLost } from '../../../src/core/queue/index.js';
import type { FakeClock } from '../fake-clock.js';
import { HEARTBEAT_MS, LEASE_MS, ordered, plain, QueueFixture, until, type Job, type JobRow } from '../queue-fixture.js';
import type { TestStore } from '../test-store.js';

/** What a queue promises on every engine: one owner at a time, order within an ordering key, no job lost with its process. */
export function describeQueue(engine: Engine): void {
  describe(`queue on ${engine}`, () => {
    const fixture = new QueueFixture();
    const { execute, read, insert, heartbeat, open } = fixture;
    let test: TestStore;
    let clock: FakeClock;

    beforeEach(async () => {
      ({ test, clock } = await fixture.openTable(engine));
    });
    afterEach(fixture.close);

    it('gives a job that two processes claim to one of them', async () => {
      const [one, other] = [open(plain), open(plain)];
      for (const { queue } of [one, other]) queue.start();
      const jobs = await Promise.all(Array.from({ length: 20 }, (_, index) => insert(`job ${index}`, { topic: `topic ${index}` })));
      for (const { queue } of [one, other]) queue.offer(jobs);
      await until(() => one.runs.length + other.runs.length === 20);
      await until(() => one.queue.active + other.queue.active === 20);
      expect(new Set([...one.runs, ...other.runs].map(({ job }) => job.id)).size).toBe(20);
      await Promise.all([...one.runs, ...other.runs].map((run) => run.end('done')));
      expect(await read('job 7')).toMatchObject({ status: 'done', attempts: 1, lease_owner: null, due_at: null });
    });

    it('runs the jobs of an ordering key in order, in any process', async () => {
      const [one, other] = [open(ordered), open(ordered)];
      const [first, second, third] = [await insert('1'), await insert('2', { place: 2 }), await insert('3', { place: 3 })];
      for (const { queue } of [one, other]) queue.start();
      one.queue.offer([first]);
      await until(() => one.runs.length === 1);
      other.queue.offer([third, second]);
      await until(() => other.begun.length === 1 && other.queue.active === 0);
      expect(other.begun).toEqual(['2']);
      await one.runs[0]?.end('done');
      other.queue.markEnded('a', ['2']);
      // Found again while the third is refused its claim.
      other.queue.offer([second]);
      await until(() => other.runs.length === 1);
      expect(other.runs[0]?.job.id).toBe('2');
      await other.runs[0]?.end('done');
      await heartbeat();
      await until(() => one.runs.length + other.runs.length === 3);
    });

    it('continues with an ordering key without a hint that another process finished its job', async () => {
      const [one, other] = [open(ordered), open(ordered)];
      const [first, second] = [await insert('1'), await insert('2', { place: 2 })];
      for (const { queue } of [one, other]) queue.start();
      one.queue.offer([first]);
      await until(() => one.runs.length === 1);
      other.queue.offer([first, second]);
      await until(() => other.begun.length === 1 && other.queue.active === 0);
      await one.runs[0]?.end('done');
      await one.queue.drain(0);
      await other.queue.lookUp();
      await until(() => other.runs.length === 1);
      expect(other.runs[0]?.job.id).toBe('2');
    });

    it('continues with an unordered group while another process holds one of its jobs', async () => {
      const find = async (): Promise<{ jobs: JobRow[] }> => ({
        jobs: await test.store.reader.rows<JobRow>(`SELECT * FROM kept_jobs WHERE status = 'queued'`),
      });
      const options = { groupConcurrency: 1, groups: () => ['a'], find, compare: () => 0 };
      const [one, other] = [open(plain, options), open(plain, options)];
      const job = await insert('1');
      one.queue.start();
      await until(() => one.runs.length === 1);
      other.queue.start();
      other.queue.offer([job]);
      await until(() => other.begun.length === 1 && other.queue.active === 0);
      await insert('2');
      await other.queue.lookUp('a');
      await until(() => other.runs.length === 1);
      expect(other.runs[0]?.job.id).toBe('2');
    });

    it('extends the lease of a running job, and takes over that of a dead process', async () => {
      const [dead, alive] = [open(plain), open(plain)];
      const job = await insert('1');
      for (const { queue } of [dead, alive]) queue.start();
      dead.queue.offer([job]);
      await until(() => dead.runs.length === 1);
      for (let count = 1; count <= 5; count += 1) {
        await heartbeat();
        await until(async () => Number((await read('1'))?.due_at) === clock.now() + LEASE_MS);
      }
      expect(alive.runs).toHaveLength(0);
      // A process that is gone extends nothing.
      await execute(`UPDATE kept_jobs SET lease_owner = 'gone'`);
      dead.queue.cancel('a', () => true);
      await dead.queue.drain(0);
      await until(async () => {
        clock.advance(HEARTBEAT_MS);
        await new Promise(setImmediate);
        return alive.runs.length === 1;
      });
      expect(await read('1')).toMatchObject({ status: 'running', attempts: 2, lease_owner: alive.runs[0]?.lease.owner });
      await expect(test.store.unitOfWork.commit([plain.assertHeld(['1'], 'gone')])).rejects.toBeInstanceOf(LeaseLost);
    });

    it('frees jobs that an earlier process left leased when no other process can run', async () => {
      await insert('1', { status: 'running', attempts: 1, due_at: clock.now() + LEASE_MS, lease_owner: 'gone' });
      const { queue, runs } = open(plain);
      await queue.recover();
      queue.start();
      await queue.lookUp();
      await until(() => queue.active === 0 || runs.length === 1);
      expect(runs.map(({ job }) => job.id)).toEqual(engine === 'sqlite' ? ['1'] : []);
    });

    it('retries a failed job when it is due', async () => {
      const { queue, runs } = open(plain, {
        groups: () => ['a'],
        find: async (now) => {
          const rows = await test.store.reader.rows<JobRow>(`SELECT * FROM kept_jobs WHERE status <> 'done'`);
          return { jobs: rows.filter((row) => Number(row.due_at) <= now), nextDueAt: Math.min(...rows.map((row) => Number(row.due_at))) };
        },
      });
      await insert('1');
      queue.start();
      await until(() => runs.length === 1);
      const dueAt = clock.now() + 1000;
      await runs[0]?.end('failed', { error: 'a fault of the tests', dueAt });
      await until(() => queue.active === 0);
      expect(await read('1')).toMatchObject({ status: 'failed', attempts: 1, error: 'a fault of the tests' });
      await queue.lookUp('a');
      clock.advance(999);
      await queue.lookUp('a');
      await until(() => queue.active === 0);
      expect(await read('1')).toMatchObject({ status: 'failed', attempts: 1 });
      clock.advance(1);
      await until(() => runs.length === 2);
      expect(await read('1')).toMatchObject({ status: 'running', attempts: 2 });
    });

    it('claims no job before it is due, and none that has ended', async () => {
      const { queue, begun } = open(plain);
      queue.start();
      queue.offer([await insert('later', { due_at: clock.now() + 1 }), await insert('dead', { status: 'dead' })]);
      await until(() => begun.length === 2 && queue.active === 0);
      expect([await read('later'), await read('dead')]).toMatchObject([{ status: 'queued' }, { status: 'dead' }]);
    });

    it('limits the running jobs of a group, and of all groups', async () => {
      const { queue, runs } = open(plain, { concurrency: 3 });
      queue.start();
      const jobs = [
        await insert('1'),
        await insert('2'),
        await insert('3'),
        await insert('4', { topic: 'b' }),
        await insert('5', { topic: 'b' }),
      ];
      queue.offer(jobs);
      await until(() => runs.length === 3);
      expect(runs.map(({ job }) => job.id).sort()).toEqual(['1', '2', '4']);
      await runs.find(({ job }) => job.id === '1')?.end('done');
      await until(() => runs.length === 4);
      expect(queue.active).toBe(3);
    });

    it('continues with a group although a running look-up returned a job that has ended since', async () => {
      const held: { answer: { jobs: Job[] }; release: () => void }[] = [];
      const { queue, runs } = open(ordered, {
        groups: () => ['a'],
        find: async (now) => {
          const answer = {
            jobs: await test.store.reader.rows<Job>(`SELECT * FROM kept_jobs WHERE ${ordered.claimable} ORDER BY place`, [now]),
          };
          if (held.length === 0) await new Promise<void>((release) => held.push({ answer, release }));
          return answer;
        },
      });
      const first = await insert('1');
      queue.start();
      await until(() => held.length === 1);
      expect(held[0]?.answer.jobs.map(({ id }) => id)).toEqual(['1']);
      queue.offer([first]);
      await until(() => runs.length === 1);
      await runs[0]?.end('done');
      await until(() => queue.active === 0);
      held[0]?.release();
      queue.offer([await insert('2', { place: 2 })]);
      await until(() => runs.length === 2);
      await runs[1]?.end('done');
    });

    it('aborts cancelled jobs, and continues with the next', async () => {
      const { queue, runs } = open(ordered);
      queue.start();
      queue.offer([await insert('1'), await insert('2', { place: 2 }), await insert('3', { place: 3 })]);
      await until(() => runs.length === 1);
      await execute(`UPDATE kept_jobs SET status = 'cancelled', lease_owner = NULL WHERE place < 3`);
      queue.cancel('a', ({ place }) => place < 3);
      expect(runs[0]?.lease.signal.reason).toBeInstanceOf(LeaseLost);
      await until(() => runs.length === 2);
      expect(runs[1]?.job.id).toBe('3');
    });

    it('lets jobs finish within the grace time of a stop, and releases the others', async () => {
      const { queue, runs, begun } = open(plain);
      queue.start();
      queue.offer([await insert('1'), await insert('2'), await insert('3')]);
      await until(() => runs.length === 2);
      // Claims are committed side by side on PostgreSQL.
      runs.sort((a, b) => a.job.place - b.job.place || (a.job.id < b.job.id ? -1 : 1));
      const drained = queue.drain(5000);
      await runs[0]?.end('done');
      expect(runs[1]?.lease.signal.aborted).toBe(false);
      await until(() => queue.active === 1);
      await until(async () => {
        clock.advance(5000);
        return runs[1]?.lease.signal.aborted;
      });
      await drained;
      expect(await read('1')).toMatchObject({ status: 'done' });
      expect(await read('2')).toMatchObject({ status: 'queued', attempts: 0, lease_owner: null });
      expect(await read('3')).toMatchObject({ status: 'queued', attempts: 0 });
      expect(begun).toEqual(['1', '2']);
    });
  });

  if (engine !== 'sqlite') return;
  it('a queue pauses four times as long after each failure, up to an hour, and gives up after the last attempt', () => {
    const policy = { attempts: 9, backoffMs: 1000 };
    for (let attempt = 1; attempt < policy.attempts; attempt += 1) {
      const next = afterFailure(attempt, policy, 0);
      const full = Math.min(1000 * 4 ** (attempt - 1), 3_600_000);
      expect([next!.dueAt >= full / 2, next!.dueAt <= full + 1]).toEqual([true, true]);
    }
    expect(afterFailure(9, policy, 0)).toBeUndefined();
  });
}
