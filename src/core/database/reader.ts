import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { numbered } from './sql-text.js';
import type { Row, SqlValue } from './statement.js';

/**
 * Committed data, for the queries whose text is known beforehand. Everything else reads through the
 * repositories that TypeORM injects, which stand on the same read-only connection.
 */
@Injectable()
export class Reader {
  private readonly translate: (sql: string) => string;

  constructor(@InjectDataSource() private readonly source: DataSource) {
    this.translate = source.options.type === 'postgres' ? numbered : (sql) => sql;
  }

  async rows<T extends object = Row>(sql: string, params: readonly SqlValue[] = []): Promise<T[]> {
    return this.source.query<T[]>(this.translate(sql), [...params]);
  }
}
