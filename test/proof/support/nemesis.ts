import { statfsSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { elapsed } from '../../crash/support/crowd.js';
import type { ModelBehaviour } from '../../support/model-server.mjs';
import type { Random } from '../../support/random.js';
import type { Site } from './site.js';

type Fault = (site: Site, random: Random, at: number) => Promise<void>;

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
  kill: async ({ world }, random, at) => {
    const all = world.size > 1 && random.chance(0.2);
    const killed = all ? Array.from({ length: world.size }, (_, index) => index) : [at];
    await Promise.all(killed.map((index) => world.kill(index)));
    if (random.chance(0.3)) await world.killWhileStarting(random.between(50, 1200), at);
    await Promise.all(killed.map((index) => world.start(index)));
  },
  pause: ({ world }, random, at) =>
    world.disturb(async (server) => {
      server.signal('SIGSTOP');
      await elapsed(random.between(50, 1500));
      server.signal('SIGCONT');
    }, at),
  cut: ({ world, ways }, _random, at) =>
    world.disturb(async () => {
      ways[at]?.cut();
      await elapsed(20);
    }, at),
  delay: ({ world, ways }, random, at) =>
    world.disturb(async () => {
      const way = ways[at]!;
      way.delayMs = random.between(5, 200);
      await elapsed(random.between(200, 1000));
      way.delayMs = 0;
    }, at),
  model: async ({ models }, random) => {
    random.pick(models).next(...Array.from({ length: random.between(1, 3) }, () => random.pick(BEHAVIOURS)));
  },
  clock: (site, random) => setClock(site, nextShift(site, random), random.between(100, 500)),
  disk: ({ world, smallDisk }, random, at) =>
    world.disturb(async () => {
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
  database: ({ world, databaseWays }, random, at) =>
    world.disturb(async () => {
      const way = databaseWays[at]!;
      way.cut();
      way.delayMs = random.chance(0.5) ? random.between(1, 50) : 0;
      await elapsed(random.between(20, 500));
      way.delayMs = 0;
    }, at),
};

/** Faults that make sense for each engine. */
export function faultsOf(engine: 'sqlite' | 'postgres'): string[] {
  return Object.keys(FAULTS).filter((name) => name !== (engine === 'sqlite' ? 'database' : 'disk'));
}

/** Mostly from one end to the other, which is more than a session lives. */
function nextShift({ world, clockShift }: Site, random: Random): number {
  // What servers have lent each other is counted by the clock that they share: set back, it would be lent for as much longer.
  if (world.size > 1) return Math.min(clockShift + random.between(...STEPS_MS), 2 * LARGEST_SHIFT_MS);
  const far = (clockShift > 0 ? -1 : 1) * LARGEST_SHIFT_MS;
  return random.chance(0.3) ? random.between(-LARGEST_SHIFT_MS, LARGEST_SHIFT_MS) : far;
}

/** After this no instant lies ahead that a server saw before: whatever waits for one has met it. */
export async function restClock(site: Site): Promise<void> {
  await setClock(site, Math.max(site.clockShift, LARGEST_SHIFT_MS), 1500);
}

/** Servers that share a database share the clock: that they agree on the time is a condition of theirs. */
async function setClock(site: Site, shift: number, forMs: number): Promise<void> {
  const { world, clockFile } = site;
  site.clockShift = shift;
  await writeFile(clockFile, String(shift));
  const tell = (index: number): Promise<void> =>
    world.disturb(async (server) => {
      server.signal('SIGUSR2');
      await elapsed(forMs);
    }, index);
  await Promise.all(Array.from({ length: world.size }, (_, index) => tell(index)));
}
