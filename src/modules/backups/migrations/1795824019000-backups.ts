import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import {
  counter,
  id,
  index,
  instant,
  integer,
  json,
  optional,
  primary,
  table,
  text,
  varchar,
} from '../../../core/database/table-builders.js';

const TABLES = [
  table(
    'backup_runs',
    [
      varchar('tick', 36, primary),
      varchar('status', 16),
      integer('attempts'),
      instant('due_at', optional),
      id('lease_owner', optional),
      json('error', optional),
      text('name', optional),
      text('address', optional),
      counter('size', optional),
      instant('verified_at', optional),
      instant('started_at', optional),
      instant('ended_at', optional),
    ],
    { indices: [index('ix_backup_runs_due', ['due_at'], { where: `"status" IN ('queued', 'running')` })] },
  ),
];

/** The backups of the schedule: a row for each that was due. */
export class Backups1795824019000 implements MigrationInterface {
  name = 'Backups1795824019000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
