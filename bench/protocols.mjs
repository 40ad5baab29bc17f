// What a turn costs through each protocol, against Parley's own form in the same run. All go on in conversations of the same length, with the
// same texts, on one server; only the interface differs. `resent` brings the whole conversation with each request, as most programs do.
import { randomUUID } from 'node:crypto';
import { conversations, sentence } from './turns.mjs';
import { RESPONSE } from './support/service.mjs';
import { median } from './support/statistics.mjs';
import { shown } from './support/table.mjs';
import { idle, processorMs } from './support/workshop.mjs';

const ROUNDS = 3;
const CONVERSATIONS = 16;
const EARLIER_TURNS = 25;
/** Turns of each conversation in a round. */
const TURNS = 8;
const LIMIT = 1.2;

/** How a turn is asked for: `requestOf(talk, text)`; `isStreamed` chooses what it is compared with. */
const INTERFACES = [
  { name: 'native, http', isStreamed: false, expect: 201, requestOf: (talk, content) => native(talk, { content, transport: 'http' }) },
  { name: 'native, sse', isStreamed: true, expect: 200, requestOf: (talk, content) => native(talk, { content, transport: 'sse' }) },
  ...[false, true]
    .flatMap((stream) => [
      {
        name: 'chat completions',
        stream,
        requestOf: (talk, content) => chat(talk, { stream, messages: [{ role: 'user', content }] }, true),
      },
      { name: 'chat completions, resent', stream, requestOf: (talk, content) => chat(talk, { stream, messages: resent(talk, content) }) },
      { name: 'responses', stream, requestOf: (talk, input) => post('/v1/responses', { model, input, stream, conversation: talk.name }) },
      { name: 'anthropic', stream, requestOf: (talk, content) => anthropic(talk, { stream, messages: [{ role: 'user', content }] }, true) },
      { name: 'anthropic, resent', stream, requestOf: (talk, content) => anthropic(talk, { stream, messages: resent(talk, content) }) },
    ])
    .map(({ stream, ...rest }) => ({ ...rest, isStreamed: stream, expect: 200 })),
  { name: 'ai sdk', isStreamed: true, expect: 200, requestOf: (talk, text) => uiChat(talk, { message: uiMessage('user', text) }) },
  {
    name: 'ai sdk, resent',
    isStreamed: true,
    expect: 200,
    requestOf: (talk, text) => uiChat(talk, { messages: resent(talk, text).map(asUi) }),
  },
];

const model = 'Agent 0';

export async function protocols(workshop) {
  const { url } = await workshop.role('service')({});
  const data = await workshop.data();
  const env = { OPENAI_BASE_URL: url, EMBEDDING_PROVIDER: undefined, MEMORY_EXTRACTION: undefined, ...workshop.env };
  const server = await workshop.parley({ data, env });
  const load = workshop.role('load');
  const chosen = INTERFACES.filter(({ name }) => !workshop.scenarios || name.startsWith('native') || workshop.scenarios.includes(name));
  const all = [];
  for (const each of chosen) {
    const talks = await talksOf(server, each);
    all.push({ ...each, talks, costs: [] });
    await load(jobFor(server, { ...each, talks }, workshop.times(EARLIER_TURNS, 1)));
  }
  if (!workshop.smoke) await idle(server.pid);
  for (let round = 0; round < workshop.times(workshop.rounds ?? ROUNDS); round++) {
    for (const each of round % 2 === 0 ? all : all.toReversed()) each.costs.push(await costOf(workshop, server, load, each));
  }
  const [atOnce, streamed, ...others] = all;
  return others.map((each) => rowOf(each, each.isStreamed ? streamed : atOnce));
}

/** What a turn costs with all that it leaves to do. Before it, the server is idle. */
async function costOf(workshop, server, load, each) {
  const before = await processorMs(server.pid);
  const { count } = await load(jobFor(server, each, workshop.times(TURNS, 1)));
  if (!workshop.smoke) await idle(server.pid);
  return ((await processorMs(server.pid)) - before) / count;
}

function rowOf({ name, isStreamed, costs }, native) {
  const [cost, own] = [median(costs), median(native.costs)];
  return {
    name: `${name}, ${isStreamed ? 'streamed' : 'at once'} / native`,
    floor: { below: LIMIT },
    measured: cost / own,
    more: `${shown(cost)} ms of processor time each against ${shown(own)} ms`,
  };
}

async function talksOf(server, { name }) {
  const own = name.startsWith('native') ? await conversations(server, CONVERSATIONS) : [];
  const agentId = (await server.api('GET', '/api/agents')).data.agents[0].id;
  return Array.from({ length: CONVERSATIONS }, (_, at) => ({
    agentId,
    name: `talk ${randomUUID()}`,
    said: [],
    count: at,
    path: own[at]?.path,
  }));
}

/** So many turns in each conversation, one conversation for each caller. */
function jobFor({ url }, { talks, requestOf, expect }, turns) {
  const requests = talks.map((talk) => Array.from({ length: turns }, () => next(talk, requestOf)));
  return { url, callers: talks.length, amount: requests.flat().length, requests, expect };
}

function next(talk, requestOf) {
  const text = sentence(talk.count++);
  const request = requestOf(talk, text);
  talk.said.push({ role: 'user', content: text }, { role: 'assistant', content: RESPONSE });
  return request;
}

function resent({ said }, content) {
  return [...said, { role: 'user', content }];
}

function native({ path }, body) {
  return post(path, body);
}

function chat({ name }, body, isNamed = false) {
  return post('/v1/chat/completions', { model, user: name, ...body }, isNamed && { 'x-conversation-id': name });
}

function anthropic({ name }, body, isNamed = false) {
  const headers = { 'anthropic-version': '2023-06-01', ...(isNamed && { 'x-conversation-id': name }) };
  return post('/v1/messages', { model, max_tokens: 1024, metadata: { user_id: name }, ...body }, headers);
}

function uiChat({ agentId, name }, body) {
  return post(`/api/agents/${agentId}/chat`, { id: name, ...body });
}

function uiMessage(role, text) {
  return { id: randomUUID(), role, parts: [{ type: 'text', text }] };
}

function asUi({ role, content }) {
  return uiMessage(role, content);
}

function post(path, body, headers) {
  return { method: 'POST', path, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
