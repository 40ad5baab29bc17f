import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counter, id, index, instant, integer, json, key, optional, table, text, varchar } from '../../../core/database/table-builders.js';

const REQUESTS = table(
  'forget_requests',
  [
    key('id'),
    id('user_hash'),
    id('user_id', optional),
    counter('up_to'),
    varchar('status', 16),
    integer('attempts'),
    instant('due_at', optional),
    id('lease_owner', optional),
    text('error', optional),
    integer('step'),
    text('position'),
    json('erased'),
    json('backups', optional),
    instant('created_at'),
    instant('updated_at'),
  ],
  {
    indices: [
      index('ix_forget_requests_user', ['user_hash', 'created_at']),
      index('ux_forget_requests_open', ['user_hash'], { isUnique: true, where: `"status" IN ('queued', 'running')` }),
      index('ix_forget_requests_due', ['due_at'], { where: `"status" IN ('queued', 'running')` }),
    ],
  },
);

const SCOPE = table('forget_scope', [key('request_id'), key('item_id'), varchar('kind', 8)], {
  indices: [index('ix_forget_scope_kind', ['request_id', 'kind', 'item_id'])],
});

/** Requests to forget a user, and what they have still to erase. */
export class ForgetRequests1765400000000 implements MigrationInterface {
  name = 'ForgetRequests1765400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(REQUESTS.clone());
    await runner.createTable(SCOPE.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(SCOPE.name);
    await runner.dropTable(REQUESTS.name);
  }
}
