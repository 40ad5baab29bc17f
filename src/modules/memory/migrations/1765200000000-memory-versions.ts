import type { MigrationInterface, QueryRunner } from 'typeorm';
import { cascadingForeignKey, flag, instant, integer, json, key, primary, table, varchar } from '../../../core/database/table-builders.js';

const TABLE = table(
  'memory_versions',
  [
    key('memory_id'),
    integer('version', primary),
    json('content'),
    json('metadata'),
    flag('vouched'),
    instant('changed_at'),
    varchar('changed_by'),
  ],
  { foreignKeys: [cascadingForeignKey('memory_versions', 'memory_id', 'memories')] },
);

export class MemoryVersions1765200000000 implements MigrationInterface {
  name = 'MemoryVersions1765200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(TABLE.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE.name);
  }
}
