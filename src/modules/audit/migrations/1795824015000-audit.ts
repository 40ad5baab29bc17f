import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import { id, index, instant, json, key, optional, table, text, varchar } from '../../../core/database/table-builders.js';

const TABLES = [
  table(
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
  ),
];

export class Audit1795824015000 implements MigrationInterface {
  name = 'Audit1795824015000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
