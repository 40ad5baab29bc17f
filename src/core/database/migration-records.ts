import { endOfText } from '../text/index.js';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

/** Key of the lock under which one process changes the schema, the same in every version. */
export const MIGRATION_LOCK = 7_072_602;

/** A statement that waits longer for a lock fails, so that it does not hold up those that wait behind it. */
export const SHORT_WAIT = `SELECT set_config('lock_timeout', '2s', true)`;

/** A migration that the former version cannot run with. It waits until no process of that version is left (docs/decisions/0043). */
export interface Contraction extends MigrationInterface {
  readonly contracts: true;
}

/** Names of the migrations that a database has. */
export interface MigrationRecords {
  readonly applied: ReadonlySet<string>;
  /** Recorded where the former version does not look, because it would refuse to start. */
  readonly expanded: ReadonlySet<string>;
  /** The database is the target of `parley move`, which has not copied everything yet. */
  readonly isUnfinishedMove: boolean;
}

/** Exists in the target of `parley move` until everything has been copied and compared. */
export const UNFINISHED_MOVE = 'unfinished_move';

const CREATE_EXPANSIONS = 'CREATE TABLE IF NOT EXISTS expansions (name varchar(255) PRIMARY KEY, timestamp bigint NOT NULL)';

export async function readRecords(runner: QueryRunner): Promise<MigrationRecords> {
  return {
    applied: await namesIn(runner, 'migrations'),
    expanded: await namesIn(runner, 'expansions'),
    isUnfinishedMove: await runner.hasTable(UNFINISHED_MOVE),
  };
}

/** The migrations of this version, in the order in which they run. */
export function sortedMigrations({ migrations }: DataSource): MigrationInterface[] {
  return migrations.toSorted((a, b) => timestampOf(a) - timestampOf(b));
}

export function nameOf({ name, constructor }: MigrationInterface): string {
  return name ?? constructor.name;
}

export function timestampOf(migration: MigrationInterface): number {
  return Number(endOfText(nameOf(migration), 13));
}

export function isContraction(migration: MigrationInterface): boolean {
  return (migration as Partial<Contraction>).contracts === true;
}

/** Records that the database has a migration. @param expands keep it from the former version */
export async function record(runner: QueryRunner, migration: MigrationInterface, expands: boolean): Promise<void> {
  const values = [nameOf(migration), timestampOf(migration)];
  if (expands) {
    await runner.query(CREATE_EXPANSIONS);
    await runner.query('INSERT INTO expansions (name, timestamp) VALUES ($1, $2)', values);
    return;
  }
  await runner.query('INSERT INTO migrations (name, timestamp) VALUES ($1, $2)', values);
}

/** Runs the migrations that have not run as expansions, and records all of them. */
export async function complete(
  runner: QueryRunner,
  migrations: readonly MigrationInterface[],
  expanded: ReadonlySet<string>,
): Promise<void> {
  for (const migration of migrations) {
    if (expanded.has(nameOf(migration))) await runner.query('DELETE FROM expansions WHERE name = $1', [nameOf(migration)]);
    else await migration.up(runner);
    await record(runner, migration, false);
  }
}

async function namesIn(runner: QueryRunner, table: string): Promise<ReadonlySet<string>> {
  if (!(await runner.hasTable(table))) return new Set();
  const rows = (await runner.query(`SELECT name FROM ${table}`)) as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}
