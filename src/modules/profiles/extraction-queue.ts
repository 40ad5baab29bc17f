import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, isStorageFault, STORE, UnitOfWork, type Store } from '../../core/database/index.js';
import { Log } from '../../core/logging/index.js';
import { afterFailure, LeaseLost, Queue, type Lease } from '../../core/queue/index.js';
import { Extraction, nothingSpent } from './extraction.js';
import { keyOf, profileIdOf, ProfileJobsRepository, type DueJob, type ProfileJob } from './profile-jobs.repository.js';

const LEASE_MS = 30_000;
const HEARTBEAT_MS = 10_000;
// Answers to users come first.
const CONCURRENCY = 2;
const MAX_LOOKUP = 50;
const RETRY = { attempts: 5, backoffMs: 30_000 };

/** Runs extractions: one at a time for each user of an agent, on any number of processes. */
@Injectable()
export class ExtractionQueue implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly queue: Queue<DueJob>;
  private readonly log = new Log('profiles');

  constructor(
    private readonly jobs: ProfileJobsRepository,
    private readonly extraction: Extraction,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(STORE) store: Store,
  ) {
    this.queue = new Queue<DueJob>(
      {
        table: jobs.table,
        leaseMs: LEASE_MS,
        heartbeatMs: HEARTBEAT_MS,
        concurrency: CONCURRENCY,
        groupConcurrency: 1,
        keyOf,
        groupOf: profileIdOf,
        compare: (a, b) => a.notedAt - b.notedAt || (a.channelId < b.channelId ? -1 : 1),
        find: (now) => jobs.due(now, MAX_LOOKUP),
        run: (job, lease) => this.run(job, lease),
        fieldsOf: ({ agentId, channelId }) => ({ agentId, channelId }),
        log: this.log,
      },
      clock,
      store,
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.queue.recover();
    this.queue.start();
    this.wake();
  }

  /** Releases running extractions, which the next process repeats. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.queue.drain(0);
  }

  /** Looks for due jobs. Call it after each commit that notes a turn. */
  wake(): void {
    void this.queue.lookUp();
  }

  private async run(due: DueJob, { owner, signal, claim }: Lease): Promise<void> {
    const job = await this.jobs.claim(due, claim());
    if (!job) throw new LeaseLost();
    const spent = nothingSpent();
    try {
      // The process ended during each attempt: these messages are not read again.
      const skip = job.attempts > RETRY.attempts;
      const end = await this.extraction.run(job, owner, signal, spent, skip);
      await this.queue.storeEnd(due, end);
    } catch (error) {
      // The agent or the channel was deleted during the run.
      if (isForeignKeyViolation(error)) throw new LeaseLost();
      if (signal.aborted || error instanceof LeaseLost || isStorageFault(error)) throw error;
      await this.fail(due, job, owner, error instanceof Error ? error.message : String(error), spent);
    }
    this.wake();
  }

  private async fail(
    due: DueJob,
    job: ProfileJob,
    owner: string,
    failure: string,
    { usage }: ReturnType<typeof nothingSpent>,
  ): Promise<void> {
    const now = this.clock.now();
    const next = afterFailure(job.attempts, RETRY, now);
    const dueAt = next.status === 'dead' ? null : next.dueAt;
    const status = dueAt === null ? 'failed' : 'pending';
    await this.queue.storeEnd(due, () =>
      this.unitOfWork.commit([
        this.jobs.table.end(keyOf(job), owner, status, now, { error: failure, dueAt }),
        ...this.extraction.recordUsage(job, usage),
      ]),
    );
    const outcome = dueAt === null ? 'facts could not be extracted; the next turn tries again' : 'facts could not be extracted; retrying';
    this.log.warn(outcome, { agentId: job.agentId, channelId: job.channelId, attempt: job.attempts, error: failure });
  }
}
