import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../database/create-tables.js';
import { instant, integer, primary, table, text } from '../../database/table-builders.js';

const TABLES = [
  table('vault_check', [integer('id', primary), text('sealed')]),
  table('installation_key', [integer('id', primary), text('sealed'), instant('created_at')]),
];

/** The installation key, and a check of the key that seals it. */
export class Vault1795824003000 implements MigrationInterface {
  name = 'Vault1795824003000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
