import { DataSource, type MixedList } from 'typeorm';
import { Client } from 'pg';
import type { Config } from '../config/index.js';
import { AppError } from '../errors/index.js';
import { DataDirLock } from './data-dir-lock.js';
import { dataSourceOptions, engineOf, sqlitePath } from './options.js';
import { JOURNAL_CHANNEL, PostgresEngine } from './postgres-engine.js';
import { Reader } from './reader.js';
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

/**
 * Takes the data directory, brings the schema up to date and opens the connections.
 *
 * @throws AppError DATA_DIR_IN_USE or CONFIG_INVALID, with the way out
 */
export async function openStore(config: Config, entities: Entities): Promise<Store> {
  const lock = await DataDirLock.take(config.dataDir);
  try {
    return await (engineOf(config.databaseUrl) === 'sqlite' ? openSqlite(config, entities, lock) : openPostgres(config, entities, lock));
  } catch (error) {
    await lock.release();
    if (error instanceof AppError) throw error;
    throw new AppError(
      'CONFIG_INVALID',
      `The database ${withoutPassword(config.databaseUrl)} cannot be opened: ${(error as Error).message}`,
      'Check DATABASE_URL and DATA_DIR.',
      error,
    );
  }
}

async function openSqlite(config: Config, entities: Entities, lock: DataDirLock): Promise<Store> {
  const options = { databaseUrl: config.databaseUrl, poolSize: 1, entities };
  const writing = await new DataSource(dataSourceOptions({ ...options, access: 'write' })).initialize();
  const engine = await SqliteEngine.open(writing);
  await writing.runMigrations();
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

async function openPostgres(config: Config, entities: Entities, lock: DataDirLock): Promise<Store> {
  const source = await new DataSource(
    dataSourceOptions({ databaseUrl: config.databaseUrl, poolSize: config.databasePoolSize, entities, access: 'write' }),
  ).initialize();
  await migrateAlone(source);
  const listeners = new Set<() => void>();
  const bell = new Client({ connectionString: config.databaseUrl });
  // A lost bell only costs latency: the journal is read again at short intervals anyway.
  bell.on('error', () => undefined);
  bell.on('notification', () => listeners.forEach((listener) => listener()));
  await bell.connect();
  await bell.query(`LISTEN ${JOURNAL_CHANNEL}`);
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
      await bell.end();
      if (source.isInitialized) await source.destroy();
      await lock.release();
    }),
  };
}

/** Several processes may start at once; one migrates, the others wait and find nothing to do. */
async function migrateAlone(source: DataSource): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await source.runMigrations();
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.release();
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
