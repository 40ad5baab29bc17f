// Pages of every list out of 100,000, or as many as `--rows` says, against pages out of 120, in turns; and searches among as many messages.
import { fill, fillAgents } from './support/fill.mjs';
import { median, percentile } from './support/statistics.mjs';
import { shown } from './support/table.mjs';

// Two pages of 50, also of the memories of the room.
const FEW = 120;
const MANY = 100_000;
// All agents are held in memory, so more of them are not meant.
const MOST_AGENTS = 100_000;

export async function lists(workshop) {
  const count = workshop.smoke ? 1000 : (workshop.rows ?? MANY);
  const empty = await workshop.data();
  const first = await workshop.parley({ data: empty });
  const { data: channel } = await first.api('POST', '/api/messaging/channels', { name: 'the full one' });
  const agentId = (await first.api('GET', '/api/agents')).data.agents[0].id;
  const { data: room } = await first.api('POST', `/api/agents/${agentId}/rooms`, { name: 'the full one' });
  await first.stop();
  const open = async (work, most = count) => {
    const sides = [];
    for (const rows of [FEW, most]) {
      const data = await workshop.copyOf(empty);
      await work(data, rows);
      sides.push(await workshop.parley({ data }));
    }
    return sides;
  };

  const sides = await open((data, rows) => fill(data, { channelId: channel.id, agentId, roomId: room.id }, rows));
  const pages = [
    ['messages', `/api/messaging/channels/${channel.id}/messages?limit=50`, ({ nextCursor }) => `&before=${nextCursor.before}`],
    [
      'channels',
      `/api/messaging/message-servers/${channel.serverId}/channels?limit=50`,
      (_, response) => `&cursor=${response.headers.get('x-next-cursor')}`,
    ],
    ['message servers', '/api/messaging/message-servers?limit=50', ({ nextCursor }) => `&cursor=${nextCursor}`],
    ['memories', `/api/memory/${agentId}/memories?limit=50`, ({ nextCursor }) => `&before=${nextCursor}`],
    ['memories of a room', `/api/memory/${agentId}/rooms/${room.id}/memories?limit=50`, ({ nextCursor }) => `&before=${nextCursor}`],
    ['logs', `/api/agents/${agentId}/logs?limit=50`, (logs) => `&before=${logs.at(-1).cursor}`],
    ['runs', `/api/agents/${agentId}/runs?limit=50`, ({ nextCursor }) => `&cursor=${nextCursor}`],
  ];
  const rows = [];
  for (const page of pages) rows.push(await compared(workshop, sides, count, page));
  rows.push(await searches(workshop, sides[1], channel.id, count));
  for (const server of sides) await server.stop();

  // Servers of their own, because of the memory.
  const agents = Math.min(count, MOST_AGENTS);
  const crowded = await open((data, many) => fillAgents(data, agentId, many), agents);
  rows.push(await compared(workshop, crowded, agents, ['agents', '/api/agents?limit=50', ({ nextCursor }) => `&after=${nextCursor}`]));
  return rows;
}

/** The first page and the one behind its cursor, both sides in turns. */
async function compared(workshop, sides, count, [name, path, cursorOf]) {
  const times = sides.map(() => []);
  const behind = [];
  for (const { url } of sides) {
    const response = await fetch(url + path);
    behind.push(path + cursorOf((await response.json()).data, response));
  }
  for (let round = 0; round < workshop.times(600, 10); round++) {
    for (const [index, server] of sides.entries()) times[index].push(await timed(server, 'GET', round % 2 ? behind[index] : path));
  }
  const [few, many] = times.map((each) => median(each.slice(each.length / 3)));
  return {
    name: `page of 50 out of ${count} ${name} / out of ${FEW}`,
    floor: { below: 1.2 },
    measured: many / few,
    more: `${shown(many)} ms against ${shown(few)} ms`,
  };
}

async function searches(workshop, server, channelId, count) {
  const wanted = [
    (index) => ({ query: `number${(index * 97) % count}` }),
    (index) => ({ query: `thousand${index % 1000}` }),
    (index) => ({ query: `hundred${index % 100}`, channelId }),
    (index) => ({ query: `"hundred${index % 100} in thousand${index % 1000}"`, authorId: channelId }),
    (index) => ({ query: 'all with', limit: 20, channelId: index % 2 ? channelId : undefined }),
  ];
  const times = [];
  for (let index = 0; index < workshop.times(1500, 10); index++) {
    times.push(await timed(server, 'POST', '/api/messaging/messages/search', wanted[index % wanted.length](index)));
  }
  const sorted = times.slice(times.length / 5).sort((a, b) => a - b);
  return {
    name: `search p95, ${count} messages`,
    floor: { below: 20 },
    measured: percentile(sorted, 0.95),
    unit: ' ms',
    more: `p50 ${shown(percentile(sorted, 0.5))} ms; one search in five has words that every message has`,
  };
}

async function timed(server, method, path, body) {
  const begin = performance.now();
  await server.api(method, path, body);
  return performance.now() - begin;
}
