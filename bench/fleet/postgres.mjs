// A PostgreSQL of the bench alone, in a temporary folder, and what its statistics tell.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const VERSIONS = '/usr/lib/postgresql';
const START_LIMIT_MS = 30_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '200',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
  'pg_stat_statements.track_utility': 'on',
  'pg_stat_statements.max': '10000',
};

/** The folder of the newest installed server's programs; undefined where there is none. */
export async function newestPostgres() {
  const found = await readdir(VERSIONS).catch(() => []);
  const newest = found
    .map(Number)
    .filter(Number.isFinite)
    .sort((a, b) => b - a)[0];
  return newest === undefined ? undefined : join(VERSIONS, String(newest), 'bin');
}

/**
 * Starts a server on a free port. Throws when it does not answer within 30 s. When the bench is interrupted, `ending` is awaited, then
 * the server is stopped and its folder removed.
 */
export async function startPostgres(bin, ending) {
  const directory = await mkdtemp(join(tmpdir(), 'parley-postgres-'));
  const identity = await owner();
  if (identity.uid !== undefined) await chown(directory, identity.uid, identity.gid);
  const data = join(directory, 'data');
  const port = await freePort();
  let child;
  let client;
  const stop = async () => {
    process.off('SIGINT', interrupted);
    process.off('SIGTERM', interrupted);
    await client?.end().catch(() => undefined);
    if (child && child.exitCode === null) {
      child.kill('SIGINT');
      await once(child, 'close');
    }
    await rm(directory, { recursive: true, force: true });
  };
  const interrupted = () =>
    void ending()
      .then(stop)
      .finally(() => process.exit(130));
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  try {
    const options = { ...identity, cwd: directory };
    await run(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'], options);
    const settings = Object.entries({ ...SETTINGS, port, unix_socket_directories: directory }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const begin = async () => {
      child = spawn(join(bin, 'postgres'), ['-D', data, ...settings], { ...options, stdio: 'ignore' });
      client = await connected(port, child);
      return client;
    };
    const crash = async () => {
      child.kill('SIGQUIT');
      await once(child, 'close');
      return begin();
    };
    await begin();
    await client.query('CREATE EXTENSION pg_stat_statements');
    return new Postgres(port, client, { stop, crash });
  } catch (error) {
    await stop();
    throw error;
  }
}

class Postgres {
  #client;
  #crash;

  constructor(port, client, { stop, crash }) {
    this.port = port;
    this.#client = client;
    this.#crash = crash;
    this.stop = stop;
  }

  /** Ends the server without a shutdown, and starts it on what had been flushed. */
  async crash() {
    this.#client = await this.#crash();
  }

  /** Creates an empty database. */
  async create(database) {
    await this.#client.query(`CREATE DATABASE ${database}`);
  }

  /** How often each statement has been carried out in a database, by its id. */
  async statements(database) {
    const { rows } = await this.#client.query(
      `SELECT queryid || ':' || toplevel AS id, toplevel, min(query) AS query, sum(calls)::float8 AS calls FROM pg_stat_statements
       WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1) GROUP BY queryid, toplevel`,
      [database],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Transactions of a database; idle connections report theirs up to ten seconds late. */
  async transactions(database) {
    const { rows } = await this.#client.query(
      'SELECT xact_commit::float8 AS commits, xact_rollback::float8 AS rollbacks FROM pg_stat_database WHERE datname = $1',
      [database],
    );
    return rows[0];
  }

  /** The open transactions of a database that have written or hold an advisory lock, and what each waits for. */
  async writers(database) {
    const { rows } = await this.#client.query({
      name: 'writers',
      text: `SELECT coalesce(wait_event_type, 'running') AS type, coalesce(wait_event, 'running') AS event,
          l.classid || ':' || l.objid AS lock
        FROM pg_stat_activity a LEFT JOIN pg_locks l
          ON l.pid = a.pid AND l.locktype = 'advisory' AND l.mode = 'ExclusiveLock' AND l.granted
        WHERE datname = $1 AND xact_start IS NOT NULL AND (backend_xid IS NOT NULL OR l.pid IS NOT NULL)`,
      values: [database],
    });
    return rows;
  }

  /** One query in a database of the fleet. */
  async ask(database, text) {
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user: 'postgres', database });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }
}

/** PostgreSQL does not run as root. */
async function owner() {
  if (process.getuid() !== 0) return {};
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)));
  return { uid, gid };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function connected(port, child) {
  const limit = performance.now() + START_LIMIT_MS;
  for (;;) {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (child.exitCode !== null || performance.now() > limit) throw new Error('PostgreSQL did not start', { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
