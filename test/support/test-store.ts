import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { loadConfig, type Config } from '../../src/core/config/index.js';
import { openStore, type Engine, type Entities, type Store } from '../../src/core/database/index.js';

const POSTGRES = 'postgres://postgres@127.0.0.1:5432';

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
export async function openTestStore(engine: Engine, entities: Entities, env: Record<string, string> = {}): Promise<TestStore> {
  const { config, remove } = await testConfig(engine, env);
  const test: TestStore = {
    store: await openStore(config, entities),
    config,
    reopen: async () => {
      await test.store.close();
      test.store = await openStore(config, entities);
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

async function administer(sql: string): Promise<void> {
  const client = new Client({ connectionString: `${POSTGRES}/test` });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
