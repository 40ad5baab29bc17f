// A fleet is upgraded from the release before, one server after another, while its users write. TWO_VERSIONS_SEED=n repeats a run's choices.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { SCHEMA } from '../../src/app.module.js';
import { createChannel, FAILING_AGENT, FAST_AGENT, LoadGenerator, SLOW_AGENT } from '../crash/support/load-generator.js';
import { HistoryChecker } from '../crash/support/history-checker.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';
import { TestCluster } from '../crash/support/test-cluster.js';
import type { Ledger } from '../crash/support/users.js';
import { evidence } from '../proof/support/evidence.js';
import { socketReader, streamReader, type Reader } from '../proof/support/readers.js';
import { ApiClient } from '../support/api-client.js';
import { FaultyProxy } from '../support/faulty-proxy.js';
import { eventually } from '../support/memory-app.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { seeded } from '../support/random.js';
import { testConfig } from '../support/test-store.js';
import { FORMER_TEMPLATE, formerVersion } from './support/former-version.js';

const SERVERS = 3;
const STEP = 20;
const FORMER_LOCK = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = 7072601
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const FOREIGN_KEYS = `SELECT conname FROM pg_constraint WHERE contype = 'f'
  AND conname IN ('fk_messages_channel_id', 'fk_turns_channel_id', 'fk_turns_message_id', 'fk_turn_steps_turn', 'fk_memories_agent_id')`;

let former: string;
let envs: ServerEnv[];
let ways: FaultyProxy[];
let models: ModelServer[];
let cluster: TestCluster;
let database: Client;
let readers: Reader[];
let remove: () => Promise<void>;

beforeEach(async () => {
  former = await formerVersion();
  const made = await testConfig('postgres');
  const { dataDir, charactersDir, databaseUrl } = made.config;
  ({ remove } = made);
  readers = [];
  database = new Client({ connectionString: databaseUrl });
  await database.connect();
  // One answers at once, one slowly, one never.
  models = await Promise.all([
    startModelServer({ template: FORMER_TEMPLATE }),
    startModelServer({ template: FORMER_TEMPLATE, otherwise: { kind: 'reply', delayMs: 12 } }),
    startModelServer({ template: FORMER_TEMPLATE, otherwise: { kind: 'status', status: 500 } }),
  ]);
  await mkdir(charactersDir, { recursive: true });
  for (const [{ name }, modelProvider] of [
    [FAST_AGENT, 'openai'],
    [SLOW_AGENT, 'ollama'],
    [FAILING_AGENT, 'anthropic'],
  ] as const) {
    const character = { name, bio: 'An agent of the tests.', settings: { modelProvider } };
    await writeFile(join(charactersDir, `${name}.json`), JSON.stringify(character));
  }
  envs = Array.from({ length: SERVERS }, (_, at) => ({
    DATA_DIR: join(dataDir, `server-${at}`),
    CHARACTERS_DIR: charactersDir,
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '4',
    SECRET_KEY: 'the key that all servers have, long enough',
    OPENAI_BASE_URL: models[0]!.baseUrl,
    OLLAMA_BASE_URL: models[1]!.baseUrl,
    ANTHROPIC_BASE_URL: models[2]!.baseUrl,
    ANTHROPIC_API_KEY: 'none',
    MODEL_RETRIES: '0',
    UPGRADE_ROLLBACK_MINUTES: '0',
  }));
  ways = await Promise.all(envs.map(() => FaultyProxy.to(0)));
  cluster = new TestCluster(envs[0]!, ways[0]);
  for (let at = 1; at < SERVERS; at += 1) cluster.add(envs[at]!, ways[at]);
}, 120_000);
afterEach(async () => {
  for (const reader of readers) reader.stop();
  await killAll();
  await Promise.all([...ways, ...models].map((each) => each.close()));
  await database.end();
  await remove();
});

const rows = async (sql: string): Promise<Record<string, unknown>[]> => (await database.query<Record<string, unknown>>(sql)).rows;
const advice = async (at: number): Promise<unknown> => (await new ApiClient(() => ways[at]!.url).get('/readyz')).body.checks.advice;

/** Progress under load, after which a failure of any user is thrown. */
async function progress(): Promise<void> {
  await cluster.progress(STEP);
  cluster.check();
}

/** An agent that one server creates is known to another. */
async function agentTravels(from: number, to: number): Promise<void> {
  const created = await new ApiClient(() => ways[from]!.url).post('/api/agents', {
    agent: { name: `Made by ${from} for ${to}`, bio: 'New.' },
  });
  expect(created.status).toBe(201);
  const path = `/api/agents/${created.body.data.id}`;
  await eventually(async () => (await fetch(ways[to]!.url + path)).status === 200);
}

it('loses, duplicates and reorders nothing, delivers every entry to every listener, and completes the upgrade', async () => {
  await seeded('TWO_VERSIONS_SEED', async (random) => {
    const ledger: Ledger = { sessions: [], sent: [] };
    await Promise.all([cluster.start(0, former), cluster.start(1, former)]);
    // `FORMER_NEWEST` and `FORMER_COMMIT` belong together.
    expect(await rows('SELECT max(timestamp)::text AS newest FROM migrations')).toEqual([{ newest: String(SCHEMA.formerNewest) }]);
    const shared = [await createChannel(cluster), await createChannel(cluster)];
    const load = new LoadGenerator(cluster, ledger, random);
    const users = [
      ...Array.from({ length: 3 }, () => load.sessionUser()),
      ...Array.from({ length: 3 }, () => load.channelUser(shared)),
      load.submitter(shared),
    ].map((user) => user.catch((error: unknown) => cluster.fail(error)));
    try {
      await progress();

      // Both versions, of which each is killed and started again.
      await cluster.start(2);
      readers = ways.flatMap(({ url }) => shared.flatMap((id) => [streamReader(url, id), socketReader(url, id)]));
      await progress();
      expect((await rows('SELECT name FROM expansions')).length).toBeGreaterThan(0);
      expect(await rows(FOREIGN_KEYS)).toHaveLength(5);
      expect(await advice(2)).toMatch(/^the upgrade is not complete/);
      await eventually(async () => (await rows(FORMER_LOCK)).length > 0);
      await agentTravels(0, 2);
      await agentTravels(2, 0);
      for (const [at, program] of [
        [1, former],
        [2, undefined],
      ] as const) {
        await cluster.kill(at);
        await progress();
        await cluster.start(at, program);
        await progress();
      }

      // The others follow. The last of the former version is gone then, and cannot come back.
      for (const at of [1, 0]) {
        await cluster.stop(at);
        await cluster.start(at);
        await progress();
      }
      await eventually(async () => (await rows('SELECT name FROM expansions')).length === 0);
      await eventually(async () => (await Promise.all([0, 1, 2].map(advice))).every((text) => text === undefined));
      await eventually(async () => (await rows(FORMER_LOCK)).length === 0);
      expect(await rows(FOREIGN_KEYS)).toEqual([]);
      const oldOne = { ...envs[0]!, DATA_DIR: join(envs[0]!.DATA_DIR, '..', 'late') };
      const refused = await ServerProcess.fail(oldOne, undefined, former);
      expect(refused.code).not.toBe(0);
      expect(refused.stdout + refused.stderr).toMatch(/was written by a newer version/);
      const goal = cluster.acknowledged + STEP;
      await eventually(async () => {
        expect(await rows(FORMER_LOCK)).toEqual([]);
        cluster.check();
        return cluster.acknowledged >= goal;
      });
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${cluster.output()}`, { cause: error });
    } finally {
      load.end();
      await Promise.all(users);
    }
    cluster.check();

    const check = new HistoryChecker(cluster.url, ledger);
    await check.check([...shared, ...ledger.sessions.map(({ channelId }) => channelId)]);
    expect(evidence(check.faults, check.histories)).toBe('');
    for (const { name, channelId, heard, expected } of readers) {
      const written = expected(check.histories.get(channelId) ?? []);
      await eventually(() => heard.length >= written.length);
      expect({ name, heard }).toEqual({ name, heard: written });
    }
    expect(cluster.stderr).toBe('');
    process.stdout.write(`two versions: ${ledger.sent.length} messages, ${cluster.cut} requests sent again\n`);
  });
}, 300_000);
