// What one person's long texts cost another person who asks something: the same questions alone, and beside the load, in one run.
import { randomUUID } from 'node:crypto';
import { fillFacts } from './support/fill.mjs';
import { median, percentile } from './support/statistics.mjs';
import { shown } from './support/table.mjs';

const FACTS = 1000;
const FACT_CHARACTERS = 1000;
const MESSAGE_CHARACTERS = 99_900;
const WRITERS = 2;
const QUESTIONS = 40;
// Far too long for a question that is alone.
const LONGEST_SECONDS = 90;

const WORDS = 'amber basket copper dragon ember forest garden harbour island jacket kettle lantern meadow needle orchard pepper'.split(' ');

export async function fairness(workshop) {
  const data = await workshop.data();
  const env = { EMBEDDING_PROVIDER: 'embedded' };
  const first = await workshop.parley({ data, env });
  const agentId = (await first.api('GET', '/api/agents')).data.agents[0].id;
  const alone = await ask(workshop, first, agentId);
  await first.stop();

  await fillFacts(data, agentId, workshop.smoke ? 10 : FACTS, prose(FACT_CHARACTERS));
  const server = await workshop.parley({ data, env });
  const writing = new AbortController();
  const writers = Array.from({ length: WRITERS }, () => write(workshop, server, agentId, writing.signal));
  // The writers' first messages are under way, and the facts are being embedded.
  await new Promise((resolve) => setTimeout(resolve, workshop.seconds(3) * 1000));
  const beside = await ask(workshop, server, agentId);
  writing.abort();
  const written = await Promise.all(writers);
  await server.stop();

  const more = (part) => `${shown(part(beside))} ms against ${shown(part(alone))} ms alone`;
  const answered = `${beside.length} of ${workshop.times(QUESTIONS, 2)} questions answered, ${written.flat().length} long messages beside them`;
  const p95 = (times) => percentile(times, 0.95);
  return [
    { name: 'a question beside long texts / alone', floor: { below: 3 }, measured: median(beside) / median(alone), more: more(median) },
    { name: 'the same, p95', measured: p95(beside) / p95(alone), more: `${more(p95)}; ${answered}` },
  ];
}

/** @returns how long each answer took, ms, in order of length */
async function ask(workshop, server, agentId) {
  const send = await conversation(server, agentId);
  // Starts the encoder, and embeds what the agent knows.
  await send('Where is the old harbour?');
  const times = [];
  const end = performance.now() + workshop.seconds(LONGEST_SECONDS) * 1000;
  for (let index = 0; index < workshop.times(QUESTIONS, 2) && (times.length === 0 || performance.now() < end); index++) {
    const begin = performance.now();
    await send(`Who has seen the ${WORDS[index % WORDS.length]} number ${index}?`);
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b);
}

async function write(workshop, server, agentId, signal) {
  const send = await conversation(server, agentId);
  const sent = [];
  while (!signal.aborted) {
    const begin = performance.now();
    try {
      await send(`${randomUUID()} ${prose(MESSAGE_CHARACTERS)}`, signal);
      sent.push(performance.now() - begin);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
  return sent;
}

async function conversation(server, agentId) {
  const userId = randomUUID();
  const channel = { name: 'a conversation', type: 'DM', participantCentralUserIds: [userId, agentId] };
  const { data } = await server.api('POST', '/api/messaging/channels', channel);
  return async (content, signal) => {
    const response = await fetch(`${server.url}/api/messaging/channels/${data.id}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content, author_id: userId, transport: 'http' }),
      signal,
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`a message was answered with ${response.status} ${text.slice(0, 500)}`);
    if (!JSON.parse(text).data.agentResponse) throw new Error(`a message was not answered: ${text.slice(0, 500)}`);
  };
}

function prose(length) {
  let text = '';
  for (let index = 0; text.length < length; index++) text += `${WORDS[(index * index + 7 * index) % WORDS.length]} `;
  return text.slice(0, length);
}
