// What metrics cost: processor time for each request with METRICS on, scraped every second, against off, in turns on two servers.
import { setTimeout as wait } from 'node:timers/promises';
import { submits } from './speed.mjs';
import { median } from './support/statistics.mjs';
import { shown } from './support/table.mjs';
import { idle, processorMs } from './support/workshop.mjs';

const WARM_UP_SECONDS = 6;
const SECONDS = 3;
const ROUNDS = 7;
// Usual scrapers ask every 15 s or more seldom.
const SCRAPE_MS = 1000;
const SCRAPES = 200;

const SCENARIOS = [
  { name: 'GET agents', expect: 200, prepare: async () => [{ method: 'GET', path: '/api/agents' }] },
  { name: 'submit', expect: 201, prepare: submits },
];

export async function metrics(workshop) {
  const load = workshop.role('load');
  const sides = [];
  for (const setting of ['off', 'on']) {
    const server = await workshop.parley({ data: await workshop.data(), env: { METRICS: setting } });
    sides.push({ server, scraped: setting === 'on' });
  }
  const rows = [];
  for (const { name, expect, prepare } of SCENARIOS) {
    for (const side of sides) {
      side.job = { url: side.server.url, callers: 16, requests: await prepare(side.server), expect };
      await load({ ...side.job, seconds: workshop.seconds(WARM_UP_SECONDS) });
      side.costs = [];
    }
    for (let round = 0; round < workshop.times(workshop.rounds ?? ROUNDS); round++) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        if (!workshop.smoke) await idle(side.server.pid);
        const before = await processorMs(side.server.pid);
        const stop = new AbortController();
        const scraping = side.scraped ? scrapeEvery(SCRAPE_MS, side.server.url, stop.signal) : undefined;
        const { count } = await load({ ...side.job, seconds: workshop.seconds(SECONDS) });
        stop.abort();
        await scraping;
        if (!workshop.smoke) await idle(side.server.pid);
        side.costs.push(((await processorMs(side.server.pid)) - before) / count);
      }
    }
    const [off, on] = sides.map(({ costs }) => median(costs));
    rows.push({
      name: `${name}, 16 callers, metrics on / off`,
      floor: { below: 1.05 },
      measured: on / off,
      more: `${shown(on * 1000)} us processor each against ${shown(off * 1000)} us`,
    });
  }
  rows.push(await scrapes(sides[1].server, workshop));
  return rows;
}

async function scrapeEvery(ms, url, signal) {
  while (!signal.aborted) {
    await scrape(url);
    await wait(ms, undefined, { signal }).catch(() => undefined);
  }
}

async function scrape(url) {
  const answer = await fetch(`${url}/metrics`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`/metrics was answered with ${answer.status}`);
  return text;
}

/** What one scrape costs after the requests above. */
async function scrapes(server, workshop) {
  const count = workshop.smoke ? 2 : SCRAPES;
  const before = await processorMs(server.pid);
  let text = '';
  for (let each = 0; each < count; each++) text = await scrape(server.url);
  const cost = ((await processorMs(server.pid)) - before) / count;
  return {
    name: 'scrape of metrics',
    measured: cost,
    unit: ' ms',
    more: `${text.split('\n').length} lines, ${shown(text.length / 1000)} kB`,
  };
}
