import { statfsSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { elapsed } from '../../crash/support/load-generator.js';
import type { ModelBehaviour } from '../../support/model-server.mjs';
import type { Random } from '../../support/random.js';
import type { EnvironmentSettings, ProofEnvironment } from './proof-environment.js';

type Fault = (environment: ProofEnvironment, random: Random, at: number) => Promise<void>;

// Within what the server keeps of the pieces of finished answers, so that streams can still be compared.
const LARGEST_SHIFT_MS = 240_000;
// Each is more than the lease of a process that is alive.
const STEPS_MS = [31_000, 60_000] as const;
const BLOCK = Buffer.alloc(256 * 1024);

const BEHAVIOURS: readonly ModelBehaviour[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  { kind: 'garbage' },
  { kind: 'page' },
  { kind: 'hang' },
  { kind: 'cut', after: 2 },
  { kind: 'unfinished', after: 2 },
  { kind: 'fault', after: 1 },
  { kind: 'reply', delayMs: 80 },
];

/** Everything that is done to a server, by name. */
export const FAULTS: Record<string, Fault> = {
  kill: async ({ cluster, takeovers }, random, at) => {
    const all = cluster.size > 1 && random.chance(0.2);
    const killed = all ? Array.from({ length: cluster.size }, (_, index) => index) : [at];
    await Promise.all(killed.map((index) => cluster.kill(index)));
    // At times the next fault comes before the turns of the killed server have been taken over.
    const takenOver = cluster.size > 1 && !all && random.chance(0.5) ? takeovers.watch() : undefined;
    if (random.chance(0.3)) await cluster.killWhileStarting(random.between(50, 900), at);
    await Promise.all(killed.map((index) => cluster.start(index)));
    await takenOver;
  },
  pause: ({ cluster }, random, at) =>
    cluster.disturb(async (server) => {
      server.signal('SIGSTOP');
      // Others take its turns over after 2 s.
      await elapsed(cluster.size > 1 ? random.between(1000, 8000) : random.between(50, 1500));
      server.signal('SIGCONT');
    }, at),
  restart: async ({ cluster }, random, at) => {
    const count = random.chance(0.3) ? cluster.size : 1;
    for (let index = at; index < at + count; index += 1) {
      await cluster.stop(index % cluster.size);
      await cluster.start(index % cluster.size);
    }
  },
  cut: ({ cluster, proxies }, _random, at) =>
    cluster.disturb(async () => {
      proxies[at]?.cut();
      await elapsed(20);
    }, at),
  delay: ({ cluster, proxies }, random, at) =>
    cluster.disturb(async () => {
      const way = proxies[at]!;
      way.delayMs = random.between(5, 200);
      await elapsed(random.between(200, 1000));
      way.delayMs = 0;
    }, at),
  model: async ({ models }, random) => {
    random.pick(models).next(...Array.from({ length: random.between(1, 3) }, () => random.pick(BEHAVIOURS)));
  },
  clock: (environment, random) => setClock(environment, nextShift(environment, random), random.between(100, 500)),
  disk: ({ cluster, smallDisk }, random, at) =>
    cluster.disturb(async () => {
      if (smallDisk === undefined) return;
      const path = join(smallDisk, 'filler');
      const filler = await open(path, 'w');
      try {
        for (;;) await filler.write(BLOCK);
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error;
      } finally {
        await filler.close();
      }
      if (statfsSync(smallDisk).bavail * statfsSync(smallDisk).bsize > 2 * BLOCK.length) throw new Error('the disk is not full');
      await elapsed(random.between(200, 1500));
      await rm(path);
      // What the database could not write it has let go of by the time a new unit is committed.
      await elapsed(100);
    }, at),
  database: ({ cluster, databaseProxies }, random, at) =>
    cluster.disturb(async () => {
      const way = databaseProxies[at]!;
      way.cut();
      way.delayMs = random.chance(0.5) ? random.between(1, 50) : 0;
      await elapsed(random.between(20, 500));
      way.delayMs = 0;
    }, at),
  crash: (environment) => disturbAll(environment, () => environment.postgres!.crash()),
  notifier: (environment) =>
    disturbAll(environment, async () => {
      await environment.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`);
    }),
  nats: (environment, random) =>
    disturbAll(environment, async () => {
      await environment.nats!.kill();
      await elapsed(random.between(20, 1500));
      await environment.nats!.startAgain();
    }),
};

const ONLY_POSTGRES = ['database', 'crash', 'notifier', 'nats'];

/** Faults that make sense for an environment. */
export function faultsOf({ engine, nats }: EnvironmentSettings): string[] {
  if (engine === 'sqlite') return Object.keys(FAULTS).filter((name) => !ONLY_POSTGRES.includes(name));
  return Object.keys(FAULTS).filter((name) => name !== 'disk' && name !== (nats ? 'notifier' : 'nats'));
}

/** Does something that all servers notice. */
function disturbAll({ cluster }: ProofEnvironment, work: () => Promise<void>): Promise<void> {
  const from = (at: number): Promise<void> => (at === cluster.size ? work() : cluster.disturb(() => from(at + 1), at));
  return from(0);
}

/** Mostly from one end to the other, which is more than a session lives. */
function nextShift({ cluster, clockShift }: ProofEnvironment, random: Random): number {
  // What servers have lent each other is counted by the clock that they share: set back, it would be lent for as much longer.
  if (cluster.size > 1) return Math.min(clockShift + random.between(...STEPS_MS), 2 * LARGEST_SHIFT_MS);
  const far = (clockShift > 0 ? -1 : 1) * LARGEST_SHIFT_MS;
  return random.chance(0.3) ? random.between(-LARGEST_SHIFT_MS, LARGEST_SHIFT_MS) : far;
}

/** After this no instant lies ahead that a server saw before: whatever waits for one has met it. */
export async function restClock(environment: ProofEnvironment): Promise<void> {
  await setClock(environment, Math.max(environment.clockShift, LARGEST_SHIFT_MS), 1500);
}

/** Servers that share a database share the clock: that they agree on the time is a condition of theirs. */
async function setClock(environment: ProofEnvironment, shift: number, forMs: number): Promise<void> {
  const { cluster, clockFile } = environment;
  environment.clockShift = shift;
  await writeFile(clockFile, String(shift));
  const tell = (index: number): Promise<void> =>
    cluster.disturb(async (server) => {
      server.signal('SIGUSR2');
      await elapsed(forMs);
    }, index);
  await Promise.all(Array.from({ length: cluster.size }, (_, index) => tell(index)));
}
