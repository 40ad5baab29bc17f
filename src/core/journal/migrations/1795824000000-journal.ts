import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dropTables, runOn } from '../../database/create-tables.js';
import { counter, id, index, instant, integer, json, optional, primary, table, varchar } from '../../database/table-builders.js';

const TABLES = [
  table(
    'journal',
    [
      counter('pos', primary),
      id('channel_id', optional),
      counter('seq', optional),
      varchar('type', 32),
      json('payload'),
      instant('at'),
      varchar('request_id', 128, optional),
      integer('shard', optional),
    ],
    { indices: [index('ix_journal_channel', ['channel_id', 'pos'])] },
  ),
  table('journal_floor', [integer('id', primary), counter('trimmed_to'), counter('compacted_to')]),
];

const POSTGRES = [
  'CREATE SEQUENCE journal_pos AS bigint MINVALUE 0 START 0',
  `SELECT setval('journal_pos', 0, true)`,
  // Rows are updated with each entry of their channel; free space in the page keeps the new version there.
  `CREATE TABLE journal_heads (
    channel_id varchar(36) PRIMARY KEY,
    seq bigint NOT NULL,
    pos bigint NOT NULL,
    prev bigint,
    changed bigint NOT NULL
  ) WITH (fillfactor = 70)`,
  'CREATE INDEX ix_journal_control ON journal (pos) WHERE shard = -1',
  `CREATE FUNCTION journal_refuse(place integer) RETURNS integer LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a statement was refused' USING ERRCODE = 'PA001', DETAIL = place::text;
    END
  $$`,
  // As a foreign key would fail.
  `CREATE FUNCTION row_missing(parent text) RETURNS integer LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a row of % does not exist', parent USING ERRCODE = '23503';
    END
  $$`,
];
const POSTGRES_DOWN = [
  'DROP FUNCTION row_missing(text)',
  'DROP FUNCTION journal_refuse(integer)',
  'DROP INDEX ix_journal_control',
  'DROP TABLE journal_heads',
  'DROP SEQUENCE journal_pos',
];

/** The journal. On PostgreSQL, writers of different channels do not wait for each other (docs/decisions/0040). */
export class Journal1795824000000 implements MigrationInterface {
  name = 'Journal1795824000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, TABLES);
    await runner.query('INSERT INTO journal_floor (id, trimmed_to, compacted_to) VALUES (1, 0, 0)');
    await runOn(runner, { postgres: POSTGRES });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runOn(runner, { postgres: POSTGRES_DOWN });
    await dropTables(runner, TABLES);
  }
}
