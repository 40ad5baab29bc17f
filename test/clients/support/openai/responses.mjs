// Responses: texts, streams, tools, formats, the background, and streams that go on.
import assert from 'node:assert/strict';
import { gate } from '../cases.mjs';
import { PIXEL } from '../scripted-server.mjs';

const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'Of a town.',
  strict: false,
  parameters: { type: 'object', properties: { town: { type: 'string' } } },
};
const callOf = (town, id = 'model-1') => ({ id, name: 'get_weather', input: { town } });

/** Of a response that the helper of streams returns, which lacks `output_text`. */
const textOf = ({ output }) => output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join('');

/** Reads a stream of events until its text has come, or to its end. */
async function read(stream, until) {
  const events = [];
  let text = '';
  for await (const event of stream) {
    events.push(event);
    if (event.type === 'response.output_text.delta') text += event.delta;
    if (until !== undefined && text.includes(until)) break;
  }
  return { events, text };
}

export const responses = {
  async 'creates and retrieves a response'({ client, server }) {
    server.model.next({ kind: 'reply', text: 'Sencha.' });
    const response = await client.responses.create({ model: 'Ada', input: 'Which tea?', metadata: { topic: 'tea' } });
    assert.deepEqual([response.status, response.output_text, response.metadata], ['completed', 'Sencha.', { topic: 'tea' }]);
    assert.deepEqual([response.usage.input_tokens, response.usage.output_tokens, response.usage.total_tokens], [7, 3, 10]);
    const { id, output, output_text: text } = await client.responses.retrieve(response.id);
    assert.deepEqual([id, output, text], [response.id, response.output, 'Sencha.']);
  },

  async 'goes on from a previous response, and branches'({ client, server }) {
    const ask = (input, previous) => client.responses.create({ model: 'Ada', input, previous_response_id: previous });
    const first = await ask('I am Ann.');
    const second = await ask('Who am I?', first.id);
    assert.equal(second.previous_response_id, first.id);
    const texts = () => server.prompt().map(({ content }) => content);
    assert.deepEqual(texts(), ['I am Ann.', 'You said: I am Ann.', 'Who am I?']);
    await ask('Instead, goodbye.', first.id);
    assert.deepEqual(texts(), ['I am Ann.', 'You said: I am Ann.', 'Instead, goodbye.']);
    await ask('Sure?', second.id);
    assert.deepEqual(texts(), ['I am Ann.', 'You said: I am Ann.', 'Who am I?', 'You said: Who am I?', 'Sure?']);
  },

  async 'streams a response as events'({ client, server }) {
    server.model.next({ kind: 'reply', deltas: ['Green ', 'tea.'] });
    const { events, text } = await read(await client.responses.create({ model: 'Ada', input: 'Which one?', stream: true }));
    assert.equal(text, 'Green tea.');
    const types = events.map(({ type }) => type.replace('response.', ''));
    assert.deepEqual([...types.slice(0, 3), types.at(-1)], ['created', 'in_progress', 'output_item.added', 'completed']);
    const numbers = events.map(({ sequence_number: number }) => number);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((one, other) => one - other),
    );
    assert.equal(events.at(-1).response.output[0].content[0].text, 'Green tea.');
  },

  async 'collects a stream with the helper'({ client, server }) {
    server.model.next({ kind: 'reply', deltas: ['Black ', 'tea.'] });
    const stream = client.responses.stream({ model: 'Ada', input: 'Another one?' });
    const snapshots = [];
    stream.on('response.output_text.delta', ({ snapshot }) => snapshots.push(snapshot));
    const response = await stream.finalResponse();
    assert.deepEqual([response.status, textOf(response), snapshots.at(-1)], ['completed', 'Black tea.', 'Black tea.']);
  },

  async 'answers the calls of functions'({ client, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Ulm', 'one'), callOf('Bonn', 'two')] }, { kind: 'reply', text: 'Wet.' });
    const first = await client.responses.create({ model: 'Ada', input: 'Weather in both?', tools: [WEATHER] });
    const calls = first.output.filter(({ type }) => type === 'function_call');
    assert.deepEqual(
      calls.map(({ name, arguments: input }) => [name, JSON.parse(input)]),
      [
        ['get_weather', { town: 'Ulm' }],
        ['get_weather', { town: 'Bonn' }],
      ],
    );
    const input = calls.map(({ call_id }, index) => ({ type: 'function_call_output', call_id, output: ['Sun.', 'Rain.'][index] }));
    const second = await client.responses.create({ model: 'Ada', input, previous_response_id: first.id, tools: [WEATHER] });
    assert.equal(second.output_text, 'Wet.');
    assert.deepEqual(
      server
        .prompt()
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content),
      ['Sun.', 'Rain.'],
    );
  },

  async 'streams the arguments of a call'({ client, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Ulm')] });
    const stream = client.responses.stream({ model: 'Ada', input: 'Weather in Ulm?', tools: [WEATHER] });
    const done = [];
    stream.on('response.function_call_arguments.done', ({ arguments: input }) => done.push(JSON.parse(input)));
    const { output } = await stream.finalResponse();
    assert.deepEqual([done, output[0].type, output[0].name], [[{ town: 'Ulm' }], 'function_call', 'get_weather']);
  },

  async 'parses an answer by its schema'({ client, server, zodTextFormat, z }) {
    server.model.next({ kind: 'reply', text: '{"tea":"Sencha","minutes":2}' });
    const format = zodTextFormat(z.object({ tea: z.string(), minutes: z.number() }), 'brewing');
    const response = await client.responses.parse({ model: 'Ada', input: 'How long?', text: { format } });
    assert.deepEqual(response.output_parsed, { tea: 'Sencha', minutes: 2 });
    assert.equal(server.asked().response_format.json_schema.name, 'brewing');
  },

  async 'sends instructions, a picture and a file'({ client, server }) {
    const file_data = `data:text/plain;base64,${Buffer.from('Tea is green.').toString('base64')}`;
    const content = [
      { type: 'input_text', text: 'What are these?' },
      { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' },
      { type: 'input_file', filename: 'tea.txt', file_data },
    ];
    const response = await client.responses.create({ model: 'Ada', instructions: 'Rhyme.', input: [{ role: 'user', content }] });
    assert.equal(response.instructions, 'Rhyme.');
    assert.match(server.asked().messages[0].content, /You are Ada\.[^]*Rhyme\./);
    const [seen] = server.prompt();
    assert.deepEqual(
      seen.content.filter(({ type }) => type === 'image_url').map(({ image_url: { url } }) => url),
      [`data:image/png;base64,${PIXEL}`],
    );
    assert.match(JSON.stringify(server.asked()), /Tea is green\./);
    const { data } = await client.responses.inputItems.list(response.id);
    assert.deepEqual(
      data[0].content.map(({ type }) => type),
      ['input_text', 'input_image', 'input_file'],
    );
  },

  async 'works in the background until it is done'({ client, server }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', text: 'Done.', held: { after: 0, until: opened } });
    const begun = await client.responses.create({ model: 'Ada', input: 'Work.', background: true });
    assert.ok(['queued', 'in_progress'].includes(begun.status));
    assert.deepEqual(begun.output, []);
    const following = client.responses.stream({ response_id: begun.id });
    open();
    assert.equal(textOf(await following.finalResponse()), 'Done.');
    const { status, output_text: text } = await client.responses.retrieve(begun.id);
    assert.deepEqual([status, text], ['completed', 'Done.']);
  },

  async 'cancels a response in the background'({ client, server }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', deltas: ['Never ', 'ending.'], held: { after: 1, until: opened } });
    const asked = server.nextAsked();
    const { id } = await client.responses.create({ model: 'Ada', input: 'Work on.', background: true });
    const request = await asked;
    assert.equal((await client.responses.cancel(id)).status, 'cancelled');
    assert.equal(await request.closed, false);
    assert.equal((await client.responses.retrieve(id)).status, 'cancelled');
    open();
  },

  async 'goes on with a stream behind the last event that came'({ client, server }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', deltas: ['Green ', 'tea ', 'is good.'], held: { after: 1, until: opened } });
    const begun = await read(await client.responses.create({ model: 'Ada', input: 'And tea?', stream: true }), 'Green');
    const [{ response }] = begun.events;
    const rest = await client.responses.retrieve(response.id, { stream: true, starting_after: begun.events.at(-1).sequence_number });
    open();
    const { text, events } = await read(rest);
    assert.equal(`${begun.text}${text}`, 'Green tea is good.');
    assert.equal(events.at(-1).type, 'response.completed');
    assert.ok(events[0].sequence_number > begun.events.at(-1).sequence_number);
  },

  async 'replays a response that has ended, with the helper'({ client, server }) {
    server.model.next({ kind: 'reply', deltas: ['All ', 'over.'] });
    const { id } = await client.responses.create({ model: 'Ada', input: 'Ended?' });
    const stream = client.responses.stream({ response_id: id });
    assert.equal(textOf(await stream.finalResponse()), 'All over.');
  },

  async 'deletes a response'({ client, OpenAI }) {
    const { id } = await client.responses.create({ model: 'Ada', input: 'Forget this.' });
    await client.responses.delete(id);
    await assert.rejects(client.responses.retrieve(id), (error) => {
      assert.ok(error instanceof OpenAI.NotFoundError);
      assert.equal(error.code, 'response_not_found');
      return true;
    });
  },

  async 'reports an unknown previous response with its code'({ client, OpenAI }) {
    const asked = client.responses.create({ model: 'Ada', input: 'Hi', previous_response_id: 'resp_00000000000000000000000000000000' });
    await assert.rejects(asked, (error) => {
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.deepEqual([error.code, error.param], ['previous_response_not_found', 'previous_response_id']);
      return true;
    });
  },

  async 'reports a response that fails in a stream'({ client, server }) {
    server.model.next({ kind: 'fault', after: 1, text: 'Half of it.' });
    const { events, text } = await read(await client.responses.create({ model: 'Ada', input: 'All of it?', stream: true }));
    assert.equal(text.trim(), 'Half');
    const { type, response } = events.at(-1);
    assert.deepEqual([type, response.status], ['response.failed', 'failed']);
    assert.match(response.error.message, /\S/);
  },
};
