// A database is moved from a file to PostgreSQL and back: every value arrives, also after an interruption, or nothing is lost and the
// operator hears why.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SCHEMA } from '../../src/app.module.js';
import { makeBackup } from '../../src/core/backup/index.js';
import type { Config } from '../../src/core/config/index.js';
import { Connection, DataDirLock, openStore, sqlitePath } from '../../src/core/database/index.js';
import { moveDatabase, type Moved, type MoveStep } from '../../src/operations/move/index.js';
import { createTestApp } from '../support/create-test-app.js';
import { fillTables } from '../support/fill-tables.js';
import { placeDatabase, testConfig } from '../support/test-store.js';

const ROWS = 24;

let filled: Buffer;
let file: Config;
let server: Config;
let folder: string;
const removals: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const { config, remove } = await testConfig('sqlite');
  await placeDatabase(config);
  await inDatabase(config, (sqlite) => fillTables(sqlite, ROWS));
  filled = await readFile(sqlitePath(config.databaseUrl));
  await remove();
});
beforeEach(async () => {
  const own = await testConfig('sqlite');
  const shared = await testConfig('postgres');
  folder = await mkdtemp(join(tmpdir(), 'parley-move-'));
  [file, server] = [own.config, { ...shared.config, dataDir: own.config.dataDir, mediaDir: own.config.mediaDir }];
  removals.push(own.remove, shared.remove, () => rm(folder, { recursive: true, force: true }));
  await writeFile(sqlitePath(file.databaseUrl), filled);
  await writeFile(join(file.dataDir, 'secret.key'), `${'5e'.repeat(32)}\n`);
});
afterEach(async () => {
  for (const remove of removals.splice(0)) await remove();
});

async function inDatabase<T>({ databaseUrl }: Pick<Config, 'databaseUrl'>, work: (database: Connection) => Promise<T>): Promise<T> {
  const database = await Connection.open(databaseUrl, SCHEMA, 'write');
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

interface Heard {
  begun: string[];
  steps: MoveStep[];
  unstorable: object[];
}

interface Options {
  readonly from?: string;
  readonly replace?: boolean;
  readonly onStep?: (step: MoveStep) => void;
}

async function move(config: Config, target: string, options: Options = {}): Promise<Moved & Heard> {
  const heard: Heard = { begun: [], steps: [], unstorable: [] };
  const moved = await moveDatabase(config, SCHEMA, {
    target,
    ...options,
    onStep: (step) => {
      heard.steps.push(step);
      options.onStep?.(step);
    },
    onBegin: (begun) => heard.begun.push(begun),
    onUnstorable: (value) => heard.unstorable.push(value),
  }).catch((error: unknown) => {
    throw Object.assign(error as Error, heard);
  });
  return { ...moved, ...heard };
}

/** All rows of all tables, as the engine returns them but for booleans and the shard, which only PostgreSQL has. */
async function contents(config: Pick<Config, 'databaseUrl'>): Promise<Record<string, Record<string, unknown>[]>> {
  return inDatabase(config, async (database) => {
    const all: Record<string, Record<string, unknown>[]> = {};
    for (const { name, columns, key } of database.tables) {
      const rows = await database.rows<Record<string, unknown>>(`SELECT * FROM "${name}"`);
      for (const row of rows) {
        for (const column of columns) if (column.type === 'boolean') row[column.name] = row[column.name] === true || row[column.name] === 1;
        if (name === 'journal') row['shard'] = null;
      }
      const sorted = (row: Record<string, unknown>): string => key.map((column) => String(row[column.name])).join(' ');
      all[name] = rows.sort((a, b) => (sorted(a) < sorted(b) ? -1 : 1));
    }
    return all;
  });
}

/** Stops a move as a kill does, in the middle of a table. */
function interruptAt(table: string): (step: MoveStep) => void {
  return (step) => {
    if (step.kind === 'copy' && step.table === table) throw new Error('interrupted');
  };
}

describe('a move', () => {
  it('copies every value of every table to PostgreSQL, and back to a file', async () => {
    const before = await contents(file);
    expect(Object.values(before).map((rows) => rows.length)).toEqual(Object.values(before).map(() => ROWS));
    expect(await move(file, server.databaseUrl)).toMatchObject({ rows: ROWS * Object.keys(before).length, begun: ['new'], replaced: 0 });
    expect(await contents(server)).toEqual(before);
    const { files } = await move(server, `sqlite:${folder}`);
    expect(await contents({ databaseUrl: `sqlite:${join(folder, 'parley.sqlite')}` })).toEqual(before);
    expect([files, await readFile(join(folder, 'secret.key'), 'utf8')]).toEqual([
      1,
      await readFile(join(file.dataDir, 'secret.key'), 'utf8'),
    ]);
    // Whatever the copies lack, the original was only read.
    expect(await contents(file)).toEqual(before);
  });

  it('includes every table of either engine', async () => {
    await move(file, server.databaseUrl);
    const moved = await inDatabase(file, async ({ tables }) => tables.map(({ name }) => name));
    const tablesIn = (config: Config, sql: string): Promise<string[]> =>
      inDatabase(config, async (database) => (await database.rows<{ name: string }>(sql)).map(({ name }) => name));
    const onSqlite = await tablesIn(file, `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`);
    const onPostgres = await tablesIn(server, 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()');
    const others = (names: readonly string[]): string[] => names.filter((name) => !moved.includes(name)).sort();
    // Made by triggers, by the end of a move, or of no use to the next process.
    const words = ['memory_words', 'message_words'].flatMap((name) =>
      ['', '_config', '_data', '_docsize', '_idx'].map((end) => name + end),
    );
    expect(others(onSqlite)).toEqual(['memory_places', ...words, 'migrations'].sort());
    expect(others(onPostgres)).toEqual(['journal_heads', 'leases', 'migrations', 'rate_limit_counters', 'server_versions']);
  });

  it('continues positions, and the copy is searchable, on either engine', async () => {
    const words = async (config: Config, sql: string): Promise<unknown> =>
      inDatabase(config, async (database) => (await database.rows<{ n: number }>(sql)).map(({ n }) => Number(n)));
    await move(file, server.databaseUrl);
    expect(await words(server, `SELECT nextval('journal_pos') - max(pos) AS n FROM journal`)).toEqual([1]);
    const heads = 'SELECT count(*) AS n FROM journal_heads h JOIN journal j USING (channel_id, pos, seq)';
    expect(await words(server, heads)).toEqual(await words(file, 'SELECT count(DISTINCT channel_id) AS n FROM journal'));
    await move(server, `sqlite:${folder}`);
    const back = { ...file, databaseUrl: `sqlite:${join(folder, 'parley.sqlite')}` };
    for (const index of ['message_words', 'memory_words']) {
      const found = `SELECT count(*) AS n FROM ${index} WHERE ${index} MATCH 'memory OR long'`;
      expect([await words(back, found), await words(file, found)]).toEqual([[expect.any(Number)], await words(back, found)]);
    }
  });

  it('resumes after an interruption, and no server starts before its end', async () => {
    const table = 'messages';
    const before = await contents(file);
    await expect(move(file, server.databaseUrl, { onStep: interruptAt(table) })).rejects.toThrow('interrupted');
    await expect(openStore(server, SCHEMA)).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('a move') });
    const { begun, steps } = await move(file, server.databaseUrl);
    expect(begun).toEqual(['resumed']);
    expect(steps.filter((step) => step.kind === 'copy' && step.table === table)).toEqual([]);
    expect(await contents(server)).toEqual(before);
    await (await openStore(server, SCHEMA)).close();
    // The way back, the same.
    await expect(move(server, `sqlite:${folder}`, { onStep: interruptAt(table) })).rejects.toThrow('interrupted');
    const back = { ...file, dataDir: folder, databaseUrl: `sqlite:${join(folder, 'parley.sqlite')}` };
    await expect(openStore(back, SCHEMA)).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('a move') });
    expect((await move(server, `sqlite:${folder}`)).begun).toEqual(['resumed']);
    expect(await contents(back)).toEqual(before);
  });

  it('starts over when the source has changed since the interruption', async () => {
    await expect(move(file, server.databaseUrl, { onStep: interruptAt('usage') })).rejects.toThrow('interrupted');
    await inDatabase(file, (sqlite) => sqlite.rows(`UPDATE agents SET name = 'another name'`));
    expect((await move(file, server.databaseUrl)).begun).toEqual(['again']);
    expect(await contents(server)).toEqual(await contents(file));
    await expect(move(server, `sqlite:${folder}`, { onStep: interruptAt('usage') })).rejects.toThrow('interrupted');
    await inDatabase(server, async (postgres) => {
      // PostgreSQL counts the second change a second later, as long as the session lasts.
      for (const name of ['a third name', 'a fourth name']) await postgres.rows(`UPDATE agents SET name = '${name}'`);
      await expect(move(server, `sqlite:${folder}`, { onStep: interruptAt('usage') })).rejects.toMatchObject({ begun: ['again'] });
      await postgres.rows(`UPDATE agents SET name = 'a fifth name'`);
      expect((await move(server, `sqlite:${folder}`)).begun).toEqual(['again']);
    });
    expect(await contents({ databaseUrl: `sqlite:${join(folder, 'parley.sqlite')}` })).toEqual(await contents(server));
  });

  it('detects a value that another program changed in the target', async () => {
    let tampered: Promise<unknown> | undefined;
    const sql = `UPDATE messages SET content = content || '!' WHERE pos = 5`;
    const onStep = ({ kind, table }: MoveStep): void => {
      if (kind === 'copy' && table === 'usage') tampered ??= inDatabase(server, (other) => other.rows(sql));
    };
    // The comparison of the tables before gives the other program the time that it needs.
    const outcome = move(file, server.databaseUrl, { onStep });
    await expect(outcome).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/differs.* messages \S+: content\.$/) });
    await tampered;
    expect((await move(file, server.databaseUrl)).begun).toEqual(['again']);
    expect(await contents(server)).toEqual(await contents(file));
  });

  it('copies a backup, with its files, while the server runs', async () => {
    const backup = join(folder, 'backup');
    await makeBackup(file, new Date('2026-11-26T12:00:00.000Z'), backup);
    const lock = await DataDirLock.acquire(file.dataDir);
    await expect(move(file, server.databaseUrl, { from: backup })).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
    const elsewhere = { ...file, dataDir: join(folder, 'data'), mediaDir: join(folder, 'data/media') };
    expect((await move(elsewhere, server.databaseUrl, { from: backup })).files).toBe(1);
    await lock.release();
    expect(await contents(server)).toEqual(await contents(file));
    expect(await readFile(join(folder, 'data/secret.key'), 'utf8')).toContain('5e5e');
    // A damaged one is no source.
    await writeFile(join(backup, 'files/secret.key'), 'other');
    await expect(move(elsewhere, server.databaseUrl, { from: backup })).rejects.toMatchObject({ code: 'BACKUP_INVALID' });
  });
});

describe('data that PostgreSQL cannot store', () => {
  const change = (sql: string, ...params: unknown[]): Promise<unknown> => inDatabase(file, (sqlite) => sqlite.rows(sql, params));
  const tablesOfTarget = (): Promise<unknown[]> =>
    inDatabase(server, (postgres) => postgres.rows('SELECT 1 FROM pg_tables WHERE schemaname = current_schema()'));

  it('is reported before the copy starts, and replaced on request', async () => {
    const faults: [column: string, sql: string, value: unknown, replacement: unknown][] = [
      ['content', '?', 'a\0b', 'a\uFFFDb'],
      // Bytes that are no UTF-8, and half of a character.
      ['content', 'CAST(? AS TEXT)', Buffer.from('61ff62', 'hex'), 'a\uFFFDb'],
      ['content', 'CAST(? AS TEXT)', Buffer.from('61eda080', 'hex'), 'a\uFFFD\uFFFD\uFFFD'],
      ['author_name', '?', '😀'.repeat(256), '😀'.repeat(255)],
      ['created_at', '?', 7.6, 8],
    ];
    for (const [index, [column, value, param]] of faults.entries()) {
      await change(`UPDATE messages SET ${column} = ${value} WHERE pos = ${index + 5}`, param);
    }
    await expect(move(file, server.databaseUrl)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: expect.stringContaining('--replace'),
      unstorable: expect.arrayContaining(
        faults.map(([column]) => expect.objectContaining({ table: 'messages', column, isReplaceable: true })),
      ),
    });
    expect(await tablesOfTarget()).toEqual([]);
    expect(await move(file, server.databaseUrl, { replace: true })).toMatchObject({ replaced: faults.length });
    for (const [index, [column, , , replacement]] of faults.entries()) {
      const sql = `SELECT ${column} AS value FROM messages WHERE pos = ${index + 5}`;
      expect(await inDatabase(server, (postgres) => postgres.rows(sql))).toEqual([{ value: replacement }]);
    }
  });

  it.each([
    ['a text as a number', `UPDATE usage SET calls = 'many' WHERE calls = 4`],
    ['bytes as a text', `UPDATE usage SET model = x'00ff' WHERE calls = 4`],
    ['a number beyond 53 bits', 'UPDATE usage SET at = 9007199254740993 WHERE calls = 4'],
    ['a number beyond 32 bits', 'UPDATE usage SET calls = 2147483648 WHERE calls = 4'],
    ['a boolean of its own kind', 'UPDATE messages SET vouched = 2 WHERE pos = 5'],
  ])('%s must be changed by hand', async (_, sql) => {
    await change(sql);
    await expect(move(file, server.databaseUrl, { replace: true })).rejects.toMatchObject({
      code: 'CONFLICT',
      unstorable: [expect.objectContaining({ isReplaceable: false })],
    });
    expect(await tablesOfTarget()).toEqual([]);
  });

  it('a row that violates an index is named, and the move continues once it is deleted', async () => {
    // More different words than the index of PostgreSQL holds.
    const text = Array.from({ length: 120_000 }, (_, index) => `word${index}`).join(' ');
    await change('UPDATE messages SET content = ? WHERE pos = 5', text);
    const [row] = await inDatabase(file, (sqlite) => sqlite.rows<{ id: string }>('SELECT id FROM messages WHERE pos = 5'));
    const refused = expect.stringContaining(`refuses rows of messages: ${row?.id} (string is too long for tsvector`);
    await expect(move(file, server.databaseUrl)).rejects.toMatchObject({ code: 'CONFLICT', message: refused });
    await change(`UPDATE messages SET content = 'short' WHERE pos = 5`);
    expect((await move(file, server.databaseUrl)).begun).toEqual(['again']);
    expect(await contents(server)).toEqual(await contents(file));
  });
});

describe('a move is refused', () => {
  it('while a server uses either database', async () => {
    const lock = await DataDirLock.acquire(file.dataDir);
    await expect(move(file, server.databaseUrl)).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
    await lock.release();
    const app = await createTestApp({ engine: 'postgres' });
    const elsewhere = { ...app.config, dataDir: join(folder, 'data') };
    await expect(move(elsewhere, `sqlite:${join(folder, 'new')}`)).rejects.toMatchObject({ message: 'A server uses the database.' });
    await expect(move(file, app.config.databaseUrl)).rejects.toMatchObject({ message: expect.stringContaining('is not empty') });
    await app.close();
  });

  it('into a target that contains other data', async () => {
    await inDatabase(server, (postgres) => postgres.rows('CREATE TABLE notes (id integer)'));
    await expect(move(file, server.databaseUrl)).rejects.toMatchObject({ message: expect.stringContaining('it contains notes') });
    await inDatabase(server, (postgres) => postgres.rows('DROP TABLE notes'));
    await expect(move(file, server.databaseUrl, { onStep: interruptAt('usage') })).rejects.toThrow('interrupted');
    await inDatabase(file, (sqlite) => sqlite.rows('UPDATE installation_key SET created_at = created_at + 1000'));
    await expect(move(file, server.databaseUrl)).rejects.toMatchObject({ message: expect.stringContaining('another installation') });
  });

  it('into a folder with the key of another installation', async () => {
    await move(file, server.databaseUrl);
    await writeFile(join(folder, 'secret.key'), `${'6f'.repeat(32)}\n`);
    await expect(move(server, `sqlite:${folder}`)).rejects.toMatchObject({ message: expect.stringContaining('is not the key') });
  });

  it('after an interrupted restore, whose files may be of two states', async () => {
    await writeFile(join(file.dataDir, 'restore.json'), '{}');
    await expect(move(file, server.databaseUrl)).rejects.toMatchObject({ message: expect.stringContaining('A restore of') });
  });

  it('when the schema is of another version', async () => {
    await inDatabase(file, (sqlite) => sqlite.rows(`DELETE FROM migrations WHERE name LIKE 'Statistics%'`));
    await expect(move(file, server.databaseUrl)).rejects.toMatchObject({ message: expect.stringContaining('earlier version') });
    await inDatabase(file, (sqlite) =>
      sqlite.rows(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'FromTheFuture9999999999999')`),
    );
    await expect(move(file, server.databaseUrl)).rejects.toMatchObject({ message: expect.stringContaining('newer version') });
  });

  it('between databases of one engine, or from a missing one', async () => {
    await expect(move(file, `sqlite:${folder}`)).rejects.toMatchObject({ message: 'Both databases are files.' });
    await expect(move(server, 'postgres://127.0.0.1/other')).rejects.toMatchObject({ message: 'Both databases are PostgreSQL.' });
    const nowhere = { ...file, databaseUrl: `sqlite:${join(folder, 'none.sqlite')}` };
    await expect(move(nowhere, server.databaseUrl)).rejects.toMatchObject({ message: expect.stringContaining('does not exist') });
    await expect(move(file, 'postgres://nobody:secret@127.0.0.1:1/none')).rejects.toMatchObject({
      message: expect.stringMatching(/^The database postgres:\/\/nobody:\*\*\*@127\.0\.0\.1:1\/none cannot be opened: .*ECONNREFUSED/),
    });
  });
});
