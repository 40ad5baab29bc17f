import { stat } from 'node:fs/promises';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { Config } from '../config/index.js';
import { AppError } from '../errors/index.js';
import { Log } from '../logging/index.js';
import { Connection } from './connection.js';
import { DataDirLock } from './data-dir-lock.js';
import type { Notifier } from './notifier.js';
import { dataSourceOptions, engineOf, sqlitePath, withoutPassword, type Schema } from './options.js';
import { PendingUpgrade } from './pending-upgrade.js';
import { isBehindPooler } from './pooler.js';
import { withClient } from './postgres-client.js';
import { PostgresEngine } from './postgres-engine.js';
import { PostgresNotifier } from './postgres-notifier.js';
import { Reader } from './reader.js';
import { storageError } from './storage-error.js';
import { SqliteEngine } from './sqlite-engine.js';
import { UnitOfWork } from './unit-of-work.js';
import { upgradeSchema, type UpgradeSteps } from './upgrade.js';

const log = new Log('database');

/** Key under which modules get the `Store`. */
export const STORE = Symbol('STORE');

/** The open database: one way to write, one to read, and notifications between processes. */
export interface Store {
  /** The schema that it was opened with. */
  readonly schema: Schema;
  /** Reads committed data only. On SQLite a second, read-only connection. */
  readonly readSource: DataSource;
  readonly unitOfWork: UnitOfWork;
  readonly reader: Reader;
  /** The connections to PostgreSQL. */
  readonly pool?: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>;
  /** Where several processes may share the database, which is on PostgreSQL. */
  readonly notifier?: Notifier;
  /** Where servers of the previous version could use the database when it was opened. */
  readonly pendingUpgrade?: PendingUpgrade;
  /** Waits for submitted units, rejects later ones, and releases the connections. */
  drain(): Promise<void>;
  /** Drains, closes the connections and unlocks the data directory. */
  close(): Promise<void>;
}

/**
 * Locks the data directory, upgrades the schema and opens the connections.
 *
 * @throws AppError DATA_DIR_IN_USE, CONFIG_INVALID, DATABASE_CORRUPT or STORAGE_FULL, with a remedy
 */
export async function openStore(config: Config, schema: Schema, steps: UpgradeSteps = {}): Promise<Store> {
  const lock = await DataDirLock.acquire(config.dataDir);
  try {
    return await (engineOf(config.databaseUrl) === 'sqlite'
      ? openSqlite(config, schema, lock, steps)
      : openPostgres(config, schema, lock, steps));
  } catch (error) {
    await lock.release();
    if (error instanceof AppError) throw error;
    const known = storageError(error);
    if (known instanceof AppError && known.code === 'DATABASE_CORRUPT') {
      const message = `The database ${withoutPassword(config.databaseUrl)} cannot be opened: the file is damaged or not a database.`;
      throw new AppError(known.code, message, known.details, error);
    }
    if (known instanceof AppError && known.code === 'STORAGE_FULL') {
      const details = 'Free some space. An upgrade first copies the database; UPGRADE_BACKUPS=0 disables this copy.';
      throw new AppError(known.code, `The disk is full; the database ${withoutPassword(config.databaseUrl)} is unchanged.`, details, error);
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

async function openSqlite(config: Config, schema: Schema, lock: DataDirLock, steps: UpgradeSteps): Promise<Store> {
  if (config.eventsUrl.length > 0) {
    log.warn('EVENTS_URL has no effect: only one server can use a SQLite database', {
      remedy: 'unset EVENTS_URL, or set DATABASE_URL to the PostgreSQL database that several servers share',
    });
  }
  const options = { databaseUrl: config.databaseUrl, poolSize: 1, schema };
  await assertReleasedFile(config.databaseUrl, schema);
  const writing = await new DataSource(dataSourceOptions({ ...options, access: 'write' })).initialize();
  const engine = await SqliteEngine.open(writing);
  await assertIntact(writing, sqlitePath(config.databaseUrl));
  await upgradeSchema(writing, schema, config.version, steps);
  const readSource = await new DataSource(dataSourceOptions({ ...options, access: 'read' })).initialize();
  const unitOfWork = new UnitOfWork(engine);
  const reader = new Reader(readSource);
  const drain = once(async () => {
    await unitOfWork.close();
    await reader.close();
  });
  return {
    schema,
    readSource,
    unitOfWork,
    reader,
    drain,
    close: once(async () => {
      await drain();
      if (readSource.isInitialized) await readSource.destroy();
      await writing.destroy();
      await lock.release();
    }),
  };
}

async function openPostgres(config: Config, schema: Schema, lock: DataDirLock, steps: UpgradeSteps): Promise<Store> {
  const { databaseUrl, version } = config;
  const source = await new DataSource(
    dataSourceOptions({ databaseUrl, poolSize: config.databasePoolSize, schema, access: 'write', version }),
  ).initialize();
  await upgradeSchema(source, schema, version, steps);
  const pendingUpgrade = await PendingUpgrade.of(source);
  const pool = (source.driver as unknown as { master: Pool }).master;
  const behindPooler = await withClient(pool, isBehindPooler);
  if (behindPooler) log.info('a pooler is in front of PostgreSQL: statements are not prepared');
  const notifier =
    config.eventsUrl.length > 0 ? await natsNotifier(config.eventsUrl, pool) : new PostgresNotifier(databaseUrl, pool, behindPooler);
  await notifier.open();
  const unitOfWork = new UnitOfWork(new PostgresEngine(source, !behindPooler));
  const drain = once(() => unitOfWork.close());
  return {
    schema,
    readSource: source,
    unitOfWork,
    reader: new Reader(source, !behindPooler, notifier),
    pool,
    notifier,
    ...(pendingUpgrade ? { pendingUpgrade } : {}),
    drain,
    close: once(async () => {
      await drain();
      await notifier.close();
      if (source.isInitialized) await source.destroy();
      await lock.release();
    }),
  };
}

/** Opening a file for writing changes it. */
async function assertReleasedFile(databaseUrl: string, schema: Schema): Promise<void> {
  const size = await stat(sqlitePath(databaseUrl)).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) return;
  const connection = await Connection.open(databaseUrl, schema, 'read');
  try {
    await connection.assertReleased();
  } finally {
    await connection.close();
  }
}

/** The subject is that of the database, however its address is written. */
async function natsNotifier(servers: readonly string[], pool: Pool): Promise<Notifier> {
  // Loaded here, because a server without EVENTS_URL does not need the client.
  const { NatsNotifier } = await import('./nats-notifier.js');
  const { rows } = await withClient(pool, (client) =>
    client.query<{ server: string; database: string }>(
      `SELECT (SELECT system_identifier FROM pg_control_system()) AS server, oid AS database FROM pg_database
        WHERE datname = current_database()`,
    ),
  );
  return new NatsNotifier(servers, `parley.events.${rows[0]?.server}.${rows[0]?.database}`);
}

// Checking a larger file would delay the start too long. Damage in one is reported when the damaged page is read.
const MAX_CHECKED_BYTES = 256 * 1024 * 1024;

async function assertIntact(writing: DataSource, path: string): Promise<void> {
  const { size } = await stat(path);
  if (size > MAX_CHECKED_BYTES) return;
  const [row] = await writing.query<{ quick_check: string }[]>('PRAGMA quick_check(1)');
  if (row?.quick_check !== 'ok') throw Object.assign(new Error(row?.quick_check), { code: 'SQLITE_CORRUPT' });
}

/** Makes a close function idempotent: the application's shutdown and the code that opened the store both call it. */
function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => (closed ??= close());
}
