import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  id,
  index,
  instant,
  integer,
  json,
  key,
  optional,
  cascadingForeignKey,
  table,
  varchar,
} from '../../../core/database/table-builders.js';

const TABLE = table(
  'agent_logs',
  [key('id'), id('agent_id'), id('room_id', optional), varchar('type', 64), integer('level'), json('body'), instant('created_at')],
  {
    foreignKeys: [cascadingForeignKey('agent_logs', 'agent_id', 'agents')],
    indices: [index('ix_agent_logs_agent', ['agent_id', 'created_at', 'id'])],
  },
);

export class AgentLogs1764410000000 implements MigrationInterface {
  name = 'AgentLogs1764410000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(TABLE.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE.name);
  }
}
