import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import sqlite3 from 'sqlite3';
import type { Config } from '../config/index.js';
import { engineOf, isBehindPooler, sqlitePath } from '../database/index.js';
import { AppError } from '../errors/index.js';

/** Name of the database inside a backup. */
export const DATABASE_COPY = { sqlite: 'parley.sqlite', postgres: 'parley.pgdump' } as const;

/** The database address, and access to the environment in which the PostgreSQL tools run. */
type DatabaseSource = Pick<Config, 'databaseUrl' | 'variable'>;

/**
 * Writes a consistent snapshot of the committed data to a file. Other connections may read and write meanwhile.
 *
 * @param signal ends the copy of a SQLite database with an error
 * @throws AppError DATABASE_CORRUPT when the database cannot be read completely, STORAGE_UNAVAILABLE when the tool is missing or fails,
 * CONFIG_INVALID behind a pooler
 */
export async function copyDatabase({ databaseUrl, variable }: DatabaseSource, target: string, signal?: AbortSignal): Promise<void> {
  if (engineOf(databaseUrl) === 'postgres') {
    await assertDirect(databaseUrl);
    return postgresTool('pg_dump', { databaseUrl, variable }, ['--format=custom', `--file=${target}`]);
  }
  // VACUUM INTO rebuilds indexes, so it would not report a damaged one.
  await assertIntact(sqlitePath(databaseUrl), signal);
  const copy = async (query: Query): Promise<void> => {
    await query('PRAGMA busy_timeout=5000');
    await query(`VACUUM INTO '${target.replaceAll("'", "''")}'`);
  };
  await withSqlite(sqlitePath(databaseUrl), copy, signal);
}

/** @throws AppError DATABASE_CORRUPT when the integrity check of SQLite fails */
export async function assertIntact(path: string, signal?: AbortSignal): Promise<void> {
  const rows = await withSqlite(path, (query) => query('PRAGMA quick_check(1)'), signal);
  const verdict = Object.values(rows[0] ?? {})[0];
  if (verdict !== 'ok') throw corrupt(path, verdict);
}

// pg_restore drops only what the dump has. Tables that a newer version added may refer to those, and its migrations create its functions and
// sequences again, so all are dropped first.
/** Empties the current schema of a PostgreSQL database; what belongs to extensions stays. */
export const DROP_ALL = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema() LOOP
    EXECUTE 'DROP TABLE IF EXISTS ' || name || ' CASCADE';
  END LOOP;
  FOR name IN SELECT 'SEQUENCE ' || oid::regclass FROM pg_class c WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = c.oid AND deptype = 'e')
    UNION ALL SELECT 'ROUTINE ' || oid::regprocedure FROM pg_proc p WHERE pronamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = p.oid AND deptype = 'e') LOOP
    EXECUTE 'DROP ' || name;
  END LOOP;
END $$`;

/**
 * Replaces the content of the PostgreSQL database with a dump, in one transaction.
 *
 * @param script path of a temporary file, as large as the SQL text of the dump
 * @throws AppError STORAGE_UNAVAILABLE when a tool is missing or fails, CONFIG_INVALID behind a pooler
 */
export async function restorePostgres(source: DatabaseSource, dump: string, script: string): Promise<void> {
  await assertDirect(source.databaseUrl);
  await writeFile(script, '', { mode: 0o600 });
  try {
    await postgresTool('pg_restore', source, ['--clean', '--if-exists', '--no-owner', `--file=${script}`, dump]);
    const whole = ['--no-psqlrc', '--quiet', '--single-transaction', '--set=ON_ERROR_STOP=1'];
    await postgresTool('psql', source, [...whole, `--command=${DROP_ALL}`, `--file=${script}`]);
  } finally {
    await rm(script, { force: true });
  }
}

/** The tools change settings of their connection, such as search_path, with which a pooler would give it to the next client. */
async function assertDirect(databaseUrl: string): Promise<void> {
  // Loaded here, because a server on SQLite does not need it.
  const { Client } = await import('pg');
  const client = new Client({ connectionString: databaseUrl });
  try {
    await client.connect();
  } catch {
    // The tool says what is wrong.
    return;
  }
  try {
    if (!(await isBehindPooler(client))) return;
  } finally {
    await client.end();
  }
  throw new AppError(
    'CONFIG_INVALID',
    'The database cannot be copied or restored by way of a pooler.',
    'Let DATABASE_URL go directly to PostgreSQL for this. UPGRADE_BACKUPS=0 starts the server without a backup.',
  );
}

function databaseOf(databaseUrl: string): string {
  return decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
}

type Query = (sql: string) => Promise<Record<string, unknown>[]>;

async function withSqlite<T>(path: string, work: (query: Query) => Promise<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(path, sqlite3.OPEN_READONLY, (error) => (error ? reject(error) : resolve(opened)));
  });
  const interrupt = (): void => database.interrupt();
  signal?.addEventListener('abort', interrupt);
  try {
    return await work(
      (sql) =>
        new Promise((resolve, reject) => {
          database.all<Record<string, unknown>>(sql, (error, rows) => (error ? reject(error) : resolve(rows)));
        }),
    );
  } catch (error) {
    const { code } = error as { code?: string };
    throw code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB' ? corrupt(path, error) : error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    await new Promise((resolve) => database.close(resolve));
  }
}

function corrupt(path: string, cause: unknown): AppError {
  return new AppError('DATABASE_CORRUPT', `The database ${path} is damaged.`, 'Restore a backup: parley restore latest.', cause);
}

// The password is passed in the environment: other users of the machine can read command-line arguments.
async function postgresTool(
  tool: 'pg_dump' | 'pg_restore' | 'psql',
  { databaseUrl, variable }: DatabaseSource,
  args: readonly string[],
): Promise<void> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const env = {
    PATH: variable('PATH'),
    PGHOST: hostname,
    PGPORT: port === '' ? '5432' : port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: databaseOf(databaseUrl),
  };
  const child = spawn(tool, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)));
  const code = await once(child, 'close').then(
    ([status]) => status as number,
    (error: unknown) => {
      throw new AppError(
        'STORAGE_UNAVAILABLE',
        `${tool} cannot be run.`,
        'Install the PostgreSQL client programs. UPGRADE_BACKUPS=0 starts the server without a backup.',
        error,
      );
    },
  );
  if (code !== 0) throw new AppError('STORAGE_UNAVAILABLE', `${tool} failed.`, said.trim() || `Exit code ${code}.`);
}
