// The whole messages in docs/reference/events.md: each event that a socket sends or hears, held against what goes over the wire.
// `WRITE_EXAMPLES=true npm test -- test/docs/socket-examples.spec.ts` writes them anew; Prettier formats them.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toChannelEvent, typeOfSocketEvent } from '../../client/src/events.js';
import { cursorBehind, Journal, registeredEvents, type JournalEntry } from '../../src/core/journal/index.js';
import { Log } from '../../src/core/logging/index.js';
import { presentChannelEvent } from '../../src/modules/messaging/index.js';
import { SpeechRegistry } from '../../src/providers/speech/index.js';
import { ApiClient } from '../support/api-client.js';
import { apiDocument } from '../support/api-document.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { ScriptedSynthesizer, ScriptedTranscriber } from '../support/scripted-speech.js';
import { SocketClient } from '../support/socket-client.js';

const FILE = join(import.meta.dirname, '../../docs/reference/events.md');
const [BEGIN, END] = ['<!-- whole messages -->', '<!-- end of whole messages -->'];
const USER = '11111111-1111-1111-1111-111111111111';
const MINUTE = 60_000;
const PLUGIN = `export default { name: 'clerk', actions: [
  { name: 'LOOK_UP', description: 'Looks up.', handler: () => ({ success: true, text: 'Found.' }) },
] };`;

/** What a client sent and how it was answered, by event, in the order of the document. */
const sent = new Map<string, { message: unknown[]; acknowledgement: unknown }>();
const heard = new Map<string, unknown[]>();
const entries: JournalEntry[] = [];

let test: TestApp;
const speech = { synthesizer: new ScriptedSynthesizer(), transcriber: new ScriptedTranscriber() };
let client: SocketClient;
const clock = new FakeClock();

async function send(name: string, ...payload: unknown[]): Promise<ReturnType<typeof JSON.parse>> {
  const acknowledgement: unknown = await client.socket.timeout(10_000).emitWithAck(name, ...payload);
  const label = name === 'message' ? `message ${(payload[0] as { type: number }).type === 1 ? '(join)' : '(send)'}` : name;
  if (!sent.has(label)) sent.set(label, { message: [name, ...payload], acknowledgement });
  return acknowledgement;
}

/** A program asks over OpenAI's protocol, and runs a tool of its own. */
async function useTool(api: ApiClient, channelId: string): Promise<void> {
  test.model.calls([{ name: 'open_tin', input: {} }]).reply('The tin is open.');
  const tools = [{ type: 'function', function: { name: 'open_tin' } }];
  const ask = (...messages: object[]): ReturnType<ApiClient['post']> =>
    api.post('/v1/chat/completions', { model: 'Ada', messages, tools }, { headers: { 'X-Conversation-Id': channelId } });
  const question = { role: 'user', content: 'Open the tin.' };
  const { message } = (await ask(question)).body.choices[0];
  await ask(question, message, { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'Done.' });
  await client.waitFor('turn.resumed');
}

/** One session in which everything happens that a socket can hear. */
async function play(): Promise<void> {
  const api = new ApiClient(() => test.url);
  const timeoutConfig = { timeoutMinutes: 30, autoRenew: false };
  const session = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER, timeoutConfig })).body.data;
  const { sessionId, channelId } = session as { sessionId: string; channelId: string };
  client = await SocketClient.connect(test.url, { auth: { entityId: USER } });
  await send('join', { channelId, after: 0 });
  await client.waitFor('sessionCreated');
  await send('message', { type: 1, payload: { channelId } });
  test.model.calls([{ name: 'LOOK_UP', input: {} }], 'Let me see.').reply('Green tea is Sencha.');
  const question = { channelId, message: 'Which tea is green?', senderId: USER, senderName: 'Ada Lovelace', messageId: 'question-1' };
  await send('message', { type: 2, payload: question });
  const { id } = await client.waitFor('messageBroadcast', ({ isAgent }) => isAgent);
  await client.waitFor('messageComplete');
  await send('request-world-state', { roomId: channelId });
  await api.patch(`/api/messaging/messages/${id}`, { content: 'Sencha is green.' });
  await client.waitFor('messageUpdated');
  test.model.fail(new Error('the model is away'));
  await client.ask('message', { type: 2, payload: { channelId, message: 'And black?' } });
  await client.waitFor('messageStreamError');
  test.model.events([
    { type: 'reasoning', text: 'They like black tea.' },
    { type: 'delta', text: 'Assam is black.' },
  ]);
  await client.ask('message', { type: 2, payload: { channelId, message: 'And black?', metadata: { reasoning: true } } });
  await client.waitFor('messageStreamReasoning');
  await client.waitForMany('messageComplete', 3);
  await client.ask('message', { type: 2, payload: { channelId } });
  await cancel(api, channelId);
  await useTool(api, channelId);
  await api.delete(`/api/messaging/channels/${channelId}/messages/${id}`);
  await client.waitFor('messageDeleted');
  await speak(channelId);
  await api.patch(`/api/messaging/channels/${channelId}`, { name: 'Tea' });
  await api.patch(`/api/messaging/sessions/${sessionId}/timeout`, { warningThresholdMinutes: 10 });
  clock.advance(21 * MINUTE);
  await client.waitFor('sessionExpirationWarning');
  await api.post(`/api/messaging/sessions/${sessionId}/renew`, {});
  await client.waitFor('sessionRenewed');
  clock.advance(31 * MINUTE);
  await client.waitFor('sessionExpired');
  await send('subscribe_logs');
  await send('update_log_filters', { level: 'warn', agentName: 'all' });
  new Log('examples').warn('The kettle is empty.');
  await client.waitFor('log_stream');
  await send('unsubscribe_logs');
  await endings(api);
}

async function cancel(api: ApiClient, channelId: string): Promise<void> {
  const called = test.model.called(test.model.requests.length + 1);
  test.model.stall();
  await client.ask('message', { type: 2, payload: { channelId, message: 'And white?' } });
  const { id } = await client.waitFor('messageBroadcast', ({ text }) => text === 'And white?');
  await called;
  await api.post(`/api/messaging/channels/${channelId}/messages/${id}/cancel`);
  await client.waitFor('messageComplete', ({ status }) => status === 'cancelled');
}

async function speak(channelId: string): Promise<void> {
  speech.transcriber.hear('Which tea is black?');
  speech.synthesizer.always();
  test.model.reply('Assam is black.');
  await send('audioStart', { channelId, encoding: 'file', language: 'en' });
  await send('audioChunk', Buffer.from('RIFF'));
  await send('audioEnd');
  await client.waitFor('speechEnd');
  await send('audioCancel');
}

/** What ends a channel, in others. */
async function endings(api: ApiClient): Promise<void> {
  const ended = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data;
  await client.ask('join', { channelId: ended.channelId, after: 0 });
  await api.delete(`/api/messaging/sessions/${ended.sessionId}`);
  await client.waitFor('sessionEnded');
  await client.ask('join', { channelId: ended.channelId, after: 1_000_000 });
  await client.waitFor('gap');
  await api.delete(`/api/messaging/channels/${ended.channelId}/messages`);
  await client.waitFor('channelCleared');
  await api.delete(`/api/messaging/channels/${ended.channelId}`);
  await client.waitFor('channelDeleted');
  await send('leave', { channelId: ended.channelId });
}

beforeAll(async () => {
  test = await createTestApp({ clock, plugins: { 'clerk.mjs': PLUGIN } });
  const registry = test.app.get(SpeechRegistry);
  registry.synthesizer = () => speech.synthesizer;
  registry.transcriber = () => speech.transcriber;
  test.app.get(Journal).subscribe((entry) => entries.push(entry));
  await play();
  for (const { name, payload } of client.received) if (!heard.has(name)) heard.set(name, [name, payload]);
  if (process.env['WRITE_EXAMPLES'] === 'true') await write();
}, 60_000);
afterAll(async () => {
  client.close();
  await test.close();
});

/** Examples of the document by the kind of message and the event. */
async function documented(): Promise<Map<string, unknown>> {
  const section = (await readFile(FILE, 'utf8')).split(BEGIN)[1]!.split(END)[0]!;
  const blocks = section.matchAll(/^\*\*`(.+?)`( \(.+?\))?\*\*, (sent|acknowledged|heard):\n+```json\n([^]*?)^```/gm);
  return new Map([...blocks].map(([, name, part = '', kind, text]) => [`${kind} ${name}${part}`, JSON.parse(text!) as unknown]));
}

function captured(): Map<string, unknown> {
  const ids = new Map<string, string>();
  return new Map([
    ...[...sent].flatMap(([name, { message, acknowledgement }]): [string, unknown][] => [
      [`sent ${name}`, sample(message, ids)],
      [`acknowledged ${name}`, sample(acknowledgement, ids)],
    ]),
    ...[...heard].map(([name, message]): [string, unknown] => [`heard ${name}`, sample(message, ids)]),
  ]);
}

const FREE = new Set(['metadata', 'rawMessage', 'raw_message', 'updates', 'filters']);

/** Names and types of a message's fields. What fields of the caller contain is the caller's. */
function shapeOf(value: unknown, key = ''): unknown {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    return key === '' ? value.map((one) => shapeOf(one)) : ['list', ...value.slice(0, 1).map((one) => shapeOf(one))];
  }
  if (typeof value !== 'object') return typeof value;
  if (FREE.has(key)) return 'object';
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field, name)]));
}

/** As JSON, with bytes as text and the same ids and times at each run. */
function sample(value: unknown, ids: Map<string, string>, key = ''): unknown {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return '(bytes)';
  if (Array.isArray(value)) return value.map((one) => sample(one, ids));
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return Object.fromEntries(fields.map(([name, field]) => [name, sample(field, ids, name)]));
  }
  if (typeof value === 'number') return SAMPLES[key] ?? (value > 1e12 ? 1_769_860_800_000 : value);
  if (typeof value !== 'string') return value;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return '2026-01-31T12:00:00.000Z';
  if (key === 'cursor') return value.includes('.') ? '41.1.128' : '41';
  if (key === 'socketId') return 'Ckq3Zk0lXyPzvJ6tAAAB';
  return value.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    if (id === ADA.id || id === USER || /^0[0-]+$/.test(id)) return id;
    if (!ids.has(id)) {
      ids.set(
        id,
        `${String(ids.size + 2)
          .repeat(8)
          .slice(0, 8)}-0000-4000-8000-000000000000`,
      );
    }
    return ids.get(id)!;
  });
}
const SAMPLES: Readonly<Record<string, number>> = { offset: 41, seq: 7, durationMs: 12, durationSeconds: 1.4, timeRemaining: 540_000 };

async function write(): Promise<void> {
  const text = [...captured()].map(([name, message]) => {
    const [kind, ...words] = name.split(' ');
    const part = words[1] === undefined ? '' : ` ${words[1]}`;
    return `**\`${words[0]}\`${part}**, ${kind}:\n\n\`\`\`json\n${JSON.stringify(message)}\n\`\`\`\n`;
  });
  const document = await readFile(FILE, 'utf8');
  const [before, rest] = document.split(BEGIN);
  await writeFile(FILE, `${before}${BEGIN}\n\n${text.join('\n')}\n${END}${rest!.split(END)[1]}`);
}

describe('docs/reference/events.md', () => {
  it('shows whole messages as sent, in both directions', async () => {
    const shown = await documented();
    const shapes = (messages: Map<string, unknown>): unknown =>
      Object.fromEntries(
        [...messages].map(([name, message]) => [name, shapeOf(message)]).sort(([one], [other]) => (one! < other! ? -1 : 1)),
      );
    expect(shapes(shown)).toEqual(shapes(captured()));
  });

  it('shows a message of each event in its tables', async () => {
    const text = (await readFile(FILE, 'utf8')).split('## Socket.io')[1]!.split('## Server-sent events')[0]!;
    const [tables] = text.split(BEGIN);
    const listed = [...tables!.matchAll(/^\| ((?:`[\w.-]+`(?:, )?)+)/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([\w.-]+)`/g)].map(([, name]) => name!),
    );
    const shown = [...(await documented()).keys()].map((name) => name.split(' ')[1]);
    expect(listed.filter((name) => !shown.includes(name))).toEqual([]);
    expect(listed.length).toBeGreaterThan(30);
  });
});

describe('an event of a channel', () => {
  const described = registeredEvents().flatMap(([type, { view, sockets }]) => (view ? [{ type, view: view.name, sockets }] : []));

  it('has a description if clients receive it', () => {
    const known = described.map(({ type }) => type);
    const sent = registeredEvents().flatMap(([type, { sockets }]) => (sockets ? [type] : []));
    // What clients report themselves.
    expect(sent.filter((type) => !known.includes(type))).toEqual(['message.completed']);
  });

  it.each(described)('$type is sent as described, in streams and on sockets', ({ type, view, sockets }) => {
    const own = entries.filter((entry) => entry.type === type);
    const streamed = own.map(
      (entry) => presentChannelEvent({ entry, cursor: cursorBehind(entry.offset), change: undefined })!.data as Record<string, unknown>,
    );
    expect(streamed.map((data) => apiDocument().schemaFault(view, data))).toEqual(own.map(() => undefined));
    const [name] = Object.keys(sockets ?? {});
    const offsets = new Set(own.map(({ offset }) => offset));
    const onSockets = client.received.filter(({ payload }) => offsets.has(payload?.offset));
    const first = onSockets.filter((event) => event.name === name);
    expect(first.length).toBeGreaterThan(0);
    expect(first.map(({ payload }) => apiDocument().schemaFault(view, payload))).toEqual(first.map(() => undefined));
    for (const { payload } of first) {
      expect(typeOfSocketEvent(name!, payload)).toBe(type);
      // The same event for the users of the client, whichever transport delivers it.
      const entry = streamed.find(({ offset }) => offset === payload.offset)!;
      const { session: _, cursor: _cursor, ...ofSocket } = { session: undefined, cursor: '', ...toChannelEvent(type, payload) };
      expect(toChannelEvent(type, entry)).toMatchObject(ofSocket);
    }
  });
});
