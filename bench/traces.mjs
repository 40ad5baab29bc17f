// What traces cost the server: processor time for each request and each turn with traces, and with traces of which none is sampled, as a
// ratio of that without, measured in turns in one run.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { median } from './support/statistics.mjs';
import { shown } from './support/table.mjs';
import { idle, processorMs } from './support/workshop.mjs';
import { turns } from './speed.mjs';

const CALLERS = 16;
const WARM_UP_SECONDS = 6;
const SECONDS = 3;
const ROUNDS = 5;
// A run for a moment may be too short for the clock of processor time.
const SMALLEST_MS = 0.001;

const SCENARIOS = [
  { name: 'GET agents', unit: 'us', prepare: async () => [{ method: 'GET', path: '/api/agents' }], expect: 200 },
  { name: 'turn', unit: 'ms', prepare: (server) => turns(server, CALLERS, { sessions: 160, turnsOfEach: 8 }), expect: 201 },
];

export async function traces(workshop) {
  let spans = 0;
  const collector = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part) => (text += part));
    request.on('end', () => {
      spans += text.split('"spanId"').length - 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  try {
    const endpoint = `http://127.0.0.1:${collector.address().port}`;
    const base = { OPENAI_BASE_URL: await workshop.model(), EMBEDDING_PROVIDER: 'none' };
    const on = { ...base, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_MAX_QUEUE_SIZE: '100000' };
    const sides = [];
    for (const [label, env] of [
      ['without', base],
      ['with', on],
      ['with none sampled', { ...on, OTEL_TRACES_SAMPLER: 'always_off' }],
    ]) {
      sides.push({ label, server: await workshop.parley({ data: await workshop.data(), env }) });
    }
    const rows = [];
    for (const scenario of SCENARIOS) rows.push(...(await compare(workshop, scenario, sides)));
    rows.push({ name: 'spans that the collector got', measured: spans });
    return rows;
  } finally {
    collector.closeAllConnections();
    collector.close();
  }
}

async function compare(workshop, { name, unit, prepare, expect }, sides) {
  const load = workshop.role('load');
  const costs = new Map(sides.map(({ label }) => [label, []]));
  const round = async ({ label, server }, seconds) => {
    const requests = await prepare(server);
    const before = await processorMs(server.pid);
    const { count } = await load({ url: server.url, callers: CALLERS, requests, expect, seconds });
    if (!workshop.smoke && !workshop.profile) await idle(server.pid);
    costs.get(label).push(((await processorMs(server.pid)) - before) / count);
  };
  for (const side of sides) await round(side, workshop.seconds(WARM_UP_SECONDS));
  for (const each of costs.values()) each.length = 0;
  for (let count = 0; count < workshop.times(ROUNDS); count += 1) {
    for (const side of count % 2 === 0 ? sides : sides.toReversed()) await round(side, workshop.seconds(SECONDS));
  }
  const middle = (label) => median(costs.get(label));
  const text = (label) => `${shown(middle(label) * (unit === 'us' ? 1000 : 1))} ${unit}`;
  return ['with', 'with none sampled'].map((label) => ({
    name: `${name} ${label === 'with' ? 'with traces' : 'with traces, none sampled'} / without, processor time`,
    measured: middle(label) / (middle('without') || SMALLEST_MS),
    more: `${text(label)} against ${text('without')}`,
  }));
}
