import type { QueryRunner } from 'typeorm';
import { runOn } from '../../database/create-tables.js';

/** In a migration: adds the column `words`, and has the texts indexed that exist already (see `IndexedTextsBacklog`). */
export async function addWordsTo(runner: QueryRunner, table: string): Promise<void> {
  const sql = [
    `ALTER TABLE ${table} ADD COLUMN words text`,
    `INSERT INTO search_backlog (name, position) SELECT '${table}', '' WHERE EXISTS (SELECT 1 FROM ${table})`,
  ];
  await runOn(runner, { sqlite: sql, postgres: sql });
}

/** Undoes `addWordsTo`. */
export async function withoutWords(runner: QueryRunner, table: string): Promise<void> {
  const sql = [`ALTER TABLE ${table} DROP COLUMN words`, `DELETE FROM search_backlog WHERE name = '${table}'`];
  await runOn(runner, { sqlite: sql, postgres: sql });
}
