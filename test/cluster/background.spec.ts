// Background work of several processes on one PostgreSQL database: one does it, and another takes over when that one dies.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Hooks } from '../../src/core/hooks/index.js';
import { idFromText } from '../../src/core/ids/index.js';
import { Leadership } from '../../src/core/leadership/index.js';
import { TableStatistics } from '../../src/core/leadership/table-statistics.js';
import { Retention, type RetentionSweep } from '../../src/core/retention/index.js';
import { Tracer } from '../../src/core/telemetry/index.js';
import { AgentMemory } from '../../src/modules/memory/index.js';
import { TurnsRepository } from '../../src/modules/turns/turns.repository.js';
import { killAll, ServerProcess } from '../crash/support/server-process.js';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { FakeEmbedding } from '../support/fake-embedding.js';
import { eventually } from '../support/memory-app.js';
import { openTestStore, testConfig, type TestStore } from '../support/test-store.js';

const VERA = idFromText('Vera');

describe('processes with one database', () => {
  let test: TestStore | undefined;
  let processes: Leadership[] = [];

  const startProcess = async (): Promise<Leadership> => {
    const leadership = new Leadership(test!.store);
    processes.push(leadership);
    await leadership.onModuleInit();
    return leadership;
  };

  afterEach(async () => {
    for (const leadership of processes) await leadership.beforeApplicationShutdown();
    processes = [];
    await test?.close();
    test = undefined;
  });

  it('elect one leader, and another as soon as it stops', async () => {
    test = await openTestStore('postgres');
    const [first, second] = [await startProcess(), await startProcess()];
    expect([first.isLeader, second.isLeader]).toEqual([true, false]);
    let elected = 0;
    second.onElected(() => (elected += 1));
    await first.beforeApplicationShutdown();
    await eventually(() => elected === 1);
    expect([first.isLeader, second.isLeader]).toEqual([false, true]);
  });

  it('lose the lead when they cannot renew its lease in time', async () => {
    test = await openTestStore('postgres');
    const first = await startProcess();
    // As for one that is paused, another holds the lease when it wakes up.
    await test.store.readSource.query(`UPDATE leases SET owner = 'another', until = clock_timestamp() + interval '1 hour'`);
    await eventually(() => !first.isLeader);
    await test.store.readSource.query('UPDATE leases SET until = clock_timestamp()');
    await eventually(() => first.isLeader);
  });

  it('sweep in the leader, and elsewhere only on request', async () => {
    test = await openTestStore('postgres');
    const swept: string[] = [];
    const clock = new FakeClock();
    const start = async (name: string): Promise<{ retention: Retention; sweep: RetentionSweep }> => {
      const sweep = { removes: 'rows', everyMs: 60_000, sweep: () => Promise.resolve(void swept.push(name)) };
      const retention = new Retention(clock, { of: () => [sweep] } as unknown as Hooks, await startProcess());
      retention.onModuleInit();
      return { retention, sweep };
    };
    const processes = [await start('leader'), await start('other')];
    clock.advance(60_000);
    expect(swept).toEqual(['leader']);
    // The next runs are scheduled when the former have ended.
    await eventually(() => clock.scheduled === 2);
    processes[1]!.retention.runSoon(processes[1]!.sweep, 1000);
    clock.advance(60_000);
    expect(swept).toEqual(['leader', 'other', 'leader']);
    await Promise.all(processes.map(({ retention }) => retention.beforeApplicationShutdown()));
  });
});

it('the leader analyzes growing tables, so that statements are planned for their size', async () => {
  const test = await openTestStore('postgres');
  const leadership = new Leadership(test.store);
  const statistics = new TableStatistics(leadership, test.store);
  const { readSource } = test.store;
  const isAnalyzed = async (table: string): Promise<boolean> =>
    (await readSource.query<unknown[]>('SELECT 1 FROM pg_stat_user_tables WHERE relname = $1 AND last_analyze IS NOT NULL', [table]))
      .length > 0;
  try {
    for (const [table, rows] of [
      ['few', 200],
      ['Many', 1000],
    ] as const) {
      await readSource.query(`CREATE TABLE "${table}" AS SELECT generate_series(1, ${rows}) AS id`);
    }
    await leadership.onModuleInit();
    statistics.onModuleInit();
    await eventually(() => isAnalyzed('Many'));
    expect(await isAnalyzed('few')).toBe(false);
  } finally {
    await statistics.beforeApplicationShutdown();
    await leadership.beforeApplicationShutdown();
    await test.close();
  }
});

it('the next lease expiry is known before the next heartbeat', async () => {
  const test = await openTestStore('postgres');
  try {
    const [now, withinMs] = [1_800_000_000_000, 600];
    for (const [at, leaseUntil] of [null, now - 1, now + 1, now + withinMs, now + withinMs + 1].entries()) {
      await test.store.readSource.query(
        `INSERT INTO turns (message_id, agent_id, channel_id, seq, status, attempts, lease_until, reply_id, created_at)
          VALUES ($1, 'agent', $1, 1, $2, 0, $3, 'reply', 0)`,
        [String(at), leaseUntil === null ? 'queued' : 'running', leaseUntil],
      );
    }
    const repository = new TurnsRepository(test.store.reader, new Tracer(new FakeClock()));
    const { jobs, nextDueAt } = await repository.claimable(now, withinMs);
    expect([jobs.map(({ messageId }) => messageId), nextDueAt]).toEqual([['0', '1'], now + 1]);
    await test.store.readSource.query('DELETE FROM turns WHERE lease_until <= $1', [now + withinMs]);
    expect(await repository.claimable(now, withinMs)).toMatchObject({ jobs: [{ messageId: '0' }] });
    expect((await repository.claimable(now, withinMs)).nextDueAt).toBeUndefined();
  } finally {
    await test.close();
  }
});

it('memories that a killed process left without vectors are embedded', async () => {
  const app = await createTestApp({ engine: 'postgres', embeddings: () => new FakeEmbedding() });
  const database = new Client({ connectionString: app.config.databaseUrl });
  await database.connect();
  const embedded = async (): Promise<boolean> => (await database.query('SELECT 1 FROM memory_vectors')).rows.length > 0;
  try {
    await app.app
      .get(AgentMemory, { strict: false })
      .create(ADA.id, { type: 'facts', content: { text: 'The tide turns at six.' }, metadata: {} });
    await eventually(embedded);
    await database.query('DELETE FROM memory_vectors');
    await database.query('UPDATE memories SET embedded_by = NULL');
    await eventually(embedded);
  } finally {
    await database.end();
    await app.close();
  }
});

describe('when the leader is killed', () => {
  afterEach(() => killAll());

  it('another process announces the end of each session, once', async () => {
    const { config, remove } = await testConfig('postgres');
    const { dataDir, charactersDir, databaseUrl } = config;
    await mkdir(charactersDir, { recursive: true });
    await writeFile(join(charactersDir, 'vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
    const start = (name: string): Promise<ServerProcess> =>
      ServerProcess.start({
        DATA_DIR: join(dataDir, name),
        CHARACTERS_DIR: charactersDir,
        DATABASE_URL: databaseUrl,
        SECRET_KEY: 'the key that all processes have, long enough',
      });
    const leader = await start('first');
    await start('second');
    const api = new ApiClient(() => leader.url);
    const sessions: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { body } = await api.post('/api/messaging/sessions', { agentId: VERA, userId: idFromText(`user ${count}`) });
      sessions.push(body.data.sessionId);
    }
    const database = new Client({ connectionString: databaseUrl });
    await database.connect();
    try {
      await leader.kill();
      // The sessions end while no process leads.
      await database.query('UPDATE sessions SET warned_for = 1, next_deadline = 1, expires_at = 1');
      const announced = async (): Promise<string[]> => {
        const { rows } = await database.query(`SELECT payload::json ->> 'sessionId' AS id FROM journal WHERE type = 'session.expired'`);
        return rows.map(({ id }) => String(id));
      };
      await eventually(async () => (await announced()).length >= sessions.length);
      expect((await announced()).sort()).toEqual([...sessions].sort());
    } finally {
      await database.end();
      await killAll();
      await remove();
    }
  });
});
