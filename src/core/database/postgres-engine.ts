import type { Pool, PoolClient } from 'pg';
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

  constructor(private readonly source: DataSource) {
    this.pool = (source.driver as unknown as { master: Pool }).master;
  }

  commit(statements: readonly Statement[]): Promise<Outcome[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ statements, resolve, reject });
      this.draining ??= new Promise<void>((done) => setImmediate(done)).then(() => this.drain());
    });
  }

  async run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return withRetries(async () => {
      const runner = this.source.createQueryRunner();
      try {
        await runner.startTransaction();
        const client = (await runner.connect()) as PoolClient;
        const session = new Session(client);
        const result = await work({
          locking: (clause) => clause,
          rows: async <T extends object>(sql: string, params: readonly SqlValue[]) =>
            (await client.query<T>(numberPlaceholders(sql), [...params])).rows,
          apply: async (statements) => {
            const outcomes = await session.apply(statements);
            checkOutcomes(statements, outcomes);
            return outcomes;
          },
        });
        await runner.commitTransaction();
        return result;
      } catch (error) {
        if (runner.isTransactionActive) await runner.rollbackTransaction();
        throw error;
      } finally {
        await runner.release();
      }
    });
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

  private async execute(group: readonly BatchJob[]): Promise<Outcome[][]> {
    const client: PoolClient = await this.pool.connect();
    let broken: Error | undefined;
    // The pool does not listen to a client that is checked out; without a listener, a lost connection would crash the process.
    const lost = (error: Error): void => {
      broken = error;
    };
    client.on('error', lost);
    try {
      await client.query('BEGIN');
      const session = new Session(client);
      const results: Outcome[][] = [];
      for (const { statements } of group) {
        const outcomes = await session.apply(statements);
        checkOutcomes(statements, outcomes);
        results.push(outcomes);
      }
      await client.query('COMMIT');
      return results;
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

/** Statements inside one transaction. */
class Session {
  private locked = false;

  constructor(private readonly client: PoolClient) {}

  async apply(statements: readonly Statement[]): Promise<Outcome[]> {
    const outcomes: { changed: number; rows: Row[]; position?: Outcome['position'] }[] = [];
    for (const statement of statements) {
      if (statement.journal) await this.lockJournal();
      const sql = numberPlaceholders(statement.sql) + (statement.journal ? ' RETURNING pos, seq' : '');
      const { rows, rowCount } = await this.client.query<Row>(sql, [...statement.params]);
      const position = statement.journal ? { offset: Number(rows[0]?.['pos']), seq: Number(rows[0]?.['seq']) } : undefined;
      outcomes.push({ changed: rowCount ?? 0, rows: [], ...(position ? { position } : {}) });
    }
    for (const [index, { returns }] of statements.entries()) {
      const outcome = outcomes[index];
      if (returns && outcome) outcome.rows = (await this.client.query<Row>(numberPlaceholders(returns.sql), [...returns.params])).rows;
    }
    return outcomes;
  }

  private async lockJournal(): Promise<void> {
    if (this.locked) return;
    await this.client.query('SELECT pg_advisory_xact_lock($1), pg_notify($2, $3)', [JOURNAL_LOCK, JOURNAL_CHANNEL, '']);
    this.locked = true;
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
