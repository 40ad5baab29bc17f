import type { MigrationInterface, QueryRunner } from 'typeorm';
import { index, instant, integer, primary, table, text } from '../core/database/table-builders.js';

const KEY = table('installation_key', [integer('id', primary), text('sealed'), instant('created_at')]);
const NAMED_AUTHORS = index('ix_messages_named_author', ['author_id', 'created_at'], {
  where: `"author_kind" = 'user' AND substr("author_id", 15, 1) = '0'`,
});

/** Stores the installation key, and adds an index of authors with name-derived ids. */
export class InstallationKey1764500100000 implements MigrationInterface {
  name = 'InstallationKey1764500100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(KEY.clone());
    await runner.createIndex('messages', NAMED_AUTHORS.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('messages', NAMED_AUTHORS.clone());
    await runner.dropTable(KEY.name);
  }
}
