import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import { counter, id, index, instant, integer, json, key, optional, table, text, varchar } from '../../../core/database/table-builders.js';

const TABLES = [
  table(
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
  ),
  table('forget_scope', [key('request_id'), key('item_id'), varchar('kind', 8)], {
    indices: [index('ix_forget_scope_kind', ['request_id', 'kind', 'item_id'])],
  }),
];

/** Requests to forget a user, and what they have still to erase. */
export class Privacy1795824017000 implements MigrationInterface {
  name = 'Privacy1795824017000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
