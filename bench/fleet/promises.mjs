// What three processes keep, directly and by way of PgBouncer: reads of own writes, takeovers, a rolling restart, one vector a memory.
import { randomUUID } from 'node:crypto';
import { register } from 'node:module';
import { startModelServer } from '../../test/support/model-server.mjs';

const PROCESSES = 3;
const CHANGES = 200;
const AGENTS = 40;
const KILLS = 5;
const CALLERS = 6;
const DRAIN_MS = 400;
const MODEL_MS = 30;
const STREAM_MS = 100;
// Long enough to be under way when its process is killed.
const LONG_ANSWER = Array.from({ length: 40 }, (_, index) => `word ${index} `);
// A machine with other work is slow.
const PATIENCE_MS = 120_000;
const LOOK_MS = 10;
const POSITION = 'x-parley-position';
// One key for the processes of a database.
const SECRET_KEY = 'a key of the benches that all processes have';

/** @returns a row for each promise */
export async function promises(workshop, postgres) {
  // The balancer and the pooler are those of the tests, in TypeScript.
  register('../../scripts/typescript-hooks.mjs', import.meta.url);
  const { Balancer } = await import('../../test/support/balancer.ts');
  const { PgBouncer } = await import('../../test/support/pgbouncer.ts');
  const rows = [];
  for (const way of ['', 'PgBouncer']) {
    const pooler = way === '' ? undefined : await PgBouncer.start(10, postgres.port);
    const database = `promises_${way.toLowerCase()}`;
    await postgres.create(database);
    const direct = `postgres://postgres@127.0.0.1:${postgres.port}/${database}`;
    const balancer = await Balancer.start();
    const model = await startModelServer();
    const answers = answersOf(model);
    const env = {
      DATABASE_URL: pooler?.urlOf(direct) ?? direct,
      DATABASE_POOL_SIZE: '4',
      OPENAI_BASE_URL: model.baseUrl,
      EMBEDDING_PROVIDER: 'openai',
      DRAIN_MS: String(DRAIN_MS),
      SECRET_KEY,
    };
    const fleet = { workshop, postgres, database, balancer, answers, env, servers: [] };
    try {
      for (let index = 0; index < PROCESSES; index += 1) await startServer(fleet, index);
      rows.push(...(await rowsOf(fleet, way === '' ? '' : `, ${way}`)));
    } finally {
      await balancer.close();
      await Promise.all(fleet.servers.map((server) => server.stop()));
      await model.close();
      await pooler?.close();
    }
  }
  return rows;
}

async function rowsOf(fleet, way) {
  const { workshop } = fleet;
  const label = (name) => `fleet, ${name}, ${PROCESSES} processes${way}`;
  const [changes, agents, kills] = [workshop.times(CHANGES, 3), workshop.times(AGENTS, 2), workshop.times(KILLS)];
  const stale = await staleReads(fleet, changes);
  const missing = await missingAgents(fleet, agents);
  const vectors = await vectorsOfMemories(fleet);
  const restart = await rollingRestart(fleet);
  const takeovers = [];
  for (let kill = 0; kill < kills; kill += 1) takeovers.push(await takeover(fleet, kill % PROCESSES));
  return [
    {
      name: label('stale reads with the position'),
      floor: { below: 1 },
      measured: stale,
      more: `${changes} changes, read on the next process`,
    },
    { name: label('404 for a new agent'), floor: { below: 1 }, measured: missing, more: `${agents} agents, read on the next process` },
    { name: label('embeddings of a memory'), floor: { below: 1.05 }, measured: vectors.each, more: `${vectors.memories} memories` },
    {
      name: label('failed requests in a rolling restart'),
      floor: { below: 1 },
      measured: restart.failures.length,
      more: `${restart.requests} requests; ${restart.failures[0] ?? 'none failed'}`,
    },
    {
      name: label('longest takeover'),
      floor: { below: 3000 },
      measured: Math.max(...takeovers),
      unit: ' ms',
      more: `${takeovers.map((ms) => Math.round(ms)).join(', ')} ms from kill -9 to the next attempt`,
    },
  ];
}

async function startServer(fleet, index) {
  const { workshop, env, balancer, servers } = fleet;
  const server = await workshop.parley({ data: await workshop.data(), env });
  servers[index] = server;
  balancer.add(server.url);
  await until(() => balancer.isReady(server.url));
}

/** What the model does: `embedded` counts how often each text was embedded, and `slow` has the questions whose first answer is a long one. */
function answersOf(model) {
  const [embedded, slow] = [new Map(), new Set()];
  model.otherwise(({ input = [], messages = [] }) => {
    for (const text of [input].flat()) embedded.set(text, (embedded.get(text) ?? 0) + 1);
    // The question is embedded too, before or after it is answered.
    const asked = JSON.stringify(messages);
    const question = [...slow].find((each) => asked.includes(each));
    if (question === undefined) return { kind: 'reply', delayMs: MODEL_MS };
    slow.delete(question);
    return { kind: 'reply', deltas: LONG_ANSWER, delayMs: STREAM_MS };
  });
  return { embedded, slow };
}

/** Changes of a channel on one process that the next one does not show when it is asked with the position of the change. */
async function staleReads({ servers }, changes) {
  const { data } = await ask(servers[0].url, 'POST', '/api/messaging/channels', { name: 'first' });
  const path = `/api/messaging/channels/${data.id}`;
  let stale = 0;
  for (let change = 0; change < changes; change += 1) {
    const name = `name ${change}`;
    const { position } = await ask(servers[change % PROCESSES].url, 'PATCH', path, { name });
    const read = await ask(servers[(change + 1) % PROCESSES].url, 'GET', path, undefined, position);
    if (read.data?.name !== name) stale += 1;
  }
  return stale;
}

/** Agents that the next process does not know right after they were made. */
async function missingAgents({ servers }, agents) {
  let missing = 0;
  for (let agent = 0; agent < agents; agent += 1) {
    const body = { characterJson: { name: `Agent ${randomUUID()}`, bio: ['New.'] } };
    const { data } = await ask(servers[agent % PROCESSES].url, 'POST', '/api/agents', body);
    const { status } = await ask(servers[(agent + 1) % PROCESSES].url, 'GET', `/api/agents/${data.id}`);
    if (status !== 200) missing += 1;
  }
  return missing;
}

/** What a user says through all processes, and how often each text of it is embedded. What agents say is not. */
async function vectorsOfMemories({ servers, answers: { embedded }, postgres, database }) {
  const session = await newSession(servers[0].url);
  const statements = Array.from({ length: 3 * PROCESSES }, (_, index) => `My boat ${index} is red.`);
  for (const [index, content] of statements.entries()) {
    await ask(servers[index % PROCESSES].url, 'POST', session.messages, { content, transport: 'http' });
  }
  const vectors = `SELECT count(*)::int AS count FROM memory_vectors WHERE memory_id IN
    (SELECT m.id FROM memories m JOIN rooms r ON r.id = m.room_id WHERE r.channel_id = '${session.channelId}')`;
  await until(async () => (await postgres.ask(database, vectors))[0].count === statements.length);
  const calls = statements.reduce((sum, text) => sum + (embedded.get(text) ?? 0), 0);
  return { each: calls / statements.length, memories: statements.length };
}

/** Each process is stopped and started in turn while callers go on by way of the balancer. */
async function rollingRestart(fleet) {
  const { workshop, balancer, servers } = fleet;
  const over = new AbortController();
  const failures = [];
  let requests = 0;
  let answered = 0;
  const request = async (method, path, body) => {
    requests += 1;
    const answer = await ask(balancer.url, method, path, body).catch((error) => ({ status: 0, text: String(error.cause ?? error) }));
    if (answer.status < 200 || answer.status > 299) failures.push(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const caller = async () => {
    const { messages, channelId } = await newSession(balancer.url);
    for (let message = 0; !over.signal.aborted; message += 1) {
      const content = `Message ${message}`;
      const answer = await request('POST', messages, { content, transport: 'http' });
      if (answer.data?.agentResponse?.text !== `You said: ${content}`) failures.push(`${messages} was answered with ${answer.text}`);
      await request('GET', `/api/messaging/channels/${channelId}/messages?limit=2`);
      answered += 1;
    }
  };
  const callers = Array.from({ length: CALLERS }, caller);
  const progress = async () => {
    const goal = answered + 2 * CALLERS;
    await until(() => answered >= goal || failures.length > 0);
  };
  try {
    for (const [index, server] of servers.slice(0, workshop.times(PROCESSES)).entries()) {
      await progress();
      await server.stop();
      balancer.remove(server.url);
      await startServer(fleet, index);
    }
    await progress();
  } finally {
    over.abort();
    await Promise.all(callers);
  }
  return { requests, failures };
}

/** Kills the process that gives an answer. @returns the time until another one begins the answer again, ms */
async function takeover(fleet, index) {
  const { servers, balancer, answers, postgres, database } = fleet;
  const session = await newSession(servers[index].url);
  const content = `Tell me everything about pier ${randomUUID()}.`;
  answers.slow.add(content);
  await ask(servers[index].url, 'POST', session.messages, { content, transport: 'websocket' });
  const attempts = async () =>
    (await postgres.ask(database, `SELECT attempts, status FROM turns WHERE channel_id = '${session.channelId}'`))[0] ?? { attempts: 0 };
  const chunks = async () =>
    (await postgres.ask(database, `SELECT 1 FROM journal WHERE channel_id = '${session.channelId}' AND type = 'message.chunk' LIMIT 1`))
      .length;
  await until(async () => (await chunks()) > 0);
  servers[index].child.kill('SIGKILL');
  balancer.remove(servers[index].url);
  const killedAt = performance.now();
  await until(async () => (await attempts()).attempts > 1);
  const took = performance.now() - killedAt;
  await until(async () => (await attempts()).status === 'done');
  await startServer(fleet, index);
  return took;
}

async function newSession(url) {
  const agents = await ask(url, 'GET', '/api/agents');
  const { data } = await ask(url, 'POST', '/api/messaging/sessions', { agentId: agents.data.agents[0].id, userId: randomUUID() });
  return { ...data, messages: `/api/messaging/sessions/${data.sessionId}/messages` };
}

async function ask(url, method, path, body, position) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(position === undefined ? {} : { [POSITION]: position }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, data: JSON.parse(text).data, position: response.headers.get(POSITION) ?? undefined };
}

async function until(condition) {
  const limit = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > limit) throw new Error(`nothing happened within ${PATIENCE_MS} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
