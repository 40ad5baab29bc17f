import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../database/create-tables.js';
import { primary, table, varchar } from '../../database/table-builders.js';

const TABLES = [table('search_backlog', [varchar('name', 64, primary), varchar('position', 64)])];

/** How far the texts that earlier versions stored have been indexed for searches. */
export class Search1796100001000 implements MigrationInterface {
  name = 'Search1796100001000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
