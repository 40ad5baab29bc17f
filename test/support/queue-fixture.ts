import type { Engine, SqlValue } from '../../src/core/database/index.js';
import { Log } from '../../src/core/logging/index.js';
import { JobTable, Queue, type Lease, type QueueOptions } from '../../src/core/queue/index.js';
import { FakeClock } from './fake-clock.js';
import { openTestStore, type TestStore } from './test-store.js';

export const LEASE_MS = 10_000;
export const HEARTBEAT_MS = 3000;
const COLUMNS = `id varchar(36) PRIMARY KEY, topic varchar(36), place integer, status varchar(16), attempts integer, due_at bigint,
  lease_owner varchar(36), error text CHECK (error <> 'unstorable'), claimed_at bigint, ended_at bigint`;

const description = { queue: 'kept', table: 'kept_jobs', key: ['id'], waiting: ['queued', 'failed'], due: 'due_at' } as const;
const stamps = { onClaim: 'claimed_at = ?', onEnd: 'ended_at = ?' };
export const plain = new JobTable({ ...description, ...stamps });
export const ordered = new JobTable({ ...description, ...stamps, order: { key: 'topic', by: ['place', 'id'] } });

export interface Job {
  readonly id: string;
  readonly topic: string;
  readonly place: number;
}

export interface JobRow extends Job {
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

/** Waits for work that needs no time to pass. */
export async function until(condition: () => unknown): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}

/** A table of jobs, and the queues of the processes that share it. All members can be taken out of it. */
export class QueueFixture {
  test!: TestStore;
  clock!: FakeClock;
  private queues: Queue<Job>[] = [];

  readonly openTable = async (engine: Engine): Promise<this> => {
    this.test = await openTestStore(engine);
    this.clock = new FakeClock();
    this.queues = [];
    await this.execute(`CREATE TABLE kept_jobs (${COLUMNS})`);
    return this;
  };

  readonly close = async (): Promise<void> => {
    await Promise.all(this.queues.map((queue) => queue.drain(0)));
    await this.test.close();
  };

  readonly execute = (sql: string, params: SqlValue[] = []): Promise<unknown> => this.test.store.unitOfWork.commit([{ sql, params }]);

  readonly read = async (id: string): Promise<JobRow | undefined> =>
    (await this.test.store.reader.rows<JobRow>('SELECT * FROM kept_jobs WHERE id = ?', [id]))[0];

  readonly insert = async (id: string, rest: Partial<JobRow> = {}): Promise<Job> => {
    const row = { topic: 'a', place: 1, status: 'queued', attempts: 0, due_at: null, lease_owner: null, ...rest };
    await this.execute('INSERT INTO kept_jobs (id, topic, place, status, attempts, due_at, lease_owner) VALUES (?, ?, ?, ?, ?, ?, ?)', [
      id,
      ...[row.topic, row.place, row.status, row.attempts, row.due_at, row.lease_owner],
    ]);
    return { id, topic: row.topic, place: row.place };
  };

  /** The next heartbeat is scheduled at the end of the one before, and the clock must not pass it by. */
  readonly heartbeat = async (): Promise<void> => {
    await until(() => this.clock.scheduled >= this.queues.length);
    this.clock.advance(HEARTBEAT_MS);
  };

  /** One process's queue; `runs` are those that have claimed their job. */
  readonly open = (
    table: JobTable,
    options: Partial<QueueOptions<Job, never>> = {},
  ): { queue: Queue<Job>; runs: Run[]; begun: string[] } => {
    const { clock, test } = this;
    const runs: Run[] = [];
    const begun: string[] = [];
    const run = async (job: Job, lease: Lease): Promise<void> => {
      begun.push(job.id);
      if (!lease.claimed) await test.store.unitOfWork.commit([lease.claim()]);
      lease.signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        lease.signal.addEventListener('abort', () => reject(lease.signal.reason as Error));
        const end: Run['end'] = async (status, rest) => {
          const store = (): Promise<unknown> => test.store.unitOfWork.commit([table.end([job.id], lease.owner, status, clock.now(), rest)]);
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
          jobs: await test.store.reader.rows<Job>(`SELECT id, topic, place FROM kept_jobs WHERE ${table.claimable} ORDER BY place`, [now]),
        }),
        run,
        fieldsOf: ({ id }) => ({ id }),
        log: new Log('queue'),
        ...options,
      },
      clock,
      test.store,
    );
    this.queues.push(queue);
    return { queue, runs, begun };
  };
}
