import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { AppError } from '../errors/index.js';

// Key of the advisory lock: an arbitrary constant, the same in every process.
const MIGRATION_LOCK = 7_072_602;

/** Callbacks of a schema upgrade. */
export interface UpgradeSteps {
  /** Called before a database with data is migrated. @returns how to roll back, for the error message of a failed migration */
  readonly beforeUpgrade?: () => Promise<string>;
}

/**
 * Upgrades the schema in one transaction, so that a crash or a failed migration leaves the old schema. Of several processes that start at
 * once, one upgrades while the others wait; when the schema is current, a start takes no lock.
 *
 * @throws AppError CONFIG_INVALID when a migration fails, or when a newer version wrote the database
 */
export async function upgradeSchema(source: DataSource, steps: UpgradeSteps): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    if ((await applied(source, runner)) === source.migrations.length) return;
    if (source.options.type === 'postgres') {
      // A lock of the session would stay behind on the server connection of a pooler; this one ends with the transaction.
      await runner.startTransaction();
      await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    }
    await migrate(source, runner, steps);
    if (runner.isTransactionActive) await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/** Runs the migrations in the transaction of the runner, or else in one that they begin. */
async function migrate(source: DataSource, runner: QueryRunner, { beforeUpgrade }: UpgradeSteps): Promise<void> {
  const before = await applied(source, runner);
  if (before === source.migrations.length) return;
  const rollbackHint = before > 0 && beforeUpgrade ? await beforeUpgrade() : '';
  try {
    await new MigrationExecutor(source, runner).executePendingMigrations();
  } catch (error) {
    throw new AppError(
      'CONFIG_INVALID',
      `The database cannot be upgraded: ${(error as Error).message}`,
      rollbackHint || 'Nothing was changed.',
      error,
    );
  }
}

/** @returns the number of migrations that the database has. @throws AppError CONFIG_INVALID when it has one that this version does not know */
async function applied(source: DataSource, runner: QueryRunner): Promise<number> {
  if (!(await runner.hasTable('migrations'))) return 0;
  const rows = (await runner.query('SELECT name FROM migrations')) as { name: string }[];
  const known = new Set(source.migrations.map(({ name, constructor }) => name ?? constructor.name));
  const unknown = rows.find(({ name }) => !known.has(name));
  if (!unknown) return rows.length;
  throw new AppError(
    'CONFIG_INVALID',
    `The database was written by a newer version of Parley (${unknown.name}).`,
    'Install that version again, or restore the backup made before the upgrade: parley restore latest.',
  );
}
