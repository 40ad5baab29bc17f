import { MigrationExecutor, type DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { SystemClock } from '../clock/index.js';
import { AppError } from '../errors/index.js';
import { Log } from '../logging/index.js';
import {
  complete,
  isContraction,
  MIGRATION_LOCK,
  nameOf,
  readRecords,
  record,
  SHORT_WAIT,
  sortedMigrations,
  timestampOf,
  type MigrationRecords,
} from './migration-records.js';

const ATTEMPTS = 10;
const PAUSE_MS = 500;
/** Other processes write meanwhile: a deadlock, or a lock that is held for too long. */
const BUSY = new Set(['40P01', '55P03']);

const log = new Log('database');

/** Callbacks of a schema upgrade. */
export interface UpgradeSteps {
  /** Called before a database with data is migrated. @returns how to roll back, for the error message of a failed migration */
  readonly beforeUpgrade?: () => Promise<string>;
  /** The caller is `parley move`, and the database its target. A server must not start on one. */
  readonly fillsTarget?: boolean;
}

/** What a database lacks. */
interface Plan {
  readonly missing: readonly MigrationInterface[];
  /** Processes of the former version may use the database: it is expanded only. */
  readonly expands: (migration: MigrationInterface) => boolean;
}

/**
 * Upgrades the schema in one transaction, so that a crash or a failed migration leaves the old schema. Of several processes that start at
 * once, one upgrades while the others wait; when the schema is current, a start takes no lock. A PostgreSQL database of the former version is
 * expanded, so that processes of that version can go on (docs/decisions/0043).
 *
 * @param formerNewest timestamp of the newest migration of the former version
 * @throws AppError CONFIG_INVALID when a migration fails, when a newer version wrote the database, or when it is the target of an unfinished move
 */
export async function upgradeSchema(
  source: DataSource,
  formerNewest: number,
  { beforeUpgrade, fillsTarget = false }: UpgradeSteps,
): Promise<void> {
  const runner = source.createQueryRunner();
  let backup: Promise<string> | undefined;
  const steps = { beforeUpgrade: () => (backup ??= beforeUpgrade?.() ?? Promise.resolve('')), fillsTarget };
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await attemptUpgrade(source, runner, formerNewest, steps);
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

async function attemptUpgrade(source: DataSource, runner: QueryRunner, formerNewest: number, steps: Required<UpgradeSteps>): Promise<void> {
  const seen = await readRecords(runner);
  if (!steps.fillsTarget) assertMoved(seen);
  if (planFor(source, seen, formerNewest).missing.length === 0) return;
  if (source.options.type === 'postgres') {
    // A lock of the session would stay behind on the server connection of a pooler; this one ends with the transaction.
    await runner.startTransaction();
    await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  }
  const records = await readRecords(runner);
  if (!steps.fillsTarget) assertMoved(records);
  const plan = planFor(source, records, formerNewest);
  if (plan.missing.length > 0) await migrate(source, runner, records, plan, steps);
  if (runner.isTransactionActive) await runner.commitTransaction();
}

/** Runs the migrations in the transaction of the runner, or else in one that they begin. */
async function migrate(
  source: DataSource,
  runner: QueryRunner,
  records: MigrationRecords,
  { missing, expands }: Plan,
  { beforeUpgrade }: Required<UpgradeSteps>,
): Promise<void> {
  const rollbackHint = records.applied.size > 0 ? await beforeUpgrade() : '';
  try {
    if (records.applied.size === 0 || source.options.type !== 'postgres') {
      await new MigrationExecutor(source, runner).executePendingMigrations();
      return;
    }
    await runner.query(SHORT_WAIT);
    await complete(
      runner,
      missing.filter((migration) => !expands(migration)),
      records.expanded,
    );
    for (const migration of missing.filter(expands)) {
      await migration.up(runner);
      await record(runner, migration, true);
    }
  } catch (error) {
    throw new AppError(
      'CONFIG_INVALID',
      `The database cannot be upgraded: ${(error as Error).message}`,
      rollbackHint || 'Nothing was changed.',
      error,
    );
  }
}

/** @throws AppError CONFIG_INVALID unless the schema is exactly that of this version, and the database is not the target of an unfinished move */
export function assertCurrent(source: DataSource, records: MigrationRecords): void {
  assertMoved(records);
  const { missing } = planFor(source, records, Number.POSITIVE_INFINITY);
  if (missing.length === 0 && records.expanded.size === 0) return;
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

/** @throws AppError CONFIG_INVALID when the database has a migration that this version does not know */
function planFor(source: DataSource, { applied, expanded }: MigrationRecords, formerNewest: number): Plan {
  const all = sortedMigrations(source);
  const known = new Set(all.map(nameOf));
  const unknown = [...applied].find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new AppError(
      'CONFIG_INVALID',
      `The database was written by a newer version of Parley (${unknown}).`,
      'Install that version again, or restore the backup made before the upgrade: npx parley-server restore latest.',
    );
  }
  const isNew = (migration: MigrationInterface): boolean => timestampOf(migration) > formerNewest;
  // The former version does not start any more when one of the new migrations is recorded with the others.
  const expanding =
    source.options.type === 'postgres' && applied.size > 0 && !all.some((migration) => isNew(migration) && applied.has(nameOf(migration)));
  const expands = (migration: MigrationInterface): boolean => expanding && isNew(migration);
  const missing = all.filter((migration) => {
    if (applied.has(nameOf(migration))) return false;
    return !expands(migration) || !(expanded.has(nameOf(migration)) || isContraction(migration));
  });
  return { missing, expands };
}
