// Tools that the browser runs, and streams of the AI SDK that are resumed.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Gate } from '../support/scripted-model.js';
import type { UiMessage } from '../support/ui-stream.js';
import { contractApp } from './support/contract-app.js';
import { newChat, read, saidOf, textOf, UiChatCaller, user, type Answer, type Said } from './support/ui-chat.js';
import { until } from './support/until.js';

const TOOLS = { getWeather: { description: 'Of a town.', inputSchema: { type: 'object', properties: { town: { type: 'string' } } } } };
const LOOK_UP = `export default { name: 'teas', actions: [
  { name: 'LOOK_UP', description: 'Looks up a tea.', handler: (call) => ({ text: 'Sencha: ' + JSON.stringify(call.options ?? call.input ?? {}) }) },
] };`;

const app = contractApp({}, { plugins: { 'teas.mjs': LOOK_UP } });
const { ask, prompt, resume, send } = new UiChatCaller(app);

afterEach(() => app.test.model.assertDone());

describe('a tool of the browser', () => {
  /** Asks for the weather, and gets the call. */
  async function called(chat: string): Promise<{ first: Said; one: Answer; call: UiMessage['toRun'][number] }> {
    app.test.model.calls([{ id: 'model-1', name: 'getWeather', input: { town: 'Ulm' } }], 'Let me look.');
    const first = user('Weather?');
    const one = await ask(chat, [first], { tools: TOOLS });
    expect([one.finishReason, one.toRun]).toEqual([
      'tool-calls',
      [{ id: expect.stringMatching(/^call_/), name: 'getWeather', input: { town: 'Ulm' } }],
    ]);
    return { first, one, call: one.toRun[0]! };
  }
  /** As `addToolOutput`. */
  const answered = ({ id, parts }: UiMessage, output: object): Said => ({
    id,
    role: 'assistant',
    parts: parts.map((part) => (part['type'] === 'tool-getWeather' ? { ...part, ...output } : part)),
  });

  it.each([
    ['an object', { state: 'output-available', output: { sky: 'blue' } }, '{"sky":"blue"}'],
    ['a text', { state: 'output-available', output: 'Sunny.' }, 'Sunny.'],
    ['nothing', { state: 'output-available' }, 'null'],
    ['an error', { state: 'output-error', errorText: 'No net.' }, 'No net.'],
    ['a refusal', { state: 'output-denied' }, 'The user did not allow this call.'],
  ])('is handed to it, and the reply goes on with %s', async (_what, output, told) => {
    const chat = newChat();
    const { first, one } = await called(chat);
    app.test.model.reply('It is sunny.');
    const two = await ask(chat, [first, answered(one, output)], { tools: TOOLS, messageId: one.id });
    expect([two.id, two.finishReason, textOf(two)]).toEqual([one.id, 'stop', 'It is sunny.']);
    expect(app.test.model.requests.at(-1)?.messages.slice(-2)).toEqual([
      { role: 'assistant', content: 'Let me look.', toolCalls: [{ id: 'model-1', name: 'getWeather', input: { town: 'Ulm' } }] },
      { role: 'tool', content: told, toolCallId: 'model-1', toolName: 'getWeather' },
    ]);
    app.test.model.reply('Yes.');
    const both = { ...saidOf(one), parts: [...answered(one, output).parts, ...two.parts] };
    await ask(chat, [first, both, user('Sure?')], { tools: TOOLS });
    expect(prompt()).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: 'Let me look.' },
      { role: 'tool', content: told },
      { role: 'assistant', content: 'It is sunny.' },
      { role: 'user', content: 'Sure?' },
    ]);
  });

  it('may be given as the last message alone', async () => {
    const chat = newChat();
    const { one } = await called(chat);
    app.test.model.reply('It is sunny.');
    const message = answered(one, { state: 'output-available', output: 'Sunny.' });
    const two = await ask(chat, [], { messages: undefined, message, tools: TOOLS, messageId: one.id });
    expect([two.id, textOf(two)]).toEqual([one.id, 'It is sunny.']);
    const response = await send(newChat(), [], {
      messages: undefined,
      message: { ...message, parts: [{ ...message.parts.at(-1), toolCallId: 'x' }] },
    });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('No reply of this conversation waits')]);
  });

  it('that the user passes over is left out', async () => {
    const chat = newChat();
    const { first, one } = await called(chat);
    app.test.model.reply('Hello.');
    const { metadata } = await ask(chat, [first, saidOf(one), user('Never mind.')], { tools: TOOLS });
    expect(prompt()).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: 'Let me look.' },
      { role: 'user', content: 'Never mind.' },
    ]);
    // The call still waits, but the newest reply has ended.
    expect((await resume(chat)).status).toBe(204);
    expect(metadata['conversationId']).toBe(one.metadata['conversationId']);
  });

  it.each<[string, object]>([
    [
      'a list in the form of Chat Completions',
      [{ type: 'function', function: { name: 'getWeather', parameters: { type: 'object' } } }, { type: 'x' }],
    ],
    ['the value of jsonSchema()', { getWeather: { inputSchema: { _type: null, jsonSchema: { type: 'object' } } } }],
    ['a name alone', { getWeather: {} }],
  ])('may be %s', async (_what, tools) => {
    app.test.model.reply('Well.');
    await ask(newChat(), [user()], { tools });
    expect(app.test.model.requests.at(-1)?.tools?.filter(({ name }) => /^[a-z]/.test(name))).toEqual([
      { name: 'getWeather', description: '', parameters: expect.objectContaining({ type: 'object' }) },
    ]);
  });
});

describe('a stream that is resumed', () => {
  it('comes from its beginning and goes on', async () => {
    const [chat, gate] = [newChat(), new Gate()];
    app.test.model.calls([{ name: 'LOOK_UP', input: {} }], 'Let me look.').deltas(['Sen', 'cha.'], { gate });
    const before = app.test.model.requests.length;
    const response = await send(chat, [user()]);
    await app.test.model.called(before + 2);
    gate.release();
    const again = await resume(chat);
    gate.open();
    const [one, other] = [await read(response), await read(again)];
    expect(other).toMatchObject({ id: one.id, parts: one.parts, finishReason: 'stop', metadata: one.metadata });
    expect((await resume(chat)).status).toBe(204);
  });

  it('waits for a call of the browser again, and hands back what was given without a call', async () => {
    const [chat, gate] = [newChat(), new Gate()];
    app.test.model.calls([{ name: 'getWeather', input: { town: 'Ulm' } }], 'Let me look.');
    const first = user('Weather?');
    const one = await ask(chat, [first], { tools: TOOLS });
    const other = await read(await resume(chat));
    expect(other).toMatchObject({ id: one.id, parts: one.parts, finishReason: 'tool-calls', toRun: one.toRun });
    app.test.model.deltas(['It is ', 'sunny.'], { gate });
    const before = app.test.model.requests.length;
    const parts = one.parts.map((part) => ('toolCallId' in part ? { ...part, state: 'output-available', output: { sky: 'blue' } } : part));
    const response = await send(chat, [first, { ...saidOf(one), parts }], { tools: TOOLS });
    await app.test.model.called(before + 1);
    gate.release();
    const again = await resume(chat);
    gate.open();
    const [rest, whole] = [await read(response), await read(again)];
    expect(textOf(rest)).toBe('It is sunny.');
    expect([whole.id, whole.finishReason, whole.toRun]).toEqual([one.id, 'stop', []]);
    expect(whole.parts).toEqual([...parts, { type: 'step-start' }, { type: 'text', text: 'It is sunny.', state: 'done' }]);
  });

  it('is told by another process, without what is void', async () => {
    const [chat, first, second] = [newChat(), new Gate(), new Gate()];
    app.test.model.calls([{ name: 'LOOK_UP', input: {} }], 'Let me look.').deltas(['Oolong', ' it is.'], { gate: first });
    const before = app.test.model.requests.length;
    const response = await send(chat, [user()]);
    await app.test.model.called(before + 2);
    first.release();
    const channelId = response.headers.get('x-conversation-id')!;
    await until(async () => {
      app.clock.advance(1000);
      return (await app.entries(channelId)).some(
        ({ type, payload }) => type === 'message.chunk' && JSON.stringify(payload).includes('Oolong'),
      );
    });
    await app.test.restart((model) => model.deltas(['Sencha', ' it is.'], { gate: second }));
    app.useScriptedModel();
    await response.text().catch(() => undefined);
    await app.test.model.called();
    second.release();
    const again = await resume(chat);
    second.open();
    const whole = await read(again);
    expect(whole.parts.map(({ type, text }) => text ?? type)).toEqual([
      'step-start',
      'Let me look.',
      'dynamic-tool',
      'step-start',
      'Sencha it is.',
    ]);
    expect(whole.finishReason).toBe('stop');
  });
});
