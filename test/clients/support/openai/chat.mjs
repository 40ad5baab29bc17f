// Chat completions: texts, streams, tools, formats, pictures.
import assert from 'node:assert/strict';
import { PIXEL } from '../scripted-server.mjs';

const user = (content) => ({ role: 'user', content });
const WEATHER = {
  type: 'function',
  function: { name: 'get_weather', description: 'Of a town.', parameters: { type: 'object', properties: { town: { type: 'string' } } } },
};
const callOf = (town, id = 'model-1') => ({ id, name: 'get_weather', input: { town } });

export const chat = {
  async 'completes a chat'({ client, server }) {
    server.model.next({ kind: 'reply', text: 'Sencha.' });
    const completion = await client.chat.completions.create({ model: 'Ada', messages: [user('Which tea?')] });
    const [choice] = completion.choices;
    assert.deepEqual(choice.message, { role: 'assistant', content: 'Sencha.', refusal: null });
    assert.deepEqual([completion.model, completion.object, choice.finish_reason], ['Ada', 'chat.completion', 'stop']);
    assert.deepEqual(completion.usage, { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
    assert.deepEqual(server.prompt(), [user('Which tea?')]);
  },

  async 'adds its instructions to those of the agent'({ client, server }) {
    const messages = [{ role: 'developer', content: 'Rhyme.' }, { role: 'system', content: 'Be brief.' }, user('A poem?')];
    await client.chat.completions.create({ model: 'Ada', messages });
    assert.match(server.asked().messages[0].content, /You are Ada\.[^]*Rhyme\.\n\nBe brief\./);
  },

  async 'streams text with usage'({ client, server }) {
    server.model.next({ kind: 'reply', deltas: ['Green ', 'tea.'] });
    const stream = await client.chat.completions.create({
      ...{ model: 'Ada', messages: [user('Which one?')], stream: true },
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    assert.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''), 'Green tea.');
    assert.deepEqual(chunks.map(({ choices }) => choices[0]?.finish_reason).filter(Boolean), ['stop']);
    assert.deepEqual(chunks.at(-1).usage, { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
  },

  async 'collects a stream with the helper'({ client, server }) {
    server.model.next({ kind: 'reply', deltas: ['Black ', 'tea ', 'then.'] });
    const stream = client.chat.completions.stream({ model: 'Ada', messages: [user('Another?')], stream_options: { include_usage: true } });
    let heard = '';
    stream.on('content', (delta) => {
      heard += delta;
    });
    const completion = await stream.finalChatCompletion();
    assert.deepEqual([heard, completion.choices[0].message.content], ['Black tea then.', 'Black tea then.']);
    assert.equal(completion.usage.total_tokens, 10);
  },

  async 'goes on with the conversation that it sends'({ client, server }) {
    server.model.next({ kind: 'reply', text: 'Hello Ann.' }, { kind: 'reply', text: 'Ann.' });
    const messages = [user('I am Ann.')];
    const first = await client.chat.completions.create({ model: 'Ada', messages }).withResponse();
    messages.push(first.data.choices[0].message, user('Who am I?'));
    const second = await client.chat.completions.create({ model: 'Ada', messages }).withResponse();
    assert.equal(second.data.choices[0].message.content, 'Ann.');
    const [one, other] = [first, second].map(({ response }) => response.headers.get('x-conversation-id'));
    assert.ok(one);
    assert.equal(other, one);
    assert.deepEqual(server.prompt(), [user('I am Ann.'), { role: 'assistant', content: 'Hello Ann.' }, user('Who am I?')]);
  },

  async 'runs tools with the runner'({ client, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Ulm')] }, { kind: 'reply', text: 'It is sunny.' });
    const towns = [];
    const look = ({ town }) => {
      towns.push(town);
      return { sky: 'blue' };
    };
    const tools = [{ type: 'function', function: { ...WEATHER.function, function: look, parse: JSON.parse } }];
    const runner = client.chat.completions.runTools({ model: 'Ada', messages: [user('Weather in Ulm?')], tools });
    assert.equal(await runner.finalContent(), 'It is sunny.');
    assert.deepEqual(towns, ['Ulm']);
    assert.deepEqual(
      server
        .prompt()
        .map(({ role, content }) => [role, content])
        .at(-1),
      ['tool', '{"sky":"blue"}'],
    );
  },

  async 'runs tools with the streaming runner and arguments of zod'({ client, server, zodFunction, z }) {
    server.model.next({ kind: 'calls', calls: [callOf('Bonn')] }, { kind: 'reply', deltas: ['It ', 'rains.'] });
    const look = zodFunction({
      ...{ name: 'get_weather', description: 'Of a town.', parameters: z.object({ town: z.string() }) },
      function: ({ town }) => `Rain in ${town}.`,
    });
    const runner = client.chat.completions.runTools({ model: 'Ada', stream: true, messages: [user('Weather in Bonn?')], tools: [look] });
    const results = [];
    runner.on('functionToolCallResult', (result) => results.push(result));
    assert.equal(await runner.finalContent(), 'It rains.');
    assert.deepEqual(results, ['Rain in Bonn.']);
    const offered = server.asked().tools.find(({ function: { name } }) => name === 'get_weather');
    assert.deepEqual(offered.function.parameters.properties, { town: { type: 'string' } });
  },

  async 'answers parallel calls in one request'({ client, server }) {
    const calls = [callOf('Ulm', 'model-1'), callOf('Bonn', 'model-2')];
    server.model.next({ kind: 'calls', calls }, { kind: 'reply', text: 'Sun and rain.' });
    const messages = [user('Weather in both?')];
    const { choices } = await client.chat.completions.create({ model: 'Ada', messages, tools: [WEATHER], parallel_tool_calls: true });
    const [{ message, finish_reason: reason }] = choices;
    assert.equal(reason, 'tool_calls');
    assert.deepEqual(
      message.tool_calls.map((call) => [call.type, call.function.name, JSON.parse(call.function.arguments)]),
      [
        ['function', 'get_weather', { town: 'Ulm' }],
        ['function', 'get_weather', { town: 'Bonn' }],
      ],
    );
    const results = message.tool_calls.map(({ id }, index) => ({ role: 'tool', tool_call_id: id, content: ['Sun.', 'Rain.'][index] }));
    const after = await client.chat.completions.create({ model: 'Ada', messages: [...messages, message, ...results], tools: [WEATHER] });
    assert.equal(after.choices[0].message.content, 'Sun and rain.');
    assert.deepEqual(
      server
        .prompt()
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content),
      ['Sun.', 'Rain.'],
    );
  },

  async 'streams the calls of tools'({ client, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Ulm', 'model-1'), callOf('Bonn', 'model-2')] });
    const stream = client.chat.completions.stream({ model: 'Ada', messages: [user('Both again?')], tools: [WEATHER] });
    const told = [];
    stream.on('tool_calls.function.arguments.done', ({ name, index, arguments: input }) => told.push([index, name, JSON.parse(input)]));
    const { choices } = await stream.finalChatCompletion();
    assert.deepEqual(told, [
      [0, 'get_weather', { town: 'Ulm' }],
      [1, 'get_weather', { town: 'Bonn' }],
    ]);
    assert.equal(choices[0].finish_reason, 'tool_calls');
  },

  async 'chooses a tool'({ client, server }) {
    const choice = { type: 'function', function: { name: 'get_weather' } };
    await client.chat.completions.create({ model: 'Ada', messages: [user('Look.')], tools: [WEATHER], tool_choice: choice });
    assert.deepEqual(server.asked().tool_choice, choice);
  },

  async 'parses an answer by its schema'({ client, server, zodResponseFormat, z }) {
    server.model.next({ kind: 'reply', text: '{"tea":"Sencha","minutes":2}' });
    const format = zodResponseFormat(z.object({ tea: z.string(), minutes: z.number() }), 'brewing');
    const { choices } = await client.chat.completions.parse({ model: 'Ada', messages: [user('How long?')], response_format: format });
    assert.deepEqual(choices[0].message.parsed, { tea: 'Sencha', minutes: 2 });
    const { type, json_schema: asked } = server.asked().response_format;
    assert.deepEqual([type, asked.name, Object.keys(asked.schema.properties)], ['json_schema', 'brewing', ['tea', 'minutes']]);
  },

  async 'shows a picture'({ client, server }) {
    const url = `data:image/png;base64,${PIXEL}`;
    server.model.next({ kind: 'reply', text: 'A dot.' });
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url } },
    ];
    const { choices } = await client.chat.completions.create({ model: 'Ada', messages: [user(content)] });
    assert.equal(choices[0].message.content, 'A dot.');
    const seen = server
      .prompt()
      .at(-1)
      .content.find(({ type }) => type === 'image_url');
    assert.equal(seen.image_url.url, url);
  },

  async 'passes limits, variation and stop texts on'({ client, server }) {
    const options = { temperature: 0.25, top_p: 0.5, max_completion_tokens: 40, stop: ['END', 'FIN'] };
    await client.chat.completions.create({ model: 'Ada', messages: [user('Briefly?')], ...options });
    const { temperature, top_p: topP, max_completion_tokens: most, max_tokens: limit, stop } = server.asked();
    assert.deepEqual([temperature, topP, most ?? limit, stop], [0.25, 0.5, 40, ['END', 'FIN']]);
  },

  async 'keeps the conversations of users apart'({ client, server }) {
    const messages = [user('The same words.')];
    const ask = async (name) => {
      const { response } = await client.chat.completions.create({ model: 'Ada', messages, user: name }).withResponse();
      return response.headers.get('x-conversation-id');
    };
    const [ann, bob] = [await ask('ann'), await ask('bob')];
    assert.notEqual(ann, bob);
    assert.deepEqual(server.prompt(), messages);
  },

  async 'keeps nothing on request'({ client, connect }) {
    const asked = client.chat.completions.create({ model: 'Ada', messages: [user('A secret.')], store: false });
    const { data, response } = await asked.withResponse();
    assert.equal(data.choices[0].message.content, 'You said: A secret.');
    const own = connect({ baseURL: client.baseURL.replace('/v1', '') });
    const path = `/api/messaging/channels/${response.headers.get('x-conversation-id')}/messages`;
    await assert.rejects(own.get(path), (error) => error.status === 404);
  },
};
