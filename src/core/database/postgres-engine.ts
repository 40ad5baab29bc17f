import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import type { Row, Statement } from './statement.js';
import { checkRows, type Transaction, type WriteEngine } from './write-engine.js';

/** Channel of LISTEN and NOTIFY by which processes tell each other that the journal grew. */
export const JOURNAL_CHANNEL = 'parley_journal';

// Any constant will do, as long as every process uses the same.
const JOURNAL_LOCK = 7_072_601;
const RETRIES = 5;
const SERIALIZATION_FAILURES = new Set(['40001', '40P01']);
const LARGEST_GROUP = 256;

interface BatchJob {
  readonly statements: readonly Statement[];
  readonly resolve: (results: Row[][]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes to PostgreSQL. A unit that appends to the journal takes one advisory lock for the rest of its
 * transaction, so that offsets grow in commit order across all processes.
 */
export class PostgresEngine implements WriteEngine {
  private readonly pool: Pool;
  private readonly waiting: BatchJob[] = [];
  private draining: Promise<void> | undefined;

  constructor(private readonly source: DataSource) {
    this.pool = (source.driver as unknown as { master: Pool }).master;
  }

  commit(statements: readonly Statement[]): Promise<Row[][]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ statements, resolve, reject });
      this.draining ??= new Promise<void>((done) => setImmediate(done)).then(() => this.drain());
    });
  }

  async run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return retried(async () => {
      const runner = this.source.createQueryRunner();
      try {
        await runner.startTransaction();
        const lock = new JournalLock();
        const result = await work({
          manager: runner.manager,
          apply: async (statements) => {
            const results: Row[][] = [];
            for (const statement of statements) {
              const query = (sql: string, params: unknown[]): Promise<unknown> => runner.query(sql, params);
              await lock.takeFor(statement, query);
              const answer: unknown = await query(numbered(statement.sql), [...statement.params]);
              results.push(rowsOf(answer));
            }
            checkRows(statements, results);
            return results;
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

  async close(): Promise<void> {
    await this.draining;
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) await this.commitGroup(this.waiting.splice(0, LARGEST_GROUP));
    this.draining = undefined;
  }

  private async commitGroup(group: readonly BatchJob[]): Promise<void> {
    try {
      const results = await retried(() => this.execute(group));
      group.forEach((job, index) => job.resolve(results[index] ?? []));
    } catch (error) {
      const [only, ...others] = group;
      if (only && others.length === 0) {
        only.reject(error);
        return;
      }
      for (const job of group) await this.commitGroup([job]);
    }
  }

  private async execute(group: readonly BatchJob[]): Promise<Row[][][]> {
    const client: PoolClient = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const lock = new JournalLock();
      const results: Row[][][] = [];
      for (const { statements } of group) {
        const part: Row[][] = [];
        for (const statement of statements) {
          await lock.takeFor(statement, (sql, params) => client.query(sql, params));
          const { rows } = await client.query<Row>(numbered(statement.sql), [...statement.params]);
          part.push(rows);
        }
        checkRows(statements, part);
        results.push(part);
      }
      await client.query('COMMIT');
      return results;
    } catch (error) {
      await client.query('ROLLBACK').catch((fault: unknown) => {
        broken = fault as Error;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

class JournalLock {
  private held = false;

  async takeFor(statement: Statement, query: (sql: string, params: unknown[]) => Promise<unknown>): Promise<void> {
    if (!statement.journal || this.held) return;
    await query('SELECT pg_advisory_xact_lock($1), pg_notify($2, $3)', [JOURNAL_LOCK, JOURNAL_CHANNEL, '']);
    this.held = true;
  }
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (attempt > RETRIES || !SERIALIZATION_FAILURES.has(code)) throw error;
    }
  }
}

const numberedCache = new Map<string, string>();

/** Turns `?` placeholders into `$1`, `$2`, …; statement texts are constants, so each is translated once. */
export function numbered(sql: string): string {
  let translated = numberedCache.get(sql);
  if (translated === undefined) {
    let position = 0;
    translated = sql.replace(/\?/g, () => `$${++position}`);
    numberedCache.set(sql, translated);
  }
  return translated;
}

// TypeORM answers UPDATE and DELETE with [rows, count], everything else with the rows.
function rowsOf(answer: unknown): Row[] {
  if (!Array.isArray(answer)) return [];
  const [first, second] = answer as unknown[];
  return answer.length === 2 && Array.isArray(first) && typeof second === 'number' ? (first as Row[]) : (answer as Row[]);
}
