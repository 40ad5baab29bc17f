import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { DATABASE_METRICS } from './database.metrics.js';
import { withClient } from './postgres-client.js';
import { isStalePlan, sendTogether, type PostgresQuery, type PostgresResult } from './postgres-pipeline.js';
import { PostgresUnit, StaleSnapshot } from './postgres-unit.js';
import { numberPlaceholders } from './sql-text.js';
import type { Outcome, Row, SqlValue, Statement } from './statement.js';
import type { Transaction, WriteEngine } from './write-engine.js';

const RETRIES = 10;
const SERIALIZATION_FAILURES = new Set(['40001', '40P01']);
// A process that is paused in a transaction must not hold up the readers of the journal.
const IDLE_TRANSACTION_MS = 5000;
const BEGIN: readonly PostgresQuery[] = [
  { text: 'BEGIN', values: [] },
  { text: `SELECT set_config('idle_in_transaction_session_timeout', '${IDLE_TRANSACTION_MS}', true)`, values: [] },
];

/**
 * Writes to PostgreSQL. A unit whose statements are known goes to the database in one round trip and is committed by it, so nothing is
 * locked while the process or the network is waited for.
 */
export class PostgresEngine implements WriteEngine {
  private readonly pool: Pool;
  private readonly running = new Set<Promise<unknown>>();

  /** @param prepares as for `PipelinedQueries` */
  constructor(
    source: DataSource,
    private readonly prepares: boolean,
  ) {
    this.pool = (source.driver as unknown as { master: Pool }).master;
  }

  commit(statements: readonly Statement[]): Promise<Outcome[]> {
    if (statements.length === 0) return Promise.resolve([]);
    const unit = new PostgresUnit(statements);
    if (!unit.refusesInDatabase) return this.run((transaction) => transaction.apply(statements));
    return this.track(
      withRetries(() =>
        this.withConnection(async (client) => {
          try {
            return unit.outcomes(await sendTogether(client, unit.queries, this.prepares));
          } catch (error) {
            throw unit.translate(error);
          }
        }),
      ),
    );
  }

  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.track(withRetries(() => this.withConnection((client, discard) => this.transact(client, discard, work))));
  }

  async commitAndErase(statements: readonly Statement[]): Promise<undefined> {
    if (statements.length > 0) await this.commit(statements);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.running);
  }

  private async withConnection<T>(work: (client: PoolClient, discard: (error: Error) => void) => Promise<T>): Promise<T> {
    const askedAt = performance.now();
    return withClient(this.pool, async (client, discard) => {
      const begunAt = performance.now();
      DATABASE_METRICS.wait.observe(begunAt - askedAt);
      try {
        return await work(client, discard);
      } finally {
        DATABASE_METRICS.hold.observe(performance.now() - begunAt);
      }
    });
  }

  private async transact<T>(
    client: PoolClient,
    discard: (error: Error) => void,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    let opening = BEGIN;
    const send = async (queries: readonly PostgresQuery[]): Promise<readonly PostgresResult[]> => {
      const first = opening;
      opening = [];
      return (await sendTogether(client, [...first, ...queries], this.prepares)).slice(first.length);
    };
    try {
      const result = await work({
        locking: (clause) => clause,
        rows: async <R extends object = Row>(sql: string, params: readonly SqlValue[]) => {
          const [found] = await send([{ text: numberPlaceholders(sql), values: params }]);
          return (found?.rows ?? []) as R[];
        },
        apply: async (statements) => {
          if (statements.length === 0) return [];
          const unit = new PostgresUnit(statements);
          try {
            return unit.outcomes(await send(unit.queries));
          } catch (error) {
            throw unit.translate(error);
          }
        },
      });
      const [ended] = await send([{ text: 'COMMIT', values: [] }]);
      if (ended?.command !== 'COMMIT') throw new Error('the transaction was rolled back, because a statement had failed');
      return result;
    } catch (error) {
      if (opening.length === 0) await send([{ text: 'ROLLBACK', values: [] }]).catch(discard);
      throw error;
    }
  }

  private async track<T>(work: Promise<T>): Promise<T> {
    this.running.add(work);
    try {
      return await work;
    } finally {
      this.running.delete(work);
    }
  }
}

async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (attempt > RETRIES || !(error instanceof StaleSnapshot || SERIALIZATION_FAILURES.has(code) || isStalePlan(error))) throw error;
    }
  }
}
