import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, it } from '@jest/globals';
import { createChannel, LoadGenerator, elapsed, placeIn, SLOW_AGENT, FAST_AGENT } from '../../crash/support/load-generator.js';
import { HistoryChecker } from '../../crash/support/history-checker.js';
import { User, type Ledger } from '../../crash/support/users.js';
import type { TestCluster } from '../../crash/support/test-cluster.js';
import { ApiClient } from '../../support/api-client.js';
import { checkedProblems } from '../../support/checked-problems.mjs';
import { seeded, type Random } from '../../support/random.js';
import { evidence } from './evidence.js';
import { uncaused } from './uncaused-problems.js';
import { WebhookWorkload } from './webhook-workload.js';
import { FAULTS, faultsOf, restClock } from './nemesis.js';
import { PositionReader } from './position-reader.js';
import { ProtocolUser } from './protocol-users.js';
import { socketReaders, streamReader, type Reader } from './readers.js';
import { ProofEnvironment, type EnvironmentSettings } from './proof-environment.js';
import { liveThrough, SessionChecker, type WatchedSession } from './watched-session.js';

const WRITERS = 3;
const CHANNELS_OF_A_SOCKET = 20;
// Longer than another process waits for one that died.
const USERS_PATIENCE_MS = 90_000;
const READERS_PATIENCE_MS = 90_000;
const ANNOUNCED_WITHIN_MS = 60_000;
// A busy machine needs much less for the answers. Answers that wait for the next look at pending turns need much more.
const CALM_ANSWERS_WITHIN_MS = 25_000;
const CALM_MESSAGES = 5;

export interface CheckerSettings extends EnvironmentSettings {
  readonly seconds: number;
  /** Names of faults; all that make sense for the engine by default. */
  readonly faults?: readonly string[] | undefined;
}

/**
 * The checker: users write, agents answer, webhooks are delivered, sessions run out and readers follow while a nemesis kills, pauses and
 * cuts, fills the disk, moves the clock and spoils the models; in the end the history is held against what everybody was told.
 */
export function describeChecker({ seconds, faults: chosen, ...settings }: CheckerSettings): void {
  const { engine, behind } = settings;
  const faults = chosen ?? faultsOf(settings);
  let environment: ProofEnvironment;
  let cluster: TestCluster;
  let readers: Reader[];

  beforeEach(async () => {
    readers = [];
    environment = await ProofEnvironment.open(settings);
    cluster = environment.cluster;
  });
  afterEach(async () => {
    for (const reader of readers) reader.stop();
    await environment.close();
  });

  it(
    `the server neither loses, duplicates nor reorders acknowledged messages, and sends every pending reply, over ${seconds} s`,
    () =>
      telling(async (random) => {
        const ledger: Ledger = { sessions: [], sent: [] };
        const watched: WatchedSession[] = [];
        for (let at = 0; at < cluster.size; at += 1) await cluster.start(at);
        const shared = [await createChannel(cluster), await createChannel(cluster)];
        const hooked = await createChannel(cluster);
        const many = await Promise.all(Array.from({ length: CHANNELS_OF_A_SOCKET }, () => createChannel(cluster)));
        const hooks = new WebhookWorkload(cluster, ledger, hooked, FAST_AGENT.id, environment.notes);
        const { url } = environment.front;
        readers = environment.proxies.flatMap(() =>
          shared.flatMap((channelId) => [...socketReaders(url, [channelId]), streamReader(url, channelId)]),
        );
        readers.push(...socketReaders(url, many));
        const load = new LoadGenerator(cluster, ledger, random);
        const positions = new PositionReader(cluster, random, FAST_AGENT.id);
        const { isOver } = load;
        const ofProtocols = new Set<string>();
        const busy = new Set<string>();
        for (const [name, user] of Object.entries({
          ...named('session user', () => load.sessionUser()),
          ...named('channel user', () => load.channelUser(shared)),
          'user of many channels': load.channelUser(many),
          submitter: load.submitter(shared),
          ...named('user of protocols', () => new ProtocolUser(cluster, ledger, ofProtocols, random).live(isOver)),
          'reader of positions': positions.run(isOver),
          ...named('session watcher', () => sessionWatcher(ledger, random, watched, isOver)),
          'sender of acknowledged deliveries': sender(hooks, random, 'ack', isOver),
          'sender of inline deliveries': sender(hooks, random, 'inline', isOver),
        })) {
          busy.add(name);
          void user.catch((error: unknown) => cluster.fail(error)).finally(() => busy.delete(name));
        }

        const done: Record<string, number> = {};
        for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
          await cluster.progress(random.between(1, 20));
          cluster.check();
          const name = random.pick(faults);
          await FAULTS[name]!(environment, random, random.between(0, cluster.size - 1));
          done[name] = (done[name] ?? 0) + 1;
        }
        load.end();
        for (const end = performance.now() + USERS_PATIENCE_MS; busy.size > 0 && performance.now() < end;) await elapsed(20);
        cluster.check();
        if (busy.size > 0) throw new Error(`${[...busy].join(', ')} still had no answer ${USERS_PATIENCE_MS} ms after the last fault`);
        if (faults.includes('clock')) await restClock(environment);

        const check = new HistoryChecker(cluster.url, ledger);
        await check.check([
          hooked,
          ...[...ledger.sessions, ...watched].map(({ channelId }) => channelId),
          ...shared,
          ...many,
          ...ofProtocols,
        ]);
        for (const session of watched) check.faults.push(...(await sessionFaults(check, session)));
        const endsAreCertain = cluster.size === 1 && done['disk'] === undefined;
        check.faults.push(...(await hooks.check(cluster.url, endsAreCertain)));
        await readersAgree(check);
        check.faults.push(...positions.faults);
        if (check.faults.length === 0) check.faults.push(...(await calmFaults(ledger, random, hooks)));
        check.faults.push(...uncaused(await checkedProblems(cluster.addresses), done));
        const expired = watched.filter(({ told }) => told === 'expired').length;
        process.stdout.write(
          `seed ${random.seed}: ${ledger.sent.length} messages, ${ledger.sessions.length + watched.length} sessions (${expired} expired), ` +
            `${ofProtocols.size} conversations through protocols, ${hooks.count} deliveries, ${positions.reads} reads by position (${positions.late} late), ${cluster.cut} requests sent again, ` +
            `${cluster.size} servers on ${engine}${settings.nats ? ' with NATS' : ''}${behind === undefined ? '' : ` behind ${behind}`}, ${JSON.stringify(done)}${tookOver(environment)}` +
            `${engine === 'sqlite' && environment.smallDisk === undefined ? ', the disk could not be filled here' : ''}\n`,
        );
        if (check.faults.length > 0) throw new Error(`broken promises:\n${evidence(check.faults, check.histories)}`);
      }),
    (seconds + 240) * 1000,
  );

  /** A failure names the seed, and what the servers printed. */
  function telling(test: (random: Random) => Promise<void>): Promise<void> {
    return seeded('PROOF_SEED', async (random) => {
      try {
        await test(random);
      } catch (error) {
        throw new Error(`${(error as Error).message}\n${cluster.output()}`, { cause: error });
      }
    });
  }

  function named(name: string, begin: () => Promise<void>): Record<string, Promise<void>> {
    return Object.fromEntries(Array.from({ length: WRITERS }, (_, index) => [`${name} ${index}`, begin()]));
  }

  /** Each reader has heard every entry of its channel that is for it, once and in order, over all cuts and servers. */
  async function readersAgree(check: HistoryChecker): Promise<void> {
    for (const { name, channelId, heard, faults, expected } of readers) {
      const written = expected(check.histories.get(channelId) ?? []);
      for (const end = performance.now() + READERS_PATIENCE_MS; heard.length < written.length && performance.now() < end;) {
        await elapsed(20);
      }
      check.faults.push(...faults.map((fault) => `the ${name} reader of ${channelId}: ${fault}`));
      if (JSON.stringify(heard) === JSON.stringify(written)) continue;
      const at = written.findIndex((id, index) => heard[index] !== id);
      check.faults.push(
        `the ${name} reader of ${channelId} heard ${heard.length} of ${written.length} entries; at ${at} it heard ` +
          `${heard.slice(at, at + 3).join(', ')} and ${written.slice(at, at + 3).join(', ')} were written`,
      );
    }
  }

  /** What a session's journal and its answer have against the rules, when what is due now has been announced. */
  async function sessionFaults(check: HistoryChecker, session: WatchedSession): Promise<readonly string[]> {
    for (const end = performance.now() + ANNOUNCED_WITHIN_MS; ; await elapsed(200)) {
      const answer = await new ApiClient(() => cluster.url).get(`/api/messaging/sessions/${session.sessionId}`);
      const sessionJudge = new SessionChecker(session, await check.read(session.channelId));
      sessionJudge.answered(answer);
      if (sessionJudge.faults.length === 0 || performance.now() > end) return sessionJudge.faults;
    }
  }

  /** Once the faults have ended, answers come promptly: no wake-up was lost. */
  async function calmFaults(ledger: Ledger, random: Random, hooks: WebhookWorkload): Promise<readonly string[]> {
    const channelId = await createChannel(cluster);
    const begin = performance.now();
    const authors = Array.from({ length: WRITERS }, async () => {
      const user = new User(cluster, ledger, random);
      for (let count = 0; count < CALM_MESSAGES; count += 1) await user.say(placeIn(channelId, randomUUID(), [FAST_AGENT, SLOW_AGENT]));
    });
    const deliveries = Array.from({ length: CALM_MESSAGES }, () => hooks.deliver('ack', random));
    await Promise.all([...authors, ...deliveries]);
    const check = new HistoryChecker(cluster.url, { sessions: [], sent: ledger.sent.filter((message) => message.channelId === channelId) });
    await check.check([channelId]);
    check.faults.push(...(await hooks.check(cluster.url, false)));
    if (check.repeated > 0) check.faults.push(`in calm, ${check.repeated} answers were begun again`);
    const took = Math.round(performance.now() - begin);
    return took <= CALM_ANSWERS_WITHIN_MS ? check.faults : [...check.faults, `in calm, a few answers and deliveries took ${took} ms`];
  }

  async function sessionWatcher(ledger: Ledger, random: Random, watched: WatchedSession[], isOver: () => boolean): Promise<void> {
    while (!isOver()) await liveThrough(cluster, ledger, random, FAST_AGENT.id, watched, isOver);
  }

  async function sender(hooks: WebhookWorkload, random: Random, mode: 'ack' | 'inline', isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await hooks.deliver(mode, random);
      await elapsed(random.between(0, 60));
    }
  }
}

/** Only turns that a server left behind when it was killed tell something. */
function tookOver({ takeovers: { count, longestMs } }: ProofEnvironment): string {
  return count === 0 ? '' : `, ${count} turns taken over from killed servers within ${longestMs} ms`;
}
