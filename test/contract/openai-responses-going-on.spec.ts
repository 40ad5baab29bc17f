// Responses that go on: with the outputs of functions of the caller, and from an earlier response.
import { describe, expect, it } from '@jest/globals';
import { contractApp, NOBODY } from './support/contract-app.js';
import { message, output, ResponsesCaller, saidIn, WEATHER, type Json } from './support/responses.js';
import { PIXEL, unlike } from './support/samples.js';

const app = contractApp();
const { api } = app;
const caller = new ResponsesCaller(app);
const { prompted } = caller;

describe('tools of the caller', () => {
  it('are handed out as calls, and the outputs go on with the response', async () => {
    app.test.model
      .calls(
        [
          { name: 'get_weather', input: { town: 'Ulm' } },
          { name: 'get_weather', input: { town: 'Bonn' } },
        ],
        'I look.',
      )
      .reply('Rain in both.');
    const asked = await caller.ask({ input: unlike('Rain?'), tools: [WEATHER], metadata: { day: 'monday' } });
    const hex = asked.id.replace('resp_', '');
    expect(asked.status).toBe('completed');
    expect(asked.output).toEqual([
      expect.objectContaining({ type: 'message', phase: 'commentary' }),
      {
        type: 'function_call',
        id: `fc_${hex}_1`,
        call_id: `call_${hex}_1`,
        name: 'get_weather',
        arguments: '{"town":"Ulm"}',
        status: 'completed',
      },
      {
        type: 'function_call',
        id: `fc_${hex}_2`,
        call_id: `call_${hex}_2`,
        name: 'get_weather',
        arguments: '{"town":"Bonn"}',
        status: 'completed',
      },
    ]);
    expect(await caller.get(asked.id)).toEqual({ ...asked, tools: [], usage: null });

    const outputs = { previous_response_id: asked.id, input: [output(`call_${hex}_1`, 'Rain.'), output(`call_${hex}_2`, 'Rain too.')] };
    const told = await caller.ask({ ...outputs, tools: [WEATHER] });
    expect([told.id, told.previous_response_id, saidIn(told)]).toEqual([`resp_${hex}_3`, asked.id, 'Rain in both.']);
    expect(told.output[0].id).toBe(`msg_${hex}_3_2`);
    expect(prompted().slice(-2)).toEqual([
      ['tool', 'Rain.'],
      ['tool', 'Rain too.'],
    ]);
    expect(await caller.get(told.id)).toMatchObject({ output: told.output, previous_response_id: asked.id, metadata: { day: 'monday' } });
    expect((await caller.get(asked.id)).output).toEqual(asked.output);

    const { body } = await api.get(`/v1/responses/${told.id}/input_items?order=asc`);
    expect(body.data).toEqual([
      { type: 'function_call_output', id: `fco_${hex}_1`, call_id: `call_${hex}_1`, output: 'Rain.', status: 'completed' },
      { type: 'function_call_output', id: `fco_${hex}_2`, call_id: `call_${hex}_2`, output: 'Rain too.', status: 'completed' },
    ]);
    // The same outputs again get the same response.
    expect(await caller.ask({ ...outputs, tools: [WEATHER] })).toEqual({ ...told, usage: expect.anything() });
  });

  it('go on when the whole conversation comes again, by items or by their ids', async () => {
    app.test.model
      .calls([{ name: 'get_weather', input: { town: 'Ulm' } }])
      .reply('Rain.')
      .reply('Still.');
    const question = message('user', unlike('Rain?'));
    const asked = await caller.ask({ input: [question], tools: [WEATHER] });
    const [call] = asked.output;
    const input = [question, { type: 'item_reference', id: call.id }, output(call.call_id, 'Rain.')];
    const { body: told, headers } = await caller.send({ input, tools: [WEATHER] });
    expect([told.id, saidIn(told)]).toEqual([`${asked.id}_2`, 'Rain.']);
    const again = await caller.send({
      input: [
        question,
        call,
        output(call.call_id, 'Rain.'),
        { type: 'item_reference', id: told.output[0].id },
        message('user', 'And now?'),
      ],
    });
    expect([saidIn(again.body), again.headers.get('x-conversation-id')]).toEqual(['Still.', headers.get('x-conversation-id')]);
  });

  it.each([
    ['a message instead of the outputs', () => [message('user', 'Well?')], 'input'],
    ['an output that is missing', (id: string) => [output(`${id}_1`, 'x')], null],
    ['outputs of others', () => [output(`call_${NOBODY.replaceAll('-', '')}_1`, 'x')], 'input'],
    ['outputs with a message', (id: string) => [output(`${id}_1`, 'x'), message('user', 'Hm')], 'input'],
  ])('refuse %s', async (_what, inputOf, param) => {
    app.test.model.calls([
      { name: 'get_weather', input: { town: 'Ulm' } },
      { name: 'get_weather', input: { town: 'Bonn' } },
    ]);
    const asked = await caller.ask({ input: unlike('Rain?'), tools: [WEATHER] });
    const answer = await caller.send({ previous_response_id: asked.id, input: inputOf(asked.id.replace('resp', 'call')) });
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([400, 'validation_error', param]);
  });

  it('are limited by tool_choice', async () => {
    app.test.model.reply('a').reply('b');
    const other = { ...WEATHER, name: 'get_time' };
    await caller.ask({ input: unlike('Hi'), tools: [WEATHER, other], tool_choice: { type: 'function', name: 'get_time' } });
    expect(app.test.model.requests.at(-1)).toMatchObject({ toolChoice: { name: 'get_time' } });
    const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'get_time' }] };
    expect((await caller.ask({ input: unlike('Hi'), tools: [WEATHER, other], tool_choice: allowed })).tool_choice).toEqual(allowed);
    const { tools = [], toolChoice } = app.test.model.requests.at(-1)!;
    expect([tools.map(({ name }) => name).filter((name) => name.startsWith('get_')), toolChoice]).toEqual([['get_time'], 'required']);
  });
});

describe('a response that goes on from another', () => {
  const hex = (id: string): string => id.replace('resp_', '');

  it('has what was said before, and not the instructions', async () => {
    app.test.model.reply('Hello Ann.').reply('Ann.');
    const first = await caller.ask({ input: 'I am Ann.', instructions: 'Be a pirate.' });
    const second = await caller.ask({ input: 'Who am I?', previous_response_id: first.id });
    expect([saidIn(second), second.previous_response_id]).toEqual(['Ann.', first.id]);
    expect(prompted().map(([role, text]: Json) => [role, String(text).replace(/^.*: /, '')])).toEqual([
      ['user', expect.stringContaining('I am Ann.')],
      ['assistant', 'Hello Ann.'],
      ['user', expect.stringContaining('Who am I?')],
    ]);
    expect(app.test.model.requests.at(-1)!.messages[0]!.content).not.toContain('pirate');
    expect((await caller.get(second.id)).previous_response_id).toBe(first.id);
  });

  it('branches from an earlier one, with what was said until then', async () => {
    app.test.model.reply('One.').reply('Two.').reply('Another two.').reply('Three.');
    const first = await caller.ask({ input: unlike('Start') });
    const second = await caller.ask({ input: 'Then', previous_response_id: first.id });
    const branch = await caller.send({ input: 'Instead', previous_response_id: first.id });
    expect(saidIn(branch.body)).toBe('Another two.');
    const said = prompted().map(([, text]) => String(text));
    expect([said.length, said[1], said[2]]).toEqual([3, 'One.', expect.stringContaining('Instead')]);
    const channelId = branch.headers.get('x-conversation-id')!;
    expect((await app.messages(channelId)).map(({ content }) => content).reverse()).toEqual([
      expect.stringContaining('Start'),
      ...['One.', 'Instead', 'Another two.'],
    ]);
    // The other conversation goes on as it was.
    await caller.ask({ input: 'Next', previous_response_id: second.id });
    expect(prompted().map(([, text]) => String(text))).toEqual([
      expect.stringContaining('Start'),
      'One.',
      expect.stringContaining('Then'),
      'Two.',
      expect.stringContaining('Next'),
    ]);
  });

  it('branches from itself when two go on at the same time', async () => {
    app.test.model.always(() => 'Yes.');
    const first = await caller.ask({ input: unlike('Start') });
    const both = await Promise.all(['Left', 'Right'].map((input) => caller.send({ input, previous_response_id: first.id })));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(both.map(({ headers }) => headers.get('x-conversation-id'))).size).toBe(2);
    Object.assign(app.test.model, { otherwise: undefined });
  });

  it('keeps the pictures of a branch', async () => {
    app.test.model.supportsImages = true;
    app.test.model.reply('A dot.').reply('Yes.').reply('Black.');
    const input = [
      message('user', [
        { type: 'input_text', text: unlike('What?') },
        { type: 'input_image', image_url: PIXEL },
      ]),
    ];
    const first = await caller.ask({ input });
    await caller.ask({ input: 'Sure?', previous_response_id: first.id });
    await caller.ask({ input: 'Which colour?', previous_response_id: first.id });
    app.test.model.supportsImages = false;
    expect(app.test.model.requests.at(-1)!.messages.filter(({ role, files }: Json) => role === 'user' && files?.length > 0)).toHaveLength(
      1,
    );
  });

  it.each([
    ['an unknown one', () => `resp_${hex(NOBODY.replaceAll('-', ''))}`],
    ['another form of id', () => 'resp_x'],
    ['a part that is none', (id: string) => `${id}_7`],
  ])('reports %s with a code of its own', async (_what, of) => {
    app.test.model.reply('Yes.');
    const { id } = await caller.ask({ input: unlike('Hi') });
    const { status, body } = await caller.send({ input: 'Hi', previous_response_id: of(id) });
    expect([status, body.error]).toEqual([
      400,
      {
        ...{ type: 'invalid_request_error', code: 'previous_response_not_found', param: 'previous_response_id' },
        message: expect.stringContaining(`Previous response with id '${of(id)}' not found.`),
      },
    ]);
  });

  it('belongs to the user that the first one named', async () => {
    app.test.model.reply('Yes.').reply('Yes.');
    const { id } = await caller.ask({ input: unlike('Hi'), user: 'ann' });
    expect((await caller.send({ input: 'Hi', previous_response_id: id, user: 'bob' })).body.error.code).toBe('previous_response_not_found');
    expect((await caller.ask({ input: 'Hi', previous_response_id: id })).user).toBe('ann');
  });

  it('has the agent of the first one', async () => {
    app.test.model.reply('Yes.');
    const { id } = await caller.ask({ input: unlike('Hi') });
    const { status, body } = await caller.send({ input: 'Hi', previous_response_id: id, model: 'Bob' });
    expect([status, body.error.param, body.error.message]).toEqual([400, 'model', expect.stringContaining('Ada')]);
  });
});
