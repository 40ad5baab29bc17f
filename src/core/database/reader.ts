import type { Database } from 'sqlite3';
import type { DataSource } from 'typeorm';
import { PreparedQueries } from './prepared-queries.js';
import { numberPlaceholders } from './sql-text.js';
import { storageError } from './storage-error.js';
import type { Row, SqlValue } from './statement.js';

/** Reads committed data, on a read-only connection. */
export class Reader {
  private readonly prepared: PreparedQueries | undefined;

  constructor(private readonly source: DataSource) {
    if (source.options.type === 'postgres') return;
    this.prepared = new PreparedQueries((source.driver as unknown as { databaseConnection: Database }).databaseConnection);
  }

  async rows<T extends object = Row>(sql: string, params: readonly SqlValue[] = []): Promise<T[]> {
    try {
      return await (this.prepared ? this.prepared.rows<T>(sql, params) : this.source.query<T[]>(numberPlaceholders(sql), [...params]));
    } catch (error) {
      throw storageError(error);
    }
  }

  /** Releases the connection so that it can be closed. */
  async close(): Promise<void> {
    await this.prepared?.close();
  }
}
