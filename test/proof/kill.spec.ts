// Acknowledged messages are never lost, duplicated or reordered, and every message gets its reply: users write while the
// server is killed repeatedly, and the final history is compared with what they received. CRASH_SEED=n repeats the choices
// of a failed run.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { seeded } from '../support/random.js';
import { createChannel, LoadGenerator, elapsed, SLOW_AGENT, FAILING_AGENT, FAST_AGENT } from '../crash/support/load-generator.js';
import { HistoryChecker } from '../crash/support/history-checker.js';
import { killAll } from '../crash/support/server-process.js';
import type { Ledger } from '../crash/support/users.js';
import { TestCluster } from '../crash/support/test-cluster.js';

const ROUNDS = 8;
const WRITERS = 3;

describe('a server that is killed', () => {
  let directory: string;
  let models: ModelServer[];
  let cluster: TestCluster;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parley-kill-'));
    // One answers at once, one slowly, one never.
    models = await Promise.all([
      startModelServer(),
      startModelServer({ otherwise: { kind: 'reply', delayMs: 12 } }),
      startModelServer({ otherwise: { kind: 'status', status: 500 } }),
    ]);
    const characters = join(directory, 'characters');
    await mkdir(characters);
    for (const [{ name }, modelProvider] of [
      [FAST_AGENT, 'openai'],
      [SLOW_AGENT, 'ollama'],
      [FAILING_AGENT, 'anthropic'],
    ] as const) {
      await writeFile(
        join(characters, `${name}.json`),
        JSON.stringify({ name, bio: 'An agent of the tests.', settings: { modelProvider } }),
      );
    }
    cluster = new TestCluster({
      DATA_DIR: join(directory, 'data'),
      CHARACTERS_DIR: characters,
      OPENAI_BASE_URL: models[0]!.baseUrl,
      OLLAMA_BASE_URL: models[1]!.baseUrl,
      ANTHROPIC_BASE_URL: models[2]!.baseUrl,
      ANTHROPIC_API_KEY: 'none',
      MODEL_RETRIES: '0',
      LOG_LEVEL: 'error',
    });
  });
  afterEach(async () => {
    await killAll();
    await Promise.all(models.map((model) => model.close()));
    await rm(directory, { recursive: true, force: true });
  });

  it(
    `keeps acknowledged messages, once and in order, and sends every pending reply, over ${ROUNDS} kills`,
    () =>
      seeded('CRASH_SEED', async (random) => {
        const ledger: Ledger = { sessions: [], sent: [] };
        await cluster.start();
        const shared = [await createChannel(cluster), await createChannel(cluster)];
        const load = new LoadGenerator(cluster, ledger, random);
        const users = [
          ...Array.from({ length: WRITERS }, () => load.sessionUser()),
          ...Array.from({ length: WRITERS }, () => load.channelUser(shared)),
          load.submitter(shared),
        ].map((user) => user.catch((error: unknown) => cluster.fail(error)));
        for (let round = 0; round < ROUNDS; round++) {
          // A moment that the work itself decides, and then a little more, so that kills fall between and into commits.
          await cluster.progress(random.between(1, 40));
          models[0]?.next(...(random.chance(0.5) ? [{ kind: 'status', status: 500 } as const] : []));
          await elapsed(random.between(0, 20));
          cluster.check();
          await cluster.kill();
          if (round % 4 === 1) await cluster.killWhileStarting(random.between(50, 900));
          await cluster.start();
        }
        load.end();
        await Promise.all(users);
        cluster.check();

        const check = new HistoryChecker(cluster.url, ledger);
        await check.check([...shared, ...ledger.sessions.map(({ channelId }) => channelId)]);
        expect(check.faults).toEqual([]);
        // The kills did hit something, or all this has shown nothing.
        expect(cluster.cut).toBeGreaterThan(ROUNDS);
        expect(check.repeated).toBeGreaterThan(0);
        expect(ledger.sent.reduce((cuts, { stream }) => cuts + (stream?.cuts ?? 0), 0)).toBeGreaterThan(0);
      }),
    180_000,
  );
});
