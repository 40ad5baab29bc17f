import type { Database, Statement as PreparedStatement } from 'sqlite3';
import type { DataSource } from 'typeorm';
import type { Row, Statement } from './statement.js';
import { checkRows, type Transaction, type WriteEngine } from './write-engine.js';

interface BatchJob {
  readonly statements: readonly Statement[];
  readonly resolve: (results: Row[][]) => void;
  readonly reject: (error: unknown) => void;
}

type Job = { readonly batch: BatchJob } | { readonly exclusive: () => Promise<void> };

const LARGEST_GROUP = 256;

/**
 * The only writer of a SQLite file. Jobs run one after another on one connection, because TypeORM shares one
 * connection between all callers and overlapping transactions there lose acknowledged rows
 * (docs/decisions/0002). Batch jobs that queued while the last commit ran share one transaction and one fsync.
 */
export class SqliteEngine implements WriteEngine {
  private readonly queue: Job[] = [];
  private readonly prepared = new Map<string, PreparedStatement>();
  private draining: Promise<void> | undefined;

  constructor(
    private readonly source: DataSource,
    private readonly database: Database,
  ) {}

  static async open(source: DataSource): Promise<SqliteEngine> {
    const database = (source.driver as unknown as { databaseConnection: Database }).databaseConnection;
    // With spilling off and temporary pages in memory only COMMIT writes to the disk. A full disk therefore fails
    // the commit, after the last statement of the group, and can never roll back in the middle of a pipelined
    // group and leave the statements behind it to commit on their own.
    for (const pragma of ['journal_mode=WAL', 'synchronous=FULL', 'cache_spill=OFF', 'temp_store=MEMORY']) {
      await source.query(`PRAGMA ${pragma}`);
    }
    return new SqliteEngine(source, database);
  }

  commit(statements: readonly Statement[]): Promise<Row[][]> {
    return new Promise((resolve, reject) => {
      this.enqueue({ batch: { statements, resolve, reject } });
    });
  }

  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.enqueue({ exclusive: () => this.transact(work).then(resolve, reject) });
    });
  }

  async close(): Promise<void> {
    await this.draining;
    await Promise.all([...this.prepared.values()].map((statement) => new Promise<void>((done) => statement.finalize(() => done()))));
    this.prepared.clear();
  }

  private enqueue(job: Job): void {
    this.queue.push(job);
    // One turn of the event loop later, so that what callers submit in the same moment shares the first commit.
    this.draining ??= new Promise<void>((done) => setImmediate(done)).then(() => this.drain());
  }

  private async drain(): Promise<void> {
    for (let job = this.queue.shift(); job; job = this.queue.shift()) {
      if ('exclusive' in job) {
        await job.exclusive();
        continue;
      }
      const group = [job.batch];
      for (let next = this.queue[0]; next && 'batch' in next && group.length < LARGEST_GROUP; next = this.queue[0]) {
        group.push(next.batch);
        this.queue.shift();
      }
      await this.commitGroup(group);
    }
    this.draining = undefined;
  }

  private async commitGroup(group: readonly BatchJob[]): Promise<void> {
    try {
      const results = await this.execute(group);
      group.forEach((job, index) => job.resolve(results[index] ?? []));
    } catch (error) {
      const [only, ...others] = group;
      if (only && others.length === 0) {
        only.reject(error);
        return;
      }
      // One unit spoilt the group: alone, each fails or commits for itself.
      for (const job of group) await this.commitGroup([job]);
    }
  }

  /** All statements are handed to the driver at once and run in order, without a round trip in between. */
  private async execute(group: readonly BatchJob[]): Promise<Row[][][]> {
    const statements = group.map((job) => job.statements);
    const distinct = new Set(statements.flatMap((unit) => unit.map((statement) => statement.sql)));
    for (const sql of distinct) {
      if (!this.prepared.has(sql)) this.prepared.set(sql, await this.prepare(sql));
    }
    // Awaited before anything is pipelined: behind a BEGIN that failed each statement would commit on its own.
    await this.exec('BEGIN IMMEDIATE');
    const running: Promise<Row[]>[] = [];
    this.database.serialize(() => {
      for (const unit of statements) {
        for (const statement of unit) running.push(this.all(this.prepared.get(statement.sql)!, statement));
      }
    });
    try {
      const outcomes = await Promise.allSettled(running);
      const rows = outcomes.map((outcome) => {
        if (outcome.status === 'rejected') throw outcome.reason;
        return outcome.value;
      });
      let at = 0;
      const results = statements.map((unit) => {
        const part = rows.slice(at, at + unit.length);
        at += unit.length;
        checkRows(unit, part);
        return part;
      });
      await this.exec('COMMIT');
      return results;
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  private async transact<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    await this.exec('BEGIN IMMEDIATE');
    try {
      const result = await work({
        manager: this.source.manager,
        apply: async (statements) => {
          const results: Row[][] = [];
          for (const statement of statements) {
            const rows = await new Promise<Row[]>((resolve, reject) => {
              this.database.all<Row>(statement.sql, statement.params, (error, found) => (error ? reject(error) : resolve(found)));
            });
            results.push(rows);
          }
          checkRows(statements, results);
          return results;
        },
      });
      await this.exec('COMMIT');
      return result;
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  private async rollback(): Promise<void> {
    try {
      await this.exec('ROLLBACK');
    } catch (error) {
      // SQLite ends a transaction by itself on some faults; anything else would poison the next unit.
      if (!/no transaction is active/.test(String(error))) throw error;
    }
  }

  private prepare(sql: string): Promise<PreparedStatement> {
    return new Promise((resolve, reject) => {
      const statement = this.database.prepare(sql, (error) => (error ? reject(error) : resolve(statement)));
    });
  }

  private all(prepared: PreparedStatement, statement: Statement): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      prepared.all<Row>(statement.params, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  }

  private exec(sql: string): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.database.exec(sql, (error) => (error ? reject(error) : resolve([])));
    });
  }
}
