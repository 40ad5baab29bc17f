import { endOfText } from '../text/index.js';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import type { Client } from 'pg';
import type { Config } from '../config/index.js';
import { isBehindPooler, storageError } from '../database/index.js';
import { AppError } from '../errors/index.js';

/** The database address, and access to the environment in which the PostgreSQL tools run. */
export type DatabaseSource = Pick<Config, 'databaseUrl' | 'variable'>;

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
    await assertRestricted(script);
    const whole = ['--no-psqlrc', '--quiet', '--single-transaction', '--set=ON_ERROR_STOP=1'];
    await postgresTool('psql', source, [...whole, `--command=${DROP_ALL}`, `--file=${script}`]);
  } finally {
    await rm(script, { force: true });
  }
}

/** The names of the migrations in a dump. @param script path of a temporary file */
export async function migrationsInDump(source: DatabaseSource, dump: string, script: string): Promise<string[]> {
  await writeFile(script, '', { mode: 0o600 });
  try {
    await postgresTool('pg_restore', source, ['--data-only', '--table=migrations', `--file=${script}`, dump]);
    const rows = (await readFile(script, 'utf8')).matchAll(/^\d+\t\d+\t(\w+)$/gm);
    return Array.from(rows, ([, name = '']) => name);
  } finally {
    await rm(script, { force: true });
  }
}

// Statements of a dump from elsewhere may contain commands of psql, of which `\!` runs a program. A script that begins with `\restrict` and a
// random key forbids them to psql (CVE-2025-8714); an older psql refuses that first line.
const RESTRICTED = /^(?:--[^\n]*\n|\n)*\\restrict \w+\n/;

/** @throws AppError CONFIG_INVALID when pg_restore does not restrict psql */
async function assertRestricted(script: string): Promise<void> {
  const file = await open(script, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1000), 0, 1000, 0);
    if (RESTRICTED.test(buffer.toString('utf8', 0, bytesRead))) return;
  } finally {
    await file.close();
  }
  throw new AppError(
    'CONFIG_INVALID',
    'This version of pg_restore does not keep a dump from running commands of psql.',
    'Install the PostgreSQL client programs 13.22, 14.19, 15.14, 16.10, 17.6 or newer.',
  );
}

/**
 * Dumps the PostgreSQL database.
 *
 * @returns the number of rows of each table in the dump
 * @throws AppError STORAGE_UNAVAILABLE when the tool is missing or fails, CONFIG_INVALID behind a pooler
 */
export async function dumpPostgres(source: DatabaseSource, target: string, signal?: AbortSignal): Promise<Record<string, number>> {
  await assertDirect(source.databaseUrl);
  const dump = (...more: string[]): Promise<void> =>
    postgresTool('pg_dump', source, ['--format=custom', `--file=${target}`, ...more], signal);
  return withClient(source.databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // The transaction keeps the snapshot for the tool and is idle meanwhile.
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    const { rows } = await client.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
    await dump(`--snapshot=${rows[0]?.id}`);
    return countRows(client);
  });
}

/** The number of rows of each table of a PostgreSQL database. @throws AppError STORAGE_UNAVAILABLE */
export function rowsOfPostgres(databaseUrl: string): Promise<Record<string, number>> {
  return withClient(databaseUrl, countRows);
}

async function countRows(client: Client): Promise<Record<string, number>> {
  const tables = await client.query<{ name: string; quoted: string }>(
    `SELECT tablename AS name, quote_ident(tablename) AS quoted FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`,
  );
  const counts: Record<string, number> = {};
  for (const { name, quoted } of tables.rows) {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${quoted}`);
    counts[name] = Number(rows[0]?.count);
  }
  return counts;
}

const SCRATCH_COMMENT = 'Scratch database of parley backup verify';

/**
 * Runs `work` with an empty database next to that of `databaseUrl`, and drops it afterwards. What a killed process left is dropped first.
 *
 * @throws AppError CONFLICT while another verification uses it, CONFIG_INVALID when the role may not create databases, STORAGE_UNAVAILABLE
 */
export async function withScratchDatabase<T>(databaseUrl: string, work: (scratchUrl: string) => Promise<T>): Promise<T> {
  await assertDirect(databaseUrl);
  const url = new URL(databaseUrl);
  const name = `parley_verify_${createHash('sha256').update(databaseOf(databaseUrl)).digest('hex').slice(0, 16)}`;
  url.pathname = `/${encodeURIComponent(name)}`;
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS held', [name]);
    if (rows[0]?.held !== true) throw new AppError('CONFLICT', 'Another backup of this database is being verified.', 'Try again later.');
    await dropScratch(client, name);
    await createScratch(client, name);
    try {
      return await work(url.href);
    } finally {
      await dropScratch(client, name);
    }
  });
}

async function createScratch(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<{ options: string }>(
    `SELECT format('ENCODING %L LC_COLLATE %L LC_CTYPE %L', pg_encoding_to_char(encoding), datcollate, datctype) AS options
      FROM pg_database WHERE datname = current_database()`,
  );
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE template0 ${rows[0]?.options}`);
    await client.query(`COMMENT ON DATABASE ${client.escapeIdentifier(name)} IS ${client.escapeLiteral(SCRATCH_COMMENT)}`);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    const remedy = 'Give it the right: ALTER ROLE name CREATEDB. A backup is restored to a scratch database, which is dropped afterwards.';
    throw new AppError('CONFIG_INVALID', 'The role of DATABASE_URL may not create databases, so no backup can be verified.', remedy, error);
  }
}

async function dropScratch(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<{ comment: string | null }>(
    `SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = $1`,
    [name],
  );
  if (rows.length === 0) return;
  if (rows[0]?.comment !== SCRATCH_COMMENT) {
    throw new AppError(
      'CONFLICT',
      `There is a database ${name} that is not of this program.`,
      'Rename it, or drop it if you do not need it.',
    );
  }
  await client.query(`DROP DATABASE ${client.escapeIdentifier(name)} WITH (FORCE)`);
}

async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  // Loaded here, because a server on SQLite does not need it.
  const { Client } = await import('pg');
  const client = new Client({ connectionString: databaseUrl });
  // A lost connection fails the query that waits for it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    const known = storageError(error);
    if (known instanceof AppError) throw known;
    throw new AppError('STORAGE_UNAVAILABLE', `PostgreSQL failed: ${(error as Error).message}.`, 'Check DATABASE_URL.', error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The tools change settings of their connection, such as search_path, with which a pooler would give it to the next client. */
async function assertDirect(databaseUrl: string): Promise<void> {
  if (!(await withClient(databaseUrl, isBehindPooler))) return;
  throw new AppError(
    'CONFIG_INVALID',
    'The database cannot be copied or restored by way of a pooler.',
    'Let DATABASE_URL go directly to PostgreSQL for this. UPGRADE_BACKUPS=0 starts the server without a backup.',
  );
}

function databaseOf(databaseUrl: string): string {
  return decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
}

// The password is passed in the environment: other users of the machine can read command-line arguments.
async function postgresTool(
  tool: 'pg_dump' | 'pg_restore' | 'psql',
  { databaseUrl, variable }: DatabaseSource,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const { hostname, port, username, password } = new URL(databaseUrl);
  const env = {
    PATH: variable('PATH'),
    PGHOST: hostname,
    PGPORT: port === '' ? '5432' : port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: databaseOf(databaseUrl),
  };
  const child = spawn(tool, args, { env, stdio: ['ignore', 'ignore', 'pipe'], signal });
  const closed = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = endOfText(said + text, 2000)));
  const code = await closed.then(
    ([status]) => status as number,
    (error: unknown) => {
      signal?.throwIfAborted();
      throw new AppError(
        'STORAGE_UNAVAILABLE',
        `${tool} cannot be run.`,
        'Install the PostgreSQL client programs. UPGRADE_BACKUPS=0 starts the server without a backup.',
        error,
      );
    },
  );
  signal?.throwIfAborted();
  if (code === 0) return;
  const details = said.trim() || `Exit code ${code}.`;
  if (/No space left on device/.test(said)) throw new AppError('STORAGE_FULL', `The disk is full; ${tool} failed.`, details);
  // It reads nothing but the dump.
  throw new AppError(tool === 'pg_restore' ? 'BACKUP_INVALID' : 'STORAGE_UNAVAILABLE', `${tool} failed.`, details);
}
