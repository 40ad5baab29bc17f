// Backup and restore by PostgreSQL's own tools.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { makeBackup, restoreBackup } from '../../src/core/backup/index.js';
import type { Config } from '../../src/core/config/index.js';
import { openStore, type Store } from '../../src/core/database/index.js';
import { SCHEMA } from '../../src/app.module.js';
import { testConfig } from '../support/test-store.js';

let config: Config;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ config, remove } = await testConfig('postgres'));
  // The tools are found by the PATH of the process, which the configuration of tests does not hold.
  config = { ...config, variable: (name) => (name === 'PATH' ? '/usr/bin:/usr/local/bin:/bin' : config.variable(name)) };
});
afterAll(() => remove());

const insert = (store: Store, key: string): Promise<unknown> =>
  store.unitOfWork.commit([
    { sql: 'INSERT INTO plugin_values (plugin, key, value, updated_at) VALUES (?, ?, ?, ?)', params: ['p', key, '1', 0] },
  ]);

it('brings back what was there, and nothing that came after', async () => {
  let store = await openStore(config, SCHEMA);
  await insert(store, 'before');
  const folder = await makeBackup(config, new Date('2026-11-21T12:00:00.000Z'));
  await insert(store, 'after');
  await store.close();
  await restoreBackup(config, folder, new Date('2026-11-21T13:00:00.000Z'));
  store = await openStore(config, SCHEMA);
  expect(await store.reader.rows('SELECT key FROM plugin_values')).toEqual([{ key: 'before' }]);
  await store.close();
});

it('goes back behind a version that brought tables which refer to those of the backup', async () => {
  let store = await openStore(config, SCHEMA);
  const folder = await makeBackup(config, new Date('2026-11-21T15:00:00.000Z'));
  await store.readSource.query('CREATE TABLE later (id varchar(36) PRIMARY KEY, channel_id varchar(36) REFERENCES channels (id))');
  await store.close();
  await restoreBackup(config, folder, new Date('2026-11-21T16:00:00.000Z'));
  store = await openStore(config, SCHEMA);
  expect(await store.reader.rows(`SELECT to_regclass('later') AS later`)).toEqual([{ later: null }]);
  expect(await store.reader.rows('SELECT key FROM plugin_values')).toEqual([{ key: 'before' }]);
  await store.close();
});

it('goes back behind a version that brought sequences and functions, which can come again', async () => {
  let store = await openStore(config, SCHEMA);
  const folder = await makeBackup(config, new Date('2026-11-21T17:00:00.000Z'));
  const later = async (): Promise<void> => {
    await store.readSource.query('CREATE SEQUENCE later_pos');
    await store.readSource.query(`CREATE FUNCTION later_name(id integer) RETURNS integer LANGUAGE sql AS 'SELECT 1'`);
  };
  await later();
  await store.close();
  await restoreBackup(config, folder, new Date('2026-11-21T18:00:00.000Z'));
  store = await openStore(config, SCHEMA);
  await later();
  await store.close();
});

it('says so when the tool is not there', async () => {
  const none = { ...config, variable: () => '/nowhere' };
  await expect(makeBackup(none, new Date('2026-11-21T14:00:00.000Z'))).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    message: 'pg_dump cannot be run.',
  });
});
