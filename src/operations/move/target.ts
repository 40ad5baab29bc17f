import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DROP_ALL } from '../../core/backup/index.js';
import { engineOf, sqlitePath, withoutPassword, type Connection, type Schema } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { Progress, type Origin } from './progress.js';
import { connect } from './source.js';

/** The advisory lock of a move, in its target. */
const LOCK = 7_072_604;

/** The target before anything is written to it. */
export interface Target {
  readonly connection: Connection;
  /** How the copy begins: in an empty database, after an interruption, or again because the source has changed since. */
  readonly begun: 'new' | 'resumed' | 'again';
}

/**
 * Opens the target, which must be empty, or that of an interrupted move of the same database.
 *
 * @throws AppError CONFLICT when it contains anything else, CONFIG_INVALID when it cannot be used
 */
export async function openTarget(databaseUrl: string, schema: Schema, origin: Origin): Promise<Target> {
  if (engineOf(databaseUrl) === 'sqlite') await mkdir(dirname(sqlitePath(databaseUrl)), { recursive: true, mode: 0o700 });
  const connection = await connect(databaseUrl, schema, 'write');
  try {
    if (connection.engine === 'postgres') await assertUsable(connection);
    const before = await Progress.origin(connection);
    if (before && before.source !== origin.source) {
      throw new AppError('CONFLICT', 'The target has an unfinished move of another installation.', 'Use an empty database or folder.');
    }
    if (!before) await assertEmpty(connection, databaseUrl);
    return { connection, begun: !before ? 'new' : before.state === origin.state ? 'resumed' : 'again' };
  } catch (error) {
    await closeTarget(connection);
    throw error;
  }
}

/** Closes the target. The next move may begin at once. */
export async function closeTarget(connection: Connection): Promise<void> {
  // PostgreSQL releases the lock of a closed connection a moment later; that of a broken one it releases by itself.
  if (connection.engine === 'postgres') await connection.rows(`SELECT pg_advisory_unlock(${LOCK})`).catch(() => undefined);
  await connection.close();
}

/** Creates the tables, unless an interrupted move of the same rows did. A server refuses to start on them until `Progress.finish`. */
export async function beginTarget({ connection, begun }: Target, origin: Origin): Promise<Progress> {
  if (begun === 'again') await empty(connection);
  const progress =
    begun === 'resumed' ? await Progress.resume(connection) : await connection.transaction(() => Progress.begin(connection, origin));
  await connection.createSchema();
  return progress;
}

async function empty(connection: Connection): Promise<void> {
  if (connection.engine === 'postgres') {
    await connection.rows(DROP_ALL);
    return;
  }
  await connection.rows('PRAGMA foreign_keys=OFF');
  await connection.transaction(async () => {
    // The tables of a full-text index go with it.
    for (const kind of ['CREATE VIRTUAL TABLE%', 'CREATE TABLE%']) {
      const sql = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql LIKE ?`;
      for (const { name } of await connection.rows<{ name: string }>(sql, [kind])) await connection.rows(`DROP TABLE "${name}"`);
    }
  });
  await connection.rows('PRAGMA foreign_keys=ON');
}

const FOUND = {
  postgres: `SELECT relname AS name FROM pg_class c WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'S')
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = c.oid AND deptype = 'e') ORDER BY relkind, relname LIMIT 3`,
  sqlite: 'SELECT name FROM sqlite_master ORDER BY name LIMIT 3',
};

async function assertEmpty(connection: Connection, databaseUrl: string): Promise<void> {
  const found = (await connection.rows<{ name: string }>(FOUND[connection.engine])).map(({ name }) => name);
  if (found.length === 0) return;
  throw new AppError(
    'CONFLICT',
    `The target ${withoutPassword(databaseUrl)} is not empty: it contains ${found.join(', ')}.`,
    connection.engine === 'postgres'
      ? 'Create a database for the move, which no server has used.'
      : 'Move the file away, or choose a new folder.',
  );
}

async function assertUsable(connection: Connection): Promise<void> {
  const [row] = await connection.rows<{ encoding: string; lock: boolean; schema: string | null }>(
    // Until the connection is closed. A second move waits for nothing and would copy the same rows.
    `SELECT current_setting('server_encoding') AS encoding, current_schema() AS schema, pg_try_advisory_lock(${LOCK}) AS lock`,
  );
  if (row?.schema === null) throw new AppError('CONFIG_INVALID', 'The target has no schema for tables.', 'Set search_path of its user.');
  if (row?.encoding !== 'UTF8') {
    const remedy = "Create a database with it: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.";
    throw new AppError('CONFIG_INVALID', `The target has the encoding ${row?.encoding}, not UTF8.`, remedy);
  }
  await connection.rows('SET statement_timeout = 0');
  if (!row.lock) throw new AppError('CONFLICT', 'Another move fills the target.', 'Wait until it has ended.');
}
