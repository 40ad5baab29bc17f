import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, PeriodicTask } from '../clock/index.js';
import { isForeignKeyViolation, isStorageError, STORE, type Statement, type Store } from '../database/index.js';
import { AppError, errorBody } from '../errors/index.js';
import { Leadership } from '../leadership/index.js';
import type { Log } from '../logging/index.js';
import { afterFailure, type RetryPolicy } from './after-failure.js';
import { LeaseLost } from './lease-lost.js';
import { Queue } from './queue.js';
import type { Lease, QueueOptions } from './queue-options.js';

const LEASE_MS = 30_000;
const HEARTBEATS = 3;
const ALL = '';

/** What every runner needs of its process. */
@Injectable()
export class JobEnvironment {
  constructor(
    readonly clock: Clock,
    @Inject(STORE) readonly store: Store,
    readonly leadership: Leadership,
  ) {}
}

export interface JobOptions<D> extends Pick<
  QueueOptions<D, never>,
  'table' | 'keyOf' | 'fieldsOf' | 'log' | 'concurrency' | 'groups' | 'onGroup' | 'sharesOf'
> {
  /** Length of a lease, ms; 30 s by default. */
  readonly leaseMs?: number;
  /** Interval at which leases are extended and jobs looked up, ms; a third of a lease by default. */
  readonly heartbeatMs?: number;
  /** Jobs of one group that this process runs at a time; 1 by default. */
  readonly groupConcurrency?: number;
  /** The group of a job; without it, there is one group. */
  readonly groupOf?: (due: D) => string;
  /** Orders the jobs of a group; by default they stay in the order in which they were found. */
  readonly compare?: (a: D, b: D) => number;
  /** Whether only the leader of a fleet runs the jobs. */
  readonly onlyLeader?: boolean;
  /** Interval of `tick`, ms; no ticks by default. */
  readonly tickMs?: number;
  /** Before the first tick, ms; `tickMs` by default. */
  readonly firstTickMs?: number;
  /** After a failure; by default a job is tried once. */
  readonly retry?: RetryPolicy;
  /** For the log: `a document could not be ingested`. */
  readonly failure: string;
}

/** How an attempt failed. */
export interface JobFailure {
  readonly error: AppError;
  /** Absent when no further attempt can succeed. */
  readonly retry?: RetryPolicy | undefined;
}

/** The end of a failed attempt, as it is stored. */
export interface FailedEnd {
  readonly status: string;
  /** Text for the column `error`. */
  readonly error: string;
  /** When it is tried again, epoch ms; null when it is not. */
  readonly dueAt: number | null;
  /** Epoch ms. */
  readonly at: number;
}

/**
 * Runs the jobs of one kind: it holds their leases, retries, stores how attempts ended, and stops in an orderly way. A kind of work is a
 * subclass that finds and claims the rows of its `JobTable`, and does one job in `process`.
 *
 * ```ts
 * class ThumbnailRunner extends JobRunner<{ id: string }, Thumbnail> {
 *   constructor(environment: JobEnvironment, private readonly thumbnails: ThumbnailsRepository) {
 *     super(environment, { table: thumbnails.table, keyOf: ({ id }) => [id], fieldsOf: ({ id }) => ({ thumbnailId: id }),
 *       log: new Log('media'), failure: 'a thumbnail could not be made', retry: { attempts: 5, backoffMs: 5000 } });
 *   }
 *   protected find(now: number, _group: string, limit: number) { return this.thumbnails.due(now, limit); }
 *   protected claim({ id }: { id: string }, { claim }: Lease) { return this.thumbnails.claim(id, claim()); }
 *   protected async process(thumbnail: Thumbnail, { owner, signal }: Lease) {
 *     const image = await draw(thumbnail, signal);
 *     return () => this.environment.store.unitOfWork.commit([this.end(thumbnail, owner, 'done'), this.thumbnails.store(thumbnail, image)]);
 *   }
 * }
 * ```
 *
 * @typeParam D a due job, as it is found @typeParam J a claimed one @typeParam H passed from `Queue.offer` to `claim`
 */
export abstract class JobRunner<D, J extends D & { readonly attempts: number }, H = never>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  protected readonly queue: Queue<D, H>;
  protected readonly log: Log;
  private readonly ticks: PeriodicTask | undefined;

  constructor(
    protected readonly environment: JobEnvironment,
    private readonly options: JobOptions<D>,
  ) {
    const { clock, store, leadership } = environment;
    const { leaseMs = LEASE_MS, heartbeatMs = leaseMs / HEARTBEATS, onlyLeader, groupOf, tickMs, log } = options;
    this.log = log;
    this.queue = new Queue<D, H>(
      {
        groupConcurrency: 1,
        groupOf: () => ALL,
        compare: () => 0,
        ...(groupOf ? {} : { groups: () => [ALL] }),
        ...options,
        leaseMs,
        heartbeatMs,
        find: async (now, group, limit) => (onlyLeader && !leadership.isLeader ? { jobs: [] } : this.find(now, group, limit)),
        run: (due, lease, hint) => this.run(due, lease, hint),
      },
      clock,
      store,
    );
    const failed = (error: unknown): void => log.error('jobs could not be planned; retrying', error, { queue: options.table.queue });
    this.ticks = tickMs === undefined ? undefined : new PeriodicTask(clock, tickMs, () => this.tick(leadership.isLeader), failed);
  }

  /** Runs due jobs from now on. */
  async onApplicationBootstrap(): Promise<void> {
    await this.queue.recover();
    this.queue.start();
    this.startTicks();
  }

  /** Plans jobs from now on. */
  protected startTicks(): void {
    this.ticks?.start();
    if (this.options.firstTickMs !== undefined) this.ticks?.runSoon(this.options.firstTickMs);
  }

  /** Releases running jobs, which the next process repeats. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.ticks?.stop();
    await this.queue.drain(0);
  }

  /** Looks for due jobs. Call it after each commit that makes one due. */
  wake(group = ALL): void {
    void this.queue.lookUp(group);
  }

  /** Reads claimable jobs, in order, at most `limit` of a group, and when the next becomes due (`JobTable.withNextDue`). */
  protected abstract find(now: number, group: string, limit: number): Promise<{ readonly jobs: readonly D[]; readonly nextDueAt?: number }>;

  /** Commits the claim, and reads the job. @returns undefined when there is nothing to do @throws LeaseLost */
  protected abstract claim(due: D, lease: Lease, hint?: H): Promise<J | undefined>;

  /**
   * Does a job.
   *
   * @returns stores the end, in one transaction; it is repeated while the database is away. Undefined when the end is stored already
   * @throws what `failureOf` decides about
   */
  protected abstract process(job: J, lease: Lease): Promise<(() => Promise<unknown>) | void>;

  /** Plans jobs, at each interval `tickMs`. */
  protected async tick(_isLeader: boolean): Promise<void> {
    // Most kinds of work get their jobs from others.
  }

  /**
   * What an error of `process` means.
   *
   * @returns undefined for a job that is released: it is repeated soon, and the attempt does not count
   * @throws LeaseLost when the job no longer exists
   */
  protected failureOf(error: unknown, _job: J): JobFailure | undefined {
    // What the job belongs to was deleted meanwhile.
    if (isForeignKeyViolation(error)) throw new LeaseLost();
    return isStorageError(error) ? undefined : { error: toAppError(error), retry: this.options.retry };
  }

  /** The error of a job whose process ended in each attempt; undefined lets `process` decide. */
  protected crashed(_job: J): AppError | undefined {
    const details = 'The log of the server has the reason: it may have run out of memory, or have been killed.';
    return new AppError('SERVER_STOPPING', 'The server ended during each attempt.', details);
  }

  /** Statements of the transaction that stores a failed attempt. */
  protected async onFailed(_job: J, _end: FailedEnd): Promise<readonly Statement[]> {
    return [];
  }

  /** Stores a failed attempt. */
  protected async storeFailed(job: J, owner: string, end: FailedEnd): Promise<unknown> {
    const { table, keyOf } = this.options;
    const { status, at, error, dueAt } = end;
    const statements = await this.onFailed(job, end);
    return this.environment.store.unitOfWork.commit([table.end(keyOf(job), owner, status, at, { error, dueAt }), ...statements]);
  }

  /** Tells the log of a failed attempt. */
  protected report(due: D, { attempts }: J, { error }: JobFailure, { dueAt }: FailedEnd): void {
    const { failure, fieldsOf } = this.options;
    const fields = { ...fieldsOf(due), attempt: attempts };
    const text = dueAt === null ? failure : `${failure}; it is tried again`;
    if (error.code === 'INTERNAL_ERROR') this.log.error(text, error.cause, fields);
    else this.log.warn(text, { ...fields, error: error.message });
  }

  /** The statement that ends an attempt. @param dueAt of the next one, epoch ms, with a status that waits */
  protected end(job: J, owner: string, status: string, dueAt: number | null = null): Statement {
    return this.options.table.end(this.options.keyOf(job), owner, status, this.environment.clock.now(), { dueAt });
  }

  protected async run(due: D, lease: Lease, hint?: H): Promise<void> {
    const job = await this.claim(due, lease, hint);
    if (!job) return;
    try {
      const exhausted = job.attempts > (this.options.retry?.attempts ?? Infinity) ? this.crashed(job) : undefined;
      if (exhausted) throw exhausted;
      const end = await this.process(job, lease);
      if (end) await this.queue.storeEnd(due, end);
    } catch (error) {
      if (lease.signal.aborted) throw lease.signal.reason;
      if (error instanceof LeaseLost) throw error;
      const failure = this.failureOf(error, job);
      if (!failure) throw error;
      await this.fail(due, job, lease.owner, failure);
    }
  }

  private async fail(due: D, job: J, owner: string, failure: JobFailure): Promise<void> {
    const { clock } = this.environment;
    const { retried, failed } = this.options.table.afterFailure;
    const at = clock.now();
    const next = failure.retry ? afterFailure(job.attempts, failure.retry, at) : undefined;
    const dueAt = next?.dueAt ?? null;
    const end = { status: dueAt === null ? failed : retried, error: this.errorText(failure.error), dueAt, at };
    await this.queue.storeEnd(due, () => this.storeFailed(job, owner, end));
    this.report(due, job, failure, end);
  }

  /** Text for the column `error`. */
  protected errorText(error: AppError): string {
    return JSON.stringify(errorBody(error));
  }
}

/** An error of any kind as one with a remedy; INTERNAL_ERROR with its cause for one that is not expected. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('INTERNAL_ERROR', 'The job failed because of a server error.', 'The log has the cause.', error);
}
