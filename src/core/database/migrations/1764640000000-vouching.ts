import type { MigrationInterface, QueryRunner } from 'typeorm';

// By hand: the builder would copy each table on SQLite, and its triggers would be lost.
const TABLES = ['channels', 'messages', 'memories', 'participants'];

/**
 * Whether a credential vouched for the users in whose names something is there. What is older counts as vouched for, and keys
 * that are older vouch for everybody.
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
