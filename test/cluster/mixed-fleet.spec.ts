// A database of the former version: it is expanded by this one, used by both, and contracted when the former version is gone.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { SCHEMA } from '../../src/app.module.js';
import type { Config } from '../../src/core/config/index.js';
import {
  dataSourceOptions,
  isForeignKeyViolation,
  openStore,
  type Schema,
  type Statement,
  type Store,
} from '../../src/core/database/index.js';
import { append } from '../../src/core/journal/index.js';
import { JournalProcess } from '../support/journal-process.js';
import { eventually } from '../support/memory-app.js';
import { testConfig } from '../support/test-store.js';

const ALL = namesOf(() => true);
const NEW = namesOf((migration) => timestampOf(migration) > SCHEMA.formerNewest);
const CONTRACTIONS = namesOf((migration) => 'contracts' in migration);
const APPEND_OF_FORMER = `INSERT INTO journal (pos, channel_id, seq, type, payload, at, request_id) VALUES
  ((SELECT coalesce(max(pos), 0) + 1 FROM journal), $1::varchar,
    coalesce((SELECT seq FROM journal WHERE channel_id = $1::varchar ORDER BY pos DESC LIMIT 1), 0) + CASE WHEN $1::varchar IS NULL THEN NULL ELSE 1 END,
    $2, '{}', 1, NULL)
  RETURNING pos, seq`;
const LOCK_OF_FORMER = `SELECT pg_advisory_xact_lock(7072601), pg_notify('parley_journal', '')`;

let config: Config;
let remove: () => Promise<void>;
let former: Client;
let stores: Store[];
let started = 0;

beforeEach(async () => {
  ({ config, remove } = await testConfig('postgres'));
  former = new Client({ connectionString: config.databaseUrl });
  await former.connect();
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await former.end();
  await remove();
});

function timestampOf(migration: MigrationInterface): number {
  return Number((migration.name ?? '').slice(-13));
}

function namesOf(chosen: (migration: MigrationInterface) => boolean): string[] {
  const migrations = SCHEMA.migrations.map((Migration) => new Migration()).filter(chosen);
  return migrations.toSorted((a, b) => timestampOf(a) - timestampOf(b)).map(({ name }) => name ?? '');
}

async function names(table: string): Promise<unknown[]> {
  const order = table === 'migrations' ? 'id' : 'timestamp';
  return (await former.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY ${order}`)).rows.map(({ name }) => name);
}

async function start(schema: Schema = SCHEMA, beforeUpgrade?: () => Promise<string>): Promise<Store> {
  const dataDir = join(config.dataDir, `process-${started++}`);
  const store = await openStore({ ...config, dataDir, databasePoolSize: 3 }, schema, { beforeUpgrade });
  stores.push(store);
  return store;
}

/** A database as the former version leaves it. */
async function placeFormerDatabase(): Promise<void> {
  const migrations = SCHEMA.migrations.filter((Migration) => timestampOf(new Migration()) <= SCHEMA.formerNewest);
  const options = dataSourceOptions({ databaseUrl: config.databaseUrl, poolSize: 2, schema: { ...SCHEMA, migrations }, access: 'write' });
  const source = await new DataSource(options).initialize();
  await source.runMigrations();
  await source.destroy();
}

async function appendAsFormer(channelId: string | null, type: string): Promise<{ pos: number; seq: number | null }> {
  const { rows } = await former.query<{ pos: string; seq: string | null }>(APPEND_OF_FORMER, [channelId, type]);
  return { pos: Number(rows[0]?.pos), seq: rows[0]?.seq === null ? null : Number(rows[0]?.seq) };
}

const completed = (channelId: string): Statement =>
  append('message.completed', channelId, { channelId, serverId: channelId, messageId: null, status: 'done' }, 1);
const locks = async (granted: boolean): Promise<number> => {
  const sql = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = 7072601 AND granted = $1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return (await former.query(sql, [granted])).rows.length;
};
/** Completes the upgrade as the leader does, as if the former version had been away for long. */
async function completeUpgrade({ mixedFleet }: Store): Promise<void> {
  await former.query(`UPDATE former_version SET seen_at = seen_at - interval '1 hour'`);
  await mixedFleet?.completeAfter(60_000);
}

it('an empty database gets all migrations at once, in order', async () => {
  const { mixedFleet } = await start();
  expect(mixedFleet).toBeUndefined();
  expect(await names('migrations')).toEqual(ALL);
  expect((await former.query(`SELECT to_regclass('expansions') AS found`)).rows).toEqual([{ found: null }]);
});

it('one of several processes expands a database of the previous version, once', async () => {
  await placeFormerDatabase();
  const before = await names('migrations');
  let backups = 0;
  const backUp = async (): Promise<string> => String((backups += 1));
  const both = await Promise.all([start(SCHEMA, backUp), start(SCHEMA, backUp)]);
  expect(both.map(({ mixedFleet }) => mixedFleet?.isMixed)).toEqual([true, true]);
  expect(await names('migrations')).toEqual(before);
  expect(await names('expansions')).toEqual(NEW.filter((name) => !CONTRACTIONS.includes(name)));
  const third = await start(SCHEMA, backUp);
  expect(third.mixedFleet?.advice).toMatch(/^the upgrade is not complete/);
  expect(backups).toBe(1);
});

it('an expansion that a transaction blocks releases its locks and retries', async () => {
  await placeFormerDatabase();
  let backups = 0;
  const observer = new Client({ connectionString: config.databaseUrl });
  await observer.connect();
  const isWaiting = async (): Promise<boolean> =>
    (await observer.query(`SELECT 1 FROM pg_locks WHERE relation = 'journal'::regclass AND NOT granted`)).rows.length > 0;
  await former.query('BEGIN');
  await former.query('LOCK TABLE journal IN ROW EXCLUSIVE MODE');
  const starting = start(SCHEMA, async () => String((backups += 1)));
  await eventually(isWaiting);
  await eventually(async () => !(await isWaiting()));
  await former.query('COMMIT');
  await observer.end();
  expect([(await starting).mixedFleet?.isMixed, backups]).toEqual([true, 1]);
});

it('an entry of the previous version gets its missing values, and positions continue from it', async () => {
  await placeFormerDatabase();
  const [channelId, other] = [`${randomUUID().slice(0, -2)}c8`, randomUUID()];
  await appendAsFormer(channelId, 'message.created');
  const { unitOfWork } = await start();
  const [own] = await unitOfWork.commit([completed(channelId)]);
  expect(own?.position).toMatchObject({ offset: 2, seq: 2, previous: 1 });
  expect(await appendAsFormer(channelId, 'message.created')).toEqual({ pos: 3, seq: 3 });
  expect(await appendAsFormer(other, 'channel.created')).toEqual({ pos: 4, seq: 1 });
  expect(await appendAsFormer(channelId, 'message.deleted')).toEqual({ pos: 5, seq: 4 });
  expect(await appendAsFormer(null, 'agent.created')).toEqual({ pos: 6, seq: null });
  const { rows } = await former.query('SELECT pos::int, shard FROM journal WHERE pos > 2 ORDER BY pos');
  expect(rows).toEqual([
    { pos: 3, shard: 200 },
    { pos: 4, shard: -1 },
    { pos: 5, shard: -1 },
    { pos: 6, shard: -1 },
  ]);
  const heads = await former.query('SELECT seq::int, pos::int, prev::int, changed::int FROM journal_heads WHERE channel_id = $1', [
    channelId,
  ]);
  expect(heads.rows).toEqual([{ seq: 4, pos: 5, prev: 3, changed: 4 }]);
  // Positions that a unit drew and gave up are no hindrance for either version.
  const giveUp = unitOfWork.run('test', async (tx) => {
    await tx.apply([completed(channelId)]);
    throw new Error('undone');
  });
  await expect(giveUp).rejects.toThrow('undone');
  expect(await appendAsFormer(channelId, 'message.created')).toEqual({ pos: 7, seq: 5 });
  const [last] = await unitOfWork.commit([completed(channelId)]);
  expect(last?.position).toMatchObject({ seq: 6, previous: 7 });
  expect(last?.position?.offset).toBeGreaterThan(7);
});

it('units of either form wait for a transaction of the previous version until the upgrade is complete', async () => {
  await placeFormerDatabase();
  const [first, second] = [await start(), await start()];
  const channelId = randomUUID();
  const units = (): Promise<unknown>[] => [
    first.unitOfWork.commit([completed(channelId), completed(randomUUID())]),
    first.unitOfWork.run('test', (tx) => tx.apply([completed(channelId)])),
  ];
  await former.query('BEGIN');
  await former.query(LOCK_OF_FORMER);
  const { pos } = await appendAsFormer(channelId, 'message.created');
  const waiting = units();
  await eventually(async () => (await locks(false)) === 2);
  await former.query('COMMIT');
  await Promise.all(waiting);
  expect((await former.query('SELECT 1 FROM journal WHERE pos <= $1', [pos])).rows).toHaveLength(1);

  await completeUpgrade(first);
  await second.mixedFleet?.refresh();
  expect([first, second].map(({ mixedFleet }) => mixedFleet?.advice)).toEqual([undefined, undefined]);
  await former.query('BEGIN');
  await former.query(LOCK_OF_FORMER);
  await Promise.all(units());
  await former.query('ROLLBACK');
  await expect(appendAsFormer(channelId, 'message.created')).rejects.toThrow('this version of Parley is older than the database');
  expect([await names('migrations'), await names('expansions')]).toEqual([ALL, []]);
  expect((await start()).mixedFleet).toBeUndefined();
});

it('the upgrade waits while the previous version listens, appends or has only just stopped', async () => {
  await placeFormerDatabase();
  const { mixedFleet } = await start();
  await former.query(`UPDATE former_version SET seen_at = seen_at - interval '1 hour'`);
  const listener = new Client({ connectionString: config.databaseUrl });
  await listener.connect();
  await listener.query('LISTEN parley_journal');
  await mixedFleet?.completeAfter(0);
  expect(mixedFleet?.isMixed).toBe(true);
  await listener.end();
  await former.query(`UPDATE former_version SET seen_at = seen_at - interval '1 hour'`);
  await appendAsFormer(null, 'agent.created');
  await mixedFleet?.completeAfter(0);
  expect(mixedFleet?.isMixed).toBe(true);
  // After a crash of the database the time begins again.
  await former.query('TRUNCATE former_version');
  await mixedFleet?.completeAfter(0);
  expect(mixedFleet?.isMixed).toBe(true);
  await former.query(`UPDATE former_version SET seen_at = seen_at - interval '1 hour'`);
  await mixedFleet?.completeAfter(2 * 3_600_000);
  expect(mixedFleet?.isMixed).toBe(true);
  await mixedFleet?.completeAfter(60_000);
  expect(mixedFleet?.isMixed).toBe(false);
});

it('a version leaves migrations of a later one, and the completion, to that version', async () => {
  await placeFormerDatabase();
  const { mixedFleet } = await start();
  await former.query(`INSERT INTO expansions (name, timestamp) VALUES ('Later1999999999999', 1999999999999)`);
  await former.query(`UPDATE former_version SET seen_at = seen_at - interval '1 hour'`);
  await mixedFleet?.completeAfter(0);
  expect(mixedFleet?.isMixed).toBe(true);
  expect((await start()).mixedFleet?.isMixed).toBe(true);
  await former.query(`DELETE FROM expansions WHERE name LIKE 'Later%'`);
  await mixedFleet?.completeAfter(0);
  expect(mixedFleet?.isMixed).toBe(false);
  await former.query(`INSERT INTO expansions (name, timestamp) VALUES ('Later1999999999999', 1999999999999)`);
  expect((await start()).mixedFleet).toBeUndefined();
});

it('the next version completes an unfinished upgrade', async () => {
  await placeFormerDatabase();
  const { mixedFleet } = await start();
  await start({ ...SCHEMA, formerNewest: 1_999_999_999_999 });
  await mixedFleet?.refresh();
  expect([mixedFleet?.isMixed, await names('migrations'), await names('expansions')]).toEqual([false, ALL, []]);
});

it('rows without their parent row are refused alike before and after the completion', async () => {
  await placeFormerDatabase();
  const store = await start();
  const [agentId, memoryId] = [randomUUID(), randomUUID()];
  const memory: Statement = {
    sql: `INSERT INTO agent_logs (id, agent_id, type, level, body, created_at) VALUES (?, ?, 'x', 1, '{}', 1)`,
    params: [memoryId, agentId],
    parents: [{ table: 'agents', key: { id: agentId } }],
  };
  const agent: Statement = {
    sql: `INSERT INTO agents (id, name, status, character, created_at, updated_at) VALUES (?, 'x', 'active', '{}', 1, 1)`,
    params: [agentId],
  };
  for (let round = 0; round < 2; round += 1) {
    const error: unknown = await store.unitOfWork.commit([memory]).catch((refusal: unknown) => refusal);
    expect(isForeignKeyViolation(error)).toBe(true);
    await store.unitOfWork.commit([agent, memory]);
    await store.unitOfWork.commit([{ sql: 'DELETE FROM agents WHERE id = ?', params: [agentId] }]);
    expect((await former.query('SELECT 1 FROM agent_logs')).rows).toEqual([]);
    if (round === 0) await completeUpgrade(store);
  }
});

it('a listener gets an entry of the previous version at once, and its own entries only once', async () => {
  await placeFormerDatabase();
  await start();
  const channelId = randomUUID();
  const one = await JournalProcess.open(config);
  try {
    const { ready } = one.journal.watch(channelId);
    await ready;
    const heard = one.hear(2);
    await former.query('BEGIN');
    await former.query(LOCK_OF_FORMER);
    const { pos } = await appendAsFormer(channelId, 'message.completed');
    await former.query('COMMIT');
    await one.append(channelId);
    expect(await heard).toEqual([pos, pos + 1]);
  } finally {
    await one.close();
  }
});
