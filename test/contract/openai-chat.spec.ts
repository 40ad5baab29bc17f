// OpenAI's chat completions: requests, responses and streams.
import { describe, expect, it } from '@jest/globals';
import { UnstoredConversations } from '../../src/modules/protocols/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { Gate } from '../support/scripted-model.js';
import { ChatCaller, chunks, user, WEATHER } from './support/chat-completions.js';
import { contractApp, MINUTE, NOBODY } from './support/contract-app.js';
import { PIXEL, unlike } from './support/samples.js';

const app = contractApp();
const { api } = app;
const { ask, stream } = new ChatCaller(app);

describe('a chat completion', () => {
  it('is the reply of the agent', async () => {
    app.test.model.usage = { inputTokens: 12, outputTokens: 3 };
    app.test.model.reply('Sencha.');
    const { status, body, headers } = await ask({ messages: [user()] });
    app.test.model.usage = {};
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: Math.floor(app.clock.now() / 1000),
      model: 'Ada',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Sencha.', refusal: null }, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
    });
    const channelId = headers.get('x-conversation-id')!;
    expect((await app.messages(channelId)).map(({ content }) => content).reverse()).toEqual([expect.stringContaining('Hello'), 'Sencha.']);
    expect(headers.get('content-location')).toBe(`/api/messaging/channels/${channelId}/messages/${headers.get('x-message-id')}/events`);
  });

  it('counts tokens itself when the service does not', async () => {
    app.test.model.reply('One two three.');
    const { usage } = (await ask({ messages: [user()] })).body;
    expect(usage.prompt_tokens).toBeGreaterThan(0);
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
  });

  it("gives the model the agent's instructions, then the caller's, then the conversation", async () => {
    app.test.model.reply('Yes.');
    const question = unlike('And now?');
    await ask({
      messages: [
        { role: 'system', content: 'Speak like a pirate.' },
        { role: 'user', content: 'First.' },
        { role: 'assistant', content: 'Second.' },
        { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', content: question },
      ],
      temperature: 0.25,
      top_p: 0.5,
      max_tokens: 40,
      stop: 'END',
      reasoning_effort: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' }, strict: true } },
    });
    const { messages, ...options } = app.test.model.requests.at(-1)!;
    const [system, ...rest] = messages;
    expect(system?.content).toMatch(/You are Ada[^]*Answer shortly\.[^]*Speak like a pirate\.\n\nBe brief\./);
    expect(rest).toEqual([
      { role: 'user', content: 'First.' },
      { role: 'assistant', content: 'Second.' },
      { role: 'user', content: question },
    ]);
    expect(options).toMatchObject({
      temperature: 0.25,
      topP: 0.5,
      maxOutputTokens: 40,
      stop: ['END'],
      reasoningEffort: 'low',
      responseFormat: { type: 'json_schema', name: 'answer', schema: { type: 'object' }, strict: true },
    });
  });

  it('never remembers the instructions of the caller', async () => {
    app.test.model.reply('Aye.').reply('No.');
    const first = user();
    const { headers } = await ask({ messages: [{ role: 'system', content: 'The password is swordfish.' }, first] });
    await ask({ messages: [first, { role: 'assistant', content: 'Aye.' }, user()] });
    const channelId = headers.get('x-conversation-id')!;
    expect(JSON.stringify(await app.messages(channelId))).not.toContain('swordfish');
    expect(JSON.stringify(app.test.model.requests.at(-1))).not.toContain('swordfish');
  });

  it('passes pictures to a model that sees', async () => {
    app.test.model.supportsImages = true;
    app.test.model.reply('A dot.').reply('Still a dot.');
    const first = user([
      { type: 'text', text: unlike('What is this?') },
      { type: 'image_url', image_url: { url: PIXEL } },
    ]);
    const { headers } = await ask({ messages: [first] });
    await ask({ messages: [first, { role: 'assistant', content: 'A dot.' }, user()] });
    app.test.model.supportsImages = false;
    for (const request of app.test.model.requests.slice(-2)) {
      const files = request.messages.flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []));
      expect(files.map(({ mediaType }) => mediaType)).toEqual(['image/png']);
    }
    const [, stored] = (await app.messages(headers.get('x-conversation-id')!)).slice(-2);
    expect(stored.metadata.attachments).toHaveLength(1);
  });

  it('keeps nothing with store: false', async () => {
    app.test.model.reply('Forgotten.');
    const { body, headers } = await ask({ messages: [user()], store: false });
    expect(body.choices[0].message.content).toBe('Forgotten.');
    expect((await api.get(`/api/messaging/channels/${headers.get('x-conversation-id')}/messages`)).status).toBe(404);
  });

  it('keeps nothing with store: false for long when the client disconnects', async () => {
    const gate = new Gate();
    app.test.model.deltas(['Forgotten.'], { gate });
    const leaving = new AbortController();
    const asked = fetch(`${app.test.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'Ada', messages: [user()], store: false, stream: true }),
      signal: leaving.signal,
    });
    const channelId = (await asked).headers.get('x-conversation-id')!;
    leaving.abort();
    gate.open();
    await app.ended(channelId);
    const sweep = app.test.app.get(UnstoredConversations, { strict: false });
    const status = async (): Promise<number> => (await api.get(`/api/messaging/channels/${channelId}/messages`)).status;
    await sweep.sweep();
    const before = await status();
    app.clock.advance(61 * MINUTE);
    await sweep.sweep();
    expect([before, await status()]).toEqual([200, 404]);
  });

  it('ends with the reason length when the limit of tokens is reached before the first word', async () => {
    app.test.model.events([{ type: 'finish', reason: 'length', usage: {} }]);
    const [choice] = (await ask({ messages: [user()], max_tokens: 1 })).body.choices;
    expect([choice.finish_reason, choice.message.content]).toEqual(['length', '']);
  });
});

describe('a streamed chat completion', () => {
  it('is the reply in chunks', async () => {
    app.test.model.usage = { inputTokens: 5, outputTokens: 2 };
    app.test.model.deltas(['Sen', 'cha.']);
    const { text } = await stream({ messages: [user()], stream_options: { include_usage: true } });
    app.test.model.usage = {};
    const all = chunks(text);
    expect(all.map(({ object }) => object)).toEqual(all.map(() => 'chat.completion.chunk'));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(all[0].choices[0].delta).toEqual({ role: 'assistant', content: '', refusal: null });
    expect(all.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Sencha.');
    expect(all.map(({ choices }) => choices[0]?.finish_reason).filter((each) => each)).toEqual(['stop']);
    expect(all.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } });
    expect(all.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  it('ends with an error that the client repeats when the reply fails', async () => {
    app.test.model.fail(new Error('broken'), { after: ['So far'] });
    const { text } = await stream({ messages: [user()] });
    const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, line]) => JSON.parse(line!));
    expect(data.at(-1)).toEqual({ error: { message: expect.any(String), type: 'server_error', param: null, code: 'turn_failed' } });
    expect(data.at(-2).choices[0].delta.content).toBe('So far');
  });

  it('goes on in the native stream that Content-Location names', async () => {
    app.test.model.deltas(['One ', 'two.']);
    const { text, headers } = await stream({ messages: [user()] });
    const ids = [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id!);
    expect(ids.length).toBeGreaterThan(0);
    const rest = await fetch(`${app.test.url}${headers.get('content-location')}`, { headers: { 'Last-Event-ID': ids[0]! } });
    expect(await rest.text()).toContain('event: done');
  });
});

describe('a repeated request', () => {
  const KEY = 'c0ffee00-1111-4222-8333-444455556666';

  it('with the same Idempotency-Key joins the reply in progress', async () => {
    const gate = new Gate();
    app.test.model.deltas(['Only ', 'once.'], { gate });
    const body = { messages: [user()] };
    const first = stream(body, { 'Idempotency-Key': KEY });
    await app.test.model.called(app.test.model.requests.length + 1);
    const second = stream(body, { 'Idempotency-Key': KEY });
    gate.open();
    const [one, other] = (await Promise.all([first, second])).map(({ text }) =>
      chunks(text)
        .map(({ choices }) => choices[0].delta.content ?? '')
        .join(''),
    );
    expect([one, other]).toEqual(['Only once.', 'Only once.']);
  });

  it('with the same Idempotency-Key and another body is refused', async () => {
    const { status, body } = await ask({ messages: [user()] }, { 'Idempotency-Key': KEY });
    expect([status, body.error.code]).toEqual([422, 'idempotency_key_reused']);
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

describe('a retry', () => {
  it('joins no other conversation in which the same was said', async () => {
    app.test.model.reply('One.').reply('Two.');
    const body = { messages: [user()] };
    const first = await ask(body, { 'X-Conversation-Id': unlike('one') });
    const other = await ask(body, { 'X-Conversation-Id': unlike('other'), 'X-Stainless-Retry-Count': '1' });
    expect(other.headers.get('x-conversation-id')).not.toBe(first.headers.get('x-conversation-id'));
  });
});

describe('a repeated request after a failure', () => {
  it('lets the agent reply again', async () => {
    app.test.model.fail(new Error('broken')).reply('Now.');
    const body = { messages: [user()] };
    const failed = await ask(body);
    const again = await ask(body, { 'X-Stainless-Retry-Count': '1' });
    expect([failed.status, again.body.choices?.[0].message.content]).toEqual([500, 'Now.']);
  });
});

describe('POST /v1/chat/completions refuses', () => {
  const messages = [{ role: 'user', content: 'Hello' }];
  it.each<[string, object, number, string | null, string]>([
    ['an unknown agent', { model: 'gpt-4o', messages }, 404, 'model', 'model_not_found'],
    ['no messages', { messages: [] }, 400, 'messages', 'validation_error'],
    ['a message that is no object', { messages: ['Hello'] }, 400, 'messages[0]', 'validation_error'],
    ['an unknown role', { messages: [{ role: 'narrator', content: 'x' }] }, 400, 'messages[0].role', 'validation_error'],
    ['the role function', { messages: [{ role: 'function', name: 'x', content: 'x' }] }, 400, 'messages[0].role', 'validation_error'],
    ['a message without content', { messages: [{ role: 'user' }] }, 400, 'messages[0].content', 'validation_error'],
    ['an empty message', { messages: [{ role: 'user', content: ' ' }] }, 400, 'messages[0].content', 'validation_error'],
    ['a text with NUL', { messages: [{ role: 'user', content: 'a\0b' }] }, 400, null, 'validation_error'],
    [
      'a picture elsewhere',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://x/y.png' } }] }] },
      400,
      'messages[0].content[0].image_url.url',
      'validation_error',
    ],
    [
      'audio',
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
      400,
      'messages[0].content[0].type',
      'validation_error',
    ],
    ['an unknown parameter', { messages, top_k: 3 }, 400, 'top_k', 'validation_error'],
    ['several replies', { messages, n: 2 }, 400, 'n', 'validation_error'],
    ['penalties', { messages, presence_penalty: 1 }, 400, 'presence_penalty', 'validation_error'],
    ['probabilities', { messages, logprobs: true }, 400, 'logprobs', 'validation_error'],
    ['a seed', { messages, seed: 1 }, 400, 'seed', 'validation_error'],
    ['speech', { messages, modalities: ['text', 'audio'] }, 400, 'modalities', 'validation_error'],
    ['functions of the old form', { messages, functions: [] }, 400, 'functions', 'validation_error'],
    [
      'a name that is no name of a tool',
      { messages, tools: [{ type: 'function', function: { name: 'a b' } }] },
      400,
      'tools[0].function.name',
      'validation_error',
    ],
    ['two tools of one name', { messages, tools: [WEATHER, WEATHER] }, 400, 'tools', 'validation_error'],
    [
      'a choice that is no tool',
      { messages, tool_choice: { type: 'function', function: { name: 'x' } } },
      400,
      'tool_choice.function.name',
      'validation_error',
    ],
    ['an unknown format', { messages, response_format: { type: 'yaml' } }, 400, 'response_format.type', 'validation_error'],
    ['an empty stop text', { messages, stop: [''] }, 400, 'stop', 'validation_error'],
    ['too many stop texts', { messages, stop: Array.from({ length: 17 }, String) }, 400, 'stop', 'validation_error'],
    ['a temperature above 2', { messages, temperature: 3 }, 400, 'temperature', 'validation_error'],
    ['2,001 messages', { messages: Array.from({ length: 2001 }, () => messages[0]) }, 400, 'messages', 'validation_error'],
  ])('%s', async (_, body, status, param, code) => {
    const { status: got, body: refused } = await ask(body);
    expect([got, refused.error.code]).toEqual([status, code]);
    expect(refused.error.message).toMatch(/\S/);
    if (param !== null) expect(refused.error.param).toBe(param);
  });

  it('an agent that is stopped, with 503', async () => {
    await api.post(`/api/agents/${BOB.id}/stop`);
    const { status, body } = await ask({ model: 'Bob', messages });
    await api.post(`/api/agents/${BOB.id}/start`);
    expect([status, body.error.code]).toEqual([503, 'agent_stopped']);
  });

  it('a conversation of another agent', async () => {
    const { id } = await app.newChannel({ participants: [BOB.id, NOBODY] });
    const { status, body } = await ask({ messages }, { 'X-Conversation-Id': id });
    expect([status, body.error.code]).toEqual([404, 'channel_not_found']);
  });
});

describe('values that ask for nothing', () => {
  it('are accepted', async () => {
    app.test.model.reply('Fine.');
    const { status } = await ask({
      messages: [user()],
      ...{ n: 1, frequency_penalty: 0, presence_penalty: 0, logprobs: false, logit_bias: {}, modalities: ['text'], service_tier: 'auto' },
      ...{
        seed: null,
        functions: null,
        top_logprobs: null,
        stop: null,
        tools: null,
        response_format: { type: 'text' },
        verbosity: 'medium',
      },
      ...{ prompt_cache_key: 'x', safety_identifier: 'y', metadata: { a: 'b' }, stream_options: null, parallel_tool_calls: true },
    });
    expect(status).toBe(200);
  });
});

describe('a question in a system message alone', () => {
  it('is answered', async () => {
    app.test.model.reply('A title.');
    const question = unlike('Write a title.');
    const { body } = await ask({ messages: [{ role: 'system', content: question }] });
    expect(body.choices[0].message.content).toBe('A title.');
    expect(app.test.model.requests.at(-1)?.messages.at(-1)).toEqual({ role: 'user', content: question });
  });
});

describe(`agents other than ${ADA.name}`, () => {
  it('reply under their ids and in other letter case', async () => {
    app.test.model.reply('Bob here.').reply('Bob again.');
    expect((await ask({ model: BOB.id, messages: [user()] })).body.choices[0].message.content).toBe('Bob here.');
    expect((await ask({ model: 'bob', messages: [user()] })).body.model).toBe('bob');
  });
});
