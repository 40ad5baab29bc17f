import { PeriodicTask, type Cancel, type Clock } from '../clock/index.js';
import { outsideRequest } from '../context/request-context.js';
import type { Statement, Store } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { newId } from '../ids/index.js';
import { JobGroups } from './job-groups.js';
import { LeaseLost } from './lease-lost.js';
import type { QueueOptions } from './queue-options.js';

const ALL = '';
/** Jobs that have run for less than this share of the interval of heartbeats are extended by the next one. */
const NEW_SHARE = 1 / 3;

interface Lookup {
  /** Whether to look once more. */
  again: boolean;
  done: Promise<void>;
  /** Jobs that ended since it began. */
  readonly ended: Set<string>;
}

/**
 * Runs the jobs of a table: several groups at a time, each within its limit, on any number of processes. A claim in the database decides
 * which process runs a job. Heartbeats extend leases; the jobs of a crashed process are claimed again when their leases end.
 *
 * ```ts
 * const table = new JobTable({ queue: 'ingestions', table: 'ingestions', key: ['id'], waiting: ['queued'], due: 'due_at', onClaim: 'started_at = ?', onEnd: 'ended_at = ?' });
 * const queue = new Queue<Ingestion>({ table, leaseMs: 30_000, heartbeatMs: 10_000, groupConcurrency: 4, log: new Log('knowledge'),
 *   keyOf: ({ id }) => [id], groupOf: () => 'ingestions', compare: (a, b) => a.dueAt - b.dueAt, fieldsOf: ({ id }) => ({ id }),
 *   find: async (now, _group, limit) => ({ jobs: await repository.claimable(now, limit) }),
 *   run: async ({ id }, { owner, signal, claim }) => {
 *     await unitOfWork.commit([claim()]);
 *     await ingest(id, signal);
 *     await unitOfWork.commit([table.end([id], owner, 'done', clock.now())]);
 *   } }, clock, store);
 * await queue.recover();                     // at bootstrap, then queue.start(); queue.drain(graceMs) at the stop
 * queue.offer([ingestion]);                  // after the commit that inserted the row
 * ```
 *
 * A run whose work failed ends the attempt with `afterFailure` and stores the end with `storeEnd`.
 */
export class Queue<J, H = never> {
  private readonly owner = newId();
  private readonly groups: JobGroups<J>;
  private readonly running = new Map<string, { stop: AbortController; since: number; lease: { until: number }; done: Promise<void> }>();
  /** Ends and releases that could not be stored yet, by job. The jobs are still leased to this process and do not run. */
  private readonly unstoredEnds = new Map<string, () => Promise<unknown>>();
  /** Jobs that are being inserted as claimed. They occupy a slot. */
  private readonly leased = new Map<string, { job: J; since: number; until: number }>();
  private readonly lookups = new Map<string, Lookup>();
  private readonly timers = new Map<string, Cancel>();
  private readonly heartbeat: PeriodicTask;
  private started = false;
  private stopping = false;

  constructor(
    private readonly options: QueueOptions<J, H>,
    private readonly clock: Clock,
    private readonly store: Pick<Store, 'unitOfWork' | 'readSource'>,
  ) {
    const compare = (a: J, b: J): number => options.compare(a, b);
    this.groups = new JobGroups(options.groupConcurrency, options.table.ordered, compare, options.onGroup);
    this.heartbeat = new PeriodicTask(
      clock,
      options.heartbeatMs,
      () => this.sendHeartbeat(),
      (error) => options.log.error('leases could not be extended; retrying', error),
    );
  }

  /** Number of jobs that this process is running. */
  get active(): number {
    return this.running.size;
  }

  /** Groups whose next job waits because this process runs as many jobs as it may, and for how long the oldest has waited, ms. */
  get waiting(): { readonly groups: number; readonly oldestMs: number } {
    const { groups, since } = this.groups.waiting;
    return { groups, oldestMs: since === undefined ? 0 : Math.max(this.clock.now() - since, 0) };
  }

  /** Ends leases left over from an earlier process, if no other process can hold one. Call it once, before `start`. */
  async recover(): Promise<void> {
    // Only one process can have a SQLite file open, so any lease in it is left over.
    if (this.store.readSource.options.type === 'sqlite') await this.store.unitOfWork.commit([this.options.table.expire()]);
  }

  /** Starts running jobs: `jobs`, those offered before, and with `groups` those found by a lookup. */
  start(jobs: readonly J[] = []): void {
    if (this.started || this.stopping) return;
    this.started = true;
    this.offer(jobs);
    this.dispatchWaiting();
    for (const group of this.options.groups?.() ?? []) void this.lookUp(group);
    this.heartbeat.start();
  }

  /**
   * Adds committed jobs; known jobs are ignored.
   *
   * @param hint passed to the runs that this call starts
   */
  offer(jobs: readonly J[], hint?: H): void {
    for (const job of jobs) this.groups.add(this.options.groupOf(job), this.idOf(job), job);
    for (const group of new Set(jobs.map((job) => this.options.groupOf(job)))) this.dispatch(group, hint);
  }

  /**
   * Reserves a slot for a job that is inserted as claimed, which saves the commit of the claim: with status `running`, one attempt, and the
   * returned values of `lease_owner` and the due column. After the commit, pass the job to `runLeased`; after a failed one, to `unlease`.
   * The insertion into an ordered table must fail when the ordering key has an unfinished job, because other processes insert too.
   *
   * @returns undefined when the job cannot run immediately: insert it as waiting and `offer` it
   */
  lease(job: J): { readonly owner: string; readonly until: number } | undefined {
    const [group, id] = [this.options.groupOf(job), this.idOf(job)];
    if (!this.mayRun() || !this.groups.isFree(group) || this.unstoredEnds.has(id)) return undefined;
    if (!this.groups.add(group, id, job, 'running')) return undefined;
    const now = this.clock.now();
    this.leased.set(id, { job, since: now, until: this.clock.steady() + this.options.leaseMs });
    return { owner: this.owner, until: now + this.options.leaseMs };
  }

  /** Whether the job was passed to `lease` and has not started. */
  isLeased(job: J): boolean {
    return this.leased.has(this.idOf(job));
  }

  /** Runs a job that was inserted with the values of `lease`, or releases it when the queue is draining. */
  runLeased(job: J, hint?: H): void {
    const id = this.idOf(job);
    const leased = this.leased.get(id);
    if (!leased) return;
    this.leased.delete(id);
    if (this.stopping) void this.releaseAtStop(job);
    else this.begin(job, leased, hint);
  }

  /**
   * Frees the slot of a job whose insertion failed.
   *
   * @param uncertain whether the job may have been inserted nevertheless; it is then released at the next heartbeat
   */
  unlease(job: J, uncertain: boolean): void {
    const [group, id] = [this.options.groupOf(job), this.idOf(job)];
    if (!this.leased.delete(id)) return;
    this.forget(group, id);
    if (uncertain) this.unstoredEnds.set(id, () => this.release(job));
    this.dispatchNext(group);
  }

  /** Adds committed jobs that cannot run yet, because another process holds one before them; `markEnded` or a lookup lets them run. */
  offerLater(jobs: readonly J[]): void {
    for (const job of jobs) this.groups.add(this.options.groupOf(job), this.idOf(job), job, 'deferred');
  }

  /** Removes a job that has ended, in this or another process, and continues with its group. */
  markEnded(group: string, key: readonly string[]): void {
    this.forget(group, idOf(key));
    this.groups.resume(group);
    this.dispatch(group);
  }

  /** Removes the matching jobs of a group, and aborts those that run here with `LeaseLost`. */
  cancel(group: string, matches: (job: J) => boolean): void {
    // A job that is still being inserted is not meant: its cancellation would follow its insertion.
    for (const id of this.groups.removeAll(group, (job) => !this.isLeased(job) && matches(job))) {
      this.forget(group, id);
      this.running.get(id)?.stop.abort(new LeaseLost());
    }
    this.dispatch(group);
  }

  /**
   * Stores the end of a job. On failure, the job stays leased to this process without running, and each heartbeat retries.
   *
   * @throws the errors of `store`
   */
  async storeEnd<T>(job: J, store: () => Promise<T>): Promise<T> {
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof LeaseLost)) this.unstoredEnds.set(this.idOf(job), store);
      throw error;
    }
  }

  /** Releases a job until `dueAt`, epoch ms; the attempt does not count. */
  async release(job: J, dueAt = this.clock.now()): Promise<void> {
    await this.store.unitOfWork.commit([this.options.table.release(this.options.keyOf(job), this.owner, dueAt)]);
  }

  /** Finds claimable jobs of a group (without `groups`: of all groups) and runs them. Never rejects. */
  lookUp(group = ALL): Promise<void> {
    const current = this.lookups.get(group);
    if (current) {
      current.again = true;
      return current.done;
    }
    if (!this.started || this.stopping) return Promise.resolve();
    const lookup: Lookup = { again: true, done: Promise.resolve(), ended: new Set() };
    this.lookups.set(group, lookup);
    lookup.done = this.lookUpUntilDone(group, lookup);
    return lookup.done;
  }

  /**
   * Starts no further jobs, waits up to `graceMs` for running ones, then aborts and releases them.
   *
   * @param graceMs ms
   */
  async drain(graceMs: number): Promise<void> {
    this.stopping = true;
    for (const cancel of this.timers.values()) cancel();
    await Promise.all([this.heartbeat.stop(), ...[...this.lookups.values()].map(({ done }) => done)]);
    let cancelGrace: Cancel = () => undefined;
    const grace = new Promise<void>((resolve) => {
      if (graceMs > 0) cancelGrace = this.clock.after(graceMs, resolve);
      else resolve();
    });
    await Promise.race([this.whenIdle(), grace]);
    cancelGrace();
    for (const { stop } of this.running.values()) stop.abort(new AppError('SERVER_STOPPING', 'The server is shutting down.'));
    await Promise.all([this.whenIdle(), ...[...this.leased.values()].map(({ job }) => this.releaseAtStop(job))]);
  }

  private async whenIdle(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  private get slotsInUse(): number {
    return this.running.size + this.leased.size;
  }

  private mayRun(): boolean {
    return this.started && !this.stopping && this.slotsInUse < (this.options.concurrency ?? Infinity);
  }

  /** After the end of a job: its group gets the free slot when no other waits for one. */
  private dispatchNext(group: string): void {
    this.groups.wait(group, this.clock.now(), this.sharesOf);
    this.dispatchWaiting();
  }

  private dispatchWaiting(): void {
    while (this.mayRun()) {
      const group = this.groups.takeWaiting();
      if (group === undefined) return;
      this.dispatch(group);
    }
  }

  private readonly sharesOf = (job: J): readonly string[] => this.options.sharesOf?.(job) ?? [];

  /** Removes a job that has ended. A lookup that is under way may have read it before, and must not add it again. */
  private forget(group: string, id: string): void {
    this.groups.remove(group, id);
    for (const { ended } of this.lookups.values()) ended.add(id);
  }

  private dispatch(group: string, hint?: H): void {
    while (this.mayRun()) {
      const job = this.groups.take(group);
      if (job === undefined) return;
      this.begin(job, undefined, hint);
    }
    this.groups.wait(group, this.clock.now(), this.sharesOf);
  }

  /** @param leased of a job that was inserted as claimed; undefined when the run has to claim it */
  private begin(job: J, leased: { readonly since: number; readonly until: number } | undefined, hint?: H): void {
    const stop = new AbortController();
    // The end of the lease, by the steady clock.
    const lease = { until: leased?.until ?? 0 };
    const group = this.options.groupOf(job);
    // A job does not belong to the request that offered it.
    const done = outsideRequest(() =>
      this.execute(job, stop.signal, { claimed: leased !== undefined, lease }, hint).finally(() => {
        this.running.delete(this.idOf(job));
        this.dispatchNext(group);
        if (this.options.groups) void this.lookUp(group);
      }),
    );
    this.running.set(this.idOf(job), { stop, since: leased?.since ?? this.clock.now(), lease, done });
  }

  private async execute(
    job: J,
    signal: AbortSignal,
    { claimed, lease }: { readonly claimed: boolean; readonly lease: { until: number } },
    hint?: H,
  ): Promise<void> {
    const { table, log, fieldsOf, leaseMs } = this.options;
    const [group, id] = [this.options.groupOf(job), this.idOf(job)];
    const claim = (): Statement => {
      const now = this.clock.now();
      lease.until = this.clock.steady() + leaseMs;
      return table.claim(this.options.keyOf(job), this.owner, now, now + leaseMs);
    };
    const isHeld = (): boolean => this.clock.steady() < lease.until;
    try {
      await this.options.run(job, { owner: this.owner, signal, claimed, isHeld, claim }, hint);
      this.forget(group, id);
    } catch (error) {
      if (error instanceof LeaseLost) {
        if (signal.aborted) this.forget(group, id);
        else this.groups.defer(group, id);
        return;
      }
      this.groups.defer(group, id);
      if (error !== signal.reason || !signal.aborted) log.error('a job did not end; it will be retried', error, fieldsOf(job));
      if (this.stopping) await this.releaseAtStop(job);
      // It is unknown whether the claim was committed, so without an end to store the job is released.
      else if (!this.unstoredEnds.has(id)) this.unstoredEnds.set(id, () => this.release(job));
    }
  }

  /** Stores the end or the release of a job, since no heartbeat follows. On failure, the job is claimed again when its lease ends. */
  private async releaseAtStop(job: J): Promise<void> {
    try {
      await (this.unstoredEnds.get(this.idOf(job)) ?? (() => this.release(job)))();
    } catch (error) {
      this.options.log.error('a job could not be released', error, this.options.fieldsOf(job));
    }
  }

  private async sendHeartbeat(): Promise<void> {
    const { table, leaseMs, groups } = this.options;
    if (this.hasToExtend()) {
      const until = this.clock.steady() + leaseMs;
      const held = [...this.running.values()].map(({ lease }) => lease);
      await this.store.unitOfWork.commit([table.extend(this.owner, this.clock.now() + leaseMs)]);
      // One that was not claimed yet has no lease to extend.
      for (const lease of held) if (lease.until > 0) lease.until = Math.max(lease.until, until);
    }
    const failures: unknown[] = [];
    for (const [id, store] of this.unstoredEnds) {
      try {
        await store();
        this.unstoredEnds.delete(id);
      } catch (error) {
        if (error instanceof LeaseLost) this.unstoredEnds.delete(id);
        else failures.push(error);
      }
    }
    for (const group of groups?.() ?? [ALL]) void this.lookUp(group);
    if (failures.length > 0) throw failures[0];
  }

  /** Whether a lease needs an extension before the next heartbeat. Most jobs are short, and have ended by then. */
  private hasToExtend(): boolean {
    if (this.unstoredEnds.size > 0) return true;
    const now = this.clock.now();
    const before = now - NEW_SHARE * this.options.heartbeatMs;
    // After the wall clock was set back, jobs seem to begin in the future.
    return [...this.running.values(), ...this.leased.values()].some(({ since }) => since <= before || since > now);
  }

  private async lookUpUntilDone(group: string, lookup: Lookup): Promise<void> {
    try {
      while (lookup.again && !this.stopping) {
        lookup.again = false;
        await this.lookUpOnce(group, lookup);
      }
    } catch (error) {
      this.options.log.error('due jobs could not be looked up; retrying', error, group === ALL ? {} : { group });
    } finally {
      this.lookups.delete(group);
    }
  }

  private async lookUpOnce(group: string, lookup: Lookup): Promise<void> {
    // The end of the next run repeats the lookup.
    if (!this.groups.isFree(group)) return;
    lookup.ended.clear();
    // After a late heartbeat, leases of this process may have ended; the higher limit makes up for these jobs.
    const { jobs, nextDueAt } = await this.options.find(this.clock.now(), group, this.options.groupConcurrency + this.unstoredEnds.size);
    if (jobs.some((job) => lookup.ended.has(this.idOf(job)))) lookup.again = true;
    const free = jobs.filter(
      (job) => ![this.running, this.leased, this.unstoredEnds, lookup.ended].some((known) => known.has(this.idOf(job))),
    );
    for (const job of free) this.groups.refresh(this.options.groupOf(job), this.idOf(job), job);
    for (const name of new Set(free.map((job) => this.options.groupOf(job)))) this.dispatch(name);
    this.timers.get(group)?.();
    this.timers.delete(group);
    if (nextDueAt === undefined || this.stopping) return;
    const cancel = this.clock.at(nextDueAt, () => void this.lookUp(group));
    this.timers.set(group, cancel);
  }

  private idOf(job: J): string {
    return idOf(this.options.keyOf(job));
  }
}

function idOf(key: readonly string[]): string {
  return key.join(':');
}
