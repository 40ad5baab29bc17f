// Anthropic's messages: replies and streams.
import { describe, expect, it } from '@jest/globals';
import { ADA, BOB } from '../support/create-test-app.js';
import { Gate } from '../support/scripted-model.js';
import { AnthropicCaller, answered, PIXEL, saidIn, text, user } from './support/anthropic.js';
import { unlike } from './support/samples.js';
import { contractApp } from './support/contract-app.js';

const USAGE = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens_details: null, server_tool_use: null };
const PLUGIN = `export default { name: 'clerk', actions: [
  { name: 'LOOK_UP', description: 'Looks up.', handler: async () => ({ success: true, text: 'Found.' }) } ] };`;

const app = contractApp({}, { plugins: { 'clerk/index.mjs': PLUGIN } });
const { ask, stream, asked } = new AnthropicCaller(app);

describe('a message', () => {
  it('is the reply of the agent', async () => {
    app.test.model.usage = { inputTokens: 12, outputTokens: 3 };
    app.test.model.reply('Sencha.');
    const { status, body, headers } = await ask({ messages: [user()] });
    app.test.model.usage = {};
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      type: 'message',
      role: 'assistant',
      model: 'Ada',
      content: [{ type: 'text', text: 'Sencha.', citations: null }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      usage: {
        ...USAGE,
        ...{ input_tokens: 12, output_tokens: 3, cache_creation: null, inference_geo: null, service_tier: 'standard', speed: null },
      },
      container: null,
      diagnostics: null,
    });
    const channelId = headers.get('x-conversation-id')!;
    expect((await app.messages(channelId)).map(({ content }) => content).reverse()).toEqual([expect.stringContaining('Hello'), 'Sencha.']);
    expect(headers.get('content-location')).toBe(`/api/messaging/channels/${channelId}/messages/${headers.get('x-message-id')}/events`);
    expect(headers.get('request-id')).toBe(headers.get('x-request-id'));
  });

  it("gives the model the agent's instructions, then the caller's, then the conversation", async () => {
    app.test.model.reply('Yes.');
    const question = unlike('And now?');
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    await ask({
      system: [text('Speak like a pirate.', { cache_control: { type: 'ephemeral' } }), text('Be loud.')],
      messages: [
        user('First.'),
        answered(
          { type: 'thinking', thinking: 'Hm.', signature: 'x' },
          { type: 'redacted_thinking', data: 'x' },
          text('Second.', { citations: null }),
          text('Third.'),
        ),
        { role: 'system', content: 'Be brief.' },
        user([text(question), text('Quickly!')]),
      ],
      ...{ temperature: 0.25, top_p: 0.5, max_tokens: 40, stop_sequences: ['END'] },
      output_config: { effort: 'max', format: { type: 'json_schema', schema } },
    });
    const { messages, ...options } = app.test.model.requests.at(-1)!;
    expect(messages[0]?.content).toMatch(/You are Ada[^]*Answer shortly\.[^]*Speak like a pirate\.\n\nBe loud\.\n\nBe brief\./);
    expect(messages.slice(1)).toEqual([
      { role: 'user', content: 'First.' },
      { role: 'assistant', content: 'Second.\n\nThird.' },
      { role: 'user', content: `${question}\n\nQuickly!` },
    ]);
    expect(options).toMatchObject({
      ...{ temperature: 0.25, topP: 0.5, maxOutputTokens: 40, stop: ['END'], reasoningEffort: 'xhigh' },
      responseFormat: { type: 'json_schema', schema },
    });
  });

  it('goes on with a conversation that comes again, and branches from an older point of it', async () => {
    app.test.model.reply('One.').reply('Two.').reply('Another two.');
    const first = user();
    const begun = await ask({ messages: [first] });
    const second = [first, answered(...begun.body.content), user()];
    const next = await ask({ messages: second });
    const channelId = begun.headers.get('x-conversation-id');
    expect(next.headers.get('x-conversation-id')).toBe(channelId);
    expect(await app.messages(channelId!)).toHaveLength(4);
    const branch = await ask({ messages: [first, answered(text('One.')), user()] });
    expect(branch.headers.get('x-conversation-id')).not.toBe(channelId);
    expect((await app.messages(branch.headers.get('x-conversation-id')!)).map(({ content }) => content).at(-2)).toBe('One.');
  });

  it('keeps users apart by metadata.user_id', async () => {
    app.test.model.reply('One.').reply('Two.').reply('Three.');
    const first = user();
    const of = (user_id: string): object => ({ metadata: { user_id } });
    const begun = await ask({ messages: [first], ...of('ann') });
    const again = [first, answered(text('One.')), user()];
    const other = await ask({ messages: again, ...of('ben') });
    const same = await ask({ messages: again, ...of('ann') });
    expect(other.headers.get('x-conversation-id')).not.toBe(begun.headers.get('x-conversation-id'));
    expect(same.headers.get('x-conversation-id')).toBe(begun.headers.get('x-conversation-id'));
  });

  it('adds to a conversation that a header names', async () => {
    app.test.model.reply('One.').reply('Two.');
    const name = unlike('named');
    const [one, two] = [
      await ask({ messages: [user()] }, { 'X-Conversation-Id': name }),
      await ask({ messages: [user()] }, { 'X-Conversation-Id': name }),
    ];
    expect(two.headers.get('x-conversation-id')).toBe(one.headers.get('x-conversation-id'));
    expect(asked().map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('keeps the beginning of a reply that the caller gives', async () => {
    app.test.model.reply('B)');
    await ask({ messages: [user(), answered(text('The best answer is ('))] });
    expect(asked().at(-1)).toEqual({ role: 'assistant', content: 'The best answer is (' });
  });

  it('passes pictures to a model that sees, also those of an earlier message', async () => {
    app.test.model.supportsImages = true;
    app.test.model.reply('A dot.').reply('Still a dot.');
    const first = user([text(unlike('What is this?')), PIXEL]);
    const { headers } = await ask({ messages: [first] });
    await ask({ messages: [first, answered(text('A dot.')), user()] });
    app.test.model.supportsImages = false;
    for (const request of app.test.model.requests.slice(-2)) {
      const files = request.messages.flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []));
      expect(files.map(({ mediaType }) => mediaType)).toEqual(['image/png']);
    }
    expect((await app.messages(headers.get('x-conversation-id')!)).at(-1).metadata.attachments).toHaveLength(1);
  });

  it('reads documents and search results', async () => {
    app.test.model.reply('I see.');
    const source = { type: 'text', media_type: 'text/plain', data: 'The capital of Nowhere is Noplace.' };
    await ask({
      messages: [
        user([
          { type: 'document', source, title: 'geography.txt', context: 'From a book.', citations: { enabled: false } },
          { type: 'document', source: { type: 'content', content: [text('A chunk.')] } },
          { type: 'search_result', source: 'https://a.test', title: 'A page', content: [text('A finding.')] },
          text(unlike('What do you know?')),
        ]),
      ],
    });
    expect(asked().at(-1)?.content).toContain('From a book.\n\nA chunk.\n\nA page (https://a.test)\nA finding.\n\nWhat do you know?');
    expect(JSON.stringify(app.test.model.requests.at(-1))).toContain('The capital of Nowhere is Noplace.');
    expect(JSON.stringify(app.test.model.requests.at(-1))).toContain('geography.txt');
  });

  it.each([
    ['length', 'max_tokens', null],
    ['content-filter', 'refusal', { type: 'refusal', category: null, explanation: null }],
  ] as const)('says that it ended with the reason %s', async (reason, expected, details) => {
    app.test.model.events([
      { type: 'delta', text: 'So far' },
      { type: 'finish', reason, usage: {} },
    ]);
    const { body } = await ask({ messages: [user()] });
    expect(body).toMatchObject({ stop_reason: expected, stop_sequence: null, stop_details: details });
  });

  it('ends before a stop text, which is not told', async () => {
    app.test.model.reply('Here END there');
    const { body } = await ask({ messages: [user()], stop_sequences: ['END'] });
    expect(body).toMatchObject({ content: [{ text: 'Here' }], stop_reason: 'end_turn', stop_sequence: null });
  });
});

describe('what the model thinks', () => {
  const thinking = { type: 'enabled', budget_tokens: 1024 };
  const think = (): void =>
    void app.test.model.events([
      { type: 'reasoning', text: 'Let me ' },
      { type: 'reasoning', text: 'see.' },
      { type: 'delta', text: 'Seven.' },
      { type: 'finish', reason: 'stop', usage: {}, reasoning: { text: 'Let me see.' } },
    ]);

  it('comes first, as a block without a signature', async () => {
    think();
    const { body } = await ask({ messages: [user()], thinking, max_tokens: 2000 });
    expect(body.content).toEqual([
      { type: 'thinking', thinking: 'Let me see.', signature: '' },
      { type: 'text', text: 'Seven.', citations: null },
    ]);
    expect(app.test.model.requests.at(-1)?.reasoningEffort).toBe('low');
  });

  it('is streamed as a block of its own', async () => {
    think();
    const { events } = await stream({ messages: [user()], thinking: { type: 'adaptive' } });
    expect(events.map(({ data: { type, index, content_block: block, delta } }) => [type, index, block?.type ?? delta?.type])).toEqual([
      ['message_start', undefined, undefined],
      ['ping', undefined, undefined],
      ['content_block_start', 0, 'thinking'],
      ...events.flatMap(({ data }) => (data.delta?.type === 'thinking_delta' ? [['content_block_delta', 0, 'thinking_delta']] : [])),
      ['content_block_stop', 0, undefined],
      ['content_block_start', 1, 'text'],
      ...events.flatMap(({ data }) => (data.delta?.type === 'text_delta' ? [['content_block_delta', 1, 'text_delta']] : [])),
      ['content_block_stop', 1, undefined],
      ['message_delta', undefined, undefined],
      ['message_stop', undefined, undefined],
    ]);
    expect(events.map(({ data }) => data.delta?.thinking ?? '').join('')).toBe('Let me see.');
  });

  it.each([
    ['nothing', undefined, undefined],
    ['disabled', { type: 'disabled' }, 'none'],
    ['omitted', { type: 'adaptive', display: 'omitted' }, undefined],
  ])('is not told with %s', async (_, given, effort) => {
    think();
    const { body } = await ask({ messages: [user()], thinking: given });
    expect(body.content.map(({ type }: { type: string }) => type)).toEqual(['text']);
    expect(app.test.model.requests.at(-1)?.reasoningEffort).toBe(effort);
  });
});

describe('a streamed message', () => {
  it('is the reply in events with positions', async () => {
    app.test.model.usage = { inputTokens: 5, outputTokens: 2 };
    app.test.model.deltas(['Sen', 'cha.']);
    const { events, headers } = await stream({ messages: [user()] });
    app.test.model.usage = {};
    const [start, ...rest] = events.map(({ data }) => data);
    expect(start).toEqual({
      type: 'message_start',
      message: {
        ...{ id: expect.stringMatching(/^msg_/), type: 'message', role: 'assistant', model: 'Ada', content: [] },
        ...{ stop_reason: null, stop_sequence: null, stop_details: null, container: null, diagnostics: null },
        usage: expect.objectContaining({ input_tokens: expect.any(Number), output_tokens: 0 }),
      },
    });
    expect(start.message.usage.input_tokens).toBeGreaterThan(0);
    const deltas = rest.filter(({ type }) => type === 'content_block_delta');
    expect(rest).toEqual([
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: null } },
      ...deltas.map(({ delta }) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: delta.text } })),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null, container: null },
        usage: { ...USAGE, input_tokens: 5, output_tokens: 2 },
      },
      { type: 'message_stop' },
    ]);
    expect(saidIn(events)).toBe('Sencha.');
    const ids = events.flatMap(({ id }) => id ?? []);
    const positions = events.flatMap(({ id, data }) => (id === undefined ? [] : data.type));
    expect(positions).toEqual(['content_block_delta', 'message_stop']);
    const native = await fetch(`${app.test.url}${headers.get('content-location')}`, { headers: { 'Last-Event-ID': ids[0]! } });
    expect(await native.text()).toContain('event: done');
  });

  it('ends with an error that the client repeats when the reply fails', async () => {
    app.test.model.fail(new Error('broken'), { after: ['So far'] });
    const { events } = await stream({ messages: [user()] });
    expect(saidIn(events)).toBe('So far');
    expect(events.at(-1)).toMatchObject({
      event: 'error',
      data: {
        type: 'error',
        error: { type: 'api_error', message: expect.stringMatching(/\S/), details: { error_code: 'turn_failed' } },
        request_id: expect.stringMatching(/\S/),
      },
    });
  });

  it('opens another block for what the agent says behind an action of its own', async () => {
    app.test.model
      .calls([{ name: 'LOOK_UP', input: {} }], 'Let me look.')
      .reply('Seven.')
      .reply('Eight.');
    const question = user();
    const { events, headers } = await stream({ messages: [question] });
    const blocks = events.flatMap(({ data }) => (data.type === 'content_block_start' ? [data.index] : []));
    const told = new Map<number, string>();
    for (const { data } of events) if (data.delta?.text) told.set(data.index, (told.get(data.index) ?? '') + data.delta.text);
    expect([blocks, [...told]]).toEqual([
      [0, 1],
      [
        [0, 'Let me look.'],
        [1, 'Seven.'],
      ],
    ]);
    const later = await ask({ messages: [question, answered(text('Let me look.'), text('Seven.')), user()] });
    expect(later.headers.get('x-conversation-id')).toBe(headers.get('x-conversation-id'));
  });
});

describe('a repeated request', () => {
  const KEY = 'c0ffee00-2222-4222-8333-444455556666';

  it('with the same Idempotency-Key joins the reply in progress', async () => {
    const gate = new Gate();
    app.test.model.deltas(['Only ', 'once.'], { gate });
    const body = { messages: [user()] };
    const first = stream(body, { 'Idempotency-Key': KEY });
    await app.test.model.called(app.test.model.requests.length + 1);
    const second = stream(body, { 'Idempotency-Key': KEY });
    gate.open();
    expect((await Promise.all([first, second])).map(({ events }) => saidIn(events))).toEqual(['Only once.', 'Only once.']);
  });

  it('with the same Idempotency-Key and another body is refused', async () => {
    const { status, body } = await ask({ messages: [user()] }, { 'Idempotency-Key': KEY });
    expect([status, body.error.details.error_code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('of a client that counts its retries gets the reply of the first', async () => {
    app.test.model.reply('Once.');
    const body = { messages: [user()] };
    const first = await ask(body);
    const again = await ask(body, { 'X-Stainless-Retry-Count': '1' });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('x-message-id')).toBe(first.headers.get('x-message-id'));
  });
});

describe(`agents other than ${ADA.name}`, () => {
  it('reply under their ids and in other letter case', async () => {
    app.test.model.reply('Bob here.').reply('Bob again.');
    expect((await ask({ model: BOB.id, messages: [user()] })).body.content[0].text).toBe('Bob here.');
    expect((await ask({ model: 'bob', messages: [user()] })).body.model).toBe('bob');
  });
});
