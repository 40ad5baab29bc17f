import type { MigrationInterface, QueryRunner } from 'typeorm';
import { id, index, instant, json, key, cascadingForeignKey, table, text } from '../../../core/database/table-builders.js';

const TABLE = table(
  'jobs',
  [
    key('id'),
    id('channel_id'),
    id('message_id'),
    id('agent_id'),
    id('user_id'),
    text('prompt'),
    json('metadata'),
    instant('created_at'),
    instant('expires_at'),
  ],
  {
    foreignKeys: [cascadingForeignKey('jobs', 'channel_id', 'channels')],
    indices: [index('ix_jobs_created', ['created_at', 'id']), index('ix_jobs_channel', ['channel_id'])],
  },
);

export class Jobs1764455000000 implements MigrationInterface {
  name = 'Jobs1764455000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(TABLE.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE.name);
  }
}
