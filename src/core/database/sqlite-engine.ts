import type { Database } from 'sqlite3';
import { DataSource } from 'typeorm';
import { PreparedQueries } from './prepared-queries.js';
import { inlineValues } from './sql-text.js';
import { checkOutcomes, countsRows, type Outcome, type Row, type SqlValue, type Statement } from './statement.js';
import type { Transaction, WriteEngine } from './write-engine.js';

interface BatchJob {
  readonly statements: readonly Statement[];
  readonly resolve: (outcomes: Outcome[]) => void;
  readonly reject: (error: unknown) => void;
}

interface OutcomeRow {
  readonly changed: number;
  readonly pos: number;
  readonly seq: number;
}

type Job = { readonly batch: BatchJob } | { readonly exclusive: () => Promise<void> };

const MAX_GROUP_SIZE = 256;
const COUNT_CHANGES = 'INSERT INTO temp.outcome (changed) VALUES (changes())';
// This is the only writer, so the newest entries are those just appended.
const OUTCOMES = `SELECT changed, pos, seq FROM (
    SELECT id AS place, changed, NULL AS pos, NULL AS seq FROM temp.outcome
    UNION ALL SELECT pos, NULL, pos, seq FROM (SELECT pos, seq FROM journal ORDER BY pos DESC LIMIT ?)
  ) ORDER BY place`;

// Value of user_version, which is transactional and stored in the file: the pending rewrite survives a crash.
const REWRITE_PENDING = 1;

/**
 * The only writer of a SQLite file. TypeORM shares one connection between all callers, and overlapping transactions on it lose
 * acknowledged rows (docs/decisions/0002), so jobs run one after another. Batch jobs that were queued during a commit share the next
 * transaction and its fsync.
 */
export class SqliteEngine implements WriteEngine {
  private readonly queue: Job[] = [];
  private draining: Promise<void> | undefined;
  private readonly queries: PreparedQueries;

  private constructor(
    private readonly source: DataSource,
    private readonly database: Database,
  ) {
    this.queries = new PreparedQueries(database);
  }

  static async open(source: DataSource): Promise<SqliteEngine> {
    const { databaseConnection } = source.driver as unknown as { databaseConnection: Database };
    for (const sql of [
      'PRAGMA journal_mode=WAL',
      'PRAGMA synchronous=FULL',
      'PRAGMA temp_store=MEMORY',
      'CREATE TEMP TABLE outcome (id integer PRIMARY KEY, changed integer NOT NULL)',
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
      this.enqueue({ batch: { statements, resolve, reject } });
    });
  }

  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.enqueue({ exclusive: () => this.transact(work).then(resolve, reject) });
    });
  }

  commitAndErase(statements: readonly Statement[]): Promise<Error | undefined> {
    return new Promise((resolve, reject) => {
      this.enqueue({ exclusive: () => this.commitAndRewrite(statements).then(resolve, reject) });
    });
  }

  async close(): Promise<void> {
    await this.draining;
    await this.queries.close();
  }

  private enqueue(job: Job): void {
    this.queue.push(job);
    // Deferred to the next iteration of the event loop, so that jobs submitted in this one share a commit.
    this.draining ??= new Promise<void>((done) => setImmediate(done)).then(() => this.drain());
  }

  private async drain(): Promise<void> {
    for (let job = this.queue.shift(); job; job = this.queue.shift()) {
      if ('exclusive' in job) {
        await job.exclusive();
        continue;
      }
      const group = [job.batch];
      for (let next = this.queue[0]; next && 'batch' in next && group.length < MAX_GROUP_SIZE; next = this.queue[0]) {
        group.push(next.batch);
        this.queue.shift();
      }
      await this.commitGroup(group);
    }
    this.draining = undefined;
  }

  private async commitGroup(group: readonly BatchJob[]): Promise<void> {
    try {
      const outcomes = await this.execute(group);
      group.forEach((job, index) => job.resolve(outcomes[index] ?? []));
    } catch (error) {
      const [only, ...others] = group;
      if (only && others.length === 0) {
        only.reject(error);
        return;
      }
      // One unit failed the whole group. Retried separately, only that unit fails.
      for (const job of group) await this.commitGroup([job]);
    }
  }

  /**
   * Executes the group as one script: a single call to the driver's thread, in order, up to the first failing statement. Prepared statements
   * that are queued at once have no guaranteed order.
   */
  private async execute(group: readonly BatchJob[]): Promise<Outcome[][]> {
    const statements = group.flatMap((job) => job.statements);
    try {
      await this.exec(`BEGIN IMMEDIATE;\n${scriptOf(statements)}`);
      const outcomes = await this.outcomesOf(statements);
      let at = 0;
      const parts = group.map((job) => outcomes.slice(at, (at += job.statements.length)));
      group.forEach((job, index) => checkOutcomes(job.statements, parts[index] ?? []));
      await this.exec('COMMIT');
      return parts;
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  private async outcomesOf(statements: readonly Statement[]): Promise<Outcome[]> {
    const appended = statements.filter(({ journal }) => journal).length;
    const [found, ...returned] = await Promise.all([
      appended > 0 || statements.some(countsRows) ? this.queries.rows<OutcomeRow>(OUTCOMES, [appended]) : [],
      ...statements.map(({ returns }) => (returns ? this.all<Row>(returns.sql, returns.params) : [])),
    ]);
    const changes = found.filter(({ pos }) => pos === null);
    const positions = found.filter(({ pos }) => pos !== null);
    return statements.map((statement, index) => ({
      changed: countsRows(statement) ? (changes.shift()?.changed ?? 0) : 0,
      rows: returned[index] ?? [],
      ...(statement.journal ? { position: toPosition(positions.shift()) } : {}),
    }));
  }

  private async transact<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    await this.exec('BEGIN IMMEDIATE');
    try {
      const result = await work({
        locking: () => '',
        rows: (sql, params) => this.all(sql, params),
        apply: (statements) => this.apply(statements),
      });
      await this.exec('COMMIT');
      return result;
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  private async commitAndRewrite(statements: readonly Statement[]): Promise<Error | undefined> {
    if (statements.length > 0) {
      await this.transact(async (transaction) => {
        await transaction.apply(statements);
        await this.exec(`PRAGMA user_version=${REWRITE_PENDING}`);
      });
    }
    const [row] = await this.all<{ user_version: number }>('PRAGMA user_version', []);
    if (row?.user_version !== REWRITE_PENDING) return undefined;
    try {
      await this.rewriteFile();
      await this.exec('PRAGMA user_version=0');
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
      await source.query('VACUUM');
      const [outcome] = await source.query<{ busy: number }[]>('PRAGMA wal_checkpoint(TRUNCATE)');
      if (outcome?.busy !== 0) throw new Error('the write-ahead log is in use');
    } finally {
      await source.destroy();
    }
  }

  private async apply(statements: readonly Statement[]): Promise<Outcome[]> {
    if (statements.length === 0) return [];
    await this.exec(scriptOf(statements));
    const outcomes = await this.outcomesOf(statements);
    checkOutcomes(statements, outcomes);
    return outcomes;
  }

  private async rollback(): Promise<void> {
    try {
      await this.exec('ROLLBACK');
    } catch (error) {
      // BEGIN failed, or SQLite has rolled back already. After any other error the next unit would run inside this transaction.
      if (!/no transaction is active/.test(String(error))) throw error;
    }
  }

  private all<T>(sql: string, params: readonly SqlValue[]): Promise<T[]> {
    return new Promise((resolve, reject) => {
      this.database.all<T>(sql, params, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  }

  private exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.database.exec(sql, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** The statements as one script, which counts changed rows where required. */
function scriptOf(statements: readonly Statement[]): string {
  const script = statements.some(countsRows) ? ['DELETE FROM temp.outcome'] : [];
  for (const statement of statements) {
    script.push(inlineValues(statement.sql, statement.params));
    if (countsRows(statement)) script.push(COUNT_CHANGES);
  }
  return script.join(';\n');
}

function toPosition(row: OutcomeRow | undefined): { offset: number; seq: number } {
  if (!row) throw new Error('an appended journal entry was not found');
  return { offset: row.pos, seq: row.seq };
}
