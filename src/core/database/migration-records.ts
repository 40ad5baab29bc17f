import { endOfText } from '../text/index.js';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { AppError } from '../errors/index.js';
import type { Schema } from './options.js';
import { isOlder } from './versions.js';

/** Key of the lock under which one process changes the schema, the same in every version. */
export const MIGRATION_LOCK = 7_072_602;

/** A statement that waits longer for a lock fails, so that it does not hold up those that wait behind it. */
export const SHORT_WAIT = `SELECT set_config('lock_timeout', '2s', true)`;

/** Timestamps of the first schema are below it, and those of all migrations after the first release above. */
const FIRST_RELEASE = 1_796_000_000_000;

/**
 * A migration that versions before `since` cannot run with. On PostgreSQL it waits until no server of such a version is left
 * (docs/decisions/0043).
 */
export interface Contraction extends MigrationInterface {
  /** The release that brings it. */
  readonly since: string;
}

/** What a database says about its schema. */
export interface MigrationRecords {
  /** Names of the migrations that it has. */
  readonly applied: ReadonlySet<string>;
  /** The oldest version that can run with it; undefined without a contraction. */
  readonly oldestVersion: string | undefined;
  /** The database is the target of `parley move`, which has not copied everything yet. */
  readonly isUnfinishedMove: boolean;
}

/** Exists in the target of `parley move` until everything has been copied and compared. */
export const UNFINISHED_MOVE = 'unfinished_move';

export async function readRecords(runner: QueryRunner): Promise<MigrationRecords> {
  const [oldest] = await textsIn(runner, 'schema_floor', 'version');
  return {
    applied: new Set(await textsIn(runner, 'migrations', 'name')),
    oldestVersion: oldest,
    isUnfinishedMove: await runner.hasTable(UNFINISHED_MOVE),
  };
}

/** The migrations of this version, in the order in which they run. */
export function sortedMigrations({ migrations }: DataSource): MigrationInterface[] {
  return migrations.toSorted((a, b) => timestampOf(nameOf(a)) - timestampOf(nameOf(b)));
}

export function nameOf({ name, constructor }: MigrationInterface): string {
  return name ?? constructor.name;
}

export function isContraction(migration: MigrationInterface): migration is Contraction {
  return (migration as Partial<Contraction>).since !== undefined;
}

/** The contractions of this version that a database lacks. */
export function pendingContractions(source: DataSource, { applied }: MigrationRecords): Contraction[] {
  return sortedMigrations(source)
    .filter(isContraction)
    .filter((migration) => !applied.has(nameOf(migration)));
}

/**
 * @param names the migrations of a database or of a backup
 * @param what the database or the backup, for the message
 * @throws AppError CONFIG_INVALID when a build from before the first release made it
 */
export function assertReleased(names: Iterable<string>, { migrations }: Pick<Schema, 'migrations'>, what: string): void {
  const known = new Set(migrations.map((Migration) => nameOf(new Migration())));
  const unreleased = [...names].find((name) => !known.has(name) && timestampOf(name) < FIRST_RELEASE);
  if (unreleased === undefined) return;
  throw new AppError(
    'CONFIG_INVALID',
    `${what} was written by a build of Parley from before its first release (${unreleased}), which releases do not read; nothing was changed.`,
    'Use it with that build. For this version, set DATA_DIR to a new folder, or DATABASE_URL to a new database.',
  );
}

/** Runs a migration and records it. */
export async function apply(runner: QueryRunner, migration: MigrationInterface): Promise<void> {
  await migration.up(runner);
  const name = nameOf(migration);
  await runner.query('INSERT INTO migrations (name, timestamp) VALUES ($1, $2)', [name, timestampOf(name)]);
}

/** The oldest version that can run with the contractions that a database has; undefined when it has recorded that. */
export function newFloor(source: DataSource, { applied, oldestVersion }: MigrationRecords): string | undefined {
  const contractions = source.migrations.filter(isContraction).filter((migration) => applied.has(nameOf(migration)));
  return contractions
    .map(({ since }) => since)
    .reduce<string | undefined>((oldest, since) => (isOlder(oldest ?? oldestVersion ?? '0', since) ? since : oldest), undefined);
}

/** Records the oldest version that can run with the database. */
export async function raiseFloor(runner: QueryRunner, version: string): Promise<void> {
  await runner.query('CREATE TABLE IF NOT EXISTS schema_floor (version varchar(64) NOT NULL)');
  await runner.query('DELETE FROM schema_floor');
  await runner.query(`INSERT INTO schema_floor (version) VALUES (${runner.connection.options.type === 'postgres' ? '$1' : '?'})`, [
    version,
  ]);
}

function timestampOf(name: string): number {
  return Number(endOfText(name, 13));
}

async function textsIn(runner: QueryRunner, table: string, column: string): Promise<string[]> {
  if (!(await runner.hasTable(table))) return [];
  const rows = (await runner.query(`SELECT ${column} AS text FROM ${table}`)) as { text: string }[];
  return rows.map(({ text }) => text);
}
