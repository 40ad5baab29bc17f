// How long single requests hold the server's event loop where there is much of everything.
import { once } from 'node:events';
import { fillLarge, overdueSessions } from './support/fill.mjs';
import { median } from './support/statistics.mjs';
import { shown } from './support/table.mjs';

const KEY = 'the key of the benches';
const FLOOR_MS = 50;

export async function holds(workshop) {
  const size = workshop.smoke ? { channels: 500, agents: 20, sessions: 1000 } : { channels: 50_000, agents: 2000, sessions: 100_000 };
  const data = await workshop.data();
  const start = () => workshop.parley({ data, env: { API_KEY: KEY, RATE_LIMIT: 'off' }, probe: 'holds' });
  const first = await start();
  const agentId = (await ask(first, '/api/agents')).data.agents[0].id;
  await first.stop();
  const agents = await fillLarge(data, agentId, size);
  const server = await start();

  // Half of the sessions expired while no server ran: they are being announced.
  const rows = [await measured(workshop, server, 'sessions/health while half of the sessions expire', '/api/messaging/sessions/health')];
  rows.push(await measured(workshop, server, 'a page of sessions meanwhile', '/api/messaging/sessions?limit=100'));
  // Until all of them are announced.
  await longest(server);
  for (let pending = true; pending;) {
    pending = (await overdueSessions(data)) > 0;
    if (pending) await new Promise((resolve) => setTimeout(resolve, 500));
  }
  rows.push({
    name: 'longest hold, announcing half of the sessions',
    floor: { below: FLOOR_MS },
    measured: await longest(server),
    unit: ' ms',
  });

  const limited = (await post(server, '/api/keys', { name: 'limited', scope: 'admin', agents: agents.slice(0, 1000) })).data.token;
  const channels = '/api/messaging/message-servers/00000000-0000-0000-0000-000000000000/channels';
  const requests = [
    [`all ${size.channels} channels`, channels],
    ['the channels of a key with 1,000 agents', channels, limited],
    ['the channels of that key, dialect eliza', channels, limited, { 'x-api-dialect': 'eliza' }],
    ['a page of 50 of its channels', `${channels}?limit=50`, limited],
    [`all ${size.agents} agents`, '/api/agents'],
    ['the agents of a key with 1,000', '/api/agents', limited],
    ['message servers with their agents', '/api/server/servers'],
    ['1,000 sessions', '/api/messaging/sessions?limit=1000'],
    ['1,000 sessions behind 40,000', '/api/messaging/sessions?limit=1000&offset=40000'],
    ['1,000 sessions of a key with 1,000 agents', '/api/messaging/sessions?limit=1000', limited],
    ['sessions/health', '/api/messaging/sessions/health'],
    ['the participants of general', `/api/messaging/channels/${(await general(server, channels)).id}/participants?expand=true`],
  ];
  for (const [name, path, key, headers] of requests) rows.push(await measured(workshop, server, name, path, key, headers));
  return rows;
}

async function general(server, channels) {
  const { data } = await ask(server, `${channels}?limit=1000`);
  return data.find(({ name }) => name === 'general') ?? data[0];
}

async function measured(workshop, server, name, path, key = KEY, headers = {}) {
  const [times, pauses] = [[], []];
  let bytes = 0;
  for (let round = 0; round < workshop.times(5); round++) {
    await longest(server);
    const begin = performance.now();
    const answer = await fetch(server.url + path, { headers: { 'x-api-key': key, ...headers } });
    bytes = (await answer.arrayBuffer()).byteLength;
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    times.push(performance.now() - begin);
    pauses.push(await longest(server));
  }
  return {
    name: `longest hold, ${name}`,
    floor: { below: FLOOR_MS },
    // Other processes on the machine cause pauses too.
    measured: median(pauses),
    unit: ' ms',
    more: `${shown(bytes / 1e6)} MB in ${shown(median(times))} ms`,
  };
}

/** Since it was asked before, ms. */
async function longest(server) {
  server.child.send('holds');
  const [{ longestMs }] = await once(server.child, 'message');
  return longestMs;
}

async function ask(server, path, key = KEY) {
  const answer = await fetch(server.url + path, { headers: { 'x-api-key': key } });
  if (!answer.ok) throw new Error(`GET ${path} was answered with ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function post(server, path, body) {
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${path} was answered with ${answer.status} ${await answer.text()}`);
  return answer.json();
}
