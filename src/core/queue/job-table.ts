import type { Outcome, Reader, Row, SqlValue, Statement, UnitOfWork } from '../database/index.js';
import type { AppError } from '../errors/index.js';
import { LeaseLost } from './lease-lost.js';

/**
 * Describes the job table of a module. Names are constants, never input. The table also has the columns `status`, `attempts`,
 * `lease_owner` (null unless claimed) and `error` (null unless the last attempt failed).
 */
export interface JobTableDescription {
  /** Name of the queue in metrics, lower case. */
  readonly queue: string;
  readonly table: string;
  /** Columns of the primary key; a job's key lists their values in this order. */
  readonly key: readonly string[];
  /** Values of `status` of waiting jobs; a released job gets the first. A claimed job is `running`; any other value is final. */
  readonly waiting: readonly [string, ...string[]];
  /** Value of `status` of a waiting job whose last attempt failed; by default the first of `waiting`. */
  readonly retried?: string;
  /** Value of `status` of a job that has failed for good; `failed` by default. */
  readonly failed?: string;
  /** Column with the earliest time of the next claim, epoch ms: the due time of a waiting job (null: now), or the end of the lease. */
  readonly due: string;
  /** Column with the time since which a waiting job exists, epoch ms, where `due` may be null. */
  readonly since?: string;
  /** The ordering key, and the columns that order its jobs. Only the first unfinished job of an ordering key can be claimed. */
  readonly order?: { readonly key: string; readonly by: readonly string[] };
  /** A further condition on rows that may be claimed. */
  readonly where?: string;
  /** Assignments made by a claim and by an end. Each has one `?`: the current time. */
  readonly onClaim: string;
  readonly onEnd: string;
  /** Assignment made by a release, which must not count the attempt; by default, it takes the attempt back. */
  readonly onRelease?: string;
}

const rejectLost = ({ changed }: Outcome): AppError | undefined => (changed === 0 ? new LeaseLost() : undefined);

/** The statements of a queue over a table of a module. A row is a job; the queue has no table of its own. */
export class JobTable {
  /** Whether the table has an ordering key. */
  readonly ordered: boolean;
  /** Condition on claimable rows, apart from their order; its `?` is the current time. */
  readonly claimable: string;
  /** As `claimable`, for the first unfinished jobs of their ordering keys. */
  readonly claimableInOrder: string;
  /** Name of the queue. */
  readonly queue: string;
  /** Statuses after a failed attempt: of a job that is tried again, and of one that has failed for good. */
  readonly afterFailure: { readonly retried: string; readonly failed: string };
  /** Query for the numbers of jobs and the time since which the oldest waits; reads unfinished jobs only. Its `?` are the current time. */
  readonly backlog: string;
  private readonly sql: Record<'claim' | 'end' | 'release' | 'assertHeld' | 'extend' | 'expire' | 'nextDue', string>;

  constructor(description: JobTableDescription) {
    const { queue, table, key, waiting, retried, failed, due, since, order, where } = description;
    const { onClaim, onEnd, onRelease = 'attempts = attempts - 1' } = description;
    this.queue = queue;
    this.afterFailure = { retried: retried ?? waiting[0], failed: failed ?? 'failed' };
    this.ordered = order !== undefined;
    const oneOf = (states: readonly string[]): string => `status IN (${states.map((status) => `'${status}'`).join(', ')})`;
    const unfinished = oneOf([...waiting, 'running']);
    const self = key.map((column) => `${column} = ?`).join(' AND ');
    const held = `${self} AND status = 'running' AND lease_owner = ?`;
    const columns = (of: string): string => (order?.by ?? []).map((column) => `${of}.${column}`).join(', ');
    const inOrder = order
      ? ` AND NOT EXISTS (SELECT 1 FROM ${table} earlier WHERE earlier.${order.key} = ${table}.${order.key} AND earlier.${unfinished}
        AND (${columns('earlier')}) < (${columns(table)}))`
      : '';
    const isDue = `coalesce(${due}, 0) <= ?`;
    this.claimable = `${unfinished} AND ${isDue}${where === undefined ? '' : ` AND ${where}`}`;
    this.claimableInOrder = `${this.claimable}${inOrder}`;
    // A claimed job whose lease has ended is due, and waits since then; a delayed one waits since it became due.
    const waits = since === undefined ? due : `CASE WHEN ${due} > ${since} THEN ${due} ELSE ${since} END`;
    this.backlog = `SELECT sum(CASE WHEN ${isDue} THEN 1 ELSE 0 END) AS due,
        sum(CASE WHEN status <> 'running' AND ${due} > ? THEN 1 ELSE 0 END) AS delayed,
        sum(CASE WHEN status = 'running' AND ${due} > ? THEN 1 ELSE 0 END) AS running, min(CASE WHEN ${isDue} THEN ${waits} END) AS oldest
      FROM ${table} WHERE ${unfinished}${where === undefined ? '' : ` AND ${where}`}`;
    this.sql = {
      claim: `UPDATE ${table} SET status = 'running', attempts = attempts + 1, lease_owner = ?, ${due} = ?, ${onClaim}
        WHERE ${self} AND ${this.claimable}${inOrder}`,
      end: `UPDATE ${table} SET status = ?, error = ?, ${due} = ?, lease_owner = NULL, ${onEnd} WHERE ${held}`,
      release: `UPDATE ${table} SET status = '${waiting[0]}', ${onRelease}, ${due} = ?, lease_owner = NULL WHERE ${held}`,
      assertHeld: `UPDATE ${table} SET lease_owner = ? WHERE ${held}`,
      extend: `UPDATE ${table} SET ${due} = ? WHERE lease_owner = ? AND status = 'running'`,
      expire: `UPDATE ${table} SET ${due} = 0 WHERE status = 'running'`,
      nextDue: `SELECT min(${due}) AS at FROM ${table} WHERE ${oneOf(waiting)} AND ${due} > ?`,
    };
  }

  /** Claims a job for `owner` and counts the attempt. Fails with `LeaseLost` when the job is claimed, not due, ended, or not next in order. */
  claim(key: readonly string[], owner: string, now: number, leaseUntil: number): Statement {
    return { sql: this.sql.claim, params: [owner, leaseUntil, now, ...key, now], refuse: rejectLost };
  }

  /**
   * Commits a claim, and reads the job; undefined when another process holds it.
   *
   * @param claim as `claim` makes it. @param select reads the row
   */
  async claimed(unitOfWork: UnitOfWork, { sql, params }: Statement, select: Pick<Statement, 'sql' | 'params'>): Promise<Row | undefined> {
    // Counted instead of `refuse`: a lost race must not roll back other units that share the transaction.
    const [outcome] = await unitOfWork.commit([{ sql, params, counted: true, returns: select }]);
    return outcome?.changed === 1 ? outcome.rows[0] : undefined;
  }

  /** Due jobs, and when the next waiting one becomes due, epoch ms; see `QueueOptions.find`. */
  async withNextDue<J>(reader: Reader, now: number, due: Promise<J[]>): Promise<{ jobs: J[]; nextDueAt?: number }> {
    const [jobs, [next]] = await Promise.all([due, reader.rows<{ at: number | string | null }>(this.sql.nextDue, [now])]);
    return { jobs, ...(next === undefined || next.at === null ? {} : { nextDueAt: Number(next.at) }) };
  }

  /**
   * Ends an attempt. Fails with `LeaseLost` when `owner` no longer holds the job.
   *
   * @param status a final status, or a waiting one with the `dueAt` of the next attempt
   */
  end(
    key: readonly string[],
    owner: string,
    status: string,
    now: number,
    { error = null, dueAt = null }: { readonly error?: string | null; readonly dueAt?: number | null } = {},
  ): Statement {
    return { sql: this.sql.end, params: [status, error, dueAt, now, ...key, owner], refuse: rejectLost, independent: true };
  }

  /** Releases a job that `owner` will not finish; the attempt does not count. No effect when `owner` no longer holds it. */
  release(key: readonly string[], owner: string, dueAt: number): Statement {
    return this.plain(this.sql.release, [dueAt, ...key, owner]);
  }

  /** Fails with `LeaseLost` when `owner` no longer holds the job; changes nothing. */
  assertHeld(key: readonly string[], owner: string): Statement {
    return { sql: this.sql.assertHeld, params: [owner, ...key, owner], refuse: rejectLost };
  }

  /** Extends every lease of `owner`. */
  extend(owner: string, leaseUntil: number): Statement {
    return this.plain(this.sql.extend, [leaseUntil, owner]);
  }

  /** Ends every lease: all running jobs can be claimed again. */
  expire(): Statement {
    return this.plain(this.sql.expire, []);
  }

  private plain(sql: string, params: SqlValue[]): Statement {
    return { sql, params };
  }
}
