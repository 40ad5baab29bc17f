// A database of this version is expanded by the next one, used by both, and contracted when no server of this version is left.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SCHEMA } from '../../src/app.module.js';
import type { Config } from '../../src/core/config/index.js';
import { announce, openStore, type Contraction, type Schema, type Store } from '../../src/core/database/index.js';
import { eventually } from '../support/memory-app.js';
import { testConfig } from '../support/test-store.js';

class AddMood1890000000000 implements MigrationInterface {
  name = 'AddMood1890000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages ADD COLUMN mood text');
  }
  async down(): Promise<void> {}
}
class DropSource1890000001000 implements Contraction {
  name = 'DropSource1890000001000';
  readonly since = '0.2.0';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages DROP COLUMN source_id');
  }
  async down(): Promise<void> {}
}
const NEXT: Schema = { ...SCHEMA, migrations: [...SCHEMA.migrations, DropSource1890000001000, AddMood1890000000000] };
const NAMES = NEXT.migrations.map((Migration) => String(new Migration().name)).sort((a, b) => Number(a.slice(-13)) - Number(b.slice(-13)));

let config: Config;
let remove: () => Promise<void>;
let observer: Client;
let stores: Store[];
let started = 0;

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

async function start(version: string, schema: Schema, beforeUpgrade?: () => Promise<string>): Promise<Store> {
  const dataDir = join(config.dataDir, `process-${started++}`);
  const store = await openStore({ ...config, version, dataDir, databasePoolSize: 3 }, schema, { beforeUpgrade });
  stores.push(store);
  return store;
}
const startThis = (): Promise<Store> => start('0.1.0', SCHEMA);
const startNext = (beforeUpgrade?: () => Promise<string>): Promise<Store> => start('0.2.0', NEXT, beforeUpgrade);

/** A server that announces itself and ends. */
async function runThis(): Promise<void> {
  const store = await startThis();
  await announce(store.readSource, '0.1.0');
  await store.close();
}
const rows = async (sql: string): Promise<Record<string, unknown>[]> => (await observer.query<Record<string, unknown>>(sql)).rows;
const applied = async (): Promise<unknown[]> => (await rows('SELECT name FROM migrations ORDER BY timestamp')).map(({ name }) => name);
const age = (interval: string): Promise<unknown> => rows(`UPDATE server_versions SET seen_at = seen_at - interval '${interval}'`);

it('an empty database gets all migrations at once, and a version before its contractions refuses it', async () => {
  const { pendingUpgrade } = await startNext();
  expect([pendingUpgrade, await applied()]).toEqual([undefined, NAMES]);
  await expect(startThis()).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: 'The database was upgraded for Parley 0.2.0, and this is version 0.1.0, which cannot use it any more.',
    details: expect.stringContaining('restore latest'),
  });
});

it('a database with data is expanded once, by one of several processes, and both versions start on it', async () => {
  await runThis();
  let backups = 0;
  const backUp = async (): Promise<string> => String((backups += 1));
  const both = await Promise.all([startNext(backUp), startNext(backUp)]);
  expect(both.map(({ pendingUpgrade }) => pendingUpgrade?.isPending)).toEqual([true, true]);
  expect(await applied()).toEqual(NAMES.slice(0, -1));
  expect((await startNext(backUp)).pendingUpgrade?.advice).toMatch(/^the upgrade is not complete/);
  expect([backups, (await startThis()).pendingUpgrade]).toEqual([1, undefined]);
});

it('an expansion that a transaction holds up lets go, and is tried again', async () => {
  await runThis();
  let backups = 0;
  const blocker = new Client({ connectionString: config.databaseUrl });
  await blocker.connect();
  const isWaiting = async (): Promise<boolean> =>
    (await rows(`SELECT 1 FROM pg_locks WHERE relation = 'messages'::regclass AND NOT granted`)).length > 0;
  await blocker.query('BEGIN');
  await blocker.query('LOCK TABLE messages IN ROW EXCLUSIVE MODE');
  const starting = startNext(async () => String((backups += 1)));
  await eventually(isWaiting);
  await eventually(async () => !(await isWaiting()));
  await blocker.query('COMMIT');
  await blocker.end();
  expect([(await starting).pendingUpgrade?.isPending, backups]).toEqual([true, 1]);
});

it('a contraction waits while a server of a version before it is connected, announces itself, or was seen of late', async () => {
  await runThis();
  const { pendingUpgrade } = await startNext();
  const isPendingAfter = async (rollbackMs: number): Promise<boolean | undefined> => {
    await pendingUpgrade?.completeAfter(rollbackMs);
    return pendingUpgrade?.isPending;
  };
  // The time counts from the upgrade on.
  expect(await isPendingAfter(0)).toBe(true);
  await age('1 hour');
  const connected = await startThis();
  await age('1 hour');
  expect(await isPendingAfter(0)).toBe(true);
  await connected.close();
  await eventually(
    async () =>
      (await rows(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parley 0.1.0'`)).length === 0,
  );
  await announce(stores[1]!.readSource, '0.1.0');
  expect(await isPendingAfter(0)).toBe(true);
  await age('1 hour');
  expect(await isPendingAfter(2 * 3_600_000)).toBe(true);
  expect(await isPendingAfter(60_000)).toBe(false);
  expect(await applied()).toEqual(NAMES);
});

it('the other servers learn that the upgrade is complete, and the version before it does not start any more', async () => {
  await runThis();
  const [one, other] = [await startNext(), await startNext()];
  await age('1 hour');
  await one.pendingUpgrade?.completeAfter(60_000);
  await other.pendingUpgrade?.refresh();
  expect([one, other].map(({ pendingUpgrade }) => pendingUpgrade?.advice)).toEqual([undefined, undefined]);
  await expect(startThis()).rejects.toMatchObject({ message: expect.stringContaining('upgraded for Parley 0.2.0') });
  expect((await startNext()).pendingUpgrade).toBeUndefined();
});

it('a server that starts while the schema is contracted waits, and refuses', async () => {
  await runThis();
  await startNext();
  await age('1 hour');
  // What the contraction does, up to its commit.
  await observer.query('BEGIN');
  await observer.query('LOCK TABLE server_versions IN SHARE ROW EXCLUSIVE MODE');
  await observer.query('CREATE TABLE schema_floor (version varchar(64) NOT NULL)');
  await observer.query(`INSERT INTO schema_floor (version) VALUES ('0.2.0')`);
  const refused = expect(startThis()).rejects.toMatchObject({ message: expect.stringContaining('upgraded for Parley 0.2.0') });
  await eventually(
    async () => (await rows(`SELECT 1 FROM pg_locks WHERE relation = 'server_versions'::regclass AND NOT granted`)).length > 0,
  );
  await observer.query('COMMIT');
  await refused;
});

it('each contraction waits for the versions that it leaves behind only', async () => {
  class DropName1890000002000 implements Contraction {
    name = 'DropName1890000002000';
    readonly since = '0.3.0';
    async up(runner: QueryRunner): Promise<void> {
      await runner.query('ALTER TABLE messages DROP COLUMN author_name');
    }
    async down(): Promise<void> {}
  }
  await runThis();
  await startNext();
  await age('1 hour');
  const third = await start('0.3.0', { ...NEXT, migrations: [...NEXT.migrations, DropName1890000002000] });
  await third.pendingUpgrade?.completeAfter(60_000);
  expect([third.pendingUpgrade?.isPending, await applied()]).toEqual([true, NAMES]);
  expect(await rows('SELECT version FROM schema_floor')).toEqual([{ version: '0.2.0' }]);
});
