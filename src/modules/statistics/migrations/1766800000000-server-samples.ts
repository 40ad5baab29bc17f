import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counter, id, index, instant, key, table } from '../../../core/database/table-builders.js';

const TABLE = table('server_samples', [key('id'), instant('at'), id('process_id'), counter('memory_bytes'), counter('database_bytes')], {
  indices: [index('ix_server_samples_at', ['at'])],
});

export class ServerSamples1766800000000 implements MigrationInterface {
  name = 'ServerSamples1766800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(TABLE.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(TABLE.name);
  }
}
