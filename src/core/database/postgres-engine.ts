import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { numberPlaceholders } from './sql-text.js';
import { isStorageFault, storageError } from './storage-error.js';
import { checkOutcomes, type Outcome, type Row, type SqlValue, type Statement } from './statement.js';
import type { Transaction, WriteEngine } from './write-engine.js';

/** LISTEN/NOTIFY channel for new journal entries. */
export const JOURNAL_CHANNEL = 'parley_journal';

// Key of the advisory lock: an arbitrary constant, the same in every process.
const JOURNAL_LOCK = 7_072_601;
const RETRIES = 5;
const SERIALIZATION_FAILURES = new Set(['40001', '40P01']);
const MAX_GROUP_SIZE = 256;

interface BatchJob {
  readonly statements: readonly Statement[];
  readonly resolve: (outcomes: Outcome[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes to PostgreSQL. A unit that appends to the journal holds an advisory lock until it commits, so that offsets increase in commit
 * order across all processes.
 */
export class PostgresEngine implements WriteEngine {
  private readonly pool: Pool;
  private readonly waiting: BatchJob[] = [];
  private draining: Promise<void> | undefined;

  constructor(source: DataSource) {
    this.pool = (source.driver as unknown as { master: Pool }).master;
  }

  commit(statements: readonly Statement[]): Promise<Outcome[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ statements, resolve, reject });
      this.draining ??= new Promise<void>((done) => setImmediate(done)).then(() => this.drain());
    });
  }

  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return withRetries(() =>
      this.transact(async (session) => {
        const result = await work({
          locking: (clause) => clause,
          rows: async <T extends object>(sql: string, params: readonly SqlValue[]) => (await session.query<T>(sql, params)).rows,
          apply: (statements) => session.apply(statements),
        });
        await session.commit();
        return result;
      }),
    );
  }

  async commitAndErase(statements: readonly Statement[]): Promise<undefined> {
    if (statements.length > 0) await this.commit(statements);
  }

  async close(): Promise<void> {
    await this.draining;
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) await this.commitGroup(this.waiting.splice(0, MAX_GROUP_SIZE));
    this.draining = undefined;
  }

  private async commitGroup(group: readonly BatchJob[]): Promise<void> {
    try {
      const results = await withRetries(() => this.execute(group));
      group.forEach((job, index) => job.resolve(results[index] ?? []));
    } catch (error) {
      // After a lost connection the outcome is unknown, so the group must not be executed again.
      if (group.length === 1 || isStorageFault(storageError(error))) {
        for (const job of group) job.reject(error);
        return;
      }
      for (const job of group) await this.commitGroup([job]);
    }
  }

  private execute(group: readonly BatchJob[]): Promise<Outcome[][]> {
    const statements = group.flatMap((job) => job.statements);
    return this.transact(async (session) => {
      // After an error PostgreSQL rolls back at COMMIT, so only a refusal has to be known before.
      const refusable = statements.some(({ refuse }) => refuse);
      const applied = session.apply(statements);
      const committed = refusable ? undefined : session.commit();
      // The error of a statement comes first.
      committed?.catch(() => undefined);
      const outcomes = await applied;
      await (committed ?? session.commit());
      let at = 0;
      return group.map((job) => outcomes.slice(at, (at += job.statements.length)));
    });
  }

  /** Runs `work`, which has to commit, in a transaction; rolls back when it fails. */
  private async transact<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client: PoolClient = await this.pool.connect();
    let broken: Error | undefined;
    // The pool does not listen to a client that is checked out; without a listener, a lost connection would crash the process.
    const lost = (error: Error): void => {
      broken = error;
    };
    client.on('error', lost);
    try {
      return await work(new Session(client));
    } catch (error) {
      await client.query('ROLLBACK').catch((fault: unknown) => {
        broken = fault as Error;
      });
      throw error;
    } finally {
      client.off('error', lost);
      client.release(broken);
    }
  }
}

/** A transaction. Its statements are sent in order, each without waiting for the one before. */
class Session {
  private locked = false;
  private begun: Promise<unknown> | undefined;

  constructor(private readonly client: PoolClient) {}

  /** @throws the error of the first statement that fails, or of a `refuse` callback */
  async apply(statements: readonly Statement[]): Promise<Outcome[]> {
    const sent = statements.map((statement) => {
      const locked = statement.journal ? this.lockJournal() : undefined;
      const sql = statement.journal ? `${statement.sql} RETURNING pos, seq` : statement.sql;
      return [locked, this.query(sql, statement.params)] as const;
    });
    const returned = statements.map(({ returns }) => returns && this.query(returns.sql, returns.params));
    const settled = await Promise.allSettled([this.begun, ...sent.flat(), ...returned]);
    // Once one has failed, PostgreSQL refuses the others.
    const failed = settled.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    const outcomes = await Promise.all(
      statements.map(async ({ journal }, index): Promise<Outcome> => {
        const result = await sent[index]?.[1];
        const [row] = result?.rows ?? [];
        const position = journal ? { position: { offset: Number(row?.['pos']), seq: Number(row?.['seq']) } } : {};
        return { changed: result?.rowCount ?? 0, rows: (await returned[index])?.rows ?? [], ...position };
      }),
    );
    checkOutcomes(statements, outcomes);
    return outcomes;
  }

  query<T extends QueryResultRow = Row>(sql: string, params: readonly SqlValue[]): Promise<QueryResult<T>> {
    this.begin();
    return this.client.query<T>(numberPlaceholders(sql), [...params]);
  }

  async commit(): Promise<void> {
    this.begin();
    const [, { command }] = await Promise.all([this.begun, this.client.query('COMMIT')]);
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back, because a statement had failed');
  }

  private begin(): void {
    if (this.begun) return;
    this.begun = this.client.query('BEGIN');
    // Reported by `apply` or `commit`.
    this.begun.catch(() => undefined);
  }

  private lockJournal(): Promise<unknown> | undefined {
    if (this.locked) return undefined;
    this.locked = true;
    return this.query('SELECT pg_advisory_xact_lock(?), pg_notify(?, ?)', [JOURNAL_LOCK, JOURNAL_CHANNEL, '']);
  }
}

async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (attempt > RETRIES || !SERIALIZATION_FAILURES.has(code)) throw error;
    }
  }
}
