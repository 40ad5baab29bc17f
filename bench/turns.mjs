// What a turn costs as people have it: with everything that is on by default, in conversations of some length, whose memories have something to
// find. With `--against DIR`, the build of another checkout is measured in turns with this one.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { sidesOf } from './support/sides.mjs';
import { median } from './support/statistics.mjs';
import { shown } from './support/table.mjs';
import { idle, peakMb, processorMs, residentMb } from './support/workshop.mjs';

const ROUNDS = 5;
const WARM_UP_TURNS = 1200;
const CONVERSATIONS = 16;
/** Turns of each conversation in a round. */
const TURNS = 12;
const WRITERS = 500;

const THINGS = ['dentist', 'sister', 'boat', 'piano teacher', 'garden', 'landlord', 'favourite tea', 'old bicycle', 'dog', 'workshop'];
const PLACES = ['Lisbon', 'Bergen', 'Kraków', 'Porto', 'Galway', 'Turin', 'Aarhus', 'Ghent', 'Split', 'Tartu', 'Bath', 'Vigo'];
const WORDS = ['quiet', 'expensive', 'late', 'far away', 'better than before', 'closed on Mondays', 'hard to find', 'worth it'];

/** Name, messages of a conversation before it is measured, callers, and budgets. */
const SCENARIOS = [
  { messages: 0, callers: 1 },
  { messages: 0, callers: 16 },
  { messages: 50, callers: 1 },
  { messages: 50, callers: 16 },
  { messages: 500, callers: 1, budget: 8 },
  { messages: 500, callers: 16, budget: 8 },
];

export async function turns(workshop) {
  const { url: model } = await workshop.role('service')({});
  const sides = await sidesOf(workshop, { OPENAI_BASE_URL: model, ...workshop.env });
  const load = workshop.role('load');
  for (const { server } of sides) await load({ ...(await jobOf(server, 16, workshop.times(WARM_UP_TURNS / 16, 1))), expect: 201 });
  const rows = [];
  for (const scenario of SCENARIOS) {
    const { messages, callers, budget } = scenario;
    const name = `${messages} messages, ${callers} caller${callers === 1 ? '' : 's'}`;
    if (workshop.scenarios && !workshop.scenarios.includes(name)) continue;
    const measured = await measure(workshop, sides, load, scenario);
    for (const [label, rounds] of measured) rows.push(rowOf(['turn', name, label], budget, rounds));
  }
  if (!workshop.scenarios || workshop.scenarios.includes('memory')) rows.push(...(await memory(workshop, sides, load)));
  if (!workshop.scenarios || workshop.scenarios.includes('writers')) rows.push(...(await writers(workshop, model, load)));
  rows.push({ name: 'load average at the end', measured: loadavg()[0] });
  return rows;
}

async function measure(workshop, sides, load, { messages, callers }) {
  const all = sides.map(({ label }) => [label, []]);
  for (const side of sides) {
    side.talks = await conversations(side.server, CONVERSATIONS);
    const earlier = workshop.smoke ? Math.min(2, messages / 2) : messages / 2;
    if (earlier > 0) await load(jobFor(side, CONVERSATIONS, earlier));
    await settled(workshop, side);
  }
  for (let round = 0; round < workshop.times(workshop.rounds ?? ROUNDS); round++) {
    const order = sides.map((side, index) => [side, all[index][1]]);
    // In turns, because the second of a round is measured up to a tenth cheaper.
    for (const [side, rounds] of round % 2 === 0 ? order : order.toReversed()) {
      if (messages === 0) side.talks = await conversations(side.server, CONVERSATIONS);
      await settled(workshop, side);
      const before = await processorMs(side.server.pid);
      const measured = await load(jobFor(side, callers, workshop.times(TURNS, 1)));
      await settled(workshop, side);
      rounds.push({ ...measured, cost: ((await processorMs(side.server.pid)) - before) / measured.count });
    }
  }
  return all;
}

function rowOf(name, budget, rounds) {
  const middle = (field) => median(rounds.map((each) => each[field]));
  return {
    name: name.filter((part) => part !== '').join(', '),
    ...(budget === undefined ? {} : { floor: { below: budget } }),
    measured: middle('cost'),
    unit: ' ms',
    more: `${shown(middle('perSecond'))}/s, p50 ${shown(middle('p50'))} ms, p99 ${shown(middle('p99'))} ms`,
  };
}

/** Resident memory after 40 s with 16 callers, who stay in their conversations, and later. */
async function memory(workshop, sides, load) {
  const rows = [];
  for (const side of sides) {
    side.talks = await conversations(side.server, CONVERSATIONS);
    await load({ ...jobFor(side, CONVERSATIONS, 5000), amount: undefined, seconds: workshop.seconds(40) });
    const sizes = [await peakMb(side.server.pid), await residentMb(side.server.pid)];
    for (const seconds of [10, 80]) {
      await new Promise((resolve) => setTimeout(resolve, workshop.seconds(seconds) * 1000));
      sizes.push(await residentMb(side.server.pid));
    }
    const [peak, ...later] = sizes;
    const more = `${later.map(shown).join(', ')} MB at once, after 10 s, after 90 s`;
    rows.push({
      name: ['resident, peak of all turns', side.label].filter(Boolean).join(', '),
      floor: { below: 260 },
      measured: peak,
      unit: ' MB',
      more,
    });
  }
  return rows;
}

/** How long the event loop is held when hundreds write within a second. */
async function writers(workshop, model, load) {
  const rows = [];
  for (const side of await sidesOf(workshop, { OPENAI_BASE_URL: model, ...workshop.env }, { probe: 'holds' })) {
    const held = async () => {
      side.server.child.send('holds');
      return (await once(side.server.child, 'message'))[0].longestMs;
    };
    await load({ ...(await jobOf(side.server, 16, workshop.times(WARM_UP_TURNS / 16, 1))), expect: 201 });
    side.talks = await conversations(side.server, workshop.smoke ? 4 : WRITERS);
    const pauses = [];
    for (let round = 0; round < workshop.times(3); round++) {
      await settled(workshop, side);
      await held();
      const requests = side.talks.map((talk) => talk.next());
      await load({ url: side.server.url, requests, perSecond: requests.length, expect: 201 });
      pauses.push(await held());
    }
    const name = [`longest hold, ${side.talks.length} write within a second`, side.label].filter(Boolean).join(', ');
    rows.push({ name, floor: { below: 50 }, measured: median(pauses), unit: ' ms', more: `${pauses.map(shown).join(', ')} ms` });
  }
  return rows;
}

async function settled(workshop, { server }) {
  if (!workshop.smoke && !workshop.profile) await idle(server.pid);
}

/** Conversations of different people with one agent, each of which goes on where it was. */
export async function conversations(server, count) {
  const { data } = await server.api('GET', '/api/agents');
  const agentId = data.agents[0].id;
  const all = [];
  for (let index = 0; index < count; index++) all.push(await conversation(server, agentId, index));
  return all;
}

async function conversation(server, agentId, index) {
  const { data } = await server.api('POST', '/api/messaging/sessions', { agentId, userId: randomUUID() });
  const path = `/api/messaging/sessions/${data.sessionId}/messages`;
  let said = index;
  return {
    agentId,
    channelId: data.channelId,
    path,
    next() {
      const content = sentence(said++);
      return {
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ content, transport: 'http' }),
      };
    },
  };
}

/** Statements, and questions about what was said some messages before. */
export function sentence(number) {
  const of = (list, at) => list[at % list.length];
  const [thing, place, word] = [of(THINGS, number), of(PLACES, number * 7), of(WORDS, number * 3)];
  switch (number % 3) {
    case 0:
      return `Note ${number}: my ${thing} is in ${place}, which is ${word}.`;
    case 1:
      return `What did I say about my ${of(THINGS, number - 1)}, and is it still ${word}?`;
    default:
      return `I went to ${place} with number ${number} yesterday, and it was ${word}. Would you go there again?`;
  }
}

/** So many turns in each conversation; callers share the conversations, but no two have the same. */
function jobFor({ server, talks }, callers, turnsOfEach) {
  const requests = Array.from({ length: callers }, () => []);
  talks.forEach((talk, index) => requests[index % callers].push(...Array.from({ length: turnsOfEach }, () => talk.next())));
  return { url: server.url, callers, amount: requests.flat().length, requests, expect: 201 };
}

async function jobOf(server, count, turnsOfEach) {
  return jobFor({ server, talks: await conversations(server, count) }, count, turnsOfEach);
}
