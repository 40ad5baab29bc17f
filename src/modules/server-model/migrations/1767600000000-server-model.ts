import type { MigrationInterface, QueryRunner } from 'typeorm';
import { instant, integer, optional, primary, table, text, varchar } from '../../../core/database/table-builders.js';

const TABLE = table('server_model', [
  integer('id', primary),
  varchar('provider', 16),
  varchar('model'),
  text('address', optional),
  text('sealed_key', optional),
  instant('updated_at'),
]);

/** The model that an administrator has chosen for the server. */
export class ServerModel1767600000000 implements MigrationInterface {
  name = 'ServerModel1767600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(TABLE.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE.name);
  }
}
