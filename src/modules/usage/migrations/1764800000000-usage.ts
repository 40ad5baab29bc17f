import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counter, id, index, instant, integer, key, optional, table, varchar } from '../../../core/database/table-builders.js';

const TABLE = table(
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
);

export class Usage1764800000000 implements MigrationInterface {
  name = 'Usage1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(TABLE.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE.name);
  }
}
