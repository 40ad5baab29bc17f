import type { Database } from 'sqlite3';
import { DataSource } from 'typeorm';
import { DATABASE_METRICS } from './database.metrics.js';
import { ONE_ROW_TABLE, SharedTransaction, type Waiting } from './shared-transaction.js';
import type { Outcome, Statement } from './statement.js';
import type { Transaction, WriteEngine } from './write-engine.js';

interface BatchJob extends Waiting<Outcome[]> {
  readonly statements: readonly Statement[];
}

/** A job that reads before it writes. */
interface UnitJob {
  readonly runIn: (transaction: SharedTransaction) => Promise<void>;
}

/** A job that cannot share a transaction. */
interface ExclusiveJob {
  readonly exclusive: () => Promise<void>;
}

type Job = (BatchJob | UnitJob | ExclusiveJob) & {
  /** Monotonic ms. */
  readonly queuedAt: number;
};

const MAX_GROUP_SIZE = 256;
/** When the uncommitted work of a group is older, it is committed before the next job runs. */
const MAX_HOLD_MS = 10;

// Value of user_version, which is transactional and stored in the file: the pending rewrite survives a crash.
const REWRITE_PENDING = 1;
const FULL_TEXT_INDEXES = `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'`;
const MARK_REWRITE: Statement = { sql: `PRAGMA user_version=${REWRITE_PENDING}`, params: [] };

/**
 * The only writer of a SQLite file. TypeORM shares one connection between all callers, and overlapping transactions on it lose
 * acknowledged rows (docs/decisions/0002), so jobs run one after another. Jobs that were queued during a commit share the next
 * transaction and its fsync.
 */
export class SqliteEngine implements WriteEngine {
  private readonly queue: Job[] = [];
  private draining: Promise<void> | undefined;
  private readonly transaction: SharedTransaction;

  private constructor(
    private readonly source: DataSource,
    database: Database,
  ) {
    this.transaction = new SharedTransaction(database);
  }

  static async open(source: DataSource): Promise<SqliteEngine> {
    const { databaseConnection } = source.driver as unknown as { databaseConnection: Database };
    for (const sql of [
      'PRAGMA journal_mode=WAL',
      'PRAGMA synchronous=FULL',
      'PRAGMA temp_store=MEMORY',
      'CREATE TEMP TABLE outcome (id integer PRIMARY KEY, changed integer NOT NULL)',
      ONE_ROW_TABLE,
      // Fails for a read-only file, which BEGIN alone does not detect.
      'BEGIN IMMEDIATE',
      'CREATE TABLE write_probe (id integer)',
      'ROLLBACK',
    ]) {
      await source.query(sql);
    }
    return new SqliteEngine(source, databaseConnection);
  }

  commit(statements: readonly Statement[]): Promise<Outcome[]> {
    return new Promise((resolve, reject) => {
      this.enqueue({ statements, resolve, reject });
    });
  }

  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.enqueue({ runIn: (transaction) => transaction.run(() => work(viewOf(transaction)), { resolve, reject }) });
    });
  }

  async commitAndErase(statements: readonly Statement[]): Promise<Error | undefined> {
    if (statements.length > 0) await this.commit([...statements, MARK_REWRITE]);
    return new Promise((resolve, reject) => {
      this.enqueue({ exclusive: () => this.rewriteIfPending().then(resolve, reject) });
    });
  }

  async close(): Promise<void> {
    await this.draining;
    await this.transaction.close();
  }

  private enqueue(job: BatchJob | UnitJob | ExclusiveJob): void {
    this.queue.push({ ...job, queuedAt: performance.now() });
    // Deferred to the next iteration of the event loop, so that jobs submitted in this one share a commit.
    this.draining ??= new Promise<void>((done) => setImmediate(done)).then(() => this.drain());
  }

  private async drain(): Promise<void> {
    while (this.queue.length > 0) await this.commitGroup(this.queue.splice(0, MAX_GROUP_SIZE));
    this.draining = undefined;
  }

  private async commitGroup(group: readonly Job[]): Promise<void> {
    const { transaction } = this;
    let batch: (BatchJob & Job)[] = [];
    for (const [index, job] of group.entries()) {
      if ('statements' in job) {
        batch.push(job);
        const next = group[index + 1];
        if (next && 'statements' in next) continue;
      }
      if (transaction.age > MAX_HOLD_MS) await transaction.commit();
      const now = performance.now();
      for (const { queuedAt } of 'statements' in job ? batch : [job]) DATABASE_METRICS.wait.observe(now - queuedAt);
      if ('runIn' in job) {
        await job.runIn(transaction);
      } else if ('exclusive' in job) {
        await transaction.commit();
        await job.exclusive();
      } else {
        await transaction.runTogether(batch, index === group.length - 1);
        batch = [];
      }
    }
    await transaction.commit();
  }

  private async rewriteIfPending(): Promise<Error | undefined> {
    const [row] = await this.transaction.rows<{ user_version: number }>('PRAGMA user_version', []);
    if (row?.user_version !== REWRITE_PENDING) return undefined;
    try {
      await this.rewriteFile();
      await this.source.query('PRAGMA user_version=0');
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Uses a separate connection: the writer keeps temporary files in memory, which here would be the whole database. */
  private async rewriteFile(): Promise<void> {
    const source = await new DataSource(this.source.options).initialize();
    try {
      await source.query('PRAGMA secure_delete=ON');
      // A full-text index keeps the terms of deleted rows until its parts are merged.
      for (const { name } of await source.query<{ name: string }[]>(FULL_TEXT_INDEXES)) {
        await source.query(`INSERT INTO "${name}" ("${name}") VALUES ('optimize')`);
      }
      await source.query('VACUUM');
      const [outcome] = await source.query<{ busy: number }[]>('PRAGMA wal_checkpoint(TRUNCATE)');
      if (outcome?.busy !== 0) throw new Error('the write-ahead log is in use');
    } finally {
      await source.destroy();
    }
  }
}

function viewOf(transaction: SharedTransaction): Transaction {
  return {
    locking: () => '',
    rows: (sql, params) => transaction.rows(sql, params),
    apply: (statements) => transaction.apply(statements),
  };
}
