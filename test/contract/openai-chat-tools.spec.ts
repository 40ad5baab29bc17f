// Tools that the caller of chat completions runs: they are offered, handed out, and the reply waits for their results.
import { describe, expect, it } from '@jest/globals';
import { ChatCaller, chunks, user, WEATHER } from './support/chat-completions.js';
import { contractApp, MINUTE, NOBODY } from './support/contract-app.js';

const app = contractApp();
const { api } = app;
const { ask, stream } = new ChatCaller(app);

describe('a tool that the caller runs', () => {
  const call = (id: string, town = 'Ulm'): object => ({
    role: 'assistant',
    content: 'Let me look.',
    tool_calls: [{ id, type: 'function', function: { name: 'get_weather', arguments: JSON.stringify({ town }) } }],
  });
  const result = (id: string, content = 'Sunny.'): object => ({ role: 'tool', tool_call_id: id, content });

  /** Asks for the weather, and gets the call. */
  async function called(
    question = user(),
    headers: Record<string, string> = {},
  ): Promise<{ question: object; id: string; channelId: string }> {
    app.test.model.calls([{ id: 'model-1', name: 'get_weather', input: { town: 'Ulm' } }], 'Let me look.');
    const { status, body, headers: sent } = await ask({ messages: [question], tools: [WEATHER] }, headers);
    expect([status, body.choices[0].finish_reason]).toEqual([200, 'tool_calls']);
    const { message } = body.choices[0];
    expect(message).toEqual({ ...call(message.tool_calls[0].id), refusal: null });
    return { question, id: message.tool_calls[0].id, channelId: sent.get('x-conversation-id')! };
  }

  it('is offered, handed back, and its result goes to the model', async () => {
    const { question, id, channelId } = await called();
    app.test.model.reply('It is sunny.');
    const { body, headers } = await ask({ messages: [question, call(id), result(id)], tools: [WEATHER] });
    expect(body.choices[0]).toMatchObject({ message: { content: 'It is sunny.' }, finish_reason: 'stop' });
    expect(headers.get('x-conversation-id')).toBe(channelId);
    const [first, second] = app.test.model.requests.slice(-2);
    expect(first?.tools?.map(({ name }) => name)).toEqual(['get_weather']);
    expect(second?.messages.slice(-2)).toEqual([
      { role: 'assistant', content: 'Let me look.', toolCalls: [{ id: 'model-1', name: 'get_weather', input: { town: 'Ulm' } }] },
      { role: 'tool', content: 'Sunny.', toolCallId: 'model-1', toolName: 'get_weather' },
    ]);
    expect((await app.messages(channelId)).map(({ content }) => content)[0]).toBe('It is sunny.');
  });

  it('gives the same reply to results that come again, and asks the model once', async () => {
    const { question, id } = await called();
    app.test.model.reply('It is sunny.');
    const messages = [question, call(id), result(id)];
    const first = await ask({ messages, tools: [WEATHER] });
    const before = app.test.model.requests.length;
    const again = await ask({ messages, tools: [WEATHER] });
    expect(again.body.choices).toEqual(first.body.choices);
    expect(app.test.model.requests).toHaveLength(before);
  });

  it('begins another conversation with results that differ from those that were given', async () => {
    const { question, id, channelId } = await called();
    app.test.model.reply('It is sunny.').reply('It rains.');
    await ask({ messages: [question, call(id), result(id)], tools: [WEATHER] });
    const other = await ask({ messages: [question, call(id), result(id, 'Rain.')], tools: [WEATHER] });
    expect(other.body.choices[0].message.content).toBe('It rains.');
    expect(other.headers.get('x-conversation-id')).not.toBe(channelId);
    expect(app.test.model.requests.at(-1)?.messages.slice(-2)).toMatchObject([{ role: 'assistant' }, { role: 'tool', content: 'Rain.' }]);
  });

  it('refuses an incomplete list of results by name, and still waits', async () => {
    const question = user();
    app.test.model.calls([
      { name: 'get_weather', input: { town: 'Ulm' } },
      { name: 'get_weather', input: { town: 'Bonn' } },
    ]);
    const { tool_calls: calls } = (await ask({ messages: [question], tools: [WEATHER] })).body.choices[0].message;
    const assistant = { role: 'assistant', content: null, tool_calls: calls };
    const part = await ask({ messages: [question, assistant, result(calls[1].id)], tools: [WEATHER] });
    expect([part.status, part.body.error.message]).toEqual([400, expect.stringContaining(calls[0].id)]);
    app.test.model.reply('Both.');
    const whole = await ask({ messages: [question, assistant, result(calls[1].id, 'Fog.'), result(calls[0].id)], tools: [WEATHER] });
    expect(whole.body.choices[0].message.content).toBe('Both.');
    expect(
      app.test.model.requests
        .at(-1)
        ?.messages.slice(-2)
        .map(({ content }) => content),
    ).toEqual(['Sunny.', 'Fog.']);
  });

  it('waits for the result over a restart', async () => {
    const { question, id } = await called();
    await app.test.restart((model) => model.reply('It is sunny.'));
    app.useScriptedModel();
    const { body } = await ask({ messages: [question, call(id), result(id)], tools: [WEATHER] });
    expect(body.choices[0].message.content).toBe('It is sunny.');
  });

  it('ends when the result does not come in time', async () => {
    const { channelId } = await called();
    const until = app.clock.now() + 61 * MINUTE;
    // Due turns are looked for in steps, each of which ends before the next is planned.
    while (app.clock.now() < until) {
      app.clock.advance(MINUTE);
      await app.entries(channelId);
    }
    const { payload } = await app.entry(channelId, 'turn.failed');
    expect(payload.error).toMatchObject({ code: 'TURN_TIMEOUT', details: expect.stringContaining('TOOL_RESULT_MINUTES') });
  });

  it('can be cancelled while it waits', async () => {
    const { question, id, channelId } = await called();
    const messageId = (await app.messages(channelId)).at(-1).id;
    const { body } = await api.post(`/api/messaging/channels/${channelId}/messages/${messageId}/cancel`);
    expect(body.data.cancelled).toHaveLength(1);
    app.test.model.reply('Anew.');
    const late = await ask({ messages: [question, call(id), result(id)], tools: [WEATHER] });
    expect(late.headers.get('x-conversation-id')).not.toBe(channelId);
  });

  it('keeps no other message of the conversation waiting', async () => {
    const { channelId } = await called();
    app.test.model.reply('Meanwhile.');
    const said = await api.post(`/api/messaging/channels/${channelId}/messages`, { author_id: NOBODY, content: 'Hi?', transport: 'http' });
    expect(said.body.data.agentResponse.text).toBe('Meanwhile.');
  });

  it('gives results only for the caller that got the call', async () => {
    const { question, id, channelId } = await called();
    app.test.model.reply('Who are you?');
    const other = await ask({ messages: [question, call(id), result(id)], tools: [WEATHER], user: 'someone else' });
    expect(other.headers.get('x-conversation-id')).not.toBe(channelId);
  });

  it('comes as one chunk in a stream', async () => {
    app.test.model.calls([{ name: 'get_weather', input: { town: 'Ulm' } }], 'Let me look.');
    const all = chunks((await stream({ messages: [user()], tools: [WEATHER] })).text);
    expect(all.at(-2).choices[0].delta.tool_calls).toEqual([
      { index: 0, id: expect.stringMatching(/^call_/), type: 'function', function: { name: 'get_weather', arguments: '{"town":"Ulm"}' } },
    ]);
    expect(all.at(-1).choices[0].finish_reason).toBe('tool_calls');
  });

  it.each([
    ['required', 'required'],
    [{ type: 'function', function: { name: 'get_weather' } }, { name: 'get_weather' }],
    ['none', 'none'],
  ])('is chosen with tool_choice %j', async (choice, expected) => {
    app.test.model.reply('Well.');
    await ask({ messages: [user()], tools: [WEATHER], tool_choice: choice });
    expect(app.test.model.requests.at(-1)?.toolChoice).toEqual(expected);
  });

  it('skips tools of unknown types', async () => {
    app.test.model.reply('Well.');
    await ask({ messages: [user()], tools: [{ type: 'web_search' }, WEATHER] });
    expect(app.test.model.requests.at(-1)?.tools?.map(({ name }) => name)).toEqual(['get_weather']);
  });
});
