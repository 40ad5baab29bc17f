// The schema is upgraded by one of the processes that start at once, also by way of a pooler in transaction mode.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { SCHEMA } from '../../src/app.module.js';
import type { Config } from '../../src/core/config/index.js';
import { openStore, type Store } from '../../src/core/database/index.js';
import { eventually } from '../support/memory-app.js';
import { PgBouncer } from '../support/pgbouncer.js';
import { testConfig } from '../support/test-store.js';

const ADVISORY_LOCKS = `SELECT pid, granted FROM pg_locks WHERE locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

let config: Config;
let remove: () => Promise<void>;
let observer: Client;
let stores: Store[];

beforeEach(async () => {
  ({ config, remove } = await testConfig('postgres'));
  observer = new Client({ connectionString: config.databaseUrl });
  await observer.connect();
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await observer.end();
  await remove();
});

const migrations = async (): Promise<number> => (await observer.query('SELECT id FROM migrations')).rows.length;
const start = async (databaseUrl: string, beforeUpgrade?: () => Promise<string>): Promise<void> => {
  const dataDir = join(config.dataDir, `process-${started++}`);
  stores.push(await openStore({ ...config, dataDir, databaseUrl, databasePoolSize: 2 }, SCHEMA, { beforeUpgrade }));
};
let started = 0;

describe('through a pooler', () => {
  let pooler: PgBouncer;
  beforeEach(async () => {
    pooler = await PgBouncer.start();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await pooler.close();
  });

  it('three processes start at once on an empty database, and others later', async () => {
    const url = pooler.urlOf(config.databaseUrl);
    await Promise.all([start(url), start(url), start(url)]);
    expect(await migrations()).toBe(SCHEMA.migrations.length);
    expect((await observer.query(ADVISORY_LOCKS)).rows).toEqual([]);
    await start(url);
    // An upgrade takes the lock on the connections that the pooler kept.
    await observer.query('DELETE FROM migrations');
    await expect(start(url)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect((await observer.query(ADVISORY_LOCKS)).rows).toEqual([]);
  });
});

it('a process without pending migrations starts while another process upgrades', async () => {
  await start(config.databaseUrl);
  await observer.query('BEGIN');
  await observer.query('SELECT pg_advisory_xact_lock(7072602)');
  await start(config.databaseUrl);
  await observer.query('ROLLBACK');
});

it("a process that waited for another's upgrade makes no backup and runs no migration", async () => {
  const blocker = new Client({ connectionString: config.databaseUrl });
  await blocker.connect();
  await start(config.databaseUrl);
  const { rows } = await observer.query('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING timestamp, name');
  await blocker.query('BEGIN');
  await blocker.query('SELECT pg_advisory_xact_lock(7072602)');
  let backups = 0;
  const waiting = start(config.databaseUrl, async () => String((backups += 1)));
  await eventually(async () => (await observer.query(ADVISORY_LOCKS)).rows.some(({ granted }) => !granted));
  await blocker.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [rows[0].timestamp, rows[0].name]);
  await blocker.query('COMMIT');
  await blocker.end();
  await waiting;
  expect([backups, await migrations()]).toEqual([0, SCHEMA.migrations.length]);
});
