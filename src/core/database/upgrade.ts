import { MigrationExecutor, type DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { SystemClock } from '../clock/index.js';
import { AppError } from '../errors/index.js';
import { Log } from '../logging/index.js';
import {
  apply,
  assertReleased,
  isContraction,
  MIGRATION_LOCK,
  nameOf,
  newFloor,
  pendingContractions,
  raiseFloor,
  readRecords,
  SHORT_WAIT,
  sortedMigrations,
  type MigrationRecords,
} from './migration-records.js';
import type { Schema } from './options.js';
import { announce, touchVersions } from './server-versions.js';
import { isOlder } from './versions.js';

const ATTEMPTS = 10;
const PAUSE_MS = 500;
/** Other processes write meanwhile: a deadlock, or a lock that is held for too long. */
const BUSY = new Set(['40P01', '55P03']);

const log = new Log('database');

/** Callbacks of a schema upgrade. */
export interface UpgradeSteps {
  /** Called before a database with data is migrated. @returns how to roll back, for the error message of a failed migration */
  readonly beforeUpgrade?: () => Promise<string>;
}

/** A database, and who upgrades it. */
interface Upgrade {
  readonly source: DataSource;
  readonly runner: QueryRunner;
  readonly schema: Schema;
  readonly version: string | undefined;
  readonly beforeUpgrade: () => Promise<string>;
}

/**
 * Upgrades the schema in one transaction, so that a crash or a failed migration leaves the old schema. Of several processes that start at
 * once, one upgrades while the others wait; when the schema is current, a start takes no lock. A PostgreSQL database with data is only
 * expanded, so that servers of the previous version can go on; contractions wait (docs/decisions/0043). Migrations of a later version are no
 * hindrance, unless one of them is a contraction.
 *
 * @param version of the server that starts; undefined for `parley move`, which fills the database
 * @throws AppError CONFIG_INVALID when a migration fails, when this version cannot run with the database, or when it is the target of an
 *   unfinished move
 */
export async function upgradeSchema(
  source: DataSource,
  schema: Schema,
  version: string | undefined,
  { beforeUpgrade }: UpgradeSteps = {},
): Promise<void> {
  const runner = source.createQueryRunner();
  let backup: Promise<string> | undefined;
  const backUp = (): Promise<string> => (backup ??= beforeUpgrade?.() ?? Promise.resolve(''));
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await attemptUpgrade({ source, runner, schema, version, beforeUpgrade: backUp });
        return;
      } catch (error) {
        if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
        const { code = '' } = ((error as Error).cause ?? error) as { code?: string };
        if (attempt === ATTEMPTS || !BUSY.has(code)) throw error;
        log.info('the database is in use; the upgrade is tried again', { attempt, reason: (error as Error).message });
        await new Promise<void>((resolve) => new SystemClock().after(PAUSE_MS, resolve));
      }
    }
  } finally {
    await runner.release();
  }
}

async function attemptUpgrade(upgrade: Upgrade): Promise<void> {
  const { source, runner, version } = upgrade;
  const isPostgres = source.options.type === 'postgres';
  // Before the records are read: the process that contracts the schema sees this server, or this server sees the contraction.
  if (isPostgres && version !== undefined) await announce(runner, version);
  const seen = await readUsable(upgrade);
  if (!needsUpgrade(source, seen)) return;
  if (isPostgres) {
    // A lock of the session would stay behind on the server connection of a pooler; this one ends with the transaction.
    await runner.startTransaction();
    await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  }
  const records = await readUsable(upgrade);
  if (missingIn(source, records).length > 0) await migrate(upgrade, records);
  const floor = newFloor(source, await readRecords(runner));
  if (floor !== undefined) await raiseFloor(runner, floor);
  if (runner.isTransactionActive) await runner.commitTransaction();
}

function needsUpgrade(source: DataSource, records: MigrationRecords): boolean {
  return missingIn(source, records).length > 0 || newFloor(source, records) !== undefined;
}

/** The migrations that a start runs. */
function missingIn(source: DataSource, { applied }: MigrationRecords): MigrationInterface[] {
  const waits = source.options.type === 'postgres' && applied.size > 0;
  return sortedMigrations(source).filter((migration) => !applied.has(nameOf(migration)) && !(waits && isContraction(migration)));
}

/** Runs the migrations in the transaction of the runner, or else in one that they begin. */
async function migrate({ source, runner, beforeUpgrade }: Upgrade, records: MigrationRecords): Promise<void> {
  const rollbackHint = records.applied.size > 0 ? await beforeUpgrade() : '';
  try {
    if (records.applied.size === 0 || source.options.type !== 'postgres') {
      await new MigrationExecutor(source, runner).executePendingMigrations();
      return;
    }
    await runner.query(SHORT_WAIT);
    for (const migration of missingIn(source, records)) await apply(runner, migration);
    // The time in which the previous version can be started again begins with the upgrade.
    if (pendingContractions(source, records).length > 0) await touchVersions(runner);
  } catch (error) {
    throw new AppError(
      'CONFIG_INVALID',
      `The database cannot be upgraded: ${(error as Error).message}`,
      rollbackHint || 'Nothing was changed.',
      error,
    );
  }
}

async function readUsable({ runner, schema, version }: Upgrade): Promise<MigrationRecords> {
  const records = await readRecords(runner);
  assertReleased(records.applied, schema, 'The database');
  if (version === undefined) return records;
  assertMoved(records);
  assertNotContractedPast(records, version);
  return records;
}

/** @throws AppError CONFIG_INVALID unless the schema is exactly that of this version, and the database is not the target of an unfinished move */
export function assertCurrent(source: DataSource, schema: Schema, records: MigrationRecords): void {
  assertMoved(records);
  assertReleased(records.applied, schema, 'The database');
  const known = new Set(source.migrations.map(nameOf));
  const unknown = [...records.applied].find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new AppError(
      'CONFIG_INVALID',
      `The database was written by a newer version of Parley (${unknown}).`,
      'Use the command of that version.',
    );
  }
  if (records.applied.size === known.size) return;
  if (records.applied.size === 0) {
    throw new AppError('CONFIG_INVALID', 'The database is empty.', 'Set DATA_DIR (or DATABASE_URL) to the same value as for the server.');
  }
  throw new AppError(
    'CONFIG_INVALID',
    'The database has the schema of an earlier version of Parley.',
    'Start a server of this version on it once, so that it is upgraded. In a fleet, wait until the upgrade is complete (UPGRADE_ROLLBACK_MINUTES).',
  );
}

function assertMoved({ isUnfinishedMove }: MigrationRecords): void {
  if (!isUnfinishedMove) return;
  throw new AppError(
    'CONFIG_INVALID',
    'The database is the target of a move that has not finished, so it lacks data.',
    'Run the same npx parley-server move command again, which resumes it. Until then, use the database that is moved.',
  );
}

function assertNotContractedPast({ oldestVersion }: MigrationRecords, version: string): void {
  if (oldestVersion === undefined || !isOlder(version, oldestVersion)) return;
  throw new AppError(
    'CONFIG_INVALID',
    `The database was upgraded for Parley ${oldestVersion}, and this is version ${version}, which cannot use it any more.`,
    `Install ${oldestVersion} or newer, or restore the backup made before the upgrade: npx parley-server restore latest.`,
  );
}
