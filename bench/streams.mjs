// Replies that are read while a model writes them, at the pace of a real one: what each costs, and how long a piece is on its way, beside a bare
// proxy (support/bare-proxy.mjs) and, with `--against DIR`, the build of another checkout.
import { loadavg } from 'node:os';
import { conversations } from './turns.mjs';
import { sidesOf } from './support/sides.mjs';
import { median, percentile } from './support/statistics.mjs';
import { shown } from './support/table.mjs';
import { idle, processorMs } from './support/workshop.mjs';

const PIECES = 250;
const REPLY_MS = 5000;
const ROUNDS = 3;
const HEALTH_EVERY_MS = 50;
// Every build runs so many turns at once.
const ALL_AT_ONCE = { TURN_CONCURRENCY: '1000' };

/** Readers, how they read, and budgets: processor time and p95 of the way of a piece, ms, and until all have all, s. */
const SCENARIOS = [
  { readers: 200, transport: 'sse', env: ALL_AT_ONCE, cost: 12, p95: 60 },
  { readers: 500, transport: 'sse', env: ALL_AT_ONCE, cost: 10, p95: 80, seconds: 7 },
  { readers: 200, transport: 'socket', env: ALL_AT_ONCE, cost: 12, p95: 60 },
  { readers: 200, transport: 'http', env: ALL_AT_ONCE, cost: 12 },
  { readers: 100, transport: 'sse', seconds: 6.5 },
  { readers: 500, transport: 'sse', seconds: 7.5 },
];

export async function streams(workshop) {
  const pace = workshop.smoke ? { pieces: 5, replyMs: 100 } : { pieces: Number(workshop.options.pieces ?? PIECES), replyMs: REPLY_MS };
  const { url: model } = await workshop.role('service')(pace);
  const read = workshop.role('readers');
  const bare = workshop.role('bare-proxy');
  const floor = { label: 'bare proxy', server: { pid: bare.pid, url: (await bare({ url: model })).url } };
  const rows = [];
  for (const scenario of SCENARIOS) {
    const { transport, env = {} } = scenario;
    const readers = Number(workshop.options.readers ?? scenario.readers);
    const name = `${scenario.readers} ${transport}${scenario.env ? '' : ', default settings'}`;
    if (workshop.scenarios && !workshop.scenarios.includes(name)) continue;
    const sides = await sidesOf(workshop, { OPENAI_BASE_URL: model, ...env, ...workshop.env });
    const all = transport === 'sse' ? [...sides, floor] : sides;
    for (const side of all) side.rounds = [];
    // The first round warms up.
    for (let round = 0; round < workshop.times(1 + (workshop.rounds ?? ROUNDS)); round++) {
      for (const side of round % 2 === 0 ? all : all.toReversed()) {
        const job = { transport: side === floor ? 'bare' : transport, pieces: pace.pieces };
        side.rounds.push(await measure(workshop, side, read, job, workshop.smoke ? 3 : readers));
      }
    }
    for (const side of all) rows.push(...rowsOf(name, scenario, side, workshop.smoke));
    for (const { server } of sides) await server.stop();
  }
  rows.push({ name: 'load average at the end', measured: loadavg()[0] });
  return rows;
}

async function measure(workshop, { server }, read, job, readers) {
  const asks =
    job.transport === 'bare'
      ? Array.from({ length: readers }, () => ({ url: server.url }))
      : (await conversations(server, readers)).map(({ path, channelId, agentId, next }) => {
          const { content } = JSON.parse(next().body);
          return { url: server.url, path, channelId, agentId, body: { content } };
        });
  if (!workshop.smoke && !workshop.profile) await idle(server.pid);
  const before = await processorMs(server.pid);
  const health = healthOf(job.transport === 'bare' ? undefined : server.url);
  const measured = await read({ asks, ...job });
  const healthMs = await health.stop();
  if (!workshop.smoke && !workshop.profile) await idle(server.pid);
  return { ...measured, healthMs, cost: ((await processorMs(server.pid)) - before) / measured.count };
}

/** Asks whether the server is well, again and again. @returns p99 of the time until it answers, ms, when it is stopped */
function healthOf(url) {
  const times = [];
  const stopping = new AbortController();
  if (url === undefined) stopping.abort();
  const asking = (async () => {
    while (!stopping.signal.aborted) {
      const begin = performance.now();
      await (await fetch(`${url}/healthz`)).text();
      times.push(performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, HEALTH_EVERY_MS));
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await asking;
      return percentile(
        times.sort((a, b) => a - b),
        0.99,
      );
    },
  };
}

function rowsOf(name, { cost, p95, seconds }, { label, rounds }, smoke) {
  const kept = smoke ? rounds : rounds.slice(1);
  const middle = (field) => median(kept.map((each) => each[field]));
  const row = (what, field, budget, unit, more = '') => ({
    name: [`${name}: ${what}`, label].filter((part) => part !== '').join(', '),
    ...(budget === undefined || label !== '' ? {} : { floor: { below: budget } }),
    measured: middle(field),
    unit,
    more,
  });
  const all = [
    row('all have all', 'seconds', seconds, ' s', Number.isNaN(middle('healthMs')) ? '' : `/healthz p99 ${shown(middle('healthMs'))} ms`),
  ];
  if (cost !== undefined) all.unshift(row('each', 'cost', cost, ' ms'));
  if (p95 !== undefined) all.push(row('a piece, p95', 'p95', p95, ' ms', `p50 ${shown(middle('p50'))} ms`));
  return all;
}
