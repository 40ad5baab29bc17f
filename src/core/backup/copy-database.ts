import sqlite3 from 'sqlite3';
import { engineOf, sqlitePath } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { dumpPostgres, migrationsInDump, type DatabaseSource } from './postgres-copy.js';

/** Name of the database inside a backup. */
export const DATABASE_COPY = { sqlite: 'parley.sqlite', postgres: 'parley.pgdump' } as const;

/**
 * Writes a consistent snapshot of the committed data to a file. Other connections may read and write meanwhile.
 *
 * @param signal ends the copy with an error
 * @returns the number of rows of each table in the snapshot
 * @throws AppError DATABASE_CORRUPT when the database cannot be read completely, STORAGE_UNAVAILABLE when the tool is missing or fails,
 * CONFIG_INVALID behind a pooler
 */
export async function copyDatabase(source: DatabaseSource, target: string, signal?: AbortSignal): Promise<Record<string, number>> {
  const { databaseUrl } = source;
  if (engineOf(databaseUrl) === 'postgres') return dumpPostgres(source, target, signal);
  // VACUUM INTO rebuilds indexes, so it would not report a damaged one.
  await assertIntact(sqlitePath(databaseUrl), signal);
  const copy = async (query: Query): Promise<void> => {
    await query('PRAGMA busy_timeout=5000');
    await query(`VACUUM INTO '${target.replaceAll("'", "''")}'`);
  };
  await withSqlite(sqlitePath(databaseUrl), copy, signal);
  return rowsOfSqlite(target, signal);
}

/** The number of rows of each table of a SQLite file. */
export async function rowsOfSqlite(path: string, signal?: AbortSignal): Promise<Record<string, number>> {
  const named = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`;
  const counted = async (query: Query): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const { name } of (await query(named)) as { name: string }[]) {
      const [row] = (await query(`SELECT count(*) AS rows FROM "${name.replaceAll('"', '""')}"`)) as { rows: number }[];
      counts[name] = row?.rows ?? 0;
    }
    return counts;
  };
  return withSqlite(path, counted, signal);
}

/** The names of the migrations in the copy of a database. @param script path of a temporary file */
export async function migrationsIn(source: DatabaseSource, copy: string, script: string): Promise<string[]> {
  if (engineOf(source.databaseUrl) === 'postgres') return migrationsInDump(source, copy, script);
  const rows = await withSqlite(copy, (query) => query('SELECT name FROM migrations'));
  return rows.map(({ name }) => String(name));
}

/** @throws AppError DATABASE_CORRUPT when the full integrity check of SQLite, indexes included, fails */
export async function assertSound(path: string, signal?: AbortSignal): Promise<void> {
  const rows = await withSqlite(path, (query) => query('PRAGMA integrity_check(1)'), signal);
  const verdict = Object.values(rows[0] ?? {})[0];
  if (verdict !== 'ok') throw corrupt(path, verdict);
}

/** @throws AppError DATABASE_CORRUPT when the integrity check of SQLite fails */
export async function assertIntact(path: string, signal?: AbortSignal): Promise<void> {
  const rows = await withSqlite(path, (query) => query('PRAGMA quick_check(1)'), signal);
  const verdict = Object.values(rows[0] ?? {})[0];
  if (verdict !== 'ok') throw corrupt(path, verdict);
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
  return new AppError('DATABASE_CORRUPT', `The database ${path} is damaged.`, 'Restore a backup: npx parley-server restore latest.', cause);
}
