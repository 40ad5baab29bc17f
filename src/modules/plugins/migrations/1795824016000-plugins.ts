import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import { id, index, instant, integer, json, key, optional, primary, table, text, varchar } from '../../../core/database/table-builders.js';

const TABLES = [
  table('plugin_values', [varchar('plugin', 214, primary), varchar('key', 255, primary), json('value'), instant('updated_at')]),
  table(
    'webhook_deliveries',
    [
      key('id'),
      varchar('plugin', 214),
      text('route'),
      id('agent_id'),
      varchar('mode', 8),
      varchar('dedupe_key', 64),
      text('sender_id', optional),
      varchar('status', 16),
      integer('attempts'),
      instant('due_at', optional),
      id('lease_owner', optional),
      json('request', optional),
      text('body', optional),
      text('error', optional),
      text('trace_context', optional),
      instant('created_at'),
      instant('updated_at'),
    ],
    {
      indices: [
        index('ux_webhook_deliveries_dedupe', ['dedupe_key'], { isUnique: true }),
        index('ix_webhook_deliveries_due', ['plugin', 'due_at']),
        index('ix_webhook_deliveries_plugin', ['plugin', 'created_at', 'id']),
        index('ix_webhook_deliveries_age', ['status', 'created_at']),
      ],
    },
  ),
];

/** What plugins store, and the deliveries of their webhooks. */
export class Plugins1795824016000 implements MigrationInterface {
  name = 'Plugins1795824016000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
