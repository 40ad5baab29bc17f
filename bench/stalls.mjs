// How long the largest input that an operation permits holds the server's event loop.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { shown } from './support/table.mjs';

const FLOOR_MS = 100;

export async function stalls(workshop) {
  const size = (full, smoke) => (workshop.smoke ? smoke : full);
  const server = await workshop.parley({
    data: await workshop.data(),
    env: { EMBEDDING_PROVIDER: 'embedded', RATE_LIMIT: 'off' },
    probe: 'holds',
  });
  const { data } = await server.api('GET', '/api/agents');
  const agentId = data.agents[0].id;
  const people = Array.from({ length: size(9_998, 20) }, () => randomUUID());
  const participantCentralUserIds = [agentId, ...people];
  const channel = (await post(server, '/api/messaging/channels', { name: 'full', participantCentralUserIds })).data.id;
  const known = Array.from({ length: size(15_000, 50) }, (_, index) => `Drawer ${index} holds ${index % 7} brass screws for lamps.`);
  const characterJson = { name: 'Knows', bio: 'x', knowledge: known };
  const made = (await post(server, '/api/agents', { characterJson })).data.id;
  await post(server, `/api/agents/${made}/start`);
  const fields = (count, named) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${named}${index}`, `value-of-${index}`]));
  const keys = { name: 'Keys', bio: 'x', settings: fields(size(5000, 20), 'apiKey'), secrets: fields(size(1000, 20), 'SECRET') };
  const longFact = { name: 'Long', bio: 'x', knowledge: ['. '.repeat(size(900_000, 100))] };
  const manyLong = { name: 'Many', bio: 'x', knowledge: known.slice(0, 1900).map((fact) => `${fact} `.repeat(20).slice(0, 950)) };
  const channels = Array.from({ length: size(1000, 20) }, (_, index) => ({ sourceId: `c${index}`, name: `c${index}` }));
  const message = 'Hello. '.repeat(size(100_000, 700) / 7);

  const inputs = [
    [
      `${people.length + 1} participants, created`,
      () => post(server, '/api/messaging/channels', { name: 'new', participantCentralUserIds }),
    ],
    ['the same, replaced', () => post(server, `/api/messaging/channels/${channel}`, { participantCentralUserIds }, 'PATCH')],
    ['the same, with a message', () => say(server, channel, people[0], 'Hello')],
    [`a character with ${known.length} facts`, () => post(server, '/api/agents', { characterJson: { ...characterJson, name: 'Other' } })],
    ['a question to it', async () => ask(server, made, 'Where are the screws?')],
    ['a character with 6,000 keys, created and deleted', () => createAndDelete(server, keys)],
    ['a question to a character with a fact of 1,800,000 characters', () => createAndAsk(server, longFact)],
    ['a question to a character with 1,900 facts of 950 characters', () => createAndAsk(server, manyLong)],
    ['a body of 49,000 unknown fields', () => post(server, '/api/messaging/channels', { ...fields(size(49_000, 20), 'u'), name: 'x' })],
    [`${channels.length} channels of a message server`, () => sync(server, channels)],
    ['a question in another language', async () => ask(server, agentId, 'Wo ist hier der nächste Bahnhof, bitte?')],
    [`a message of ${message.length} characters`, () => say(server, channel, people[0], message)],
    ['the longest speech', () => speech(server, agentId, message.slice(0, 5000))],
    ['a Markdown file of tiny sections', () => ingest(server, agentId, '# a\nb\n'.repeat(size(700_000, 100)), 'tiny.md')],
    ['a Markdown file of 20,000 pieces', () => ingest(server, agentId, '# a\nb\n'.repeat(size(20_000, 100)), 'sections.md')],
    ['5,000,000 characters of text', () => ingest(server, agentId, 'All work and no play. '.repeat(size(220_000, 100)), 'long.txt')],
  ];
  const rows = [];
  for (const [name, send] of inputs) {
    await longest(server);
    const begin = performance.now();
    await send();
    const seconds = (performance.now() - begin) / 1000;
    const measured = await longest(server);
    rows.push({ name: `longest stall, ${name}`, floor: { below: FLOOR_MS }, measured, unit: ' ms', more: `${shown(seconds)} s in all` });
  }
  return rows;
}

/** Since it was asked before, ms. */
async function longest(server) {
  server.child.send('holds');
  const [{ longestMs }] = await once(server.child, 'message');
  return longestMs;
}

async function post(server, path, body = {}, method = 'POST') {
  const answer = await fetch(server.url + path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status} ${await answer.text()}`);
  return answer.json();
}

function say(server, channelId, authorId, content) {
  return post(server, `/api/messaging/channels/${channelId}/messages`, { author_id: authorId, content, transport: 'http' });
}

async function ask(server, agentId, content) {
  const { sessionId } = (await post(server, '/api/messaging/sessions', { agentId, userId: randomUUID() })).data;
  return post(server, `/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' });
}

async function created(server, characterJson) {
  return (await post(server, '/api/agents', { characterJson })).data.id;
}

async function createAndDelete(server, character) {
  const answer = await fetch(`${server.url}/api/agents/${await created(server, character)}`, { method: 'DELETE' });
  if (!answer.ok) throw new Error(`the deletion of an agent was answered with ${answer.status}`);
}

async function createAndAsk(server, character) {
  const agentId = await created(server, character);
  await post(server, `/api/agents/${agentId}/start`);
  return ask(server, agentId, 'Where are the screws?');
}

async function sync(server, channels) {
  const { data } = await post(server, '/api/messaging/message-servers', { name: 'synced', sourceType: 'bench', sourceId: randomUUID() });
  return post(server, `/api/messaging/message-servers/${(data.server ?? data).id}/sync-channels`, { channels });
}

/** Until the first audio; the rest is not waited for. */
async function speech(server, agentId, text) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}/api/audio/${agentId}/speech/generate`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ text }),
  });
  if (!answer.ok) throw new Error(`speech was answered with ${answer.status} ${await answer.text()}`);
  const reader = answer.body.getReader();
  await reader.read();
  await reader.cancel();
}

/** Until the document is stored or refused. */
async function ingest(server, agentId, text, name) {
  const path = `${server.url}/api/agents/${agentId}/knowledge`;
  const form = new FormData();
  form.append('file', new Blob([text], { type: 'text/plain' }), name);
  let { data: document } = await (await fetch(path, { method: 'POST', body: form })).json();
  while (document.status === 'pending' || document.status === 'processing') {
    await pause(100);
    ({ data: document } = await (await fetch(`${path}/${document.id}?limit=1`)).json());
  }
}
