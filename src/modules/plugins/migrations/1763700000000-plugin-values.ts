import type { MigrationInterface, QueryRunner } from 'typeorm';
import { instant, json, primary, table, varchar } from '../../../core/database/table-builders.js';

const TABLE = table('plugin_values', [varchar('plugin', 214, primary), varchar('key', 255, primary), json('value'), instant('updated_at')]);

export class PluginValues1763700000000 implements MigrationInterface {
  name = 'PluginValues1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(TABLE.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE.name);
  }
}
