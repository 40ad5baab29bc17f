// What was acknowledged is never lost, never doubled and never reordered, and a reply is owed until it is given: users
// write while the server is killed again and again, and in the end the history is held against what they were told.
// CRASH_SEED=n repeats a failed run's choices.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { seeded } from '../support/random.js';
import { createChannel, Crowd, elapsed, SLOW, SOUR, SWIFT } from './support/crowd.js';
import { Judge } from './support/history.js';
import { killAll } from './support/server-process.js';
import type { Ledger } from './support/users.js';
import { World } from './support/world.js';

const ROUNDS = 24;
const WRITERS = 3;

describe('a server that is killed', () => {
  let directory: string;
  let models: ModelServer[];
  let world: World;

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
      [SWIFT, 'openai'],
      [SLOW, 'ollama'],
      [SOUR, 'anthropic'],
    ] as const) {
      await writeFile(
        join(characters, `${name}.json`),
        JSON.stringify({ name, bio: 'An agent of the tests.', settings: { modelProvider } }),
      );
    }
    world = new World({
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
    `keeps what it acknowledged, once and in order, and gives every answer it owes, over ${ROUNDS} kills`,
    () =>
      seeded('CRASH_SEED', async (random) => {
        const ledger: Ledger = { sessions: [], sent: [] };
        await world.start();
        const shared = [await createChannel(world), await createChannel(world)];
        const crowd = new Crowd(world, ledger, random);
        const users = [
          ...Array.from({ length: WRITERS }, () => crowd.sessionUser()),
          ...Array.from({ length: WRITERS }, () => crowd.channelUser(shared)),
          crowd.submitter(shared),
        ].map((user) => user.catch((error: unknown) => world.fail(error)));
        for (let round = 0; round < ROUNDS; round++) {
          // A moment that the work itself decides, and then a little more, so that kills fall between and into commits.
          await world.progress(random.between(1, 40));
          models[0]?.next(...(random.chance(0.5) ? [{ kind: 'status', status: 500 } as const] : []));
          await elapsed(random.between(0, 20));
          world.check();
          await world.kill();
          if (random.chance(0.2)) await world.killWhileStarting(random.between(50, 1200));
          await world.start();
        }
        crowd.end();
        await Promise.all(users);
        world.check();

        const judge = new Judge(world.url, ledger);
        await judge.judge([...shared, ...ledger.sessions.map(({ channelId }) => channelId)]);
        expect(judge.faults).toEqual([]);
        // The kills did hit something, or all this has shown nothing.
        expect(world.cut).toBeGreaterThan(ROUNDS);
        expect(judge.repeated).toBeGreaterThan(0);
        expect(ledger.sent.reduce((cuts, { stream }) => cuts + (stream?.cuts ?? 0), 0)).toBeGreaterThan(0);
      }),
    180_000,
  );
});
