import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import { instant, integer, optional, primary, table, text, varchar } from '../../../core/database/table-builders.js';

const TABLES = [
  table('server_model', [
    integer('id', primary),
    varchar('provider', 16),
    varchar('model'),
    text('address', optional),
    text('sealed_key', optional),
    instant('updated_at'),
  ]),
];

/** The model that an administrator has chosen for the server. */
export class ServerModel1795824020000 implements MigrationInterface {
  name = 'ServerModel1795824020000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
