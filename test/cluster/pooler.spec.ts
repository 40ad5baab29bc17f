// Two applications that reach PostgreSQL by way of PgBouncer in transaction mode, with fewer connections than they open.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Client } from 'pg';
import { createApp } from '../../src/bootstrap/create-app.js';
import { makeBackup, restoreBackup } from '../../src/core/backup/index.js';
import type { Config } from '../../src/core/config/index.js';
import { recentLines } from '../../src/core/logging/index.js';
import { ModelRegistry } from '../../src/providers/models/index.js';
import { ApiClient } from '../support/api-client.js';
import { ADA } from '../support/create-test-app.js';
import { NatsServer } from '../support/nats-server.js';
import { PgBouncer } from '../support/pgbouncer.js';
import { ScriptedModel } from '../support/scripted-model.js';
import { serverEvents } from '../support/sse-client.js';
import { testConfig } from '../support/test-store.js';

const CONNECTIONS = 2;
const SESSIONS = 4;
const ROUNDS = 6;
/** For a turn and the poll that finds its reply, on a busy machine. */
const LONGEST_MS = 3000;
const MESSAGES = '/api/messaging/sessions';

interface Process {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly api: ApiClient;
}

let pooler: PgBouncer;
let config: Config;
let remove: () => Promise<void>;
let processes: Process[];

beforeEach(async () => {
  pooler = await PgBouncer.start(CONNECTIONS);
  const env = { SECRET_KEY: 'the key that both processes have, long enough', EMBEDDING_PROVIDER: 'none', MEMORY_EXTRACTION: 'none' };
  ({ config, remove } = await testConfig('postgres', env));
  await mkdir(config.charactersDir, { recursive: true });
  await writeFile(join(config.charactersDir, 'ada.json'), JSON.stringify({ name: ADA.name, bio: ['An agent.'] }));
  processes = [];
});
afterEach(async () => {
  await stopAll();
  await pooler.close();
  await remove();
});

async function start(index: number, eventsUrl: string[] = []): Promise<Process> {
  const model = new ScriptedModel().always(({ messages }) => `Heard: ${messages.at(-1)?.content}`);
  const dataDir = join(config.dataDir, `process-${index}`);
  const app = await createApp(
    { ...config, dataDir, databaseUrl: pooler.urlOf(config.databaseUrl), eventsUrl },
    { beforeStart: (started) => (started.get(ModelRegistry).chat = () => model) },
  );
  await app.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  return (processes[index] = { app, url, api: new ApiClient(() => url) });
}

async function stopAll(): Promise<void> {
  for (const { app } of processes.splice(0)) await app.close();
}

const openSession = async ({ api }: Process): Promise<{ sessionId: string; channelId: string }> =>
  (await api.post(MESSAGES, { agentId: ADA.id, userId: randomUUID() })).body.data;

/** Says something on one process and waits for the reply on the event stream of another. @returns the time from the request on, ms */
async function talk(from: Process, to: Process, session: { sessionId: string; channelId: string }, content: string): Promise<number> {
  const stream = await fetch(`${to.url}/api/messaging/channels/${session.channelId}/events`);
  const begin = performance.now();
  const post = from.api.post(`${MESSAGES}/${session.sessionId}/messages`, { content });
  for await (const { data } of serverEvents(stream)) {
    if (!JSON.stringify(data).includes(`"Heard: ${content}"`)) continue;
    const took = performance.now() - begin;
    expect((await post).status).toBe(201);
    return took;
  }
  throw new Error('the stream ended without the reply');
}

async function talkMuch(from: Process, to: Process): Promise<number[]> {
  const conversations = Array.from({ length: SESSIONS }, async () => {
    const session = await openSession(from);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) times.push(await talk(from, to, session, `Round ${round}`));
    return times;
  });
  return (await Promise.all(conversations)).flat();
}

const checks = async ({ url }: Process): Promise<unknown> => {
  const response = await fetch(`${url}/readyz`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { checks: unknown }).checks;
};

/** What clients left on the connections of the pooler to PostgreSQL: none has a client any more. */
async function leftBehind(): Promise<unknown[]> {
  const clients = Array.from({ length: CONNECTIONS }, () => new Client({ connectionString: pooler.urlOf(config.databaseUrl) }));
  const found: { pid: number; left: string[] }[] = [];
  for (const client of clients) {
    await client.connect();
    // Keeps the connection of the pooler, so that the next client gets another.
    await client.query('BEGIN');
    const { rows } = await client.query<{ pid: number; left: string[] }>(
      `SELECT pg_backend_pid() AS pid, array(
        SELECT name FROM pg_prepared_statements UNION ALL SELECT pg_listening_channels()
        UNION ALL SELECT 'advisory lock' FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        UNION ALL SELECT relname::text FROM pg_class WHERE relpersistence = 't'
        UNION ALL SELECT name FROM pg_settings WHERE source = 'session' AND lower(name) NOT IN (
          'client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings', 'application_name')) AS left`,
    );
    found.push(...rows);
  }
  for (const client of clients) await client.end();
  expect(new Set(found.map(({ pid }) => pid)).size).toBe(CONNECTIONS);
  return found.flatMap(({ left }) => left);
}

it('a conversation continues across two processes, within a poll, and leaves no state on the connections', async () => {
  const one = await start(0);
  const other = await start(1);
  const times = [...(await talkMuch(one, other)), ...(await talkMuch(other, one))];
  expect(times).toHaveLength(2 * SESSIONS * ROUNDS);
  expect(Math.max(...times)).toBeLessThan(LONGEST_MS);
  await stopAll();
  expect(await leftBehind()).toEqual([]);
});

it('neither a backup nor a restore, whose tools change connection settings, uses the pooler', async () => {
  await start(0);
  await stopAll();
  const variable = (name: string): string | undefined => (name === 'PATH' ? process.env['PATH'] : config.variable(name));
  const pooled = { ...config, variable, databaseUrl: pooler.urlOf(config.databaseUrl) };
  const folder = await makeBackup({ ...config, variable }, new Date());
  for (const attempt of [() => makeBackup(pooled, new Date()), () => restoreBackup(pooled, folder, new Date())]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'CONFIG_INVALID', details: expect.stringMatching(/directly/) });
  }
  expect(await leftBehind()).toEqual([]);
});

it('a process restarts at once, and reads and writes as before', async () => {
  const one = await start(0);
  const before = await start(1);
  await talk(one, before, await openSession(one), 'before');
  await before.app.close();
  const after = await start(1);
  await talk(after, one, await openSession(after), 'after');
});

it('the readiness probe and the log report polling, with the remedy', async () => {
  const logged: string[] = [];
  const stop = recentLines.subscribe(({ part, msg, remedy }) => part === 'database' && logged.push(`${msg}: ${String(remedy)}`));
  const one = await start(0);
  stop();
  const advice =
    'notifications do not pass the pooler in front of PostgreSQL; the journal is polled instead: ' +
    'set EVENTS_URL=nats://… on all servers, or let DATABASE_URL go directly to PostgreSQL';
  expect(await checks(one)).toEqual({ database: 'writable', notifications: 'polled', models: 'healthy', advice });
  expect(logged).toContain(advice);
});

it('with NATS, no process polls behind a pooler', async () => {
  const nats = await NatsServer.start();
  try {
    const one = await start(0, [nats.url]);
    const other = await start(1, [nats.url]);
    expect(await checks(one)).toEqual({ database: 'writable', notifications: 'connected', models: 'healthy' });
    await talkMuch(one, other);
  } finally {
    await stopAll();
    await nats.kill();
  }
});
