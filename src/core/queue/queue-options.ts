import type { Statement } from '../database/index.js';
import type { Log } from '../logging/index.js';
import type { JobTable } from './job-table.js';

/** The lease of a running job. */
export interface Lease {
  /** Value of `lease_owner` of this process, for the statements of the `JobTable`. */
  readonly owner: string;
  /** Aborts when the job is cancelled or the server stops. The run then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** True for a job that was inserted with a lease; it needs no claim. */
  readonly claimed: boolean;
  /** Whether no other process can have claimed the job, by a clock that no one sets: false as soon as the lease may have ended. */
  readonly isHeld: () => boolean;
  /** The claim (`JobTable.claim`), which the run commits first. */
  readonly claim: () => Statement;
}

export interface QueueOptions<J, H> {
  readonly table: JobTable;
  /** Length of a lease, ms. After a crash, the job is claimed again when its lease ends. */
  readonly leaseMs: number;
  /** Interval of heartbeats, ms. A heartbeat extends leases and looks up jobs that other processes released. */
  readonly heartbeatMs: number;
  /** Jobs that this process runs at a time; unlimited by default. */
  readonly concurrency?: number;
  /** Jobs of one group that this process runs at a time. 1 for an ordered table, whose groups are its ordering keys. */
  readonly groupConcurrency: number;
  /** The groups to look up separately: on `lookUp`, after each run, and on each heartbeat. Without it, one lookup serves all groups. */
  readonly groups?: () => readonly string[];
  keyOf(job: J): readonly string[];
  groupOf(job: J): string;
  /** Those who share the slots of this process, such as the agent and the user of a job: they take turns while jobs wait for one. */
  sharesOf?(job: J): readonly string[];
  /** Orders the jobs of a group. */
  compare(a: J, b: J): number;
  /** Called when this process gets the first job of a group, and when it has none left. */
  readonly onGroup?: (group: string, exists: boolean) => void;
  /** Reads claimable jobs, in order, at most `limit` of a group. `nextDueAt` is when the next job of the group becomes due, epoch ms. */
  find(now: number, group: string, limit: number): Promise<{ readonly jobs: readonly J[]; readonly nextDueAt?: number }>;
  /**
   * Claims a job, executes it, and commits its end. Rejects with `LeaseLost` when another process holds the job, and with the signal's
   * reason after an abort. After any other error the queue releases the job at the next heartbeat; the attempt does not count.
   */
  run(job: J, lease: Lease, hint?: H): Promise<void>;
  /** Fields that identify the job in log lines. */
  readonly fieldsOf: (job: J) => Record<string, unknown>;
  readonly log: Log;
}
