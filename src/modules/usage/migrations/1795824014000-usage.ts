import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables } from '../../../core/database/create-tables.js';
import { counter, id, index, instant, integer, key, optional, table, varchar } from '../../../core/database/table-builders.js';

const TABLES = [
  table(
    'usage',
    [
      key('id'),
      instant('at'),
      varchar('kind', 16),
      id('turn_id'),
      id('agent_id'),
      id('channel_id'),
      id('user_id'),
      varchar('provider', 255, optional),
      varchar('model', 255, optional),
      counter('input_tokens', optional),
      counter('output_tokens', optional),
      integer('calls'),
      counter('duration_ms'),
    ],
    {
      indices: [index('ix_usage_at', ['at']), index('ix_usage_agent', ['agent_id', 'at']), index('ix_usage_user', ['user_id', 'at'])],
    },
  ),
];

export class Usage1795824014000 implements MigrationInterface {
  name = 'Usage1795824014000';

  up(runner: QueryRunner): Promise<void> {
    return createTables(runner, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropTables(runner, TABLES);
  }
}
