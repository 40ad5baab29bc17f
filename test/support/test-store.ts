import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { SCHEMA } from '../../src/app.module.js';
import { loadConfig, type Config } from '../../src/core/config/index.js';
import { engineOf, openStore, sqlitePath, type Engine, type Store } from '../../src/core/database/index.js';

export const POSTGRES = 'postgres://postgres@127.0.0.1:5432';

/** A database of its own for a test, on either engine. */
export interface TestStore {
  store: Store;
  readonly config: Config;
  /** Closes the store and opens it again on the same data, as a restart does. */
  reopen(): Promise<Store>;
  /** Closes the store and removes everything. */
  close(): Promise<void>;
}

/** @param env further variables of the configuration */
export async function openTestStore(engine: Engine, env: Record<string, string> = {}): Promise<TestStore> {
  const { config, remove } = await testConfig(engine, env);
  await placeDatabase(config);
  const test: TestStore = {
    store: await openStore(config, SCHEMA),
    config,
    reopen: async () => {
      await test.store.close();
      test.store = await openStore(config, SCHEMA);
      return test.store;
    },
    close: async () => {
      await test.store.close();
      await remove();
    },
  };
  return test;
}

/** A configuration on a fresh data directory (and, for PostgreSQL, a fresh database), with no characters. */
export async function testConfig(engine: Engine, env: Record<string, string> = {}): Promise<{ config: Config; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const database = `parley_${randomBytes(6).toString('hex')}`;
  if (engine === 'postgres') await administer(`CREATE DATABASE ${database}`);
  const url: Record<string, string> = engine === 'postgres' ? { DATABASE_URL: `${POSTGRES}/${database}` } : {};
  const config = loadConfig(
    {
      DATA_DIR: dataDir,
      CHARACTERS_DIR: join(dataDir, 'characters'),
      PLUGINS_DIR: join(dataDir, 'plugins'),
      ENV_FILE: join(dataDir, '.env'),
      SERVER_PORT: '0',
      LOG_LEVEL: 'silent',
      // Thousands of applications need no thread each that watches them.
      STALL_MS: '0',
      FAULT_RECORDS: '0',
      ...url,
      ...env,
    },
    '0.0.0',
  );
  return {
    config,
    remove: async () => {
      if (engine === 'postgres') await administer(`DROP DATABASE ${database} WITH (FORCE)`);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

let migratedFile: Promise<Buffer> | undefined;

/** Puts a database as the migrations leave it in place: running them takes three times as long as opening a store. */
export async function placeDatabase(config: Config): Promise<void> {
  if (engineOf(config.databaseUrl) !== 'sqlite') return;
  migratedFile ??= migrate();
  await writeFile(sqlitePath(config.databaseUrl), await migratedFile);
}

async function migrate(): Promise<Buffer> {
  const { config, remove } = await testConfig('sqlite');
  await (await openStore(config, SCHEMA)).close();
  const file = await readFile(sqlitePath(config.databaseUrl));
  await remove();
  return file;
}

async function administer(sql: string): Promise<void> {
  const client = new Client({ connectionString: `${POSTGRES}/test` });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
