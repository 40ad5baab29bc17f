import type { MigrationInterface, QueryRunner } from 'typeorm';

// Plain SQL: on SQLite the schema builder would copy each table, which loses its triggers.
const TABLES = ['channels', 'messages', 'memories', 'participants'];

/**
 * Adds `vouched`: whether a credential vouched for the users of a row. Existing rows count as vouched for, and existing keys vouch for all
 * users.
 */
export class Vouching1764640000000 implements MigrationInterface {
  name = 'Vouching1764640000000';

  async up(runner: QueryRunner): Promise<void> {
    const yes = runner.connection.options.type === 'postgres' ? 'true' : '1';
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} ADD COLUMN vouched boolean NOT NULL DEFAULT ${yes}`);
    await runner.query('ALTER TABLE api_keys ADD COLUMN users text');
    await runner.query(`UPDATE api_keys SET users = '"inherited"'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN users');
    for (const table of [...TABLES].reverse()) await runner.query(`ALTER TABLE ${table} DROP COLUMN vouched`);
  }
}
