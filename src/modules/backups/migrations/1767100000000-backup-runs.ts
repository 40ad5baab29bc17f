import type { MigrationInterface, QueryRunner } from 'typeorm';
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

const TABLE = table(
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
);

/** The backups of the schedule: a row for each that was due. */
export class BackupRuns1767100000000 implements MigrationInterface {
  name = 'BackupRuns1767100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(TABLE.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE.name);
  }
}
