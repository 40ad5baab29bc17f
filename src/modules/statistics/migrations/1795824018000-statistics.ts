import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import { counter, id, index, instant, key, table } from '../../../core/database/table-builders.js';

const TABLES = [
  table('server_samples', [key('id'), instant('at'), id('process_id'), counter('memory_bytes'), counter('database_bytes')], {
    indices: [index('ix_server_samples_at', ['at'])],
  }),
];

export class Statistics1795824018000 implements MigrationInterface {
  name = 'Statistics1795824018000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
