import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables, runOn } from '../../../core/database/create-tables.js';
import { index, instant, json, key, optional, table, varchar } from '../../../core/database/table-builders.js';

const TABLES = [
  table(
    'api_keys',
    [
      key('id'),
      varchar('name'),
      varchar('hash', 64),
      varchar('scope', 8),
      json('agents', optional),
      json('users', optional),
      instant('created_at'),
      instant('expires_at', optional),
      instant('revoked_at', optional),
      instant('last_used_at', optional),
    ],
    { indices: [index('ux_api_keys_hash', ['hash'], { isUnique: true })] },
  ),
];

// Unlogged: counters may be lost in a crash, and cost no wait for the disk.
const POSTGRES = [
  `CREATE UNLOGGED TABLE rate_limit_counters (
    kind varchar(16) NOT NULL,
    bucket integer NOT NULL,
    taken bigint NOT NULL,
    ends_at bigint NOT NULL,
    PRIMARY KEY (kind, bucket)
  ) WITH (fillfactor = 70)`,
];

/** API keys, and the counters of rate limits that processes share, on PostgreSQL. */
export class Access1795824004000 implements MigrationInterface {
  name = 'Access1795824004000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, TABLES);
    await runOn(runner, { postgres: POSTGRES });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runOn(runner, { postgres: ['DROP TABLE rate_limit_counters'] });
    await dropTables(runner, TABLES);
  }
}
