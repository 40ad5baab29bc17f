// A fleet is upgraded to a synthetic next version (support/next-build.ts), goes back, and is upgraded for good, one server after another, while
// its users write. TWO_VERSIONS_SEED=n repeats a run's choices.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { HistoryChecker, type ChannelHistory } from '../crash/support/history-checker.js';
import { createChannel, FAILING_AGENT, FAST_AGENT, LoadGenerator, SLOW_AGENT } from '../crash/support/load-generator.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';
import { TestCluster } from '../crash/support/test-cluster.js';
import type { Ledger } from '../crash/support/users.js';
import { evidence } from '../proof/support/evidence.js';
import { socketReaders, streamReader, type Reader } from '../proof/support/readers.js';
import { ApiClient } from '../support/api-client.js';
import { FaultyProxy } from '../support/faulty-proxy.js';
import { eventually } from '../support/memory-app.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { seeded } from '../support/random.js';
import { testConfig } from '../support/test-store.js';
import { nextBuild } from './support/next-build.js';

const SERVERS = 3;
const STEP = 15;

let next: string;
let envs: ServerEnv[];
let ways: FaultyProxy[];
let models: ModelServer[];
let cluster: TestCluster;
let database: Client;
let readers: Reader[];
let remove: () => Promise<void>;

beforeEach(async () => {
  const made = await testConfig('postgres');
  const { dataDir, charactersDir, databaseUrl } = made.config;
  ({ remove } = made);
  next = await nextBuild(join(dataDir, 'next'));
  readers = [];
  database = new Client({ connectionString: databaseUrl });
  await database.connect();
  // One answers at once, one slowly, one never.
  models = await Promise.all([
    startModelServer(),
    startModelServer({ otherwise: { kind: 'reply', delayMs: 12 } }),
    startModelServer({ otherwise: { kind: 'status', status: 500 } }),
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
    UPGRADE_BACKUPS: '0',
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
const api = (at: number): ApiClient => new ApiClient(() => ways[at]!.url);
const advice = async (at: number): Promise<unknown> => (await api(at).get('/readyz')).body.checks.advice;
const isPending = async (): Promise<boolean> => (await rows(`SELECT 1 FROM migrations WHERE name LIKE 'NotesRequired%'`)).length === 0;
/** Clients of this version know nothing of it. */
const isKnown = (event: string): boolean => !event.startsWith('note.added');

/** Progress under load, after which a failure of any user is thrown. */
async function progress(): Promise<void> {
  await cluster.progress(STEP);
  cluster.check();
}

async function replace(at: number, program?: string): Promise<void> {
  await cluster.stop(at);
  await cluster.start(at, program);
  await progress();
}

/** A turn in a state of the next version waits, is shown as one that has begun, and is answered when that version lets it go on. */
async function holdTurn(): Promise<void> {
  const created = await api(0).post('/api/messaging/channels', { name: 'held', participantCentralUserIds: [SLOW_AGENT.id] });
  const channelId = created.body.data.id as string;
  const path = `/api/messaging/channels/${channelId}/messages`;
  await rows(`UPDATE channels SET name = 'held' WHERE id = '${channelId}'`);
  const ofChannel = `FROM turns WHERE channel_id = '${channelId}'`;
  let sent = 0;
  const send = async (): Promise<void> => {
    const message = { author_id: SLOW_AGENT.id.replace(/^./, '9'), content: `message ${(sent += 1)}`, source_type: 'test' };
    expect((await api(0).post(path, message)).status).toBe(201);
  };
  // A turn that no other one precedes is claimed when its message is stored, so only the later ones of a burst can be held.
  await eventually(async () => {
    await Promise.all([send(), send(), send()]);
    return (await rows(`SELECT 1 ${ofChannel} AND status = 'held'`)).length > 0;
  });
  await eventually(async () => (await rows(`SELECT 1 ${ofChannel} AND status IN ('queued', 'running')`)).length === 0);
  const runs = await fetch(`${ways[0]!.url}/api/runs?channelId=${channelId}`);
  expect(runs.status).toBe(200);
  const shown = (await runs.json()) as { data: { runs: { status: string }[] } };
  expect(shown.data.runs.map(({ status }) => status)).toContain('started');
  await progress();
  expect((await rows(`SELECT 1 ${ofChannel} AND status = 'held'`)).length).toBeGreaterThan(0);
  await rows(`UPDATE channels SET name = 'released' WHERE id = '${channelId}'`);
  await eventually(async () => (await rows(`SELECT 1 ${ofChannel} AND status = 'done'`)).length === sent);
}

async function compare(reader: Reader, histories: ReadonlyMap<string, ChannelHistory>): Promise<void> {
  const { name, channelId, heard, expected } = reader;
  const written = expected(histories.get(channelId) ?? []).filter(isKnown);
  await eventually(() => heard.filter(isKnown).length >= written.length);
  expect({ name, heard: heard.filter(isKnown) }).toEqual({ name, heard: written });
}

it('loses, doubles and reorders nothing on the way to the next version, back, and on until this one is left behind', async () => {
  await seeded('TWO_VERSIONS_SEED', async (random) => {
    const ledger: Ledger = { sessions: [], sent: [] };
    await Promise.all([cluster.start(0), cluster.start(1)]);
    const shared = [await createChannel(cluster), await createChannel(cluster)];
    const load = new LoadGenerator(cluster, ledger, random);
    const users = [
      ...Array.from({ length: 2 }, () => load.sessionUser()),
      ...Array.from({ length: 2 }, () => load.channelUser(shared)),
      load.submitter(shared),
    ].map((user) => user.catch((error: unknown) => cluster.fail(error)));
    try {
      // Both versions, of which each is killed and started again.
      await cluster.start(2, next);
      readers = ways.flatMap(({ url }) => shared.flatMap((id) => [streamReader(url, id), ...socketReaders(url, [id])]));
      await progress();
      expect([await isPending(), await advice(2), await advice(0)]).toEqual([
        true,
        expect.stringMatching(/^the upgrade is not/),
        undefined,
      ]);
      await eventually(async () => (await rows(`SELECT 1 FROM journal WHERE type = 'note.added' LIMIT 1`)).length > 0);
      await holdTurn();
      for (const [at, program] of [
        [1, undefined],
        [2, next],
      ] as const) {
        await cluster.kill(at);
        await progress();
        await cluster.start(at, program);
        await progress();
      }
      // Servers of this version leave out the events that only the next one knows.
      expect(
        readers
          .slice(0, 4)
          .flatMap(({ heard }) => heard)
          .filter((event) => !isKnown(event)),
      ).toEqual([]);

      // Back, without a restore.
      await replace(2);
      expect(await isPending()).toBe(true);

      // The others follow. The last server of this version is gone then, and cannot come back.
      for (const at of [2, 1, 0]) await replace(at, next);
      await eventually(async () => !(await isPending()));
      await eventually(async () => (await Promise.all([0, 1, 2].map(advice))).every((text) => text === undefined));
      const refused = await ServerProcess.fail({ ...envs[0]!, DATA_DIR: join(envs[0]!.DATA_DIR, '..', 'late') });
      expect(refused.code).not.toBe(0);
      expect(refused.stdout + refused.stderr).toMatch(/was upgraded for Parley 0\.2\.0/);
      await progress();
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
    for (const reader of readers) await compare(reader, check.histories);
    expect(cluster.stderr).toBe('');
    process.stdout.write(`two versions: ${ledger.sent.length} messages, ${cluster.cut} requests sent again\n`);
  });
}, 300_000);
