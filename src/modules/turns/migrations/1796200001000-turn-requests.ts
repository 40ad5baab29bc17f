import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables, runOn } from '../../../core/database/create-tables.js';
import { cascadingForeignKey, instant, key, table, text } from '../../../core/database/table-builders.js';

const TABLES = [
  table('turn_requests', [key('message_id'), text('request'), instant('created_at')], {
    foreignKeys: [cascadingForeignKey('turn_requests', 'message_id', 'messages')],
  }),
];
const INDEX = `CREATE INDEX ix_turns_suspended ON turns (lease_until) WHERE "status" = 'suspended'`;
const DROP = 'DROP INDEX ix_turns_suspended';

/** What callers of protocols ask of a turn beside its message, and turns that wait for the results of the caller's tools. */
export class TurnRequests1796200001000 implements MigrationInterface {
  name = 'TurnRequests1796200001000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, TABLES);
    await runOn(runner, { sqlite: [INDEX], postgres: [INDEX] });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runOn(runner, { sqlite: [DROP], postgres: [DROP] });
    await dropTables(runner, TABLES);
  }
}
