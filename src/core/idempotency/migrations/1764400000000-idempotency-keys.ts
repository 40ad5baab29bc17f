import type { MigrationInterface, QueryRunner } from 'typeorm';
import { id, index, instant, integer, json, optional, primary, table, varchar } from '../../database/table-builders.js';

const TABLE = table(
  'idempotency_keys',
  [
    varchar('id', 64, primary),
    varchar('fingerprint', 64),
    id('attempt'),
    instant('lease_until'),
    integer('written'),
    integer('status', optional),
    json('answer', optional),
    instant('created_at'),
  ],
  { indices: [index('ix_idempotency_keys_age', ['created_at'])] },
);

export class IdempotencyKeys1764400000000 implements MigrationInterface {
  name = 'IdempotencyKeys1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(TABLE.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE.name);
  }
}
