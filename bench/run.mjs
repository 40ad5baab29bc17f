// `npm run bench`: measures the built server against the budgets of bench/README.md and prints one table.
//   --smoke        every bench for a moment, to see that it still runs; its figures mean nothing
//   --only a,b     these benches alone
//   --against DIR  measures the build of another checkout beside this one, where the bench can (turns, streams, speed)
//   --scenarios a;b  these scenarios of the benches turns, streams and speed alone, separated by semicolons: "turn 16;PATCH channel"
//   --pieces N, --readers N  pieces of each reply and readers at once in the bench streams
//   --rounds N       measured rounds of each scenario
//   --rows N         rows of each list in the bench lists, 100,000 by default; of agents never more than that
//   --embeddings X   EMBEDDING_PROVIDER of the bench speed, none by default
//   --seed N         the world of the bench memory, 1 by default
//   --only-conditions a,b  these conditions of the bench memory
//   --env NAME=VALUE  a setting of every server of the benches turns, streams, memory and search; may be repeated
//   --languages a,b  languages of the benches memory (en by default) and search (all by default): en, de, ru, zh, ja, ko, th
//   --database URL   a PostgreSQL server on which the benches memory and search create their databases, in place of SQLite
//   --misses         prints what the benches memory and search did not find
//   --json FILE      writes every result of the benches memory and search
//   --measure        the bench scale measures its costs on a PostgreSQL of its own, and prints them beside those it has
//   --profile DIR  writes a CPU profile of the server for each bench
// Load generators and the bare server are this same file in processes of their own (`--role`).
import { parseArgs } from 'node:util';
import ensureBuild from '../scripts/ensure-build.mjs';
import { BENCHES } from './benches.mjs';
import { Workshop } from './support/workshop.mjs';
import { tableOf } from './support/table.mjs';

const ROLES = {
  load: () => import('./support/load.mjs'),
  listeners: () => import('./support/listeners.mjs'),
  bare: () => import('./support/bare.mjs'),
  audio: () => import('./support/audio.mjs'),
  service: () => import('./support/service.mjs'),
  readers: () => import('./support/readers.mjs'),
  'bare-proxy': () => import('./support/bare-proxy.mjs'),
  idle: () => import('./support/idle.mjs'),
  callers: () => import('./fleet/callers.mjs'),
  proxy: () => import('./fleet/proxy.mjs'),
};

const { values } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    only: { type: 'string' },
    profile: { type: 'string' },
    against: { type: 'string' },
    scenarios: { type: 'string' },
    embeddings: { type: 'string' },
    pieces: { type: 'string' },
    readers: { type: 'string' },
    rounds: { type: 'string' },
    rows: { type: 'string' },
    seed: { type: 'string' },
    'only-conditions': { type: 'string' },
    languages: { type: 'string' },
    database: { type: 'string' },
    env: { type: 'string', multiple: true },
    misses: { type: 'boolean', default: false },
    json: { type: 'string' },
    measure: { type: 'boolean', default: false },
    role: { type: 'string' },
  },
});

if (values.role === undefined) process.exitCode = await measure(values);
else await (await ROLES[values.role]()).default();

async function measure({ smoke, only, ...options }) {
  const wanted = only?.split(',') ?? Object.keys(BENCHES);
  const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.\n`);
    return 1;
  }
  await ensureBuild(() => process.stderr.write('Building Parley ...\n'));
  const rows = {};
  const reports = [];
  let failed = 0;
  const remaining = [...wanted];
  const work = async () => {
    for (let name = remaining.shift(); name !== undefined; name = remaining.shift()) {
      process.stderr.write(`${name} ...\n`);
      const workshop = await Workshop.open({ name, smoke, ...options });
      try {
        rows[name] = await BENCHES[name](workshop);
        reports.push(...workshop.reports);
      } catch (error) {
        failed += 1;
        process.stderr.write(`${name} failed: ${error.stack}\n${workshop.output()}\n`);
      } finally {
        await workshop.close();
      }
    }
  };
  // A measured bench must run alone.
  await Promise.all(smoke ? [work(), work()] : [work()]);
  process.stdout.write(`${[tableOf(wanted.flatMap((name) => rows[name] ?? [])), ...reports].join('\n\n')}\n`);
  return failed === 0 ? 0 : 1;
}
