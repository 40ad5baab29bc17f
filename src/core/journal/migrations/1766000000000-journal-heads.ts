import { TableColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { integer, optional } from '../../database/table-builders.js';

const POSTGRES = [
  'CREATE SEQUENCE journal_pos AS bigint MINVALUE 0 START 0',
  `SELECT setval('journal_pos', coalesce((SELECT max(pos) FROM journal), 0), true)`,
  // Rows are updated with each entry of their channel; free space in the page keeps the new version there.
  `CREATE TABLE journal_heads (
    channel_id varchar(36) PRIMARY KEY,
    seq bigint NOT NULL,
    pos bigint NOT NULL,
    prev bigint,
    changed bigint NOT NULL
  ) WITH (fillfactor = 70)`,
  `INSERT INTO journal_heads (channel_id, seq, pos, changed)
    SELECT DISTINCT ON (channel_id) channel_id, seq, pos, 0 FROM journal WHERE channel_id IS NOT NULL ORDER BY channel_id, pos DESC`,
  'INSERT INTO journal_heads (channel_id, seq, pos, changed) SELECT id, 0, 0, 0 FROM channels ON CONFLICT DO NOTHING',
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

/** On PostgreSQL, writers of different channels no longer wait for each other. */
export class JournalHeads1766000000000 implements MigrationInterface {
  name = 'JournalHeads1766000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('journal', new TableColumn(integer('shard', optional)));
    if (runner.connection.options.type !== 'postgres') return;
    await runner.query('UPDATE journal SET shard = -1 WHERE channel_id IS NULL');
    for (const sql of POSTGRES) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (runner.connection.options.type === 'postgres') for (const sql of POSTGRES_DOWN) await runner.query(sql);
    await runner.dropColumn('journal', 'shard');
  }
}
