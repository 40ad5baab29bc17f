// The benches. Each runs in its own workshop and returns rows of the table.
import { randomUUID } from 'node:crypto';
import { median } from './support/statistics.mjs';
import { ackPlugin, answeringPlugin, pluginsFolder, signedDeliveries } from './support/plugins.mjs';
import { shown } from './support/table.mjs';
import { fairness } from './fairness.mjs';
import { fleet } from './fleet.mjs';
import { holds } from './holds.mjs';
import { ingestion } from './ingestion.mjs';
import { lists } from './lists.mjs';
import { idle, resident } from './resident.mjs';
import { memory } from './memory.mjs';
import { metrics } from './metrics.mjs';
import { model } from './model.mjs';
import { protocols } from './protocols.mjs';
import { scale } from './scale.mjs';
import { search } from './search.mjs';
import { speed } from './speed.mjs';
import { streams } from './streams.mjs';
import { stalls } from './stalls.mjs';
import { traces } from './traces.mjs';
import { turns as turnsOfUsers } from './turns.mjs';
import { multiply } from './support/multiply.mjs';
import { processorMs, residentMb } from './support/workshop.mjs';

const WARM_UP_SECONDS = 3;
// The compiler takes its time with as much code as a turn passes through.
const TURNS_WARM_UP_SECONDS = 15;
const ROUNDS = 5;

// Questions vary, because recall would otherwise search many equal memories, which no real user has.
const QUESTIONS = [
  'weather in Lisbon',
  'price of oak',
  'tides at the pier',
  'opening hours of the museum',
  'oldest bridge',
  'best apple for a pie',
]
  .flatMap((topic) =>
    ['What do you make of the', 'Tell me about the', 'Who would know the', 'I have been wondering about the'].map(
      (words) => `${words} ${topic}?`,
    ),
  )
  .map((question, index) => `${question} I ask for the ${index + 1}th time.`);

export const BENCHES = {
  turns: turnsOfUsers,

  streams,

  /** The same turns with a history of 100,000 messages in the same agent's memory, against an empty one, in turns. */
  async history(workshop) {
    const model = await workshop.model();
    const load = workshop.role('load');
    const env = { OPENAI_BASE_URL: model };
    const data = await workshop.data();
    const first = await workshop.parley({ data, env });
    await turns(workshop, load, first, 50, 3);
    await first.stop();
    const full = await workshop.copyOf(data);
    const messages = await multiply(full, workshop.smoke ? 1000 : 100_000);
    const servers = [await workshop.parley({ data: await workshop.data(), env }), await workshop.parley({ data: full, env })];
    const rates = servers.map(() => ({ one: [], sixteen: [] }));
    for (const server of servers) await turns(workshop, load, server, 16, TURNS_WARM_UP_SECONDS);
    for (let round = 0; round < workshop.times(ROUNDS); round++) {
      for (const [index, server] of servers.entries()) {
        rates[index].sixteen.push((await turns(workshop, load, server, 16, 3)).perSecond);
        rates[index].one.push((await turns(workshop, load, server, 1, 1)).p50);
      }
    }
    const [[emptyRate, fullRate], [emptyTime, fullTime]] = [
      rates.map(({ sixteen }) => median(sixteen)),
      rates.map(({ one }) => median(one)),
    ];
    return [
      {
        name: `turns with ${messages} messages / with none`,
        floor: { atLeast: 0.9 },
        measured: fullRate / emptyRate,
        more: `16 callers: ${shown(fullRate)}/s against ${shown(emptyRate)}/s; p50 of one: ${shown(fullTime)} ms against ${shown(emptyTime)} ms`,
      },
    ];
  },

  lists,
  model,

  fairness,

  holds,

  stalls,

  speed,

  metrics,

  traces,

  protocols,

  idle,

  resident,

  memory,

  search,

  ingestion,

  fleet,

  scale,

  /** One message to everybody in a full channel. */
  async sockets(workshop) {
    const server = await workshop.parley({ data: await workshop.data() });
    const { data } = await server.api('POST', '/api/messaging/channels', { name: 'full' });
    const sockets = workshop.smoke ? 20 : 1000;
    const job = { url: server.url, channelId: data.id, authorId: randomUUID(), sockets, messages: workshop.times(30, 2), pauseMs: 100 };
    const { p50, p99 } = await workshop.role('listeners')(job);
    const more = `p50 ${shown(p50)} ms, ${shown(await residentMb(server.pid))} MB resident`;
    return [{ name: `fan-out p99, ${sockets} sockets in a channel`, floor: { below: 150 }, measured: p99, unit: ' ms', more }];
  },

  /** Connected sockets on which nothing happens: what each costs, and whether others are answered as if they were not there. */
  async connections(workshop) {
    const server = await workshop.parley({ data: await workshop.data() });
    const load = workshop.role('load');
    const job = { url: server.url, callers: 8, seconds: workshop.seconds(5), requests: [{ method: 'GET', path: '/api/agents' }] };
    await load(job);
    const [alone, before] = [await load(job), await residentMb(server.pid)];
    const wanted = workshop.smoke ? 20 : 10_000;
    const idle = workshop.role('idle');
    await idle({ url: server.url, connections: wanted });
    const after = await residentMb(server.pid);
    const beside = await load(job);
    const { open } = await idle({ url: server.url, connections: 0 });
    if (open !== wanted) throw new Error(`${wanted - open} of ${wanted} idle connections were lost`);
    return [
      {
        name: `resident for each of ${wanted} idle sockets`,
        floor: { below: 20 },
        measured: ((after - before) * 1024) / wanted,
        unit: ' kB',
        more: `${shown(before)} MB before, ${shown(after)} MB with them`,
      },
      {
        name: 'GET /api/agents p99 beside them',
        measured: beside.p99,
        unit: ' ms',
        more: `${shown(alone.p99)} ms without; ${shown(beside.perSecond)}/s against ${shown(alone.perSecond)}/s`,
      },
    ];
  },

  /** What 100 plugins with 10 routes each add to a start. */
  async plugins(workshop) {
    const plugins = workshop.smoke ? 5 : 100;
    const full = await pluginsFolder(workshop, plugins, 10);
    const empty = await pluginsFolder(workshop, 0, 0);
    const times = { full: [], empty: [] };
    for (let round = 0; round < workshop.times(5); round++) {
      for (const [side, folder] of Object.entries({ empty, full })) {
        const server = await workshop.parley({ data: await workshop.data(), env: { PLUGINS_DIR: folder } });
        times[side].push(server.startedIn);
        await server.stop();
      }
    }
    const [without, withAll] = [median(times.empty), median(times.full)];
    const more = `${shown(withAll)} ms against ${shown(without)} ms`;
    return [
      { name: `start with ${plugins} plugins of 10 routes, added`, floor: { below: 1000 }, measured: withAll - without, unit: ' ms', more },
    ];
  },

  /** A plugin's route against a built-in operation that answers the same bytes, in turns. */
  async routes(workshop) {
    const folder = await pluginsFolder(workshop, 0, 0);
    const server = await workshop.parley({ data: await workshop.data(), env: { PLUGINS_DIR: folder } });
    const { text } = await server.api('GET', '/api/agents');
    await server.stop();
    const again = await workshop.parley({ data: await workshop.data(), env: { PLUGINS_DIR: await answeringPlugin(workshop, text) } });
    const load = workshop.role('load');
    const sides = ['/api/agents', '/bench'];
    const measured = { '/api/agents': { rates: [], costs: [] }, '/bench': { rates: [], costs: [] } };
    const job = (path, seconds) => ({
      url: again.url,
      callers: 32,
      requests: [{ method: 'GET', path }],
      seconds: workshop.seconds(seconds),
    });
    for (const path of sides) await load(job(path, WARM_UP_SECONDS));
    for (let round = 0; round < workshop.times(ROUNDS); round++) {
      for (const path of sides) {
        const { perSecond, processorMs: cost } = await costing(again, () => load(job(path, 3)));
        measured[path].rates.push(perSecond);
        measured[path].costs.push(cost);
      }
    }
    const [builtIn, plugin] = sides.map((path) => median(measured[path].rates));
    const [builtInCost, pluginCost] = sides.map((path) => median(measured[path].costs) * 1000);
    return [
      {
        name: 'GET /api/agents / a route of a plugin',
        floor: { below: 1.3 },
        measured: builtIn / plugin,
        more: `${shown(builtIn)}/s against ${shown(plugin)}/s; ${shown(builtInCost)} us processor each against ${shown(pluginCost)} us`,
      },
    ];
  },

  /** Bursts of signed deliveries that are on disk before they are answered, while their handlers take seconds, against an empty route. */
  async webhooks(workshop) {
    const burst = workshop.smoke ? 20 : 200;
    const server = await workshop.parley({
      data: await workshop.data(),
      env: { PLUGINS_DIR: await ackPlugin(workshop), BENCH_SECRET: 'a secret of the benches' },
    });
    const load = workshop.role('load');
    const send = async (path, expect) =>
      costing(server, () =>
        load({
          url: server.url,
          callers: burst,
          amount: burst,
          expect,
          requests: signedDeliveries(path, burst, 'a secret of the benches'),
        }),
      );
    for (let round = 0; round < workshop.times(5); round++) {
      await send('/empty', 200);
      await send('/ack', 202);
    }
    const rounds = { '/empty': [], '/ack': [] };
    for (let round = 0; round < workshop.times(11); round++) {
      rounds['/empty'].push(await send('/empty', 200));
      rounds['/ack'].push(await send('/ack', 202));
    }
    const middle = (path, field) => median(rounds[path].map((each) => each[field]));
    const [ack, empty] = [middle('/ack', 'p99'), middle('/empty', 'p99')];
    const costs = `${shown(middle('/ack', 'processorMs') * 1000)} us processor each against ${shown(middle('/empty', 'processorMs') * 1000)} us`;
    // The bursts have left more than 200 deliveries under way; these come in while they are worked through.
    const steadily = async (path, expect) => {
      const requests = signedDeliveries(path, Math.ceil(100 * workshop.seconds(10)), 'a secret of the benches');
      return load({ url: server.url, perSecond: 100, expect, requests });
    };
    const [steadyEmpty, steadyAck] = [await steadily('/empty', 200), await steadily('/ack', 202)];
    return [
      {
        name: `acknowledged deliveries p99, ${burst} and more under way`,
        floor: { below: 50 },
        measured: steadyAck.p99,
        unit: ' ms',
        more: `100 a second; an empty route ${shown(steadyEmpty.p99)} ms`,
      },
      { name: `acknowledged deliveries p99, ${burst} at once`, floor: { below: 50 }, measured: ack, unit: ' ms', more: costs },
      { name: 'the same / an empty route', measured: ack / empty, more: `${shown(ack)} ms against ${shown(empty)} ms` },
    ];
  },

  /** The built-in voice and recogniser, without HTTP: what they do, and what our threads and containers add. */
  async audio(workshop) {
    const job = { rounds: workshop.times(9), directory: await workshop.data(), smoke: workshop.smoke };
    const { seconds, memory, ...figures } = await workshop.role('audio')(job);
    const [before, during, after] = [memory.before, memory.during, memory.after].map((size) => `${shown(size)} MB`);
    return [
      { name: 'first byte of speech p95, 200 characters', floor: { below: 150 }, measured: figures.firstByte, unit: ' ms' },
      { name: 'speech, times real time', measured: figures.speechFactor, more: `${shown(seconds)} s of it` },
      { name: 'speech / Flite alone', floor: { below: 1.1 }, measured: figures.speechOverhead },
      { name: 'recognition, times real time', measured: figures.hearingFactor },
      { name: 'recognition / PocketSphinx alone', floor: { below: 1.1 }, measured: figures.hearingOverhead },
      { name: 'longest pause of the event loop, 4 requests', floor: { below: 20 }, measured: figures.delay, unit: ' ms' },
      {
        name: 'resident after 6 idle minutes',
        measured: memory.after,
        unit: ' MB',
        more: `before ${before}, during ${during}, after ${after}`,
      },
    ];
  },
};

/** Callers with a session each, who wait for every answer. */
async function turns(workshop, load, server, callers, seconds) {
  const agentId = await agentOf(server);
  const requests = [];
  for (let index = 0; index < callers; index++) {
    const { data } = await server.api('POST', '/api/messaging/sessions', { agentId, userId: randomUUID() });
    const path = `/api/messaging/sessions/${data.sessionId}/messages`;
    requests.push(QUESTIONS.map((content) => post(path, { content, transport: 'http' })));
  }
  return costing(server, () => load({ url: server.url, callers, seconds: workshop.seconds(seconds), requests, expect: 201 }));
}

/** Adds what each request cost the server in processor time, with all its threads. */
async function costing(server, work) {
  const before = await processorMs(server.pid);
  const measured = await work();
  return { ...measured, processorMs: ((await processorMs(server.pid)) - before) / measured.count };
}

function post(path, body) {
  return { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function agentOf(server) {
  const { data } = await server.api('GET', '/api/agents');
  return data.agents[0].id;
}
