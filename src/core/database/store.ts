import { stat } from 'node:fs/promises';
import { DataSource, type MixedList } from 'typeorm';
import type { Config } from '../config/index.js';
import { AppError } from '../errors/index.js';
import { Bell } from './bell.js';
import { DataDirLock } from './data-dir-lock.js';
import { dataSourceOptions, engineOf, sqlitePath } from './options.js';
import { PostgresEngine } from './postgres-engine.js';
import { Reader } from './reader.js';
import { storageError } from './storage-error.js';
import { SqliteEngine } from './sqlite-engine.js';
import { UnitOfWork } from './unit-of-work.js';

/** The entity classes of all modules; the composition root lists them. */
export type Entities = MixedList<new () => object>;

const MIGRATION_LOCK = 7_072_602;

/** The opened database: one way to write, one to read, and the wake-up between processes. */
export interface Store {
  /** Committed data only. On SQLite a second, read-only connection. */
  readonly reading: DataSource;
  readonly unitOfWork: UnitOfWork;
  readonly reader: Reader;
  /** Calls back when another process may have appended to the journal (PostgreSQL only). */
  onRemoteCommit(listener: () => void): void;
  /** Waits for the units that were submitted, refuses later ones, and lets go of the connections. */
  settle(): Promise<void>;
  /** Settles, closes the connections and gives the data directory free. */
  close(): Promise<void>;
}

/** What is to happen around a change of the schema. */
export interface UpgradeSteps {
  /** Called before a database that holds data is migrated. @returns how to go back, for the error of a failed migration */
  readonly beforeUpgrade?: () => Promise<string>;
}

/**
 * Takes the data directory, brings the schema up to date and opens the connections.
 *
 * @throws AppError DATA_DIR_IN_USE or CONFIG_INVALID, with the way out
 */
export async function openStore(config: Config, entities: Entities, steps: UpgradeSteps = {}): Promise<Store> {
  const lock = await DataDirLock.take(config.dataDir);
  try {
    return await (engineOf(config.databaseUrl) === 'sqlite'
      ? openSqlite(config, entities, lock, steps)
      : openPostgres(config, entities, lock, steps));
  } catch (error) {
    await lock.release();
    if (error instanceof AppError) throw error;
    const known = storageError(error);
    if (known instanceof AppError && known.code === 'DATABASE_CORRUPT') {
      const message = `The database ${withoutPassword(config.databaseUrl)} cannot be opened: it is damaged, or no database.`;
      throw new AppError(known.code, message, known.details, error);
    }
    if (known instanceof AppError && known.code === 'STORAGE_FULL') {
      const details = 'Free some space; before an upgrade a copy of the database is made, which UPGRADE_BACKUPS=0 leaves out.';
      throw new AppError(known.code, `The disk is full; the database ${withoutPassword(config.databaseUrl)} is as it was.`, details, error);
    }
    const { code = '' } = error as { code?: string };
    if (code === 'SQLITE_READONLY' || code === 'SQLITE_CANTOPEN') {
      throw new AppError(
        'CONFIG_INVALID',
        `The database ${sqlitePath(config.databaseUrl)} cannot be ${code === 'SQLITE_READONLY' ? 'written' : 'opened'} (${code}).`,
        'Make the file and its folder readable and writable, or set DATA_DIR to another folder.',
        error,
      );
    }
    throw new AppError(
      'CONFIG_INVALID',
      `The database ${withoutPassword(config.databaseUrl)} cannot be opened: ${(error as Error).message}.`,
      'Check DATABASE_URL and DATA_DIR.',
      error,
    );
  }
}

async function openSqlite(config: Config, entities: Entities, lock: DataDirLock, steps: UpgradeSteps): Promise<Store> {
  const options = { databaseUrl: config.databaseUrl, poolSize: 1, entities };
  const writing = await new DataSource(dataSourceOptions({ ...options, access: 'write' })).initialize();
  const engine = await SqliteEngine.open(writing);
  await refuseDamaged(writing, sqlitePath(config.databaseUrl));
  await upgrade(writing, steps);
  const reading = await new DataSource(dataSourceOptions({ ...options, access: 'read' })).initialize();
  const unitOfWork = new UnitOfWork(engine);
  const reader = new Reader(reading);
  const settle = once(async () => {
    await unitOfWork.close();
    await reader.close();
  });
  return {
    reading,
    unitOfWork,
    reader,
    onRemoteCommit: () => undefined,
    settle,
    close: once(async () => {
      await settle();
      if (reading.isInitialized) await reading.destroy();
      await writing.destroy();
      await lock.release();
    }),
  };
}

async function openPostgres(config: Config, entities: Entities, lock: DataDirLock, steps: UpgradeSteps): Promise<Store> {
  const source = await new DataSource(
    dataSourceOptions({ databaseUrl: config.databaseUrl, poolSize: config.databasePoolSize, entities, access: 'write' }),
  ).initialize();
  await migrateAlone(source, steps);
  const listeners = new Set<() => void>();
  const bell = new Bell(config.databaseUrl, () => listeners.forEach((listener) => listener()));
  await bell.open();
  const unitOfWork = new UnitOfWork(new PostgresEngine(source));
  const settle = once(() => unitOfWork.close());
  return {
    reading: source,
    unitOfWork,
    reader: new Reader(source),
    onRemoteCommit: (listener) => void listeners.add(listener),
    settle,
    close: once(async () => {
      await settle();
      await bell.close();
      if (source.isInitialized) await source.destroy();
      await lock.release();
    }),
  };
}

/** Several processes may start at once; one migrates, the others wait and find nothing to do. */
async function migrateAlone(source: DataSource, steps: UpgradeSteps): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await upgrade(source, steps);
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.release();
  }
}

// Reading a larger file through takes longer than a start may; a fault in one is met when its page is read.
const LARGEST_CHECKED_BYTES = 256 * 1024 * 1024;

async function refuseDamaged(writing: DataSource, path: string): Promise<void> {
  const { size } = await stat(path);
  if (size > LARGEST_CHECKED_BYTES) return;
  const [row] = await writing.query<{ quick_check: string }[]>('PRAGMA quick_check(1)');
  if (row?.quick_check !== 'ok') throw Object.assign(new Error(row?.quick_check), { code: 'SQLITE_CORRUPT' });
}

/** Brings the schema up to date in one transaction: a process that dies, or a migration that fails, leaves the old schema. */
async function upgrade(source: DataSource, { beforeUpgrade }: UpgradeSteps): Promise<void> {
  const runner = source.createQueryRunner();
  let applied: { name: string }[];
  try {
    applied = (await runner.hasTable('migrations')) ? ((await runner.query('SELECT name FROM migrations')) as { name: string }[]) : [];
  } finally {
    await runner.release();
  }
  const known = new Set(source.migrations.map(({ name, constructor }) => name ?? constructor.name));
  const unknown = applied.find(({ name }) => !known.has(name));
  if (unknown) {
    throw new AppError(
      'CONFIG_INVALID',
      `The database was written by a newer version of Parley (${unknown.name}).`,
      'Install that version again, or go back to the copy made before the upgrade: parley restore latest.',
    );
  }
  if (applied.length === known.size) return;
  const wayBack = applied.length > 0 && beforeUpgrade ? await beforeUpgrade() : '';
  try {
    await source.runMigrations();
  } catch (error) {
    throw new AppError(
      'CONFIG_INVALID',
      `The database cannot be upgraded: ${(error as Error).message}`,
      wayBack || 'Nothing was changed.',
      error,
    );
  }
}

/** Closing twice closes once: the application's shutdown and whoever opened the store may both do it. */
function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => (closed ??= close());
}

function withoutPassword(databaseUrl: string): string {
  return engineOf(databaseUrl) === 'sqlite' ? sqlitePath(databaseUrl) : databaseUrl.replace(/:[^:@/]*@/, ':***@');
}
