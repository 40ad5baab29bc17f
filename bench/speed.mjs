// What an operation costs the server: processor time for each answered request, over all threads and until the queues are empty again.
// With `--against DIR`, the build of another checkout is measured in turns with this one.
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { median } from './support/statistics.mjs';
import { shown } from './support/table.mjs';
import { idle, processorMs } from './support/workshop.mjs';

const WARM_UP_SECONDS = 6;
const SECONDS = 3;
const ROUNDS = 3;
// Requests of each caller while the database and the heap are watched, which would falsify the processor time.
const COUNTED = 12;

const TOPICS = ['weather in Lisbon', 'price of oak', 'tides at the pier', 'opening hours of the museum', 'oldest bridge', 'best pie'];
const QUESTIONS = TOPICS.flatMap((topic) =>
  ['What do you make of the', 'Tell me about the', 'Who would know the', 'I have been wondering about the'].map(
    (words) => `${words} ${topic}?`,
  ),
).map((question, index) => `${question} I ask for the ${index + 1}th time.`);

// The window of a short conversation holds all of it, so that nothing is left to recall; a long one has left its window long ago.
const SHORT = { sessions: 1600, turnsOfEach: 8 };
const LONG = { sessions: 1, turnsOfEach: QUESTIONS.length };

/** Name, callers, budget in ms of processor time, and the requests of each caller. */
const SCENARIOS = [
  { name: 'GET agents', callers: 16, budget: undefined, prepare: async () => [{ method: 'GET', path: '/api/agents' }] },
  { name: 'submit', callers: 16, budget: 0.3, expect: 201, prepare: submits },
  { name: 'submit', callers: 64, budget: 0.3, expect: 201, prepare: submits },
  { name: 'create session', callers: 64, budget: 0.35, expect: 201, prepare: sessions },
  { name: 'PATCH channel', callers: 16, budget: 0.4, prepare: patches },
  { name: 'channels of a server, 10', callers: 16, budget: 0.18, prepare: (server) => channels(server, 10) },
  { name: 'channels of a server, 1000', callers: 16, budget: 1, prepare: (server) => channels(server, 1000) },
  { name: 'turn', callers: 1, budget: 2.5, expect: 201, prepare: (server) => turns(server, 1, SHORT), slow: true, fresh: true },
  { name: 'turn', callers: 16, budget: 2.5, expect: 201, prepare: (server) => turns(server, 16, SHORT), slow: true, fresh: true },
  { name: 'turn', callers: 64, budget: 2.5, expect: 201, prepare: (server) => turns(server, 64, SHORT), slow: true, fresh: true },
  { name: 'turn that recalls', callers: 16, budget: undefined, expect: 201, prepare: (server) => turns(server, 16, LONG), slow: true },
];

export async function speed(workshop) {
  const roots = [['', undefined], ...(workshop.against === undefined ? [] : [['before', resolve(workshop.against)]])];
  const model = await workshop.model();
  const load = workshop.role('load');
  const only = workshop.scenarios;
  const rows = [];
  const sides = [];
  const counted = workshop.smoke
    ? undefined
    : await workshop.parley({ data: await workshop.data(), env: envOf(workshop, model), probe: 'counts' });
  for (const [label, root] of roots) {
    const server = await workshop.parley({
      data: await workshop.data(),
      env: envOf(workshop, model),
      ...(root === undefined ? {} : { root }),
    });
    sides.push({ label, server });
  }
  for (const scenario of SCENARIOS) {
    const { name, callers, budget, expect = 200, prepare, slow = false, fresh = false } = scenario;
    if (only && !only.includes(`${name} ${callers}`) && !only.includes(name)) continue;
    for (const side of sides) {
      side.job = { url: side.server.url, callers, requests: await prepare(side.server), expect };
      await load({ ...side.job, seconds: workshop.seconds(slow ? 2 * WARM_UP_SECONDS : WARM_UP_SECONDS) });
      if (!workshop.smoke && !workshop.profile) await idle(side.server.pid);
      side.rounds = [];
    }
    for (let round = 0; round < workshop.times(workshop.rounds ?? ROUNDS); round++) {
      // In turns, because the second of a round is measured up to a tenth cheaper.
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        // Conversations that the rounds before this have made long would have something to recall.
        if (fresh && !workshop.smoke) side.job.requests = await prepare(side.server);
        const before = await processorMs(side.server.pid);
        const measured = await load({ ...side.job, seconds: workshop.seconds(SECONDS) });
        if (!workshop.smoke && !workshop.profile) await idle(side.server.pid);
        side.rounds.push({ ...measured, cost: ((await processorMs(side.server.pid)) - before) / measured.count });
      }
    }
    const counts = counted && (await countsOf(counted, scenario, load));
    for (const { label, rounds } of sides) {
      const middle = (field) => median(rounds.map((each) => each[field]));
      rows.push({
        name: [name, `${callers} caller${callers === 1 ? '' : 's'}`, label].filter((part) => part !== '').join(', '),
        ...(budget === undefined ? {} : { floor: { below: budget } }),
        measured: middle('cost'),
        unit: ' ms',
        more: `${shown(middle('perSecond'))}/s, p50 ${shown(middle('p50'))} ms, p99 ${shown(middle('p99'))} ms${label === '' && counts ? `; ${counts}` : ''}`,
      });
    }
    if (name === 'GET agents') rows.push(await bareExpress(workshop, sides[0], load));
  }
  rows.push({ name: 'load average at the end', measured: loadavg()[0] });
  return rows;
}

function envOf(workshop, model) {
  return { OPENAI_BASE_URL: model, EMBEDDING_PROVIDER: workshop.embeddings };
}

/** What each request asks of SQLite and allocates, on a server of its own. */
async function countsOf(server, { callers, expect = 200, prepare, fresh = false }, load) {
  const ask = async (what) => {
    const answer = once(server.child, 'message');
    server.child.send(what);
    return (await answer)[0];
  };
  const job = { url: server.url, callers, expect };
  const requests = await prepare(server);
  await load({ ...job, requests, amount: callers * COUNTED });
  await idle(server.pid);
  const amount = callers * COUNTED;
  const again = fresh ? await prepare(server) : requests;
  await idle(server.pid);
  await ask('start');
  await load({ ...job, requests: again, amount });
  await idle(server.pid);
  const found = await ask('stop');
  const each = (count) => shown(found[count] / amount);
  return `${each('commits')} commits, ${each('writes')} writes, ${each('reads')} reads, ${shown(found.allocatedBytes / 1000 / amount)} kB`;
}

/** The floor of small requests: Express alone with the same bytes. */
async function bareExpress(workshop, { server, rounds }, load) {
  const { text } = await server.api('GET', '/api/agents');
  const bare = workshop.role('bare');
  const { url } = await bare({ path: '/api/agents', body: text });
  const job = { url, callers: 16, requests: [{ method: 'GET', path: '/api/agents' }] };
  await load({ ...job, seconds: workshop.seconds(WARM_UP_SECONDS) });
  const found = [];
  for (let round = 0; round < rounds.length; round++) {
    const before = await processorMs(bare.pid);
    const measured = await load({ ...job, seconds: workshop.seconds(SECONDS) });
    found.push({ ...measured, cost: ((await processorMs(bare.pid)) - before) / measured.count });
  }
  const middle = (all, field) => median(all.map((each) => each[field]));
  const share = middle(rounds, 'perSecond') / middle(found, 'perSecond');
  return {
    name: 'GET agents, 16 callers, bare Express',
    measured: middle(found, 'cost'),
    unit: ' ms',
    more: `${shown(middle(found, 'perSecond'))}/s; Parley's rate is ${shown(share)} of it`,
  };
}

/** Messages to eight channels of an agent. */
export async function submits(server) {
  const agentId = await agentOf(server);
  const requests = [];
  for (let index = 0; index < 8; index++) {
    const { data } = await server.api('POST', '/api/messaging/channels', { name: `channel ${index}` });
    const body = { channel_id: data.id, author_id: agentId, content: 'A message like many others.', raw_message: { text: 'the same' } };
    requests.push(post('/api/messaging/submit', body));
  }
  return requests;
}

async function sessions(server) {
  return [post('/api/messaging/sessions', { agentId: await agentOf(server), userId: randomUUID() })];
}

async function patches(server) {
  const { data } = await server.api('POST', '/api/messaging/channels', { name: 'changing' });
  return Array.from({ length: 16 }, (_, index) => ({
    ...post(`/api/messaging/channels/${data.id}`, { name: `name ${index}`, metadata: { index } }),
    method: 'PATCH',
  }));
}

async function channels(server, count) {
  const { data } = await server.api('POST', '/api/messaging/message-servers', { name: `of ${count}`, sourceType: 'bench' });
  const id = data.id ?? data.server.id;
  for (let index = 0; index < count; index++) {
    const body = { name: `channel ${index}`, message_server_id: id, metadata: { about: 'x'.repeat(120), index } };
    await server.api('POST', '/api/messaging/channels', body);
  }
  return [{ method: 'GET', path: `/api/messaging/message-servers/${id}/channels` }];
}

/** Callers who wait for every answer, each with so many turns in a session before the next. */
export async function turns(server, callers, { sessions, turnsOfEach }) {
  const agentId = await agentOf(server);
  const requests = [];
  for (let index = 0; index < callers; index++) {
    const own = [];
    for (let session = 0; session < Math.ceil(sessions / callers); session++) {
      const { data } = await server.api('POST', '/api/messaging/sessions', { agentId, userId: randomUUID() });
      const path = `/api/messaging/sessions/${data.sessionId}/messages`;
      const asked = QUESTIONS.slice(0, turnsOfEach);
      own.push(...asked.map((content) => post(path, { content, transport: 'http' })));
    }
    requests.push(own);
  }
  return requests;
}

function post(path, body) {
  return { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function agentOf(server) {
  const { data } = await server.api('GET', '/api/agents');
  return data.agents[0].id;
}
