// What the server counts of protocols, and requests that are repeated while their reply is generated.
import { expect, it } from '@jest/globals';
import { onErrorLine } from '../../src/core/logging/index.js';
import { meter } from '../../src/core/telemetry/index.js';
import { Gate } from '../support/scripted-model.js';
import { contractApp } from './support/contract-app.js';

const app = contractApp();
const { api } = app;

const CHAT = '/v1/chat/completions';
const TOOLS = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } }];
type Message = Readonly<Record<string, unknown>>;

const user = (content: string): Message => ({ role: 'user', content });
const ask = (messages: readonly Message[], headers: Record<string, string> = {}, body = {}): ReturnType<typeof api.post> =>
  api.post(CHAT, { model: 'Ada', messages, ...body }, { headers });

/** Counts by the labels other than the protocol. */
function counts(protocol: string): Record<string, number> {
  const found = meter.snapshot().filter(({ name }) => ['protocols.requests', 'protocols.responses'].includes(name));
  const ofProtocol = found.flatMap(({ series }) => series).filter(({ labels }) => labels['protocol'] === protocol);
  return Object.fromEntries(
    ofProtocol.map((each) => [each.labels['conversation'] ?? each.labels['outcome']!, 'value' in each ? each.value : 0]),
  );
}

/** How much more has been counted than before. */
async function counted(protocol: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = counts(protocol);
  await work();
  return Object.fromEntries(
    Object.entries(counts(protocol)).flatMap(([name, count]) => (count > (before[name] ?? 0) ? [[name, count - (before[name] ?? 0)]] : [])),
  );
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

it('counts requests by what became of their conversation, and responses by how they ended', async () => {
  const told = [user('Count: hello'), { role: 'assistant', content: 'One.' }];
  const results = await counted('openai', async () => {
    app.test.model
      .reply('One.')
      .reply('Two.')
      .reply('Three.')
      .reply('Four.')
      .calls([{ name: 'get_weather', input: {} }])
      .reply('Five.')
      .fail(new Error('broken'));
    await ask([user('Count: hello')]);
    await ask([...told, user('And?')]);
    await ask([...told, user('And otherwise?')]);
    await ask([user('Count: by name')], { 'X-Conversation-Id': 'counted', 'Idempotency-Key': 'counted' });
    await ask([user('Count: by name')], { 'X-Conversation-Id': 'counted', 'Idempotency-Key': 'counted' });
    const asked = [user('Count: with tools')];
    const [{ message }] = (await ask(asked, {}, { tools: TOOLS })).body.choices;
    await ask([...asked, message, { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'Rain.' }], {}, { tools: TOOLS });
    await ask([user('Count: fails')]);
  });
  expect(results).toEqual({
    ...{ new: 3, continued: 1, branched: 1, named: 1, repeated: 1, resumed: 1 },
    ...{ completed: 6, tool_calls: 1, failed: 1 },
  });
});

it.each([false, true])('a repeated request whose client disconnects is no fault (streamed: %s)', async (stream) => {
  const errors: string[] = [];
  const stop = onErrorLine(({ part, message }) => errors.push(`${part}: ${message}`));
  const gate = new Gate();
  app.test.model.deltas(['Late.'], { gate });
  const [headers, leaving] = [{ 'Idempotency-Key': `leaves ${stream}` }, new AbortController()];
  const messages = [user(`Leave: ${stream}`)];
  const before = counts('anthropic');
  const post = (signal?: AbortSignal): ReturnType<typeof api.post> =>
    api.post('/v1/messages', { model: 'Ada', max_tokens: 100, messages, stream }, { headers, ...(signal && { signal }) });
  const first = post();
  await until(() => (counts('anthropic')['new'] ?? 0) > (before['new'] ?? 0));
  const second = post(leaving.signal).catch(() => undefined);
  await until(() => (counts('anthropic')['repeated'] ?? 0) > (before['repeated'] ?? 0));
  leaving.abort();
  await second;
  await until(() => (counts('anthropic')['disconnected'] ?? 0) > (before['disconnected'] ?? 0));
  gate.open();
  expect((await first).status).toBe(200);
  stop();
  expect(errors).toEqual([]);
});
