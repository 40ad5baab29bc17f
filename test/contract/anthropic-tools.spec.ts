// Tools that callers of Anthropic's messages run.
import { describe, expect, it } from '@jest/globals';
import { AnthropicCaller, answered, PIXEL, text, user, WEATHER } from './support/anthropic.js';
import { contractApp } from './support/contract-app.js';

const PLUGIN = `export default { name: 'clerk', actions: [
  { name: 'LOOK_UP', description: 'Looks up.', handler: async () => ({ success: true, text: 'Found.' }) } ] };`;

const app = contractApp({}, { plugins: { 'clerk/index.mjs': PLUGIN } });
const { ask, stream, asked } = new AnthropicCaller(app);

describe('a tool that the caller runs', () => {
  const call = (id: string, town = 'Ulm'): object => ({ type: 'tool_use', id, name: 'get_weather', input: { town } });
  const result = (id: string, content: unknown = 'Sunny.', more: object = {}): object => ({
    ...{ type: 'tool_result', tool_use_id: id, content },
    ...more,
  });

  /** Asks for the weather, and gets the call. */
  async function called(question = user()): Promise<{ history: object[]; id: string; channelId: string }> {
    app.test.model.calls([{ id: 'model-1', name: 'get_weather', input: { town: 'Ulm' } }], 'Let me look.');
    const { status, body, headers } = await ask({ messages: [question], tools: [WEATHER] });
    expect([status, body.stop_reason]).toEqual([200, 'tool_use']);
    const [, { id }] = body.content;
    expect(body.content).toEqual([
      { ...text('Let me look.'), citations: null },
      { ...call(id), caller: { type: 'direct' } },
    ]);
    return { history: [question, answered(...body.content)], id, channelId: headers.get('x-conversation-id')! };
  }

  it('is offered, handed back, and its result goes to the model', async () => {
    const { history, id, channelId } = await called();
    app.test.model.reply('It is sunny.').reply('Bye.');
    const messages = [...history, user([result(id, [text('Sunny,'), text('and warm.')])])];
    const { body, headers } = await ask({ messages, tools: [WEATHER] });
    expect(body).toMatchObject({ content: [{ type: 'text', text: 'It is sunny.' }], stop_reason: 'end_turn' });
    expect(headers.get('x-conversation-id')).toBe(channelId);
    const [first, second] = app.test.model.requests.slice(-2);
    expect(first?.tools?.find(({ name }) => name === 'get_weather')).toEqual({
      ...{ name: 'get_weather', description: 'Of a town.', parameters: WEATHER.input_schema },
    });
    expect(second?.messages.slice(-2)).toEqual([
      { role: 'assistant', content: 'Let me look.', toolCalls: [{ id: 'model-1', name: 'get_weather', input: { town: 'Ulm' } }] },
      { role: 'tool', content: 'Sunny,\nand warm.', toolCallId: 'model-1', toolName: 'get_weather' },
    ]);
    const later = await ask({ messages: [...messages, answered(...body.content), user()] });
    expect(later.headers.get('x-conversation-id')).toBe(channelId);
  });

  it('takes the words beside its results as a part of the last one, also when they come again', async () => {
    const { history, id, channelId } = await called();
    app.test.model.reply('It is sunny.').reply('Bye.');
    const messages = [...history, user([result(id), text('<system-reminder>Be kind.</system-reminder>'), text('Really?')])];
    const { body, headers } = await ask({ messages, tools: [WEATHER] });
    expect(headers.get('x-conversation-id')).toBe(channelId);
    expect(asked().at(-1)).toMatchObject({ role: 'tool', content: 'Sunny.\n\n<system-reminder>Be kind.</system-reminder>\n\nReally?' });
    const later = await ask({ messages: [...messages, answered(...body.content), user()] });
    expect(later.headers.get('x-conversation-id')).toBe(channelId);
  });

  it('leaves words beside results of foreign calls a message', async () => {
    app.test.model.reply('Fine.');
    await ask({ messages: [user(), answered(call('toolu_1')), user([text('And now?'), result('toolu_1')])] });
    expect(asked().slice(-2)).toEqual([
      { role: 'tool', content: 'Sunny.', toolCallId: 'toolu_1', toolName: 'get_weather' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it('may have a picture as its result', async () => {
    const { history, id } = await called();
    app.test.model.supportsImages = true;
    app.test.model.reply('A dot.');
    const { body } = await ask({ messages: [...history, user([result(id, [text('A map:'), PIXEL])])], tools: [WEATHER] });
    app.test.model.supportsImages = false;
    expect(body.content[0].text).toBe('A dot.');
    expect(asked().slice(-2)).toMatchObject([
      { role: 'tool', content: 'A map:' },
      { role: 'user', files: [{ mediaType: 'image/png' }] },
    ]);
  });

  it('may fail', async () => {
    const { history, id, channelId } = await called();
    app.test.model.reply('A pity.');
    await ask({ messages: [...history, user([result(id, 'No such town.', { is_error: true })])], tools: [WEATHER] });
    const completed = await app.entry(channelId, 'action.completed');
    expect(completed.payload.success).toBe(false);
  });

  it('gives the same reply to results that come again, and asks the model once', async () => {
    const { history, id } = await called();
    app.test.model.reply('It is sunny.');
    const messages = [...history, user([result(id)])];
    const first = await ask({ messages, tools: [WEATHER] });
    const before = app.test.model.requests.length;
    const again = await ask({ messages, tools: [WEATHER] });
    expect(again.body.content).toEqual(first.body.content);
    expect(app.test.model.requests).toHaveLength(before);
  });

  it('is refused by name when a result is missing', async () => {
    app.test.model.calls([
      { name: 'get_weather', input: { town: 'Ulm' } },
      { name: 'get_weather', input: { town: 'Bonn' } },
    ]);
    const question = user();
    const { content } = (await ask({ messages: [question], tools: [WEATHER] })).body;
    const history = [question, answered(...content)];
    const part = await ask({ messages: [...history, user([result(content[1].id)])], tools: [WEATHER] });
    expect([part.status, part.body.error.message]).toEqual([400, expect.stringContaining(content[0].id)]);
    app.test.model.reply('Both.');
    const whole = await ask({ messages: [...history, user([result(content[1].id, 'Fog.'), result(content[0].id)])], tools: [WEATHER] });
    expect(whole.body.content[0].text).toBe('Both.');
  });

  it('comes with all that the agent said before it, a blank line between the rounds', async () => {
    app.test.model
      .calls([{ name: 'LOOK_UP', input: {} }], 'I look it up.')
      .calls([{ name: 'get_weather', input: { town: 'Ulm' } }], 'Now the weather.');
    const { body } = await ask({ messages: [user()], tools: [WEATHER] });
    expect(body.content).toMatchObject([{ text: 'I look it up.\n\nNow the weather.' }, { name: 'get_weather' }]);
  });

  it('is streamed as a block with its input in JSON', async () => {
    app.test.model.calls([{ name: 'get_weather', input: { town: 'Ulm' } }], 'Let me look.');
    const { events } = await stream({ messages: [user()], tools: [WEATHER] });
    const at = events.findIndex(({ data }) => data.content_block?.type === 'tool_use');
    const [start, delta, stop, end] = events.slice(at).map(({ data }) => data);
    expect([start, delta, stop]).toEqual([
      {
        type: 'content_block_start',
        index: 1,
        content_block: {
          ...{ type: 'tool_use', id: expect.stringMatching(/^call_/), name: 'get_weather', input: {}, caller: { type: 'direct' } },
        },
      },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"town":"Ulm"}' } },
      { type: 'content_block_stop', index: 1 },
    ]);
    expect(end.delta.stop_reason).toBe('tool_use');
  });

  it('gets input that is no JSON as Anthropic wraps it', async () => {
    app.test.model.calls([{ name: 'get_weather', input: '{"town": ' }]);
    const { body } = await ask({ messages: [user()], tools: [WEATHER] });
    expect(body.content[0].input).toEqual({ INVALID_JSON: '{"town": ' });
  });

  it.each([
    [{ type: 'any' }, 'required', undefined],
    [{ type: 'auto', disable_parallel_tool_use: true }, 'auto', false],
    [{ type: 'tool', name: 'get_weather' }, { name: 'get_weather' }, undefined],
    [{ type: 'none' }, 'none', undefined],
  ])('is chosen with tool_choice %j', async (choice, expected, parallel) => {
    app.test.model.reply('Well.');
    await ask({ messages: [user()], tools: [WEATHER], tool_choice: choice });
    expect(app.test.model.requests.at(-1)).toMatchObject({ toolChoice: expected });
    expect(app.test.model.requests.at(-1)?.parallelToolCalls).toBe(parallel);
  });

  it('is offered with its examples; tools of Anthropic, and those for its programs, are skipped', async () => {
    app.test.model.reply('Well.');
    const hints = { strict: true, cache_control: { type: 'ephemeral' }, defer_loading: false, eager_input_streaming: true, type: 'custom' };
    await ask({
      messages: [user()],
      tools: [
        { type: 'web_search_20260318', name: 'web_search', max_uses: 3 },
        { type: 'bash_20250124', name: 'bash' },
        { ...WEATHER, name: 'remote', allowed_callers: ['code_execution_20260120'] },
        { ...WEATHER, ...hints, input_examples: [{ town: 'Ulm' }] },
      ],
    });
    const offered = app.test.model.requests.at(-1)?.tools ?? [];
    const names = offered.map(({ name }) => name);
    expect(names).toContain('get_weather');
    for (const skipped of ['web_search', 'bash', 'remote']) expect(names).not.toContain(skipped);
    expect(offered.find(({ name }) => name === 'get_weather')?.description).toBe('Of a town.\nExamples of its input:\n{"town":"Ulm"}');
  });
});
