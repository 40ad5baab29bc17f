// Backup and restore by PostgreSQL's own tools.
import { createHash } from 'node:crypto';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

it('restores everything up to the backup, and nothing after it', async () => {
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

it('restores an older version although a newer one added tables with references', async () => {
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

it('restores an older version although a newer one added sequences and functions, which can be added again', async () => {
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

it('names the tool that is missing', async () => {
  const none = { ...config, variable: () => '/nowhere' };
  await expect(makeBackup(none, new Date('2026-11-21T14:00:00.000Z'))).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    message: 'pg_dump cannot be run.',
  });
});

describe('a dump from elsewhere', () => {
  const marker = join(tmpdir(), `parley-dump-${process.pid}`);
  const command = `\\! touch ${marker}`;

  /** A backup in whose dump a statement, which the archive holds as plain text, is replaced by one of the same length. */
  async function crafted(at: Date): Promise<string> {
    const comment = 'x'.repeat(command.length + 2);
    const store = await openStore(config, SCHEMA);
    await store.readSource.query(`COMMENT ON TABLE plugin_values IS '${comment}'`);
    await store.close();
    const folder = await makeBackup(config, at);
    const file = join(folder, 'parley.pgdump');
    const dump = await readFile(file, 'latin1');
    const statement = [...dump.matchAll(/COMMENT ON TABLE \S+ IS 'x+';\n/g)][0]![0];
    const replaced = `\n${command}\n`.padEnd(statement.length, '\n');
    await writeFile(file, dump.replace(statement, replaced), 'latin1');
    const manifest = JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8'));
    manifest.files['parley.pgdump'] = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    await writeFile(join(folder, 'backup.json'), JSON.stringify(manifest));
    return folder;
  }

  it('does not run programs through psql', async () => {
    const folder = await crafted(new Date('2026-11-21T19:00:00.000Z'));
    await expect(restoreBackup(config, folder, new Date('2026-11-21T20:00:00.000Z'))).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      details: expect.stringContaining('backslash commands are restricted'),
    });
    await expect(access(marker)).rejects.toThrow();
  });

  it('is refused when pg_restore is too old to restrict psql', async () => {
    const folder = await crafted(new Date('2026-11-21T21:00:00.000Z'));
    const old = await mkdtemp(join(tmpdir(), 'parley-old-tools-'));
    const path = config.variable('PATH');
    const script = `#!/bin/sh\nPATH=${path}\nfor each; do case $each in --file=*) script=\${each#--file=};; esac; done\npg_restore "$@" && sed -i '/^.\\(un\\)\\?restrict /d' "$script"\n`;
    await writeFile(join(old, 'pg_restore'), script, { mode: 0o755 });
    const outdated = { ...config, variable: (name: string) => (name === 'PATH' ? `${old}:${path}` : config.variable(name)) };
    await expect(restoreBackup(outdated, folder, new Date('2026-11-21T22:00:00.000Z'))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'This version of pg_restore does not keep a dump from running commands of psql.',
    });
    await expect(access(marker)).rejects.toThrow();
    await rm(old, { recursive: true });
  });
});
