// Each chat model: texts, streams, batches, tools, objects, pictures, errors.
import assert from 'node:assert/strict';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { gate } from '../support/cases.mjs';
import { PIXEL } from '../support/scripted-server.mjs';

const look = tool(async ({ town }) => `Rain in ${town}.`, {
  name: 'get_weather',
  description: 'Of a town.',
  schema: z.object({ town: z.string() }),
});
const callOf = (town) => ({ id: town, name: 'get_weather', input: { town } });
const brewing = z.object({ tea: z.string(), minutes: z.number() });
const counts = ({ input_tokens: input, output_tokens: output, total_tokens: total }) => [input, output, total];

export const models = {
  async 'invokes the model'({ connect, server }) {
    server.model.next({ kind: 'reply', text: 'Sencha.' });
    const message = await connect().invoke([new SystemMessage('Rhyme.'), new HumanMessage('Which tea?')]);
    assert.ok(AIMessage.isInstance(message));
    assert.deepEqual([message.text, counts(message.usage_metadata)], ['Sencha.', [7, 3, 10]]);
    assert.match(server.asked().messages[0].content, /You are Ada\.[^]*Rhyme\./);
    assert.deepEqual(server.prompt(), [{ role: 'user', content: 'Which tea?' }]);
  },

  async 'streams chunks with usage'({ connect, server }) {
    server.model.next({ kind: 'reply', deltas: ['Green ', 'tea ', 'then.'] });
    let whole;
    let count = 0;
    for await (const chunk of await connect().stream('Which one?')) {
      whole = whole === undefined ? chunk : whole.concat(chunk);
      count += 1;
    }
    assert.equal(whole.text, 'Green tea then.');
    assert.equal(whole.usage_metadata.output_tokens, 3);
    assert.ok(count > 1, `${count} chunks`);
  },

  async 'answers a batch in its order'({ connect }) {
    const messages = await connect().batch(['One.', 'Two.', 'Three.'], { maxConcurrency: 3 });
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['You said: One.', 'You said: Two.', 'You said: Three.'],
    );
  },

  async 'goes on with a conversation'({ connect, server }) {
    const model = connect();
    const history = [new HumanMessage('I am Ann.')];
    history.push(await model.invoke(history), new HumanMessage('Who am I?'));
    assert.equal((await model.invoke(history)).text, 'You said: Who am I?');
    assert.deepEqual(
      server.prompt().map(({ role, content }) => [role, content]),
      [
        ['user', 'I am Ann.'],
        ['assistant', 'You said: I am Ann.'],
        ['user', 'Who am I?'],
      ],
    );
  },

  async 'answers the calls of bound tools'({ connect, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Ulm'), callOf('Bonn')] }, { kind: 'reply', text: 'Rain in both.' });
    const model = connect().bindTools([look]);
    const history = [new HumanMessage('Weather in both?')];
    const message = await model.invoke(history);
    assert.deepEqual(
      message.tool_calls.map(({ name, args }) => [name, args]),
      [
        ['get_weather', { town: 'Ulm' }],
        ['get_weather', { town: 'Bonn' }],
      ],
    );
    const results = await Promise.all(message.tool_calls.map((call) => look.invoke(call)));
    assert.ok(results.every((result) => ToolMessage.isInstance(result)));
    assert.equal((await model.invoke([...history, message, ...results])).text, 'Rain in both.');
    assert.deepEqual(
      server
        .prompt()
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content),
      ['Rain in Ulm.', 'Rain in Bonn.'],
    );
  },

  async 'streams the calls of tools'({ connect, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Ulm')] });
    let whole;
    for await (const chunk of await connect().bindTools([look]).stream('Weather in Ulm?')) {
      whole = whole === undefined ? chunk : whole.concat(chunk);
    }
    assert.deepEqual(
      whole.tool_calls.map(({ name, args }) => [name, args]),
      [['get_weather', { town: 'Ulm' }]],
    );
  },

  async 'returns an object by its schema'({ connect, server }) {
    server.model.next({ kind: 'reply', text: '{"tea":"Sencha","minutes":2}' });
    const model = connect().withStructuredOutput(brewing, { name: 'brewing', method: 'jsonSchema' });
    assert.deepEqual(await model.invoke('How long?'), { tea: 'Sencha', minutes: 2 });
    assert.deepEqual(Object.keys(server.asked().response_format.json_schema.schema.properties), ['tea', 'minutes']);
  },

  async 'returns an object by the call of a function'({ connect, server }) {
    server.model.next({ kind: 'calls', calls: [{ id: 'one', name: 'brewing', input: { tea: 'Oolong', minutes: 3 } }] });
    const model = connect().withStructuredOutput(brewing, { name: 'brewing', method: 'functionCalling' });
    assert.deepEqual(await model.invoke('And that one?'), { tea: 'Oolong', minutes: 3 });
    assert.deepEqual(server.asked().tool_choice, { type: 'function', function: { name: 'brewing' } });
  },

  async 'shows a picture'({ connect, server }) {
    server.model.next({ kind: 'reply', text: 'A dot.' });
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
    ];
    assert.equal((await connect().invoke([new HumanMessage({ content })])).text, 'A dot.');
    const seen = server.prompt()[0].content.find(({ type }) => type === 'image_url');
    assert.equal(seen.image_url.url, `data:image/png;base64,${PIXEL}`);
  },

  async 'reports an unknown agent and a wrong key'({ connect }) {
    await assert.rejects(connect({ model: 'nobody', maxRetries: 0 }).invoke('Hello?'), ({ status, message }) => {
      assert.equal(status, 404);
      assert.match(message, /nobody/);
      return true;
    });
    await assert.rejects(connect({ apiKey: 'wrong', maxRetries: 0 }).invoke('Hello?'), ({ status }) => status === 401);
  },

  async 'asks again after a failure of the model'({ connect, server }) {
    server.model.next({ kind: 'status', status: 500 }, { kind: 'reply', text: 'Better now.' });
    assert.equal((await connect({ maxRetries: 1 }).invoke('Are you well?')).text, 'Better now.');
  },

  async 'aborts a stream'({ connect, server }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', deltas: ['Green ', 'tea.'], held: { after: 1, until: opened } });
    const leaving = new AbortController();
    let heard = '';
    const read = async () => {
      for await (const { text } of await connect().stream('I leave.', { signal: leaving.signal })) {
        heard += text;
        if (heard !== '') leaving.abort();
      }
    };
    await assert.rejects(read(), /abort/i);
    open();
    assert.equal(heard.trim(), 'Green');
  },
};
