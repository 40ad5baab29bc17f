import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DATABASE_COPY, exists, readManifest, verifyFiles } from '../../core/backup/index.js';
import type { Config } from '../../core/config/index.js';
import { Connection, engineOf, sqlitePath, withoutPassword, type Schema } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import type { Origin } from './progress.js';

/** The database that is moved, read only. */
export interface Source {
  readonly connection: Connection;
  readonly origin: Origin;
  /** Folder whose files belong to the database: that of the installation, or of a backup. */
  readonly filesFrom: string;
}

/** @throws AppError when the address is not one of a database that can be opened */
export async function connect(databaseUrl: string, schema: Schema, access: 'read' | 'write'): Promise<Connection> {
  let connection: Connection;
  try {
    connection = await Connection.open(databaseUrl, schema, access);
  } catch (error) {
    throw new AppError(
      'CONFIG_INVALID',
      `The database ${withoutPassword(databaseUrl)} cannot be opened: ${(error as Error).message}.`,
      engineOf(databaseUrl) === 'postgres'
        ? 'Check the address, the user and the password (or PGPASSWORD).'
        : 'Check DATA_DIR and DATABASE_URL.',
      error,
    );
  }
  if (!(await connection.isPooled())) return connection;
  await connection.close();
  throw new AppError(
    'CONFIG_INVALID',
    `${withoutPassword(databaseUrl)} is the address of a pooler.`,
    'Use the address of PostgreSQL itself for the move; the server may use the pooler afterwards.',
  );
}

/**
 * Opens the database of the configuration, or of a backup. It must not change while it is moved: a caller holds the lock of the data
 * directory, and the tables of a PostgreSQL database are locked until the connection is closed.
 *
 * @param from folder of a backup of a SQLite database
 * @throws AppError CONFIG_INVALID, BACKUP_INVALID, or CONFLICT while a server uses the PostgreSQL database
 */
export async function openSource(config: Config, schema: Schema, from: string | undefined): Promise<Source> {
  const databaseUrl = from === undefined ? config.databaseUrl : await databaseOfBackup(resolve(from));
  const connection = await connect(databaseUrl, schema, 'read');
  try {
    await connection.assertCurrent();
    if (connection.engine === 'postgres') await holdStill(connection);
    const state = connection.engine === 'postgres' ? await stateOfPostgres(connection) : await stateOfFile(sqlitePath(databaseUrl));
    const origin = { source: await installationOf(connection), state };
    return { connection, origin, filesFrom: from === undefined ? config.dataDir : join(resolve(from), 'files') };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** @throws AppError CONFIG_INVALID when the SQLite file of the configuration does not exist */
export async function assertExists({ databaseUrl }: Config): Promise<void> {
  if (engineOf(databaseUrl) === 'postgres' || (await exists(sqlitePath(databaseUrl)))) return;
  const remedy = 'Set DATA_DIR (or DATABASE_URL) to the same value as for the server.';
  throw new AppError('CONFIG_INVALID', `The database ${sqlitePath(databaseUrl)} does not exist.`, remedy);
}

async function databaseOfBackup(folder: string): Promise<string> {
  const manifest = await readManifest(folder);
  if (manifest.engine !== 'sqlite') {
    const remedy =
      'Restore it into a database (npx parley-server restore), and move that one: DATABASE_URL=… npx parley-server move sqlite:FOLDER.';
    throw new AppError('BACKUP_INVALID', `The backup ${folder} is of PostgreSQL.`, remedy);
  }
  await verifyFiles(folder, manifest);
  return `sqlite:${join(folder, DATABASE_COPY.sqlite)}`;
}

/** A running server holds the lease of background work, or waits for notifications. */
const SERVERS = `SELECT (SELECT count(*) FROM leases WHERE until > clock_timestamp())
  + (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN parley%') AS n`;

async function holdStill(connection: Connection): Promise<void> {
  const [row] = await connection.rows<{ n: number }>(SERVERS);
  if (Number(row?.n) > 0) {
    throw new AppError('CONFLICT', 'A server uses the database.', 'Stop all servers of DATABASE_URL, and run the same command again.');
  }
  await connection.rows('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await connection.rows(`SET LOCAL lock_timeout = '5s'`);
  // A large table takes longer than what is usual for a query.
  await connection.rows('SET LOCAL statement_timeout = 0');
  await connection.rows('SET LOCAL idle_in_transaction_session_timeout = 0');
  // Before the first query, whose snapshot all others see.
  await connection.rows(`LOCK TABLE ${connection.tables.map(({ name }) => `"${name}"`).join(', ')} IN SHARE MODE`);
}

/** By the transactions that wrote the rows: the counters of the statistics are a moment behind. */
async function stateOfPostgres(connection: Connection): Promise<string> {
  const written = connection.tables.map(({ name }) => `SELECT count(*) AS n, sum(xmin::text::bigint) AS transactions FROM "${name}"`);
  const [row] = await connection.rows<{ database: string; n: string; transactions: string }>(
    `SELECT (SELECT oid FROM pg_database WHERE datname = current_database()) AS database, sum(n) AS n, coalesce(sum(transactions), 0) AS transactions
      FROM (${written.join(' UNION ALL ')}) AS tables`,
  );
  return `${row?.database}:${row?.n}:${row?.transactions}`;
}

async function stateOfFile(path: string): Promise<string> {
  const parts = [];
  for (const each of [path, `${path}-wal`]) {
    const found = await stat(each).catch(() => undefined);
    parts.push(found === undefined || found.size === 0 ? '-' : `${found.size}:${found.mtimeMs}`);
  }
  return parts.join(' ');
}

/** Names the installation that a database belongs to. */
async function installationOf(connection: Connection): Promise<string> {
  const [row] = await connection.rows<{ created_at: number }>('SELECT created_at FROM installation_key');
  if (row) return String(row.created_at);
  throw new AppError(
    'CONFIG_INVALID',
    'No server has ever run on the database.',
    'There is nothing to move: start the server on the new one.',
  );
}
