// Backups, restores and upgrades of a data directory that no server uses. With a running and a killed one: test/release/backup.spec.ts.
import { createHash } from 'node:crypto';
import { cp, mkdir, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import sqlite3 from 'sqlite3';
import { backupBeforeUpgrade, makeBackup, restoreBackup } from '../../src/core/backup/index.js';
import type { Config } from '../../src/core/config/index.js';
import { openStore, type Store, type UpgradeSteps } from '../../src/core/database/index.js';
import { SCHEMA } from '../../src/app.module.js';
import { testConfig } from '../support/test-store.js';

const NOON = new Date('2026-11-21T12:00:00.000Z');
const LATER = new Date('2026-11-21T13:00:00.000Z');
const ROWS = ['1', '2', '3'];

let config: Config;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ config, remove } = await testConfig('sqlite'));
  await withStore((store) => insert(store, ROWS));
});
afterEach(() => remove());

async function withStore<T>(work: (store: Store) => Promise<T>, steps: UpgradeSteps = {}): Promise<T> {
  const store = await openStore(config, SCHEMA, steps);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function insert(store: Store, keys: readonly string[]): Promise<void> {
  const sql = 'INSERT INTO plugin_values (plugin, key, value, updated_at) VALUES (?, ?, ?, ?)';
  await store.unitOfWork.commit(keys.map((key) => ({ sql, params: ['p', key, 'x'.repeat(2000), 0] })));
}

const keys = (steps?: UpgradeSteps): Promise<string[]> =>
  withStore(
    async (store) => (await store.reader.rows<{ key: string }>('SELECT key FROM plugin_values ORDER BY key')).map(({ key }) => key),
    steps,
  );

const change = (...statements: string[]): Promise<unknown> =>
  withStore((store) => store.unitOfWork.commit(statements.map((sql) => ({ sql, params: [] }))));

/** Runs statements behind the program's back: opening the store would upgrade first. */
async function edit(...statements: string[]): Promise<unknown[][]> {
  const database = new sqlite3.Database(databaseFile());
  const results: unknown[][] = [];
  for (const sql of statements) {
    results.push(await new Promise((done, fail) => database.all(sql, (error, rows) => (error ? fail(error) : done(rows)))));
  }
  await new Promise((done) => database.close(done));
  return results;
}

async function scratch(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(2000, 0xa5), 0, 2000, at);
  await file.close();
}

const databaseFile = (): string => join(config.dataDir, 'parley.sqlite');
const upgradeSteps = (kept = 3): UpgradeSteps => ({ beforeUpgrade: () => backupBeforeUpgrade(config, NOON, kept) });

describe('a backup', () => {
  it('restores rows and files, and moves the current ones aside', async () => {
    await mkdir(join(config.dataDir, 'media/a'), { recursive: true });
    await writeFile(join(config.dataDir, 'media/a/blob'), 'kept');
    const folder = await makeBackup(config, NOON);
    expect(folder).toBe(join(config.dataDir, 'backups', '2026-11-21T12-00-00-000Z'));
    await withStore((store) => insert(store, ['4']));
    await rm(join(config.dataDir, 'media/a/blob'));
    await writeFile(join(config.dataDir, 'media/new'), 'aside');

    const { replaced } = await restoreBackup(config, 'latest', LATER);
    expect(await keys()).toEqual(ROWS);
    expect(await readFile(join(config.dataDir, 'media/a/blob'), 'utf8')).toBe('kept');
    expect(await readdir(join(config.dataDir, 'media'))).toEqual(['a']);
    expect(await readFile(join(replaced, 'media/new'), 'utf8')).toBe('aside');
    expect(await readdir(replaced)).toContain('parley.sqlite');
  });

  it('is not made in the data directory, where it would contain itself, except in its backups folder', async () => {
    const before = await readdir(config.dataDir);
    await expect(makeBackup(config, NOON, join(config.dataDir, 'copy'))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await readdir(config.dataDir)).toEqual(before);
    for (const folder of [join(config.dataDir, 'backups', 'mine'), `${config.dataDir}-copy`]) {
      expect(await makeBackup(config, NOON, folder)).toBe(folder);
      await rm(folder, { recursive: true });
    }
  });

  it('does not overwrite an existing folder, and ignores an unfinished one', async () => {
    await makeBackup(config, NOON);
    await expect(makeBackup(config, NOON)).rejects.toMatchObject({ code: 'CONFLICT' });
    await mkdir(join(config.dataDir, 'backups/2027.partial'));
    expect(await restoreBackup(config, 'latest', LATER)).toMatchObject({
      folder: join(config.dataDir, 'backups/2026-11-21T12-00-00-000Z'),
    });
  });

  it.each<[string, (copy: string) => Promise<unknown>, string]>([
    ['is none', (copy) => rm(join(copy, 'backup.json')), 'contains no complete backup'],
    ['lacks a file', (copy) => rm(join(copy, 'parley.sqlite')), 'is missing or damaged'],
    ['is damaged', (copy) => scratch(join(copy, 'parley.sqlite'), 20_000), 'is missing or damaged'],
    [
      "is another engine's",
      async (copy) => {
        const path = join(copy, 'backup.json');
        await writeFile(path, (await readFile(path, 'utf8')).replace('"sqlite"', '"postgres"'));
      },
      'The backup is of postgres, but the database is sqlite.',
    ],
  ])('that %s is refused, and changes nothing', async (_name, spoil, reason) => {
    const copy = join(config.dataDir, 'backups', 'copy');
    await cp(await makeBackup(config, NOON), copy, { recursive: true });
    await spoil(copy);
    await withStore((store) => insert(store, ['4']));
    await expect(restoreBackup(config, copy, LATER)).rejects.toMatchObject({
      code: 'BACKUP_INVALID',
      message: expect.stringContaining(reason),
    });
    expect(await keys()).toEqual([...ROWS, '4']);
  });

  const manifestOf = async (folder: string): Promise<{ files: Record<string, string> }> =>
    JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8'));
  const list = async (folder: string, path: string, at: string): Promise<void> => {
    const manifest = await manifestOf(folder);
    const sha256 = createHash('sha256')
      .update(await readFile(at))
      .digest('hex');
    await writeFile(join(folder, 'backup.json'), JSON.stringify({ ...manifest, files: { ...manifest.files, [path]: sha256 } }));
  };

  it.each([
    'files/../../stolen',
    '/etc/stolen',
    'files/media/../../stolen',
    'files',
    'files/',
    'stolen',
    'files/backups/stolen',
    'files/restore.json',
  ])('whose manifest lists %s is refused', async (path) => {
    const folder = await makeBackup(config, NOON);
    await list(folder, path, databaseFile());
    await expect(restoreBackup(config, folder, LATER)).rejects.toMatchObject({
      code: 'BACKUP_INVALID',
      message: `The manifest lists ${JSON.stringify(path)}, which no backup contains.`,
    });
  });

  it('with files that would replace the database is refused', async () => {
    const folder = await makeBackup(config, NOON);
    await mkdir(join(folder, 'files'), { recursive: true });
    await writeFile(join(folder, 'files/parley.sqlite-wal'), 'x');
    await list(folder, 'files/parley.sqlite-wal', join(folder, 'files/parley.sqlite-wal'));
    await expect(restoreBackup(config, folder, LATER)).rejects.toMatchObject({
      code: 'BACKUP_INVALID',
      message: 'The manifest lists files/parley.sqlite-wal, which would replace the database.',
    });
  });

  it('with a symbolic link is refused, whether the link is a file or a folder above it', async () => {
    const secret = join(config.dataDir, '..', `${basename(config.dataDir)}-secret`);
    await mkdir(secret);
    await writeFile(join(secret, 'key'), 'a secret of the machine');
    for (const [name, link, target, path] of [
      ['one', 'files/key', join(secret, 'key'), 'files/key'],
      ['two', 'files/media', secret, 'files/media/key'],
    ] as const) {
      const folder = await makeBackup(config, NOON, join(config.dataDir, 'backups', name));
      await mkdir(join(folder, 'files'), { recursive: true });
      await symlink(target, join(folder, link));
      await list(folder, path, join(secret, 'key'));
      await expect(restoreBackup(config, folder, LATER)).rejects.toMatchObject({
        code: 'BACKUP_INVALID',
        message: `${join(folder, path)} is a symbolic link or below one.`,
      });
    }
    await rm(secret, { recursive: true });
  });

  it('restores no file that its manifest does not list', async () => {
    const folder = await makeBackup(config, NOON);
    await mkdir(join(folder, 'files/media'), { recursive: true });
    await writeFile(join(folder, 'files/media/added'), 'by a stranger');
    await symlink('/etc/hostname', join(folder, 'files/linked'));
    await restoreBackup(config, folder, LATER);
    expect(await readdir(config.dataDir)).not.toContain('linked');
    expect(await readdir(join(config.dataDir, 'media')).catch(() => [])).not.toContain('added');
  });

  it('with the uploaded files of another folder adds missing ones, there or in the data directory', async () => {
    const uploads = join(config.dataDir, '..', `${basename(config.dataDir)}-uploads`);
    await mkdir(join(uploads, 'ab'), { recursive: true });
    await mkdir(join(uploads, 'incoming'));
    await writeFile(join(uploads, 'ab/abc'), 'one');
    await writeFile(join(uploads, 'incoming/x.part'), 'half of one');
    const source = { ...config, uploads };
    const folder = await makeBackup(source, NOON);
    expect(Object.keys((await manifestOf(folder)).files).filter((path) => path.startsWith('uploads/'))).toEqual(['uploads/ab/abc']);
    await expect(makeBackup(source, LATER, join(uploads, 'copy'))).rejects.toMatchObject({ code: 'CONFLICT' });

    await rm(join(uploads, 'ab/abc'));
    await writeFile(join(uploads, 'ab/later'), 'two');
    await restoreBackup(source, folder, LATER);
    expect((await readdir(join(uploads, 'ab'))).sort()).toEqual(['abc', 'later']);

    await restoreBackup({ ...config, uploads: join(config.dataDir, 'media') }, folder, new Date(LATER.getTime() + 1));
    expect(await readFile(join(config.dataDir, 'media/ab/abc'), 'utf8')).toBe('one');
    await rm(uploads, { recursive: true });
  });

  it('is not restored while the data directory is in use or missing', async () => {
    await expect(restoreBackup(config, 'latest', LATER)).rejects.toMatchObject({ code: 'BACKUP_INVALID' });
    const folder = await makeBackup(config, NOON);
    await withStore(() => expect(restoreBackup(config, folder, LATER)).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' }));
  });
});

describe('an upgrade', () => {
  // What a version without the last migration left behind.
  const downgrade = (): Promise<unknown> => change('DROP TABLE server_model', `DELETE FROM migrations WHERE name LIKE 'ServerModel%'`);

  it('copies the database before it changes the schema, and a restore reverts it', async () => {
    await downgrade();
    expect(await keys(upgradeSteps())).toEqual(ROWS);
    expect(await readdir(join(config.dataDir, 'backups'))).toEqual(['2026-11-21T12-00-00-000Z-before-upgrade']);
    expect(await keys({ beforeUpgrade: () => Promise.reject(new Error('there is nothing to upgrade')) })).toEqual(ROWS);
    await restoreBackup(config, 'latest', LATER);
    const upgraded: string[] = [];
    await keys({ beforeUpgrade: async () => String(upgraded.push('again')) });
    expect(upgraded).toEqual(['again']);
  });

  it('keeps only the newest of its copies, and all copies made by hand', async () => {
    for (const hour of [1, 2, 3]) await backupBeforeUpgrade(config, new Date(NOON.getTime() + hour * 3_600_000), 2);
    await makeBackup(config, NOON);
    await backupBeforeUpgrade(config, new Date(NOON.getTime() + 4 * 3_600_000), 1);
    expect(await readdir(join(config.dataDir, 'backups'))).toEqual(['2026-11-21T12-00-00-000Z', '2026-11-21T16-00-00-000Z-before-upgrade']);
  });

  it('that fails changes nothing: the next attempt copies the data of the old version', async () => {
    await edit(
      'DROP TABLE idempotency_keys',
      'DROP TABLE server_model',
      `DELETE FROM migrations WHERE name LIKE 'Idempotency%' OR name LIKE 'ServerModel%'`,
      'CREATE TABLE server_model (x integer)',
    );
    for (const at of [NOON, LATER]) {
      await expect(keys({ beforeUpgrade: () => backupBeforeUpgrade(config, at, 3) })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    }
    await restoreBackup(config, 'latest', LATER);
    expect((await edit(`SELECT name FROM migrations WHERE name LIKE 'Idempotency%'`))[0]).toEqual([]);
  });

  it('deletes a partial copy, and keeps one that is being made by hand', async () => {
    const backups = join(config.dataDir, 'backups');
    for (const name of ['2026-11-20T12-00-00-000Z-before-upgrade.partial', '2026-11-21T11-00-00-000Z.partial']) {
      await mkdir(join(backups, name, 'files'), { recursive: true });
    }
    await backupBeforeUpgrade(config, NOON, 3);
    expect(await readdir(backups)).toEqual(['2026-11-21T11-00-00-000Z.partial', '2026-11-21T12-00-00-000Z-before-upgrade']);
  });

  it('without space for its copy names the remedy', async () => {
    await downgrade();
    const full = Object.assign(new Error('SQLITE_FULL: database or disk is full'), { code: 'SQLITE_FULL' });
    await expect(keys({ beforeUpgrade: () => Promise.reject(full) })).rejects.toMatchObject({
      code: 'STORAGE_FULL',
      details: expect.stringContaining('UPGRADE_BACKUPS=0'),
    });
  });

  it('that fails names the way back', async () => {
    await downgrade();
    await edit('CREATE TABLE server_model (x integer)');
    await expect(keys({ beforeUpgrade: async () => 'The way back.' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      details: 'The way back.',
    });
  });

  it('to an older version is refused', async () => {
    await change('CREATE TABLE schema_floor (version varchar(64))', `INSERT INTO schema_floor VALUES ('0.1.0')`);
    await expect(keys()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'The database was upgraded for Parley 0.1.0, and this is version 0.0.0, which cannot use it any more.',
    });
  });
});

describe('a damaged database', () => {
  it.each([
    ['header', 0],
    ['pages', 40_000],
  ])('is refused for its %s with a pointer to the last backup, and cannot become one', async (_name, at) => {
    await makeBackup(config, NOON);
    await scratch(databaseFile(), at);
    await expect(keys()).rejects.toMatchObject({
      code: 'DATABASE_CORRUPT',
      details: expect.stringContaining('parley-server restore latest'),
    });
    await expect(makeBackup(config, LATER)).rejects.toMatchObject({ code: 'DATABASE_CORRUPT' });
    expect(await readdir(join(config.dataDir, 'backups'))).toEqual(['2026-11-21T12-00-00-000Z']);
    await restoreBackup(config, 'latest', LATER);
    expect(await keys()).toEqual(ROWS);
  });
});

describe('full storage', () => {
  it('refuses writes with STORAGE_FULL, keeps reading, and accepts writes again once there is space', async () => {
    await withStore(async (store) => {
      const pages = async (): Promise<number> => (await store.reader.rows<{ page_count: number }>('PRAGMA page_count'))[0]?.page_count ?? 0;
      const limit = await pages();
      await store.unitOfWork.run('limit', async ({ rows }) => rows(`PRAGMA max_page_count=${limit + 4}`, []));
      const refused = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => insert(store, [`full ${index}`])));
      const kept = refused.filter(({ status }) => status === 'fulfilled').length;
      expect(kept).toBeLessThan(20);
      const { reason } = refused.find((result): result is PromiseRejectedResult => result.status === 'rejected')!;
      expect(reason).toMatchObject({ code: 'STORAGE_FULL', status: 507 });
      const count = async (): Promise<number> =>
        Number((await store.reader.rows<{ n: number }>('SELECT count(*) AS n FROM plugin_values'))[0]?.n);
      expect(await count()).toBe(ROWS.length + kept);
      await expect(
        store.unitOfWork.run('read first', async ({ apply }) =>
          apply([
            {
              sql: 'INSERT INTO plugin_values (plugin, key, value, updated_at) VALUES (?, ?, ?, ?)',
              params: ['p', 'big', 'x'.repeat(100_000), 0],
            },
          ]),
        ),
      ).rejects.toMatchObject({ code: 'STORAGE_FULL' });
      await store.unitOfWork.run('lift', async ({ rows }) => rows(`PRAGMA max_page_count=${limit + 1000}`, []));
      await insert(store, ['room again']);
      expect(await count()).toBe(ROWS.length + kept + 1);
    });
  });
});
