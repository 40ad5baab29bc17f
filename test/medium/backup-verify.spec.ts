// The rehearsal of a restore: what it finds, and that it leaves nothing behind.
import { cp, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import sqlite3 from 'sqlite3';
import { SCHEMA } from '../../src/app.module.js';
import { backupCommand } from '../../src/operations/backups-cli/backup.command.js';
import { makeBackup, verifyBackup, type Verification } from '../../src/core/backup/index.js';
import type { Config } from '../../src/core/config/index.js';
import { openStore, sqlitePath } from '../../src/core/database/index.js';
import { placeDatabase, testConfig } from '../support/test-store.js';

const NOON = new Date('2026-11-21T12:00:00.000Z');
const CONTENT = 'a picture';
const HASH = createHash('sha256').update(CONTENT).digest('hex');

let config: Config;
let remove: () => Promise<void>;
let backup: string;

beforeEach(async () => {
  ({ config, remove } = await testConfig('sqlite'));
  await placeDatabase(config);
  const store = await openStore(config, SCHEMA);
  await store.unitOfWork.commit(
    ['1', '2', '3'].map((key) => ({
      sql: 'INSERT INTO plugin_values (plugin, key, value, updated_at) VALUES (?, ?, ?, ?)',
      params: ['p', key, 'x'.repeat(3000), 0],
    })),
  );
  await store.unitOfWork.commit([
    {
      sql: `INSERT INTO media_files (id, hash, area, name, original_name, mime_type, size, attached, created_at)
        VALUES ('m', ?, 'generated', 'n', 'n.png', 'image/png', 9, true, 0)`,
      params: [HASH],
    },
  ]);
  await store.close();
  await mkdir(join(config.dataDir, 'media', HASH.slice(0, 2)), { recursive: true });
  await writeFile(media(), CONTENT);
  backup = `${config.dataDir}-backup`;
});
afterEach(async () => {
  expect(await readdir(join(config.dataDir, 'cache', 'backup-verify')).catch(() => ['parley.lock'])).toEqual(['parley.lock']);
  await rm(backup, { recursive: true, force: true });
  await remove();
});

const media = (): string => join(config.dataDir, 'media', HASH.slice(0, 2), HASH);
const verify = (): Promise<Verification> => verifyBackup(config, async () => backup, { schema: SCHEMA, now: NOW });
const NOW = new Date('2026-11-21T13:00:00.000Z');

async function edit(...statements: string[]): Promise<void> {
  const database = new sqlite3.Database(sqlitePath(config.databaseUrl));
  for (const sql of statements) await new Promise<void>((done, fail) => database.exec(sql, (error) => (error ? fail(error) : done())));
  await new Promise((done) => database.close(done));
}

async function flip(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at);
  await file.write(Buffer.from([(buffer[0] ?? 0) ^ 0x01]), 0, 1, at);
  await file.close();
}

/** Changes a backup, and the manifest so that it does not show. */
async function change(work: (path: string) => Promise<void>): Promise<void> {
  const path = join(backup, 'parley.sqlite');
  await work(path);
  const manifest = JSON.parse(await readFile(join(backup, 'backup.json'), 'utf8')) as { files: Record<string, string> };
  manifest.files['parley.sqlite'] = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  await writeFile(join(backup, 'backup.json'), JSON.stringify(manifest));
}

describe('the verification of a backup', () => {
  it("restores it, reports no error, and leaves the server's data unchanged", async () => {
    await makeBackup(config, NOON, backup);
    const before = await stat(sqlitePath(config.databaseUrl));
    const { checks, faults } = await verify();
    expect(faults).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual(['files', 'database', 'rows', 'migrations', 'secrets', 'contents']);
    expect(checks.find(({ name }) => name === 'contents')?.about).toBe('1 files that rows refer to are there');
    expect((await stat(sqlitePath(config.databaseUrl))).mtimeMs).toBe(before.mtimeMs);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'one flipped bit',
      () => flip(join(backup, 'parley.sqlite'), 20_000),
      'parley.sqlite is damaged: its SHA-256 is not that of the manifest',
    ],
    [
      'a truncated database',
      () => truncate(join(backup, 'parley.sqlite'), 40_000),
      'parley.sqlite is damaged: its SHA-256 is not that of the manifest',
    ],
    [
      'a missing file',
      () => rm(join(backup, 'files', 'media', HASH.slice(0, 2), HASH)),
      `files/media/${HASH.slice(0, 2)}/${HASH} is missing`,
    ],
    [
      'an empty file',
      () => truncate(join(backup, 'files', 'media', HASH.slice(0, 2), HASH), 0),
      `files/media/${HASH.slice(0, 2)}/${HASH} is damaged`,
    ],
    ['damage from before the manifest was written', () => change((path) => truncate(path, 40_000)), 'is damaged. Restore a backup'],
    ['an index that is not that of its table', () => change(async (path) => spoilIndex(path)), 'is damaged. Restore a backup'],
  ])('reports %s', async (_name, spoil, fault) => {
    await makeBackup(config, NOON, backup);
    await spoil();
    const { faults, isDamaged } = await verify();
    expect(faults).toEqual([expect.stringContaining(fault)]);
    expect(isDamaged).toBe(true);
  });

  it('reports rows that differ from the manifest', async () => {
    await makeBackup(config, NOON, backup);
    const path = join(backup, 'backup.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"plugin_values": 3', '"plugin_values": 4'));
    const { faults, isDamaged } = await verify();
    expect({ faults, isDamaged }).toEqual({ faults: ['the table plugin_values has 3 rows instead of 4'], isDamaged: true });
  });

  it.each(['parley', 'createdAt', 'engine', 'size', 'rows', 'files'])('refuses a manifest without %s', async (field) => {
    await makeBackup(config, NOON, backup);
    const path = join(backup, 'backup.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    await writeFile(path, JSON.stringify({ ...manifest, [field]: undefined }));
    await expect(verify()).rejects.toMatchObject({ code: 'BACKUP_INVALID' });
  });

  it('reports a file that was already missing, or different, when the backup was made', async () => {
    await writeFile(media(), 'another picture');
    await makeBackup(config, NOON, backup);
    expect(await verify()).toMatchObject({
      faults: [`the file ${HASH}, to which media_files refers, was damaged before the backup was made`],
      isDamaged: false,
    });
    await rm(backup, { recursive: true });
    await rm(media());
    await makeBackup(config, NOON, backup);
    expect(await verify()).toMatchObject({ faults: [`the file ${HASH}, to which media_files refers, is missing`], isDamaged: false });
  });

  it('runs the migrations of versions since the backup, and refuses a backup of a newer version', async () => {
    await edit('DROP TABLE server_model', `DELETE FROM migrations WHERE name LIKE 'ServerModel%'`);
    await makeBackup(config, NOON, backup);
    const { checks, faults } = await verify();
    expect(faults).toEqual([]);
    expect(checks.find(({ name }) => name === 'migrations')?.about).toBe('1 run for this version');
    await rm(backup, { recursive: true });
    await edit('CREATE TABLE schema_floor (version varchar(64))', `INSERT INTO schema_floor VALUES ('0.1.0')`);
    await makeBackup(config, NOON, backup);
    expect((await verify()).faults).toEqual([expect.stringContaining('upgraded for Parley 0.1.0')]);
  });

  it('runs once at a time, deletes what a killed one left, and fails for a folder that is not a backup', async () => {
    await makeBackup(config, NOON, backup);
    const left = join(config.dataDir, 'cache', 'backup-verify', 'data');
    await mkdir(left, { recursive: true });
    await writeFile(join(left, 'parley.sqlite'), 'half of it');
    const results = await Promise.allSettled([verify(), verify()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
    await rm(join(backup, 'backup.json'));
    await expect(verify()).rejects.toMatchObject({ code: 'BACKUP_INVALID' });
  });
});

describe('parley backup verify', () => {
  const run = async (...args: string[]): Promise<{ code: unknown; out: string; err: string }> => {
    const said = { out: '', err: '' };
    const terminal = {
      out: (text: string): void => void (said.out += text),
      err: (text: string): void => void (said.err += text),
    };
    const program = { version: config.version, config: async () => config, start: async () => undefined };
    const code = await backupCommand.run(args, program, terminal);
    return { code, ...said };
  };

  it('checks the latest by default, reports, and exits with 1 after any error', async () => {
    const folder = await makeBackup(config, NOON);
    expect(await run('verify')).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/ok {6}rows .*, as in the manifest\n/) });
    expect(await run('verify', join(config.dataDir, 'backups'))).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${folder}, made at 2026-11-21T12:00`),
    });
    await cp(folder, backup, { recursive: true });
    await flip(join(backup, 'parley.sqlite'), 9000);
    const found = await run('verify', backup);
    expect(found).toMatchObject({ code: 1, err: expect.stringContaining('cannot be trusted') });
    expect(found.out).toContain('FAILED  files');
    await expect(run('verify', join(config.dataDir, 'nowhere'))).rejects.toMatchObject({ code: 'BACKUP_INVALID' });
    await expect(run('verify', 'a', 'b')).rejects.toThrow('There is no command');
  });
});

/** Lets an index say something else than its table, which the quick check of SQLite does not see. */
async function spoilIndex(path: string): Promise<void> {
  const database = new sqlite3.Database(path);
  const exec = (sql: string): Promise<void> => new Promise((done, fail) => database.exec(sql, (error) => (error ? fail(error) : done())));
  await exec('PRAGMA writable_schema=ON');
  await exec(`CREATE TABLE spoilt (a); INSERT INTO spoilt VALUES (1); CREATE INDEX ix_spoilt ON spoilt (a)`);
  await exec(`UPDATE sqlite_schema SET sql = 'CREATE INDEX ix_spoilt ON spoilt (a + 1)' WHERE name = 'ix_spoilt'`);
  await new Promise((done) => database.close(done));
}
