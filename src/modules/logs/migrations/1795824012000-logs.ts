import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import {
  cascadingForeignKey,
  id,
  index,
  instant,
  integer,
  json,
  key,
  optional,
  table,
  varchar,
} from '../../../core/database/table-builders.js';

const TABLES = [
  table(
    'agent_logs',
    [key('id'), id('agent_id'), id('room_id', optional), varchar('type', 64), integer('level'), json('body'), instant('created_at')],
    {
      foreignKeys: [cascadingForeignKey('agent_logs', 'agent_id', 'agents')],
      indices: [index('ix_agent_logs_agent', ['agent_id', 'created_at', 'id'])],
    },
  ),
];
const BY_TRIGGER = ['fk_agent_logs_agent_id'];

export class Logs1795824012000 implements MigrationInterface {
  name = 'Logs1795824012000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES, BY_TRIGGER);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES, BY_TRIGGER);
  }
}
