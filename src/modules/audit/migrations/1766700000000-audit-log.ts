import type { MigrationInterface, QueryRunner } from 'typeorm';
import { id, index, instant, json, key, optional, table, text, varchar } from '../../../core/database/table-builders.js';

const TABLE = table(
  'audit_log',
  [
    key('id'),
    instant('created_at'),
    varchar('action', 64),
    varchar('actor_id'),
    varchar('actor_name', 255, optional),
    id('user_id', optional),
    varchar('address', 255, optional),
    varchar('request_id', 255, optional),
    varchar('target_kind', 32),
    varchar('target_id'),
    id('agent_id', optional),
    text('summary'),
    json('fields'),
  ],
  {
    indices: [
      index('ix_audit_log_created', ['created_at', 'id']),
      index('ix_audit_log_agent', ['agent_id', 'created_at', 'id']),
      index('ix_audit_log_user', ['user_id']),
    ],
  },
);

export class AuditLog1766700000000 implements MigrationInterface {
  name = 'AuditLog1766700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(TABLE.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE.name);
  }
}
