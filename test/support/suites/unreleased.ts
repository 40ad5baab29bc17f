import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SCHEMA } from '../../../src/app.module.js';
import { makeBackup, restoreBackup } from '../../../src/core/backup/index.js';
import type { Config } from '../../../src/core/config/index.js';
import { Connection, engineOf, openStore, sqlitePath, type Engine, type Schema } from '../../../src/core/database/index.js';
import { moveDatabase } from '../../../src/operations/move/index.js';
import { testConfig } from '../test-store.js';

const NOON = new Date('2026-11-28T12:00:00.000Z');
/** The sentence that every refusal has. */
const REFUSAL = expect.stringMatching(
  /^The (database|backup \S+) was written by a build of Parley from before its first release \(FirstSchema1763000000000\), which releases do not read; nothing was changed\.$/,
);

class FirstSchema1763000000000 implements MigrationInterface {
  name = 'FirstSchema1763000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE agents (id varchar(36) PRIMARY KEY)');
    await runner.query(`INSERT INTO agents (id) VALUES ('kept')`);
  }
  async down(): Promise<void> {}
}
const UNRELEASED: Schema = { entities: [], migrations: [FirstSchema1763000000000], fileHashes: [] };

/** What builds from before the first release wrote is refused and left as it is. */
export function describeUnreleased(engine: Engine): void {
  describe(`data of a build from before the first release on ${engine}`, () => {
    let config: Config;
    let remove: () => Promise<void>;
    beforeEach(async () => {
      ({ config, remove } = await testConfig(engine));
      const database = await Connection.open(config.databaseUrl, UNRELEASED, 'write');
      if (engine === 'sqlite') await database.rows('PRAGMA journal_mode=WAL');
      await database.createSchema();
      // As a crash leaves it: rows are in the log only.
      const files = engine === 'sqlite' ? filesOf(config) : [];
      const contents = await Promise.all(files.map((path) => readFile(path)));
      await database.close();
      for (const [at, path] of files.entries()) await writeFile(path, contents[at]!);
    });
    afterEach(() => remove());

    it('is refused by a start, with the way on', async () => {
      const refuse = async (): Promise<void> => {
        const before = await stateOf(config);
        await expect(openStore(config, SCHEMA, { beforeUpgrade: () => Promise.reject(new Error('no backup')) })).rejects.toMatchObject({
          code: 'CONFIG_INVALID',
          message: REFUSAL,
          details: expect.stringContaining('set DATA_DIR to a new folder, or DATABASE_URL to a new database'),
        });
        expect(await stateOf(config)).toEqual(before);
      };
      await refuse();
      if (engine === 'postgres') return;
      // The file of a backup has no log. A connection that may write would give it one, and change its header.
      const database = await Connection.open(config.databaseUrl, UNRELEASED, 'write');
      await database.rows('PRAGMA journal_mode=DELETE');
      await database.close();
      await refuse();
    });

    it('is refused by a move', async () => {
      const before = await stateOf(config);
      const other = await mkdtemp(join(tmpdir(), 'parley-unreleased-'));
      const target = engine === 'sqlite' ? 'postgres://nobody@127.0.0.1:1/none' : `sqlite:${other}`;
      await expect(
        moveDatabase(config, SCHEMA, {
          target,
          replace: false,
          onStep: () => undefined,
          onBegin: () => undefined,
          onUnstorable: () => undefined,
        }),
      ).rejects.toMatchObject({ message: REFUSAL });
      expect(await stateOf(config)).toEqual(before);
      await rm(other, { recursive: true });
    });

    it('is refused by a restore, and the present data stays', async () => {
      const folder = join(await mkdtemp(join(tmpdir(), 'parley-unreleased-')), 'backup');
      await makeBackup(config, NOON, folder);
      const present = await testConfig(engine);
      await (await openStore(present.config, SCHEMA)).close();
      const before = [await stateOf(present.config), await contentsOf(folder)];
      await expect(restoreBackup(present.config, folder, NOON, { schema: SCHEMA })).rejects.toMatchObject({ message: REFUSAL });
      expect([await stateOf(present.config), await contentsOf(folder)]).toEqual(before);
      await present.remove();
      await rm(join(folder, '..'), { recursive: true });
    });
  });
}

/** A SQLite file and its log. */
function filesOf({ databaseUrl }: Pick<Config, 'databaseUrl'>): string[] {
  return [sqlitePath(databaseUrl), `${sqlitePath(databaseUrl)}-wal`];
}

/** The bytes of a SQLite file and its log, or the tables and transactions of a PostgreSQL database. */
async function stateOf({ databaseUrl, dataDir }: Config): Promise<unknown> {
  if (engineOf(databaseUrl) === 'sqlite') {
    const contents = await Promise.all(filesOf({ databaseUrl }).map((path) => readFile(path).catch(() => Buffer.alloc(0))));
    return contents.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
  }
  const database = await Connection.open(databaseUrl, UNRELEASED, 'read');
  try {
    const tables = await database.rows<{ name: string }>(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`);
    const written = tables.map(({ name }) => `SELECT '${name}' AS name, count(*) AS n, max(xmin::text::bigint) AS newest FROM "${name}"`);
    return [await database.rows(written.join(' UNION ALL ')), (await readdir(dataDir)).filter((name) => name !== 'parley.lock')];
  } finally {
    await database.close();
  }
}

async function contentsOf(folder: string): Promise<string[]> {
  const found = [];
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const bytes = await readFile(join(folder, name)).catch(() => Buffer.alloc(0));
    found.push(`${name} ${createHash('sha256').update(bytes).digest('hex')}`);
  }
  return found;
}
