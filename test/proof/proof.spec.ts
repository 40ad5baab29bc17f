// The checker: users write, agents answer, webhooks are delivered, sessions run out and readers follow while a nemesis kills, pauses and
// cuts, fills the disk, moves the clock and spoils the models; in the end the history is held against what everybody was told.
// docs/reference/reliability.md
//   PROOF_SECONDS=300 PROOF_SEED=7 PROOF_FAULTS=kill,disk npm run proof
//   PROOF_DATABASE=postgres PROOF_SERVERS=2 npm run proof
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from '@jest/globals';
import { createChannel, Crowd, elapsed, placeIn, SLOW, SWIFT } from '../crash/support/crowd.js';
import { Judge } from '../crash/support/history.js';
import { User, type Ledger } from '../crash/support/users.js';
import type { World } from '../crash/support/world.js';
import { ApiClient } from '../support/api-client.js';
import { seeded, type Random } from '../support/random.js';
import { evidence } from './support/evidence.js';
import { Hooks } from './support/hooks.js';
import { FAULTS, faultsOf, restClock } from './support/nemesis.js';
import { socketReader, streamReader, type Reader } from './support/readers.js';
import { Site } from './support/site.js';
import { liveThrough, SessionJudge, type WatchedSession } from './support/watched-session.js';

const SECONDS = Number(process.env['PROOF_SECONDS'] ?? '10');
const ENGINE = process.env['PROOF_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite';
const SERVERS = ENGINE === 'postgres' ? Number(process.env['PROOF_SERVERS'] ?? '2') : 1;
const CHOSEN = process.env['PROOF_FAULTS']?.split(',') ?? faultsOf(ENGINE);
const WRITERS = 3;
// Longer than another process waits for one that died.
const USERS_PATIENCE_MS = 90_000;
const READERS_PATIENCE_MS = 30_000;
const ANNOUNCED_WITHIN_MS = 10_000;
// Much more than the answers take on a busy machine, and much less than when each waits until somebody looks for what is owed.
const CALM_ANSWERS_WITHIN_MS = 25_000;
const CALM_MESSAGES = 5;

describe('against a nemesis', () => {
  let site: Site;
  let world: World;
  let readers: Reader[];

  beforeEach(async () => {
    readers = [];
    site = await Site.open(ENGINE, SERVERS);
    world = site.world;
  });
  afterEach(async () => {
    for (const reader of readers) reader.stop();
    await site.close();
  });

  it(
    `nothing acknowledged is lost, doubled or reordered, and every answer that is owed is given, over ${SECONDS} s`,
    () =>
      telling(async (random) => {
        const ledger: Ledger = { sessions: [], sent: [] };
        const watched: WatchedSession[] = [];
        for (let at = 0; at < world.size; at += 1) await world.start(at);
        const shared = [await createChannel(world), await createChannel(world)];
        const hooked = await createChannel(world);
        const hooks = new Hooks(world, ledger, hooked, SWIFT.id, site.notes);
        readers = site.ways.flatMap(({ url }) =>
          shared.flatMap((channelId) => [socketReader(url, channelId), streamReader(url, channelId)]),
        );
        const crowd = new Crowd(world, ledger, random);
        const { isOver } = crowd;
        const busy = new Set<string>();
        for (const [name, user] of Object.entries({
          ...named('session user', () => crowd.sessionUser()),
          ...named('channel user', () => crowd.channelUser(shared)),
          submitter: crowd.submitter(shared),
          ...named('session watcher', () => sessionWatcher(ledger, random, watched, isOver)),
          'sender of acknowledged deliveries': sender(hooks, random, 'ack', isOver),
          'sender of inline deliveries': sender(hooks, random, 'inline', isOver),
        })) {
          busy.add(name);
          void user.catch((error: unknown) => world.fail(error)).finally(() => busy.delete(name));
        }

        const done: Record<string, number> = {};
        for (const end = performance.now() + SECONDS * 1000; performance.now() < end;) {
          await world.progress(random.between(1, 20));
          world.check();
          const name = random.pick(CHOSEN);
          await FAULTS[name]!(site, random, random.between(0, world.size - 1));
          done[name] = (done[name] ?? 0) + 1;
        }
        crowd.end();
        for (const end = performance.now() + USERS_PATIENCE_MS; busy.size > 0 && performance.now() < end;) await elapsed(20);
        world.check();
        if (busy.size > 0) throw new Error(`${[...busy].join(', ')} still had no answer ${USERS_PATIENCE_MS} ms after the last fault`);
        if (CHOSEN.includes('clock')) await restClock(site);

        const judge = new Judge(world.url, ledger);
        const histories = await judge.judge([hooked, ...[...ledger.sessions, ...watched].map(({ channelId }) => channelId), ...shared]);
        for (const session of watched) judge.faults.push(...(await sessionFaults(judge, session)));
        const endsAreCertain = world.size === 1 && done['disk'] === undefined;
        judge.faults.push(...(await hooks.judge(world.url, endsAreCertain)));
        await readersAgree(judge, histories);
        if (judge.faults.length === 0) judge.faults.push(...(await calmFaults(ledger, random, hooks)));
        const expired = watched.filter(({ told }) => told === 'expired').length;
        process.stdout.write(
          `seed ${random.seed}: ${ledger.sent.length} messages, ${ledger.sessions.length + watched.length} sessions (${expired} expired), ` +
            `${hooks.count} deliveries, ${world.cut} requests sent again, ${world.size} servers on ${ENGINE}, ${JSON.stringify(done)}` +
            `${ENGINE === 'sqlite' && site.smallDisk === undefined ? ', the disk could not be filled here' : ''}\n`,
        );
        if (judge.faults.length > 0) throw new Error(`broken promises:\n${evidence(judge.faults, judge.histories)}`);
      }),
    (SECONDS + 240) * 1000,
  );

  /** A failure names the seed, and what the servers printed. */
  function telling(test: (random: Random) => Promise<void>): Promise<void> {
    return seeded('PROOF_SEED', async (random) => {
      try {
        await test(random);
      } catch (error) {
        throw new Error(`${(error as Error).message}\n${world.output()}`, { cause: error });
      }
    });
  }

  function named(name: string, begin: () => Promise<void>): Record<string, Promise<void>> {
    return Object.fromEntries(Array.from({ length: WRITERS }, (_, index) => [`${name} ${index}`, begin()]));
  }

  /** Each reader has heard every message of its channel once and in order, over all cuts. */
  async function readersAgree(judge: Judge, histories: ReadonlyMap<string, readonly string[]>): Promise<void> {
    for (const { name, channelId, heard } of readers) {
      const written = histories.get(channelId) ?? [];
      for (const end = performance.now() + READERS_PATIENCE_MS; heard.length < written.length && performance.now() < end;) {
        await elapsed(20);
      }
      if (JSON.stringify(heard) === JSON.stringify(written)) continue;
      const at = written.findIndex((id, index) => heard[index] !== id);
      judge.faults.push(
        `the ${name} reader of ${channelId} heard ${heard.length} of ${written.length} messages; at ${at} it heard ` +
          `${heard.slice(at, at + 3).join(', ')} and ${written.slice(at, at + 3).join(', ')} were written`,
      );
    }
  }

  /** What a session's journal and its answer have against the rules, when what is due now has been announced. */
  async function sessionFaults(judge: Judge, session: WatchedSession): Promise<readonly string[]> {
    for (const end = performance.now() + ANNOUNCED_WITHIN_MS; ; await elapsed(200)) {
      const answer = await new ApiClient(() => world.url).get(`/api/messaging/sessions/${session.sessionId}`);
      const sessionJudge = new SessionJudge(session, await judge.read(session.channelId));
      sessionJudge.answered(answer);
      if (sessionJudge.faults.length === 0 || performance.now() > end) return sessionJudge.faults;
    }
  }

  /** When nothing is done to the servers any more, nobody waits for what should have woken somebody. */
  async function calmFaults(ledger: Ledger, random: Random, hooks: Hooks): Promise<readonly string[]> {
    const channelId = await createChannel(world);
    const begin = performance.now();
    const authors = Array.from({ length: WRITERS }, async () => {
      const user = new User(world, ledger, random);
      for (let count = 0; count < CALM_MESSAGES; count += 1) await user.say(placeIn(channelId, randomUUID(), [SWIFT, SLOW]));
    });
    const deliveries = Array.from({ length: CALM_MESSAGES }, () => hooks.deliver('ack', random));
    await Promise.all([...authors, ...deliveries]);
    const judge = new Judge(world.url, { sessions: [], sent: ledger.sent.filter((message) => message.channelId === channelId) });
    await judge.judge([channelId]);
    judge.faults.push(...(await hooks.judge(world.url, false)));
    if (judge.repeated > 0) judge.faults.push(`in calm, ${judge.repeated} answers were begun again`);
    const took = Math.round(performance.now() - begin);
    return took <= CALM_ANSWERS_WITHIN_MS ? judge.faults : [...judge.faults, `in calm, a few answers and deliveries took ${took} ms`];
  }

  async function sessionWatcher(ledger: Ledger, random: Random, watched: WatchedSession[], isOver: () => boolean): Promise<void> {
    while (!isOver()) await liveThrough(world, ledger, random, SWIFT.id, watched, isOver);
  }

  async function sender(hooks: Hooks, random: Random, mode: 'ack' | 'inline', isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await hooks.deliver(mode, random);
      await elapsed(random.between(0, 60));
    }
  }
});
