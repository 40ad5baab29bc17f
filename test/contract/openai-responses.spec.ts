// OpenAI's responses: what is asked, and what comes back.
import { describe, expect, it } from '@jest/globals';
import { ADA, BOB } from '../support/create-test-app.js';
import { contractApp } from './support/contract-app.js';
import { message, output, ResponsesCaller, saidIn, WEATHER, type Json } from './support/responses.js';
import { PIXEL, unlike } from './support/samples.js';

const PLUGIN = `export default { name: 'clerk', actions: [
  { name: 'LOOK_UP', description: 'Looks up.', handler: async () => ({ success: true, text: 'Found.' }) } ] };`;

const app = contractApp({}, { plugins: { 'clerk/index.mjs': PLUGIN } });
const { api } = app;
const caller = new ResponsesCaller(app);
const { prompted } = caller;

describe('a response', () => {
  it('is the reply of the agent, with all fields of the protocol', async () => {
    app.test.model.usage = { inputTokens: 12, outputTokens: 3 };
    app.test.model.reply('Sencha.');
    const response = await caller.ask({ input: unlike('Tea?') });
    app.test.model.usage = {};
    const hex = response.id.replace('resp_', '');
    expect(response).toEqual({
      id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
      object: 'response',
      created_at: Math.floor(app.clock.now() / 1000),
      completed_at: Math.floor(app.clock.now() / 1000),
      ...{ status: 'completed', model: 'Ada', error: null, incomplete_details: null, background: false, store: true },
      ...{ instructions: null, previous_response_id: null, conversation: null, prompt: null, user: null, metadata: {} },
      ...{ max_output_tokens: null, max_tool_calls: null, temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0 },
      ...{ tools: [], tool_choice: 'auto', parallel_tool_calls: true, truncation: 'disabled', top_logprobs: 0, service_tier: 'default' },
      ...{ reasoning: { effort: null, summary: null }, text: { format: { type: 'text' }, verbosity: 'medium' } },
      ...{ safety_identifier: null, prompt_cache_key: null, prompt_cache_retention: null },
      usage: {
        ...{ input_tokens: 12, output_tokens: 3, total_tokens: 15 },
        ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
      },
      output: [
        {
          ...{ type: 'message', id: `msg_${hex}_0_1`, status: 'completed', role: 'assistant', phase: 'final_answer' },
          content: [{ type: 'output_text', text: 'Sencha.', annotations: [], logprobs: [] }],
        },
      ],
    });
    expect(await caller.get(response.id)).toEqual(response);
  });

  it('repeats what the request asked, which GET has without instructions and tools', async () => {
    app.test.model.reply('{}');
    const asked = {
      ...{
        instructions: 'Be brief.',
        max_output_tokens: 40,
        temperature: 0.25,
        top_p: 0.5,
        truncation: 'auto',
        parallel_tool_calls: false,
      },
      ...{ metadata: { topic: 'tea' }, user: 'ann', safety_identifier: 'x1', prompt_cache_key: 'k', service_tier: 'auto' },
      text: { format: { type: 'json_schema', name: 'answer', schema: { type: 'object' }, strict: true } },
      reasoning: { effort: 'low', summary: 'auto' },
      tool_choice: 'none',
    };
    const unheeded = { tools: [WEATHER, { type: 'web_search' }], client_metadata: { session_id: 's1' } };
    const response = await caller.ask({ input: unlike('Hi'), ...asked, ...unheeded });
    const shown = {
      ...asked,
      service_tier: 'default',
      tools: [{ ...WEATHER, strict: null }],
      text: { verbosity: 'medium', format: { description: null, ...asked.text.format } },
    };
    expect(response).toMatchObject(shown);
    expect(await caller.get(response.id)).toEqual({
      ...response,
      ...{ instructions: null, tools: [], usage: null },
      text: { ...response.text, format: { ...response.text.format, schema: {} } },
    });
    expect(app.test.model.requests.at(-1)).toMatchObject({
      ...{ temperature: 0.25, topP: 0.5, maxOutputTokens: 40, reasoningEffort: 'low', parallelToolCalls: false, toolChoice: 'none' },
      responseFormat: { type: 'json_schema', name: 'answer', schema: { type: 'object' }, strict: true },
    });
  });

  it.each([
    ['a text', 'Tea?', [['user', 'Tea?']]],
    ['a message', [message('user', 'Tea?')], [['user', 'Tea?']]],
    ['a message without a type', [{ role: 'user', content: 'Tea?' }], [['user', 'Tea?']]],
    [
      'a conversation',
      [
        message('user', 'I am Ann.'),
        message('assistant', [{ type: 'output_text', text: 'Hello Ann.', annotations: [] }]),
        { type: 'reasoning', id: 'rs_1', summary: [] },
        message('user', [
          { type: 'input_text', text: 'Who' },
          { type: 'input_text', text: 'am I?' },
        ]),
      ],
      [
        ['user', 'I am Ann.'],
        ['assistant', 'Hello Ann.'],
        ['user', 'Who\nam I?'],
      ],
    ],
    ['only a message of the system', [message('system', 'Say hello.')], [['user', 'Say hello.']]],
    [
      'a call and its output',
      [
        message('user', 'Rain?'),
        { type: 'function_call', call_id: 'call_x', name: 'get_weather', arguments: '{"town":"Ulm"}' },
        output('call_x', [{ type: 'input_text', text: 'No.' }]),
        message('user', 'Sure?'),
      ],
      [
        ['user', 'Rain?'],
        ['assistant', ''],
        ['tool', 'No.'],
        ['user', 'Sure?'],
      ],
    ],
  ])('has as input %s', async (_what, input, expected) => {
    app.test.model.reply('Yes.');
    expect(saidIn(await caller.ask({ input }))).toBe('Yes.');
    expect(prompted()).toEqual(expected);
  });

  it("follows the agent's instructions with those of the request and of the input", async () => {
    app.test.model.reply('Arr.');
    await caller.ask({ instructions: 'Be a pirate.', input: [message('developer', 'Be brief.'), message('user', unlike('Hi'))] });
    expect(app.test.model.requests.at(-1)!.messages[0]!.content).toMatch(/You are Ada[^]*Answer shortly\.[^]*Be a pirate\.\n\nBe brief\./);
  });

  it('has pictures and files', async () => {
    app.test.model.supportsImages = true;
    app.test.model.reply('A dot.');
    const file_data = Buffer.from('Tea is green.').toString('base64');
    const { id } = await caller.ask({
      input: [
        message('user', [
          { type: 'input_text', text: unlike('What is this?') },
          { type: 'input_image', image_url: PIXEL, detail: 'low' },
          { type: 'input_file', filename: 'tea.txt', file_data },
        ]),
      ],
    });
    app.test.model.supportsImages = false;
    expect(app.test.model.requests.at(-1)!.messages.at(-1)).toMatchObject({ files: [expect.anything()] });
    const { body } = await api.get(`/v1/responses/${id}/input_items`);
    expect(body.data[0].content).toEqual([
      { type: 'input_text', text: expect.stringContaining('What is this?') },
      { type: 'input_image', image_url: expect.stringMatching(/^\/media\//), file_id: null, detail: 'auto' },
      { type: 'input_file', filename: 'tea.txt', file_url: expect.stringMatching(/^\/media\//) },
    ]);
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['content-filter', 'content_filter'],
  ] as const)('is incomplete when the model stopped for %s', async (reason, expected) => {
    app.test.model.events([{ type: 'delta', text: 'Half' } as const, { type: 'finish', reason, usage: {} } as const]);
    const response = await caller.ask({ input: unlike('Hi') });
    expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: expected }, completed_at: null });
    expect(response.output).toMatchObject([{ status: 'incomplete', content: [{ text: 'Half' }] }]);
    expect(await caller.get(response.id)).toEqual({ ...response, usage: null });
  });

  it('has what the model thought when a summary is asked for', async () => {
    const thought = [{ type: 'reasoning', text: 'Green ' } as const, { type: 'reasoning', text: 'tea.' } as const];
    app.test.model
      .events([...thought, { type: 'delta', text: 'Sencha.' } as const])
      .events([...thought, { type: 'delta', text: 'No.' } as const]);
    const response = await caller.ask({ input: unlike('Tea?'), reasoning: { summary: 'auto' } });
    expect(response.output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Green tea.' }] },
      { type: 'message', content: [{ text: 'Sencha.' }] },
    ]);
    expect((await caller.get(response.id)).output).toEqual(response.output);
    expect((await caller.ask({ input: unlike('Tea?') })).output).toHaveLength(1);
  });

  it('has what the agent said before it acted as commentary', async () => {
    app.test.model.calls([{ name: 'LOOK_UP', input: {} }], 'I look it up.').reply('Found.');
    const response = await caller.ask({ input: unlike('Look') });
    expect(response.output.map(({ phase, content }: Json) => [phase, content[0].text])).toEqual([
      ['commentary', 'I look it up.'],
      ['final_answer', 'Found.'],
    ]);
    expect((await caller.get(response.id)).output).toEqual(response.output);
  });

  it('is an error over HTTP when the reply fails, and a failed response for GET', async () => {
    app.test.model.fail(new Error('no'));
    const answer = await caller.send({ input: unlike('Hi'), metadata: { case: 'failing' } });
    expect([answer.status, answer.body.error.type]).toEqual([500, 'server_error']);
    const id = `resp_${answer.headers.get('x-message-id')!.replaceAll('-', '')}`;
    expect(await caller.get(id)).toMatchObject({
      status: 'failed',
      error: { code: answer.body.error.code },
      metadata: { case: 'failing' },
    });
  });
});

describe('a request for a response', () => {
  it.each([
    ['no input', { input: undefined }, 'input'],
    ['an empty input', { input: [] }, 'input'],
    ['a blank item', { input: [message('user', ' ')] }, 'input[0].content'],
    ['no model', { model: undefined }, 'model'],
    ['an unknown role', { input: [message('critic', 'x')] }, 'input[0].role'],
    ['an unknown item', { input: [{ type: 'web_search_call', id: 'ws_1' }] }, 'input[0].type'],
    ['an unknown reference', { input: [{ type: 'item_reference', id: 'msg_1' }, message('user', 'x')] }, 'input[0].id'],
    ['a compaction', { input: [{ type: 'compaction', encrypted_content: 'x' }] }, 'input[0].type'],
    [
      'an address of a picture',
      { input: [message('user', [{ type: 'input_image', image_url: 'https://x.org/a.png' }])] },
      'input[0].content[0].image_url',
    ],
    ['a stored file', { input: [message('user', [{ type: 'input_file', file_id: 'file_1' }])] }, 'input[0].content[0].file_id'],
    [
      'an address of a file',
      { input: [message('user', [{ type: 'input_file', file_url: 'https://x.org/a.pdf' }])] },
      'input[0].content[0].file_url',
    ],
    ['speech', { input: [message('user', [{ type: 'input_audio', input_audio: {} }])] }, 'input[0].content[0].type'],
    ['a picture as an output', { input: [output('call_1', [{ type: 'input_image', image_url: PIXEL }])] }, 'input[0].output[0].type'],
    ['a prompt', { prompt: { id: 'pmpt_1' } }, 'prompt'],
    ['a limit of calls', { max_tool_calls: 3 }, 'max_tool_calls'],
    ['management of the context', { context_management: [] }, 'context_management'],
    ['probabilities', { top_logprobs: 3 }, 'top_logprobs'],
    ['probabilities to include', { include: ['message.output_text.logprobs'] }, 'include[0]'],
    ['padding', { stream_options: { include_obfuscation: true } }, 'stream_options.include_obfuscation'],
    ['another tier', { service_tier: 'flex' }, 'service_tier'],
    ['penalties', { presence_penalty: 1 }, 'presence_penalty'],
    ['verbosity', { text: { verbosity: 'low' } }, 'text.verbosity'],
    ['another format', { text: { format: { type: 'grammar' } } }, 'text.format.type'],
    ['a schema without a name', { text: { format: { type: 'json_schema', schema: {} } } }, 'text.format.name'],
    ['an effort', { reasoning: { effort: 'max' } }, 'reasoning.effort'],
    ['a summary', { reasoning: { summary: true } }, 'reasoning.summary'],
    ['a tool without a name', { tools: [{ type: 'function' }] }, 'tools[0].name'],
    ['two tools of one name', { tools: [WEATHER, WEATHER] }, 'tools'],
    ['a choice of no tool', { tool_choice: { type: 'function', name: 'x' } }, 'tool_choice.name'],
    ['a choice of a hosted tool', { tool_choice: { type: 'web_search' } }, 'tool_choice.type'],
    ['metadata that is no text', { metadata: { a: 1 } }, 'metadata'],
    ['too much metadata', { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v'])) }, 'metadata'],
    ['a truncation', { truncation: 'middle' }, 'truncation'],
    ['a conversation and a previous response', { conversation: 'x', previous_response_id: 'resp_x' }, 'previous_response_id'],
    ['an unstored response in the background', { store: false, background: true }, 'background'],
    ['an unstored response behind another', { store: false, previous_response_id: 'resp_x' }, 'previous_response_id'],
    ['an unstored response in a conversation', { store: false, conversation: 'x' }, 'conversation'],
    ['a field that nothing reads', { verbosity: 'low' }, 'verbosity'],
  ])('with %s is refused by name', async (_what, body, param) => {
    const answer = await caller.send({ input: 'Hi', ...body });
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([400, 'validation_error', param]);
    expect(answer.body.error.type).toBe('invalid_request_error');
  });

  it.each([
    [
      'nothing in every field',
      { prompt: null, max_tool_calls: null, stream: null, tools: null, text: null, reasoning: null, include: null },
    ],
    ['parts that are there anyway', { include: ['reasoning.encrypted_content', 'web_search_call.action.sources'] }],
    ['what asks for nothing', { top_logprobs: 0, service_tier: 'default', text: { verbosity: 'medium', format: { type: 'text' } } }],
    ['hosted tools', { tools: [{ type: 'web_search' }, { type: 'custom', name: 'x' }, { type: 'mcp', server_label: 'x' }] }],
    ['the id of the agent', { model: ADA.id }],
  ])('with %s is accepted', async (_what, body) => {
    app.test.model.reply('Yes.');
    expect((await caller.ask({ input: unlike('Hi'), ...body })).status).toBe('completed');
  });

  it('reports unknown and stopped agents', async () => {
    const unknown = await caller.send({ input: 'Hi', model: 'nobody' });
    expect([unknown.status, unknown.body.error.code, unknown.body.error.param]).toEqual([404, 'model_not_found', 'model']);
    await api.post(`/api/agents/${BOB.id}/stop`);
    const stopped = await caller.send({ input: 'Hi', model: 'Bob' });
    expect([stopped.status, stopped.body.error.code]).toEqual([503, 'agent_stopped']);
    await api.post(`/api/agents/${BOB.id}/start`);
  });

  it('that comes again with its key gets the same response', async () => {
    app.test.model.reply('Once.');
    const body = { input: unlike('Hi') };
    const headers = { 'idempotency-key': 'one-response' };
    const first = await caller.ask(body, headers);
    const again = await caller.ask(body, headers);
    expect(again).toEqual(first);
    const other = await caller.send({ input: 'Other' }, headers);
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('without store leaves nothing', async () => {
    app.test.model.reply('Secret.');
    const response = await caller.ask({ input: unlike('Hi'), store: false });
    expect([response.store, saidIn(response)]).toEqual([false, 'Secret.']);
    expect((await api.get(`/v1/responses/${response.id}`)).body.error.code).toBe('response_not_found');
    expect((await caller.send({ input: 'Hi', previous_response_id: response.id })).body.error.code).toBe('previous_response_not_found');
  });
});
