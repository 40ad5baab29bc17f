import type { QueryRunner } from 'typeorm';
import type { Contraction } from '../../database/index.js';
import { COMPLETE_ENTRY } from './1766600000000-former-entries.js';

const POSTGRES = [
  // One that was not seen, such as one that was paused, fails instead of taking positions that others have drawn.
  `CREATE OR REPLACE FUNCTION journal_former_entry() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'this version of Parley is older than the database: install the version of the other servers';
    END
  $$`,
  'DROP TABLE former_version',
];
const POSTGRES_DOWN = [
  'CREATE UNLOGGED TABLE former_version (id integer PRIMARY KEY, seen_at timestamptz NOT NULL)',
  'INSERT INTO former_version (id, seen_at) VALUES (1, clock_timestamp())',
  COMPLETE_ENTRY,
];

/** On PostgreSQL, processes of the version without `journal_heads` can no longer append to the journal. */
export class NoFormerEntries1766600001000 implements Contraction {
  name = 'NoFormerEntries1766600001000';
  readonly contracts = true;

  async up(runner: QueryRunner): Promise<void> {
    if (runner.connection.options.type === 'postgres') for (const sql of POSTGRES) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (runner.connection.options.type === 'postgres') for (const sql of POSTGRES_DOWN) await runner.query(sql);
  }
}
