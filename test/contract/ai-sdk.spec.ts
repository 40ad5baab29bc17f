// The AI SDK's UI message stream: requests, and parts of the stream.
import { afterEach, describe, expect, it } from '@jest/globals';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { Gate } from '../support/scripted-model.js';
import { contractApp, NOBODY } from './support/contract-app.js';
import { PIXEL } from './support/samples.js';
import { newChat, read, saidOf, textOf, UiChatCaller, user, type Said } from './support/ui-chat.js';

const LOOK_UP = `export default { name: 'teas', actions: [
  { name: 'LOOK_UP', description: 'Looks up a tea.', handler: (call) => ({ text: 'Sencha: ' + JSON.stringify(call.options ?? call.input ?? {}) }) },
  { name: 'BREAK', description: 'Fails.', handler: () => { throw new Error('The secret is 42.'); } }] };`;

const app = contractApp({}, { plugins: { 'teas.mjs': LOOK_UP } });
const { api } = app;
const { ask, prompt, resume, send } = new UiChatCaller(app);

const stored = async (channelId: unknown): Promise<string[]> =>
  (await app.messages(String(channelId))).map(({ content }) => content as string).reverse();

afterEach(() => app.test.model.assertDone());

describe('a chat', () => {
  it('is the reply as a UI message', async () => {
    app.test.model.usage = { inputTokens: 12, outputTokens: 3 };
    app.test.model.deltas(['Sen', 'cha.']);
    const chat = newChat();
    const answer = await ask(chat, [user()]);
    app.test.model.usage = {};
    expect(answer.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(answer.types).toEqual(['start', 'start-step', 'text-start', 'text-delta', 'text-end', 'finish-step', 'finish']);
    expect(answer.parts).toEqual([{ type: 'step-start' }, { type: 'text', text: 'Sencha.', state: 'done' }]);
    const channelId = answer.headers.get('x-conversation-id')!;
    const [reply, question] = await app.messages(channelId);
    expect(answer).toMatchObject({
      id: reply.id,
      finishReason: 'stop',
      metadata: { conversationId: channelId, messageId: question.id, agentId: ADA.id, usage: { inputTokens: 12, outputTokens: 3 } },
    });
    expect((await resume(chat)).status).toBe(204);
  });

  it.each(['Ada', 'ada', ADA.id])('finds the agent %s', async (name) => {
    app.test.model.reply('Here.');
    const body = { id: newChat(), messages: [user()] };
    expect((await api.post(`/api/agents/${name}/chat`, body)).status).toBe(200);
  });

  it('goes on under its id: the prompt is what was sent, and only what is new is stored', async () => {
    const chat = newChat();
    app.test.model.reply('One.').reply('Two.');
    const first = user('First?');
    const one = await ask(chat, [first]);
    const system = { id: 's', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] };
    const edited = { ...saidOf(one), parts: [{ type: 'text', text: 'ONE.' }] };
    const two = await ask(chat, [system, first, edited, user('Second?')], { system: 'Rhyme.' });
    expect(two.metadata['conversationId']).toBe(one.metadata['conversationId']);
    expect(await stored(one.metadata['conversationId'])).toEqual(['First?', 'One.', 'Second?', 'Two.']);
    expect(prompt()).toEqual([
      { role: 'user', content: 'First?' },
      { role: 'assistant', content: 'ONE.' },
      { role: 'user', content: 'Second?' },
    ]);
    expect(app.test.model.requests.at(-1)!.messages[0]!.content).toMatch(/Answer shortly\.[^]*Rhyme\.\n\nBe brief\./);
  });

  it('takes in the history of a chat that the server does not know', async () => {
    app.test.model.reply('Three.');
    const history = [user('One?'), { id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'Two.' }] }, user('Three?')];
    const { metadata } = await ask(newChat(), history);
    expect(await stored(metadata['conversationId'])).toEqual(['One?', 'Two.', 'Three?', 'Three.']);
  });

  it('does not store a question again that got no answer', async () => {
    const chat = newChat();
    app.test.model.fail(new Error('broken')).reply('Both.');
    const first = user('First?');
    const failed = await ask(chat, [first]);
    expect(failed.error).toMatch(/\S/);
    await ask(chat, [first, user('Second?')]);
    expect(await stored(failed.metadata['conversationId'])).toEqual(['First?', 'Second?', 'Both.']);
    expect(prompt()).toHaveLength(2);
  });

  it('may be sent as its last message alone', async () => {
    const chat = newChat();
    app.test.model.reply('One.').reply('Two.');
    await ask(chat, [], { messages: undefined, message: user('Remember 17.') });
    await ask(chat, [], { messages: undefined, message: user('Which number?') });
    expect(prompt()).toEqual([
      { role: 'user', content: 'Remember 17.' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'Which number?' },
    ]);
  });

  it.each([
    ['regenerated', 'regenerate-message', 'First?'],
    ['asked in other words', 'submit-message', 'Other?'],
  ])('that is %s keeps one history, whose repetitions have the id of the message', async (_what, trigger, text) => {
    const chat = newChat();
    app.test.model.reply('One.').reply('Other.').reply('Next.');
    const first = user('First?');
    const one = await ask(chat, [first]);
    const again = { ...first, parts: [{ type: 'text', text }] };
    const other = await ask(chat, [again], { trigger, messageId: trigger === 'regenerate-message' ? one.id : first.id });
    expect(prompt()).toEqual([{ role: 'user', content: text }]);
    expect(other.id).not.toBe(one.id);
    await ask(chat, [again, saidOf(other), user('And?')]);
    expect(prompt()).toHaveLength(3);
    const messages = (await app.messages(String(one.metadata['conversationId']))).reverse();
    expect(messages.map(({ content }) => content)).toEqual(['First?', 'One.', text, 'Other.', 'And?', 'Next.']);
    expect(messages[2].metadata.request.uiMessageId).toBe(messages[0].metadata.request.uiMessageId);
    expect([messages[0].metadata.request.trigger, messages[2].metadata.request.trigger]).toEqual([
      undefined,
      trigger === 'regenerate-message' ? trigger : undefined,
    ]);
  });

  it.each([
    ['a part of its text', 'another message', true],
    ['nothing of it', 'another message', false],
    ['nothing of it', 'the same message', false],
  ])('cancels a reply of which its page has %s and sends %s', async (_what, next, hasPart) => {
    const [chat, gate] = [newChat(), new Gate()];
    app.test.model.deltas(['So ', 'long.'], { gate }).reply('Two.');
    const first = user('First?');
    const before = app.test.model.requests.length;
    const stopped = await send(chat, [first]);
    await app.test.model.called(before + 1);
    gate.release();
    const part = { id: 'part', role: 'assistant', parts: [{ type: 'text', text: 'So ' }] };
    const last = next === 'the same message' ? [] : [user('Second?')];
    const body = last.length === 0 ? { trigger: 'regenerate-message' } : {};
    const two = await ask(chat, [first, ...(hasPart ? [part] : []), ...last], body);
    expect([textOf(two), (await read(stopped)).types.at(-1)]).toEqual(['Two.', 'abort']);
    gate.open();
  });

  it('waits for a reply that its page does not know', async () => {
    const [chat, gate] = [newChat(), new Gate()];
    app.test.model.deltas(['So ', 'long.'], { gate }).reply('Two.');
    const before = app.test.model.requests.length;
    const one = await send(chat, [user('First?')]);
    await app.test.model.called(before + 1);
    const two = await send(chat, [user('From another page?')]);
    gate.open();
    expect([textOf(await read(one)), textOf(await read(two))]).toEqual(['So long.', 'Two.']);
  });

  it('is another one for another agent', async () => {
    const chat = newChat();
    app.test.model.reply('Ada.').reply('Bob.');
    const one = await ask(chat, [user()]);
    const { headers } = await api.post('/api/agents/Bob/chat', { id: chat, messages: [user()] });
    expect(headers.get('x-conversation-id')).not.toBe(one.metadata['conversationId']);
  });

  it('may be one that exists: a session', async () => {
    const session = await app.newSession();
    app.test.model.reply('Yes.');
    const { metadata } = await ask(session.sessionId, [user()]);
    expect(metadata['conversationId']).toBe(session.channelId);
  });

  it('does not read other fields of the body', async () => {
    app.test.model.reply('Fine.');
    const { status } = await ask(newChat(), [{ ...user(), metadata: { at: 1 } }], { model: 'gpt-4o', theme: 'dark', temperature: 0.1 });
    expect([status, app.test.model.requests.at(-1)?.temperature]).toEqual([200, undefined]);
  });

  it('is answered once for one Idempotency-Key', async () => {
    const [chat, first] = [newChat(), user()];
    const key = { 'Idempotency-Key': 'c0ffee00-1111-4222-8333-44445555aaaa' };
    app.test.model.deltas(['On', 'ce.']);
    const one = await ask(chat, [first], {}, key);
    const again = await ask(chat, [first], {}, key);
    expect([again.id, textOf(again)]).toEqual([one.id, 'Once.']);
  });
});

describe('files', () => {
  it('go to a model that sees, each with its own message, also from edited and cut histories', async () => {
    app.test.model.supportsImages = true;
    const other = `data:image/png;base64,${Buffer.concat([Buffer.from(PIXEL.split(',')[1]!, 'base64'), Buffer.from('x')]).toString('base64')}`;
    const picture = (url: string): object => ({ type: 'file', mediaType: 'image/png', filename: 'dot.png', url });
    const chat = newChat();
    app.test.model.reply('A dot.').reply('Another.').reply('Well.').reply('End.');
    const one = user('What?', picture(PIXEL));
    const first = await ask(chat, [one]);
    const two: Said = { ...one, parts: [{ type: 'text', text: 'And this?' }, { ...picture(other) }] };
    const second = await ask(chat, [two], { messageId: one.id });
    const third = await ask(chat, [two, saidOf(second), user('Sure?')]);
    const sizes = (): number[] =>
      app.test.model.requests
        .at(-1)!
        .messages.flatMap((each) => (each.role === 'user' ? (each.files ?? []) : []))
        .map(({ data }) => data.length);
    const length = (url: string): number => Buffer.from(url.split(',')[1]!, 'base64').length;
    expect(sizes()).toEqual([length(other)]);
    await ask(chat, [user('Cut.'), saidOf(third), one, saidOf(first), user('End?')]);
    app.test.model.supportsImages = false;
    expect(sizes()).toEqual([length(PIXEL)]);
    const messages = await app.messages(String(first.metadata['conversationId']));
    expect(messages.filter(({ metadata }) => metadata.attachments).length).toBe(2);
  });
});

describe('what the agent does', () => {
  it('is told with its reasoning, its actions and a step for each call of the model', async () => {
    app.test.model
      .events([
        { type: 'reasoning', text: 'Hm.' },
        { type: 'delta', text: 'Let me look.' },
        { type: 'tool-call', id: 'c1', name: 'LOOK_UP', input: { tea: 'green' } },
      ])
      .reply('Sencha.');
    const { parts, types, toRun, metadata } = await ask(newChat(), [user()]);
    expect(parts).toEqual([
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm.', state: 'done' },
      { type: 'text', text: 'Let me look.', state: 'done' },
      {
        type: 'dynamic-tool',
        toolName: 'LOOK_UP',
        toolCallId: expect.stringMatching(/\S/),
        providerExecuted: true,
        state: 'output-available',
        input: { tea: 'green' },
        output: expect.objectContaining({ success: true, text: expect.stringContaining('Sencha') }),
      },
      { type: 'step-start' },
      { type: 'text', text: 'Sencha.', state: 'done' },
    ]);
    expect(types.indexOf('tool-input-available')).toBeLessThan(types.indexOf('tool-output-available'));
    expect([toRun, Object.keys(metadata)]).toEqual([[], ['conversationId', 'messageId', 'agentId', 'usage']]);
  });

  it('is not sent back to the model with the history', async () => {
    const chat = newChat();
    app.test.model
      .calls([{ name: 'LOOK_UP', input: {} }], 'Let me look.')
      .reply('Sencha.')
      .reply('Yes.');
    const first = user('Which?');
    const one = await ask(chat, [first]);
    await ask(chat, [first, saidOf(one), user('Sure?')]);
    expect(prompt()).toEqual([
      { role: 'user', content: 'Which?' },
      { role: 'assistant', content: 'Let me look.\n\nSencha.' },
      { role: 'user', content: 'Sure?' },
    ]);
  });

  it('may fail', async () => {
    app.test.model.calls([{ name: 'BREAK', input: {} }]).reply('Sorry.');
    const { parts } = await ask(newChat(), [user()]);
    expect(parts.find(({ type }) => type === 'dynamic-tool')).toMatchObject({ state: 'output-error', errorText: 'The secret is 42.' });
  });

  it('ends with an error that tells the cause', async () => {
    app.test.model.fail(new Error('broken'), { after: ['So far'] });
    const answer = await ask(newChat(), [user()]);
    expect(textOf(answer)).toBe('So far');
    expect([answer.error, answer.types.at(-1)]).toEqual([expect.stringMatching(/\S/), 'error']);
  });

  it('ends with abort when it is cancelled', async () => {
    const gate = new Gate();
    app.test.model.deltas(['One, ', 'two.'], { gate });
    const before = app.test.model.requests.length;
    const response = await send(newChat(), [user()]);
    await app.test.model.called(before + 1);
    const path = response.headers.get('content-location')!.replace(/events$/, 'cancel');
    expect((await api.post(path)).status).toBe(200);
    const { types, error } = await read(response);
    expect([types.at(-1), error]).toEqual(['abort', undefined]);
  });
});

describe('refused is', () => {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }];
  const part = (...parts: object[]): object => ({ messages: [{ role: 'user', parts }] });
  const assistant = (...parts: object[]): object => ({ messages: [...messages, { role: 'assistant', parts }] });

  it.each<[string, object, string]>([
    ['no id', { id: undefined, messages }, 'id must'],
    ['an id that is too long', { id: 'a'.repeat(256), messages }, 'id must'],
    ['no messages', {}, 'messages must be a list'],
    ['no message', { messages: [] }, 'messages must end with a message of the user'],
    ['messages and a message', { messages, message: messages[0] }, 'message must not be sent'],
    ['an unknown trigger', { messages, trigger: 'resume' }, 'trigger must'],
    ['a message that is no object', { messages: ['Hello'] }, 'messages[0] must be an object'],
    ['a message of version 4', { messages: [{ role: 'user', content: 'Hello' }] }, 'messages[0].parts must be a list'],
    ['an unknown role', { messages: [{ role: 'tool', parts: [] }] }, 'messages[0].role must be system, user or assistant'],
    ['an empty message', part({ type: 'text', text: ' ' }), 'messages[0].parts must have a text or a file'],
    ['data alone', part({ type: 'data-x', data: 1 }), 'messages[0].parts must have a text or a file'],
    ['another part of the user', part({ type: 'reasoning', text: 'x' }), 'messages[0].parts[0].type must be text, file'],
    ['a part without a type', part({ text: 'x' }), 'messages[0].parts[0].type must be a text'],
    [
      'a file elsewhere',
      part({ type: 'file', mediaType: 'image/png', url: 'https://x/y.png' }),
      'messages[0].parts[0].url must be a data: URL',
    ],
    ['an unknown part', assistant({ type: 'dance' }), 'messages[1].parts[0].type is not a part'],
    ['a conversation that waits for nothing', assistant({ type: 'text', text: 'Hi.' }), 'messages must end with'],
    ['an output that is missing', assistant({ type: 'tool-a', toolCallId: 'x', state: 'input-available' }), 'messages must end with'],
    [
      'a file in a system message',
      { messages: [{ role: 'system', parts: [{ type: 'file' }] }, ...messages] },
      'messages[0].parts must have texts only',
    ],
    ['a new reply to a message alone', { message: messages[0], trigger: 'regenerate-message' }, 'trigger must be submit-message'],
    ['a changed message alone', { message: messages[0], messageId: 'm' }, 'messageId must not'],
    ['a message of the assistant alone', { message: { role: 'assistant', parts: [] } }, 'message must be a message of the user'],
    ['a name that is no name of a tool', { messages, tools: { 'a b': {} } }, 'tools.a b must be 1 to 64'],
    [
      'two tools of one name',
      { messages, tools: [1, 2].map(() => ({ type: 'function', function: { name: 'a' } })) },
      'tools must not have two',
    ],
    [
      'a schema of zod',
      { messages, tools: { a: { inputSchema: { '~standard': {}, type: 'object' } } } },
      'tools.a.inputSchema must be a JSON Schema',
    ],
    ['2,001 messages', { messages: Array.from({ length: 2001 }, () => messages[0]) }, 'messages must have at most 2000'],
    ['instructions that are no text', { messages, system: { text: 'Rhyme.' } }, 'system must be a string'],
    ['NUL in instructions', { messages, system: 'a\0b' }, 'system must not contain'],
    ['NUL', part({ type: 'text', text: 'a\0b' }), 'messages[0].parts[0].text must not contain'],
  ])('%s, by name', async (_what, body, message) => {
    const answer = await api.post('/api/agents/Ada/chat', { id: 'chat', ...body });
    expectError(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.message).toContain(message);
  });

  it('an unknown agent', async () => {
    expectError(await api.post('/api/agents/nobody/chat', { id: 'chat', messages }), 404, 'AGENT_NOT_FOUND');
    expectError(await api.get(`/api/agents/${NOBODY}/chat/chat/stream`), 404, 'AGENT_NOT_FOUND');
  });

  it('an agent that is stopped, whose chats can be resumed nevertheless', async () => {
    await api.post(`/api/agents/${BOB.id}/stop`);
    expectError(await api.post('/api/agents/Bob/chat', { id: 'chat', messages }), 503, 'AGENT_STOPPED');
    expect((await api.get('/api/agents/Bob/chat/chat/stream')).status).toBe(204);
    await api.post(`/api/agents/${BOB.id}/start`);
  });

  it('a conversation of another agent', async () => {
    const { id } = await app.newChannel({ participants: [BOB.id, NOBODY] });
    expectError(await api.post('/api/agents/Ada/chat', { id, messages }), 404, 'CHANNEL_NOT_FOUND');
    expectError(await api.get(`/api/agents/Ada/chat/${id}/stream`), 404, 'CHANNEL_NOT_FOUND');
  });
});
