import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { backupsOf, readManifest } from '../../core/backup/index.js';
import type { Config } from '../../core/config/index.js';
import { Connection, engineOf, sqlitePath, withoutPassword } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { Vault } from '../../core/vault/index.js';
import { Findings, type Check } from './finding.js';

const HOUR_MS = 3_600_000;
const OLD_BACKUP_MS = 48 * HOUR_MS;
const NEEDED_POSTGRES = 130_000;

export const database: Check = async ({ config, schema }) => {
  const found = new Findings('database');
  const isPostgres = engineOf(config.databaseUrl) === 'postgres';
  if (!isPostgres && !(await stat(sqlitePath(config.databaseUrl)).catch(() => undefined))) {
    found.warning(
      `There is no database at ${sqlitePath(config.databaseUrl)} yet.`,
      'The server creates it. Check DATA_DIR and DATABASE_URL if it has run before.',
    );
    return found.list;
  }
  let connection: Connection;
  try {
    connection = await Connection.open(config.databaseUrl, schema, 'read');
  } catch (error) {
    found.error(
      `The database ${withoutPassword(config.databaseUrl)} cannot be opened: ${(error as Error).message}`,
      'Check DATABASE_URL and DATA_DIR, and that PostgreSQL runs.',
    );
    return found.list;
  }
  try {
    const isCurrent = await schemaFindings(connection, found);
    if (isCurrent) await checkKey(config, connection, found);
    if (isPostgres) await postgresFindings(config, connection, found);
  } finally {
    await connection.close();
  }
  return found.orOk(
    isPostgres ? 'PostgreSQL responds, with the schema of this version.' : 'The SQLite database has the schema of this version.',
  );
};

/** @returns whether the tables are those of this version */
async function schemaFindings(connection: Connection, found: Findings): Promise<boolean> {
  try {
    await connection.assertCurrent();
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isOlder = /earlier version|is empty/.test(error.message);
    const isNewer = /newer version/.test(error.message);
    if (isOlder) found.warning(error.message, 'The server upgrades it at its next start.');
    else if (isNewer) found.warning(error.message, 'This version can start on it until the newer one completes the upgrade.');
    else found.error(error.message, error.details);
    return isNewer;
  }
}

/** Whether the secrets of the database can be opened. Without a key, none is made, as a server would. */
async function checkKey(config: Config, connection: Connection, found: Findings): Promise<void> {
  const [row] = await connection.rows<{ sealed: string }>('SELECT sealed FROM vault_check');
  if (!row) return;
  const path = join(config.dataDir, 'secret.key');
  const secretKey = config.secretKey ?? (await readFile(path, 'utf8').catch(() => undefined))?.trim();
  const remedy = 'Set SECRET_KEY, or restore secret.key in DATA_DIR from a backup.';
  if (secretKey === undefined) {
    found.error(`SECRET_KEY is not set and ${path} cannot be read, so the secrets in the database cannot be opened.`, remedy);
    return;
  }
  const vault = await Vault.open({ ...config, secretKey });
  try {
    vault.open('check', row.sealed);
  } catch {
    found.error('The secrets in the database were encrypted with another key.', remedy);
  }
}

const POSTGRES = `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
  current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer AS connections,
  current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
  current_setting('synchronous_commit') AS synchronous, pg_is_in_recovery() AS standby,
  (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS ssl, host(inet_server_addr()) AS address`;

interface PostgresRow {
  readonly version: string;
  readonly number: number;
  readonly connections: number;
  readonly encoding: string;
  readonly fsync: string;
  readonly pages: string;
  readonly synchronous: string;
  readonly standby: boolean;
  readonly ssl: boolean | null;
  readonly address: string | null;
}

async function postgresFindings(config: Config, connection: Connection, found: Findings): Promise<void> {
  const [row] = await connection.rows<PostgresRow>(POSTGRES);
  if (!row) return;
  const needed = config.databasePoolSize + 1;
  if (row.number < NEEDED_POSTGRES) found.error(`PostgreSQL ${row.version} gets no fixes any more.`, 'Use PostgreSQL 14 or newer.');
  if (row.standby) found.error('DATABASE_URL is a standby, which takes no writes.', 'Set DATABASE_URL to the primary.');
  if (row.encoding !== 'UTF8') found.error(`The database has the encoding ${row.encoding}.`, 'Use a database with the encoding UTF8.');
  if (row.fsync === 'off' || row.pages === 'off') {
    found.error('A power failure can destroy the database (fsync or full_page_writes is off).', 'Turn both on in postgresql.conf.');
  }
  if (row.synchronous === 'off') {
    found.warning('A crash can lose messages that were acknowledged (synchronous_commit is off).', 'Set synchronous_commit=on.');
  }
  const isRemote = row.address !== null && !/^(127\.|::1)/.test(row.address);
  if (isRemote && row.ssl !== true) {
    found.warning(
      'The connection to PostgreSQL is not encrypted.',
      'Add ?sslmode=verify-full to DATABASE_URL, unless the network is private.',
    );
  }
  if (await connection.isPooled()) {
    found.warning(
      'DATABASE_URL leads through a pooler: backups and upgrades of the database fail through it.',
      'Use the address of PostgreSQL itself for them, and set EVENTS_URL so that events need no polling.',
    );
  } else if (needed > row.connections) {
    found.error(
      `A server needs ${needed} connections; PostgreSQL allows ${row.connections}.`,
      'Lower DATABASE_POOL_SIZE, or raise max_connections.',
    );
  } else if (2 * needed > row.connections) {
    found.warning(
      `PostgreSQL allows ${row.connections} connections, too few for two servers of ${needed} each, as during a restart.`,
      'Lower DATABASE_POOL_SIZE, or raise max_connections.',
    );
  }
}

export const fleet: Check = ({ config }) => {
  const found = new Findings('fleet');
  if (engineOf(config.databaseUrl) !== 'postgres') return [];
  if (config.secretKey === undefined) {
    found.warning(
      'SECRET_KEY is not set: a second server would make a key of its own, and could not read the secrets of the database.',
      `Set SECRET_KEY to the text of ${join(config.dataDir, 'secret.key')} on every server.`,
    );
  }
  const isDefault = !config.setVariables.has('MEDIA_DIR');
  if (isDefault && config.variable('MEDIA_STORAGE') === undefined) {
    found.warning(
      'Uploads are in DATA_DIR: a second server would not have them.',
      'Set MEDIA_DIR to a folder that all servers share, or MEDIA_STORAGE to an object store.',
    );
  }
  return found.orOk('Key and uploads can be shared by several servers.');
};

export const backups: Check = async ({ config, now }) => {
  const found = new Findings('backups');
  const schedule = config.variable('BACKUP_SCHEDULE');
  const destination = config.variable('BACKUP_DESTINATION');
  const isPostgres = engineOf(config.databaseUrl) === 'postgres';
  const others = isPostgres ? ', unless PostgreSQL is backed up in another way' : '';
  if (schedule === undefined) {
    found.warning('No backups are made by themselves.', `Set BACKUP_SCHEDULE, or run npx parley-server backup by a timer${others}.`);
  }
  // Backups in a store of objects cannot be seen from here.
  if (destination === undefined) {
    const newest = (await backupsOf(config.dataDir)).at(-1);
    const age = newest === undefined ? undefined : now - Date.parse((await readManifest(newest)).createdAt);
    if (age === undefined) found.warning('There is no backup in DATA_DIR/backups.', `Run npx parley-server backup${others}.`);
    else if (age > OLD_BACKUP_MS) {
      found.warning(`The newest backup is ${Math.floor(age / HOUR_MS / 24)} days old.`, `Run npx parley-server backup${others}.`);
    }
    if (await isSameDisk(config)) {
      found.warning(
        'Backups are on the disk of the data: one fault takes both.',
        `Set BACKUP_DESTINATION to another disk or an object store, or copy DATA_DIR/backups elsewhere${others}.`,
      );
    }
  }
  if (isPostgres && !(await isInPath(config, 'pg_dump'))) {
    found.warning(
      'pg_dump is not installed, which backups and upgrades use.',
      'Install the PostgreSQL client programs, or set UPGRADE_BACKUPS=0.',
    );
  }
  return found.orOk(`Backups are made by the schedule ${schedule ?? ''}.`);
};

async function isSameDisk({ dataDir }: Config): Promise<boolean> {
  const [data, copies] = await Promise.all([dataDir, join(dataDir, 'backups')].map((path) => stat(path).catch(() => undefined)));
  return data !== undefined && copies?.dev === data.dev;
}

async function isInPath(config: Config, program: string): Promise<boolean> {
  for (const folder of (config.variable('PATH') ?? '').split(delimiter)) {
    const isThere = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}
