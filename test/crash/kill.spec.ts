// What was acknowledged is never lost, never doubled and never reordered, and a reply is owed until it is given: users
// write while the server is killed again and again, and in the end the history is held against what they were told.
// CRASH_SEED=n repeats a failed run's choices.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { ApiClient } from '../support/api-client.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { seeded, type Random } from '../support/random.js';
import { Judge } from './support/history.js';
import { killAll } from './support/server-process.js';
import { User, type Ledger, type Place } from './support/users.js';
import { World } from './support/world.js';

const ROUNDS = 24;
const WRITERS = 3;

// One answers at once, one slowly, one never.
const SWIFT = { id: idFromText('Swift'), name: 'Swift' };
const SLOW = { id: idFromText('Slow'), name: 'Slow' };
const SOUR = { id: idFromText('Sour'), name: 'Sour' };

describe('a server that is killed', () => {
  let directory: string;
  let models: ModelServer[];
  let world: World;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parley-kill-'));
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
        const shared = [await createChannel(), await createChannel()];
        let over = false;
        const users = [
          ...Array.from({ length: WRITERS }, () => sessionUser(ledger, random, () => over)),
          ...Array.from({ length: WRITERS }, () => channelUser(ledger, random, shared, () => over)),
          submitter(ledger, random, shared, () => over),
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
        over = true;
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

  function createChannel(): Promise<string> {
    return world.insist(async (url) => {
      const body = { name: 'shared', participantCentralUserIds: [SWIFT.id, SLOW.id, SOUR.id] };
      const { status, body: answer } = await new ApiClient(() => url).post('/api/messaging/channels', body);
      if (status !== 201) throw new Error(`no channel: ${status} ${JSON.stringify(answer)}`);
      return answer.data.id as string;
    });
  }

  async function sessionUser(ledger: Ledger, random: Random, isOver: () => boolean): Promise<void> {
    const user = new User(world, ledger, random);
    const open = (): Promise<Place> => user.openSession(random.pick([SWIFT, SWIFT, SLOW, SOUR]).id);
    let place = await open();
    while (!isOver()) {
      if (random.chance(0.15)) place = await open();
      await user.say(place);
    }
  }

  async function channelUser(ledger: Ledger, random: Random, shared: readonly string[], isOver: () => boolean): Promise<void> {
    const user = new User(world, ledger, random);
    const authorId = randomUUID();
    while (!isOver()) {
      const channelId = random.pick(shared);
      const agents = random.pick([[SWIFT], [SWIFT], [SLOW], [SOUR], [SWIFT, SLOW], [SWIFT, SOUR]]);
      await user.say({
        path: `/api/messaging/channels/${channelId}/messages`,
        channelId,
        authorId,
        fields: { author_id: authorId },
        greeting: agents.map(({ name }) => name).join(' and '),
        owed: agents.length,
      });
    }
  }

  async function submitter(ledger: Ledger, random: Random, shared: readonly string[], isOver: () => boolean): Promise<void> {
    const user = new User(world, ledger, random);
    while (!isOver()) {
      await user.submit(random.pick(shared), SWIFT.id);
      await elapsed(random.between(0, 30));
    }
  }
});

/** Only to make the moment of a kill one of chance; nothing waits for a condition in this way. */
function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
