import type { MigrationInterface, QueryRunner } from 'typeorm';
import { id, index, instant, integer, json, key, optional, table, text, varchar } from '../../../core/database/table-builders.js';

const TABLE = table(
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
);

export class WebhookDeliveries1763900000000 implements MigrationInterface {
  name = 'WebhookDeliveries1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(TABLE.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE.name);
  }
}
