import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import { instant, json, key, optional, table, varchar } from '../../../core/database/table-builders.js';

const TABLES = [
  table('agents', [
    key('id'),
    varchar('name'),
    varchar('status', 16),
    json('character'),
    json('secrets', optional),
    varchar('source_hash', 64, optional),
    instant('created_at'),
    instant('updated_at'),
  ]),
  table('deleted_agents', [key('id'), varchar('source_hash', 64), instant('deleted_at')]),
];

/** Agents, and those of a file that were deleted. */
export class Agents1795824005000 implements MigrationInterface {
  name = 'Agents1795824005000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
