import type { Pool } from 'pg';
import type { Database } from 'sqlite3';
import type { DataSource } from 'typeorm';
import type { Notifier } from './notifier.js';
import { pageOf, pageQuery, type Page, type PageQuery } from './byte-budget.js';
import { PostgresReads } from './postgres-reads.js';
import { PreparedQueries } from './prepared-queries.js';
import { storageError } from './storage-error.js';
import type { ReadQuery, Row, SqlValue } from './statement.js';

/** Reads committed data; on SQLite on a read-only connection. */
export class Reader {
  private readonly prepared: PreparedQueries | undefined;
  private readonly pooled: PostgresReads | undefined;

  /**
   * @param prepares as for `PipelinedQueries`
   * @param notifier its notifications are sent with queries where they can
   */
  constructor(source: DataSource, prepares = true, notifier?: Pick<Notifier, 'take'>) {
    if (source.options.type === 'postgres') {
      this.pooled = new PostgresReads((source.driver as unknown as { master: Pool }).master, prepares, notifier);
    } else this.prepared = new PreparedQueries((source.driver as unknown as { databaseConnection: Database }).databaseConnection);
  }

  async rows<T extends object = Row>(sql: string, params: readonly SqlValue[] = []): Promise<T[]> {
    try {
      return await (this.pooled ? this.pooled.rows<T>(sql, params) : this.onSqlite<T>(sql, params));
    } catch (error) {
      throw storageError(error);
    }
  }

  /**
   * As `rows`, for queries that are begun together: on PostgreSQL, those that a request begins in the same round of the event loop become
   * one statement. Numbers are numbers on both engines; binary columns are not allowed.
   */
  async joined<T extends object = Row>(sql: string, params: readonly SqlValue[] = []): Promise<T[]> {
    try {
      return await (this.pooled ? this.pooled.joined<T>(sql, params) : this.onSqlite<T>(sql, params));
    } catch (error) {
      throw storageError(error);
    }
  }

  /** A page of a list, limited in rows and in bytes (`PAGE_BYTES`). */
  async page<T extends object = Row>(query: PageQuery): Promise<Page<T>> {
    const { sql, params } = pageQuery(query);
    return pageOf(await this.rows<T & { rowBytes: number }>(sql, params), query);
  }

  /** The rows of several queries, in their order. On PostgreSQL in one round trip; each sees what was committed before it began. */
  async inOrder<T extends object = Row>(queries: readonly ReadQuery[]): Promise<T[][]> {
    try {
      if (this.pooled) return await this.pooled.inOrder<T>(queries);
      const results: T[][] = [];
      for (const { sql, params } of queries) results.push(await this.onSqlite<T>(sql, params));
      return results;
    } catch (error) {
      throw storageError(error);
    }
  }

  /** Releases the connection so that it can be closed. */
  async close(): Promise<void> {
    await this.prepared?.close();
  }

  private onSqlite<T extends object>(sql: string, params: readonly SqlValue[]): Promise<T[]> {
    if (!this.prepared) throw new Error('the reader has no SQLite connection');
    return this.prepared.rows<T>(sql, params);
  }
}
