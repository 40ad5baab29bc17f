import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../database/create-tables.js';
import { id, index, instant, integer, json, optional, primary, table, varchar } from '../../database/table-builders.js';

const TABLES = [
  table(
    'idempotency_keys',
    [
      varchar('id', 64, primary),
      varchar('fingerprint', 64),
      id('attempt'),
      instant('lease_until'),
      integer('written'),
      integer('status', optional),
      json('response', optional),
      instant('created_at'),
    ],
    { indices: [index('ix_idempotency_keys_age', ['created_at'])] },
  ),
];

export class Idempotency1795824002000 implements MigrationInterface {
  name = 'Idempotency1795824002000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
