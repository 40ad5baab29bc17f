import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Engine, SqlValue } from '../../../src/core/database/index.js';
import { Log } from '../../../src/core/logging/index.js';
import { afterFailure, JobTable, LeaseLost, Queue, type Lease, type QueueOptions } from '../../../src/core/queue/index.js';
import { FakeClock } from '../fake-clock.js';
import { openTestStore, type TestStore } from '../test-store.js';

const LEASE_MS = 10_000;
const HEARTBEAT_MS = 3000;
const COLUMNS = `id varchar(36) PRIMARY KEY, topic varchar(36), place integer, status varchar(16), attempts integer, due_at bigint,
  lease_owner varchar(36), error text CHECK (error <> 'unstorable'), claimed_at bigint, ended_at bigint`;

interface Job {
  readonly id: string;
  readonly topic: string;
  readonly place: number;
}

interface JobRow extends Job {
  readonly status: string;
  readonly attempts: number;
  readonly due_at: number | string | null;
  readonly lease_owner: string | null;
  readonly error: string | null;
}

/** A run that has begun, and how the test ends it. */
interface Run {
  readonly job: Job;
  readonly lease: Lease;
  end(status: string, rest?: { error?: string; dueAt?: number }): Promise<void>;
  fail(error: Error): void;
}

/** What a queue promises on every engine: one owner at a time, order within an ordering key, no job lost with its process. */
export function describeQueue(engine: Engine): void {
  describe(`queue on ${engine}`, () => {
    let test: TestStore;
    let clock: FakeClock;
    let queues: Queue<Job>[];
    const description = { table: 'kept_jobs', key: ['id'], waiting: ['queued', 'failed'], due: 'due_at' } as const;
    const stamps = { onClaim: 'claimed_at = ?', onEnd: 'ended_at = ?' };
    const plain = new JobTable({ ...description, ...stamps });
    const ordered = new JobTable({ ...description, ...stamps, order: { key: 'topic', by: ['place', 'id'] } });

    beforeEach(async () => {
      test = await openTestStore(engine);
      await execute(`CREATE TABLE kept_jobs (${COLUMNS})`);
      clock = new FakeClock();
      queues = [];
    });
    afterEach(async () => {
      await Promise.all(queues.map((queue) => queue.drain(0)));
      await test.close();
    });

    const execute = (sql: string, params: SqlValue[] = []): Promise<unknown> => test.store.unitOfWork.commit([{ sql, params }]);
    const read = async (id: string): Promise<JobRow | undefined> =>
      (await test.store.reader.rows<JobRow>('SELECT * FROM kept_jobs WHERE id = ?', [id]))[0];
    const insert = async (id: string, rest: Partial<JobRow> = {}): Promise<Job> => {
      const row = { topic: 'a', place: 1, status: 'queued', attempts: 0, due_at: null, lease_owner: null, ...rest };
      await execute('INSERT INTO kept_jobs (id, topic, place, status, attempts, due_at, lease_owner) VALUES (?, ?, ?, ?, ?, ?, ?)', [
        id,
        ...[row.topic, row.place, row.status, row.attempts, row.due_at, row.lease_owner],
      ]);
      return { id, topic: row.topic, place: row.place };
    };
    /** Waits for work that needs no time to pass. */
    async function until(condition: () => unknown): Promise<void> {
      while (!(await condition())) await new Promise(setImmediate);
    }

    /** The next heartbeat is scheduled at the end of the one before, and the clock must not pass it by. */
    async function heartbeat(): Promise<void> {
      await until(() => clock.scheduled >= queues.length);
      clock.advance(HEARTBEAT_MS);
    }

    /** One process's queue; `runs` are those that have claimed their job. */
    function open(table: JobTable, options: Partial<QueueOptions<Job, never>> = {}): { queue: Queue<Job>; runs: Run[]; begun: string[] } {
      const runs: Run[] = [];
      const begun: string[] = [];
      const run = async (job: Job, lease: Lease): Promise<void> => {
        begun.push(job.id);
        if (!lease.claimed) await test.store.unitOfWork.commit([lease.claim()]);
        lease.signal.throwIfAborted();
        await new Promise<void>((resolve, reject) => {
          lease.signal.addEventListener('abort', () => reject(lease.signal.reason as Error));
          const end: Run['end'] = async (status, rest) => {
            const store = (): Promise<unknown> =>
              test.store.unitOfWork.commit([table.end([job.id], lease.owner, status, clock.now(), rest)]);
            await queue.storeEnd(job, store).then(() => resolve(), reject);
          };
          runs.push({ job, lease, end, fail: reject });
        });
      };
      const queue: Queue<Job> = new Queue<Job>(
        {
          table,
          leaseMs: LEASE_MS,
          heartbeatMs: HEARTBEAT_MS,
          groupConcurrency: table === ordered ? 1 : 2,
          keyOf: ({ id }) => [id],
          groupOf: ({ topic }) => topic,
          compare: (a, b) => a.place - b.place,
          find: async (now) => ({
            jobs: await test.store.reader.rows<Job>(`SELECT id, topic, place FROM kept_jobs WHERE ${table.claimable} ORDER BY place`, [
              now,
            ]),
          }),
          run,
          fieldsOf: ({ id }) => ({ id }),
          log: new Log('queue'),
          ...options,
        },
        clock,
        test.store,
      );
      queues.push(queue);
      return { queue, runs, begun };
    }

    it('gives a job that two processes want to one of them', async () => {
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

    it('runs the jobs of an ordering key one after another, in order, whichever process has them', async () => {
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
      other.queue.offer([second]);
      await until(() => other.queue.active === 0);
      await heartbeat();
      await until(() => one.runs.length + other.runs.length === 2);
      const [next] = [...one.runs.slice(1), ...other.runs];
      expect(next?.job.id).toBe('2');
      await next?.end('done');
      await heartbeat();
      await until(() => one.runs.length + other.runs.length === 3);
    });

    it('extends the lease of a job that runs, and takes over that of a process that died', async () => {
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

    it('frees what an earlier process left leased where no other process can run', async () => {
      await insert('1', { status: 'running', attempts: 1, due_at: clock.now() + LEASE_MS, lease_owner: 'gone' });
      const { queue, runs } = open(plain);
      await queue.recover();
      queue.start();
      await queue.lookUp();
      await until(() => queue.active === 0 || runs.length === 1);
      expect(runs.map(({ job }) => job.id)).toEqual(engine === 'sqlite' ? ['1'] : []);
    });

    it('tries a failed job again when it is due', async () => {
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

    it('does not claim a job before it is due, nor one that has ended', async () => {
      const { queue, begun } = open(plain);
      queue.start();
      queue.offer([await insert('later', { due_at: clock.now() + 1 }), await insert('dead', { status: 'dead' })]);
      await until(() => begun.length === 2 && queue.active === 0);
      expect([await read('later'), await read('dead')]).toMatchObject([{ status: 'queued' }, { status: 'dead' }]);
    });

    it('runs at most so many jobs of a group, and so many in all', async () => {
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

    it('goes on with a group although a lookup that is under way found a job that has ended since', async () => {
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

    it('stores the other ends and looks for jobs although one end cannot be stored', async () => {
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

    it('releases a job whose run the database failed, without counting the attempt', async () => {
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

    it('does not run a job again whose end could not be stored, and stores the end later', async () => {
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

    it('forgets a job whose lease was lost before its end was stored, and goes on', async () => {
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

    it('aborts jobs that are cancelled, and goes on with the next', async () => {
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

    it('lets jobs end within the grace time of a stop, and releases the others', async () => {
      const { queue, runs, begun } = open(plain);
      queue.start();
      queue.offer([await insert('1'), await insert('2'), await insert('3')]);
      await until(() => runs.length === 2);
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

    const leasedJob = (id: string, topic = 'a'): { id: string; topic: string; place: number } => ({ id, topic, place: 1 });
    const insertLeased = (id: string, { owner, until }: { owner: string; until: number }, topic = 'a'): ReturnType<typeof insert> =>
      insert(id, { topic, status: 'running', attempts: 1, due_at: until, lease_owner: owner });

    it('runs a job that was inserted as leased without a claim, as long as it is free', async () => {
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

    it('keeps the slot of a job that is being inserted as leased, until its insertion fails', async () => {
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

    it('releases a job of which it is not known whether its insertion failed', async () => {
      const { queue, runs } = open(plain);
      queue.start();
      await insertLeased('1', queue.lease(leasedJob('1'))!);
      queue.unlease(leasedJob('1'), true);
      await heartbeat();
      await until(() => runs.length === 1);
      expect(await read('1')).toMatchObject({ status: 'running', attempts: 1 });
    });
  });

  if (engine !== 'sqlite') return;
  it('pauses four times as long after each failure, up to an hour, and gives up after the last attempt', () => {
    const policy = { attempts: 9, backoffMs: 1000 };
    for (let attempt = 1; attempt < policy.attempts; attempt += 1) {
      const next = afterFailure(attempt, policy, 0);
      const full = Math.min(1000 * 4 ** (attempt - 1), 3_600_000);
      expect(next).toEqual({ status: 'failed', dueAt: expect.any(Number) });
      if (next.status === 'failed') expect([next.dueAt >= full / 2, next.dueAt <= full + 1]).toEqual([true, true]);
    }
    expect(afterFailure(9, policy, 0)).toEqual({ status: 'dead' });
  });
}
