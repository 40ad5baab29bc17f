import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { AppError } from '../../../src/core/errors/index.js';
import { Leadership } from '../../../src/core/leadership/index.js';
import { Log } from '../../../src/core/logging/index.js';
import { JobEnvironment, JobRunner, JobTable, type JobFailure, type Lease } from '../../../src/core/queue/index.js';
import { QueueFixture, until, type Job } from '../queue-fixture.js';

const RETRY = { attempts: 3, backoffMs: 60_000, factor: 2, isExact: true };
const HEARTBEAT_MS = 10_000;
const TABLE = new JobTable({
  ...{ queue: 'kept', table: 'kept_jobs', key: ['id'], waiting: ['queued'], due: 'due_at' },
  ...{ onClaim: 'claimed_at = ?', onEnd: 'ended_at = ?' },
});

type Claimed = Job & { readonly attempts: number };

/** Does what the test says with each job. */
class TestRunner extends JobRunner<Job, Claimed> {
  readonly processed: string[] = [];
  readonly leads: boolean[] = [];
  work: (job: Claimed, lease: Lease) => Promise<void> = () => Promise.resolve();

  constructor(
    environment: JobEnvironment,
    private readonly fixture: QueueFixture,
    options: { readonly onlyLeader?: boolean; readonly tickMs?: number } = {},
  ) {
    super(environment, {
      table: TABLE,
      retry: RETRY,
      keyOf: ({ id }) => [id],
      fieldsOf: ({ id }) => ({ id }),
      log: new Log('queue'),
      failure: 'a job failed',
      ...options,
    });
  }

  protected override async find(now: number): Promise<{ jobs: Job[]; nextDueAt?: number }> {
    const { reader } = this.fixture.test.store;
    const due = reader.rows<Job>(`SELECT id, topic, place FROM kept_jobs WHERE ${TABLE.claimable} ORDER BY place`, [now]);
    return TABLE.withNextDue(reader, now, due);
  }

  protected override async claim({ id }: Job, { claim }: Lease): Promise<Claimed | undefined> {
    const row = await TABLE.claimed(this.fixture.test.store.unitOfWork, claim(), {
      sql: 'SELECT * FROM kept_jobs WHERE id = ?',
      params: [id],
    });
    return row as unknown as Claimed | undefined;
  }

  protected override async process(job: Claimed, lease: Lease): Promise<() => Promise<unknown>> {
    this.processed.push(job.id);
    await this.work(job, lease);
    return () => this.fixture.test.store.unitOfWork.commit([this.end(job, lease.owner, 'done')]);
  }

  protected override failureOf(error: unknown, job: Claimed): JobFailure | undefined {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return { error };
    return super.failureOf(error, job);
  }

  protected override async tick(isLeader: boolean): Promise<void> {
    this.leads.push(isLeader);
  }
}

/** What every kind of background work gets from its runner. */
export function describeJobRunner(engine: Engine): void {
  describe(`a job runner on ${engine}`, () => {
    const fixture = new QueueFixture();
    let leadership: Leadership;
    let runner: TestRunner;

    beforeEach(() => fixture.openTable(engine));
    afterEach(async () => {
      await runner.beforeApplicationShutdown();
      await leadership.beforeApplicationShutdown();
      await fixture.close();
    });

    async function start(options: ConstructorParameters<typeof TestRunner>[2] = {}, work?: TestRunner['work']): Promise<void> {
      const { store } = fixture.test;
      leadership = new Leadership(store);
      runner = new TestRunner(new JobEnvironment(fixture.clock, store, leadership), fixture, options);
      if (work) runner.work = work;
      await runner.onApplicationBootstrap();
    }

    const statusOf = async (id: string): Promise<string | undefined> => (await fixture.read(id))?.status;

    it('runs due jobs, those pending at its start and those it is notified of', async () => {
      await fixture.insert('1');
      await start();
      await until(async () => (await statusOf('1')) === 'done');
      await fixture.insert('2');
      runner.wake();
      await until(async () => (await statusOf('2')) === 'done');
      expect(runner.processed).toEqual(['1', '2']);
    });

    it('retries a failed job after growing pauses, and keeps its last error', async () => {
      await fixture.insert('1');
      await start({}, () => Promise.reject(new AppError('MODEL_UNAVAILABLE', 'The model is away.', 'Try again.')));
      for (const [attempts, pause] of [
        [1, 60_000],
        [2, 120_000],
      ] as const) {
        await until(async () => (await fixture.read('1'))?.attempts === attempts && (await statusOf('1')) === 'queued');
        expect(Number((await fixture.read('1'))?.due_at)).toBe(fixture.clock.now() + pause);
        fixture.clock.advance(pause);
      }
      await until(async () => (await statusOf('1')) === 'failed');
      expect(JSON.parse((await fixture.read('1'))!.error!)).toEqual({
        code: 'MODEL_UNAVAILABLE',
        message: 'The model is away.',
        details: 'Try again.',
      });
      expect(runner.processed).toEqual(['1', '1', '1']);
    });

    it('runs a job that cannot succeed once, and one with an internal error as often as others', async () => {
      await fixture.insert('1', { place: 1 });
      await fixture.insert('2', { place: 2 });
      const errors: Record<string, Error> = { '1': new AppError('VALIDATION_ERROR', 'It is wrong.', ''), '2': new TypeError('a bug') };
      await start({}, ({ id }) => Promise.reject(errors[id]!));
      await until(async () => (await statusOf('1')) === 'failed' && (await fixture.read('2'))?.error !== null);
      expect(await fixture.read('1')).toMatchObject({ attempts: 1, due_at: null });
      expect(await statusOf('2')).toBe('queued');
      expect(JSON.parse((await fixture.read('2'))!.error!)).toMatchObject({ code: 'INTERNAL_ERROR' });
    });

    it('abandons a job whose process ended in each attempt', async () => {
      await fixture.insert('1', { attempts: RETRY.attempts });
      await start();
      await until(async () => (await statusOf('1')) === 'failed');
      expect(runner.processed).toEqual([]);
      expect(JSON.parse((await fixture.read('1'))!.error!)).toMatchObject({ message: 'The server ended during each attempt.' });
    });

    it('repeats a job after a database error without counting an attempt', async () => {
      await fixture.insert('1');
      const fault = new AppError('STORAGE_UNAVAILABLE', 'The database is away.', 'Start it.');
      await start({}, () => (runner.processed.length === 1 ? Promise.reject(fault) : Promise.resolve()));
      await until(() => runner.processed.length === 1);
      await until(async () => {
        fixture.clock.advance(HEARTBEAT_MS);
        return (await statusOf('1')) === 'done';
      });
      expect(await fixture.read('1')).toMatchObject({ attempts: 1, error: null });
    });

    it('releases its running job when it stops', async () => {
      await fixture.insert('1');
      await start(
        {},
        (_job, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      );
      await until(() => runner.processed.length === 1);
      await runner.beforeApplicationShutdown();
      expect(await fixture.read('1')).toMatchObject({ status: 'queued', attempts: 0, lease_owner: null, error: null });
    });

    it('runs jobs of the leader, and reports at each tick whether this process leads', async () => {
      await fixture.insert('1');
      await start({ onlyLeader: true, tickMs: 1000 });
      const isLeader = engine === 'sqlite';
      fixture.clock.advance(1000);
      await until(() => runner.leads.length === 1);
      expect(runner.leads).toEqual([isLeader]);
      if (!isLeader) {
        expect(runner.processed).toEqual([]);
        await leadership.onModuleInit();
        runner.wake();
      }
      await until(async () => (await statusOf('1')) === 'done');
    });
  });
}
