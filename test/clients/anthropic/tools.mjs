// Tools: by hand, in parallel, in streams, and with the runner.
import assert from 'node:assert/strict';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { z } from 'zod';

const user = (content) => ({ role: 'user', content });
const asking = (content, more) => ({ model: 'Ada', max_tokens: 100, messages: [user(content)], ...more });
const WEATHER = {
  name: 'get_weather',
  description: 'Of a town.',
  input_schema: { type: 'object', properties: { town: { type: 'string' } } },
};
const callOf = (town, id = 'model-1') => ({ id, name: 'get_weather', input: { town } });
const uses = ({ content }) => content.filter(({ type }) => type === 'tool_use');
const results = (server) =>
  server
    .prompt()
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

export const tools = {
  async 'answers parallel calls in one request'({ client, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Ulm', 'one'), callOf('Bonn', 'two')] }, { kind: 'reply', text: 'Sun and rain.' });
    const asked = asking('Weather in both?', { tools: [WEATHER] });
    const message = await client.messages.create(asked);
    assert.equal(message.stop_reason, 'tool_use');
    assert.deepEqual(
      uses(message).map(({ name, input }) => [name, input]),
      [
        ['get_weather', { town: 'Ulm' }],
        ['get_weather', { town: 'Bonn' }],
      ],
    );
    const told = uses(message).map(({ id }, index) => ({ type: 'tool_result', tool_use_id: id, content: ['Sun.', 'Rain.'][index] }));
    const history = [...asked.messages, { role: 'assistant', content: message.content }, user(told)];
    const after = await client.messages.create({ ...asked, messages: history });
    assert.equal(after.content[0].text, 'Sun and rain.');
    assert.deepEqual(results(server), ['Sun.', 'Rain.']);
  },

  async 'streams the input of a call'({ client, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Ulm')] });
    const stream = client.messages.stream(asking('Weather in Ulm?', { tools: [WEATHER] }));
    let input = '';
    stream.on('inputJson', (part) => {
      input += part;
    });
    const message = await stream.finalMessage();
    assert.deepEqual([JSON.parse(input), uses(message)[0].input, message.stop_reason], [{ town: 'Ulm' }, { town: 'Ulm' }, 'tool_use']);
  },

  async 'runs tools with the runner'({ client, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Bonn')] }, { kind: 'reply', text: 'It rains.' });
    const run = ({ town }) => `Rain in ${town}.`;
    const look = betaZodTool({ name: 'get_weather', description: 'Of a town.', inputSchema: z.object({ town: z.string() }), run });
    const message = await client.beta.messages.toolRunner(asking('Weather in Bonn?', { tools: [look] }));
    assert.deepEqual([message.content[0].text, results(server)], ['It rains.', ['Rain in Bonn.']]);
  },

  async 'runs tools with the streaming runner'({ client, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Kiel')] }, { kind: 'reply', deltas: ['It ', 'storms.'] });
    const run = ({ town }) => `Storm in ${town}.`;
    const look = betaZodTool({ name: 'get_weather', description: 'Of a town.', inputSchema: z.object({ town: z.string() }), run });
    const reasons = [];
    let text = '';
    for await (const stream of client.beta.messages.toolRunner(asking('Weather in Kiel?', { tools: [look], stream: true }))) {
      stream.on('text', (part) => {
        text += part;
      });
      reasons.push((await stream.finalMessage()).stop_reason);
    }
    assert.deepEqual([text, reasons, results(server)], ['It storms.', ['tool_use', 'end_turn'], ['Storm in Kiel.']]);
  },

  async 'tells the model that a tool failed'({ client, server }) {
    server.model.next({ kind: 'calls', calls: [callOf('Nowhere')] }, { kind: 'reply', text: 'I cannot tell.' });
    const run = () => {
      throw new Error('There is no such town.');
    };
    const look = betaZodTool({ name: 'get_weather', description: 'Of a town.', inputSchema: z.object({ town: z.string() }), run });
    const message = await client.beta.messages.toolRunner(asking('Weather in Nowhere?', { tools: [look] }));
    assert.equal(message.content[0].text, 'I cannot tell.');
    assert.match(results(server)[0], /There is no such town\./);
  },

  async 'chooses a tool'({ client, server }) {
    await client.messages.create(asking('Look.', { tools: [WEATHER], tool_choice: { type: 'tool', name: 'get_weather' } }));
    assert.deepEqual(server.asked().tool_choice, { type: 'function', function: { name: 'get_weather' } });
  },
};
