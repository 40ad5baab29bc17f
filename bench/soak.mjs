// `npm run soak`: the built server under mixed load for SOAK_MINUTES (30) at SOAK_RATE (50) messages a second, and what it holds
// meanwhile. Slopes are those of the second half, per 100,000 stored messages; it fails when something grows that has to stay.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import ensureBuild from '../scripts/ensure-build.mjs';
import { checkedProblems } from '../test/support/checked-problems.mjs';
import { soakPlugin } from './support/plugins.mjs';
import { SoakLoad } from './support/soak-load.mjs';
import { slope } from './support/statistics.mjs';
import { shown } from './support/table.mjs';
import { residentMb, Workshop } from './support/workshop.mjs';

const MINUTES = Number(process.env.SOAK_MINUTES ?? '30');
const RATE = Number(process.env.SOAK_RATE ?? '50');
const SAMPLES = 48;
// The server closes what is idle after 5 s; then it holds what it has to hold.
const REST_MS = MINUTES < 2 ? 0 : 6000;
const MEGABYTE = 1024 * 1024;

// `allowed` is the error of the measurement, not a budget: a leak grows with every message.
const SERIES = {
  resident: { title: 'resident memory, MB', allowed: 20 },
  heap: { title: 'heap after collection, MB', allowed: 5 },
  external: { title: 'memory outside the heap, MB', allowed: 5 },
  descriptors: { title: 'file descriptors', allowed: 5 },
  handles: { title: 'open handles', allowed: 5 },
  timers: { title: 'timers', allowed: 5 },
  database: { title: 'database, MB' },
};

await ensureBuild(() => process.stderr.write('Building Parley ...\n'));
const workshop = await Workshop.open({ name: 'soak', smoke: false });
try {
  process.exitCode = (await soak()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error.stack}\n${workshop.output()}\n`);
  process.exitCode = 1;
} finally {
  await workshop.close();
}

async function soak() {
  const data = await workshop.data();
  const server = await workshop.parley({
    data,
    agents: 3,
    probe: true,
    env: {
      OPENAI_BASE_URL: await workshop.model(),
      PLUGINS_DIR: await soakPlugin(workshop),
      SOAK_SECRET: 'a secret of the soak',
      KEEP_ALIVE_TIMEOUT_MS: '5000',
      METRICS: 'on',
      INVARIANT_CHECK_MS: '1000',
    },
  });
  const load = await SoakLoad.open({ url: server.url, rate: RATE, secret: 'a secret of the soak' });
  const samples = [];
  for (let count = 0; count < SAMPLES; count += 1) {
    await load.run((MINUTES * 60_000) / SAMPLES - REST_MS);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    samples.push(await sample(server, data, load));
    if (count % 4 === 3) process.stderr.write(`${JSON.stringify(samples.at(-1))}\n`);
  }
  const problems = await checkedProblems([server.url]);
  for (const { kind, subject, message } of problems) load.faults.push(`the server has a problem: ${kind} ${subject}: ${message}`);
  await load.close();
  return report(samples, load);
}

async function sample({ child, pid }, data, load) {
  const told = new Promise((resolve) => child.once('message', resolve));
  child.send('tell');
  const { heapBytes, externalBytes, timers, handles } = await told;
  const sizes = await Promise.all(
    ['', '-wal'].map((end) =>
      stat(join(data, `parley.sqlite${end}`)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return {
    stored: load.stored,
    resident: await residentMb(pid),
    heap: heapBytes / MEGABYTE,
    external: externalBytes / MEGABYTE,
    descriptors: (await readdir(`/proc/${pid}/fd`)).length,
    handles,
    timers,
    database: (sizes[0] + sizes[1]) / MEGABYTE,
  };
}

function report(samples, load) {
  const second = samples.slice(samples.length / 2);
  let steady = true;
  const lines = Object.entries(SERIES).map(([name, { title, allowed }]) => {
    const { rise, error } = slope(second.map((each) => [each.stored / 100_000, each[name]]));
    const grows = allowed !== undefined && rise - 2 * error > allowed;
    steady &&= !grows;
    const verdict = allowed === undefined ? 'grows with what is stored' : grows ? 'GROWS' : 'steady';
    return `| ${title} | ${shown(samples[0][name])} | ${shown(second[0][name])} | ${shown(samples.at(-1)[name])} | ${rise.toFixed(2)} ± ${(2 * error).toFixed(2)} | ${verdict} |`;
  });
  const done = Object.entries(load.counts).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(
    [
      `${MINUTES} minutes, ${load.stored} messages stored; ${done.join(', ')}; ${load.refused} refused as they had to be, ${load.late} left out because too many waited`,
      '',
      '| | begin | half | end | per 100,000 messages | |',
      '| --- | --- | --- | --- | --- | --- |',
      ...lines,
      ...load.faults.map((fault) => `FAULT: ${fault}`),
      '',
    ].join('\n'),
  );
  return steady && load.faults.length === 0;
}
