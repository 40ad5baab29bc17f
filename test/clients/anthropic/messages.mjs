// Messages: texts, streams, instructions, pictures, formats; models and tokens.
import assert from 'node:assert/strict';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { z } from 'zod';
import { PIXEL } from '../support/scripted-server.mjs';

const user = (content) => ({ role: 'user', content });
const asking = (content, more) => ({ model: 'Ada', max_tokens: 100, messages: [user(content)], ...more });

export const messages = {
  async 'lists the agents as models'({ client }) {
    const models = [];
    for await (const { type, id, display_name: name } of client.models.list()) models.push([type, id, name]);
    assert.deepEqual(models, [
      ['model', 'Ada', 'Ada'],
      ['model', 'Bob', 'Bob'],
    ]);
  },

  async 'retrieves a model'({ client }) {
    const { type, id, created_at: created } = await client.models.retrieve('ada');
    assert.deepEqual([type, id, Number.isNaN(Date.parse(created))], ['model', 'Ada', false]);
  },

  async 'creates a message'({ client, server }) {
    server.model.next({ kind: 'reply', text: 'Sencha.' });
    const message = await client.messages.create(asking('Which tea?'));
    assert.deepEqual([message.type, message.role, message.model, message.stop_reason], ['message', 'assistant', 'Ada', 'end_turn']);
    assert.deepEqual(
      message.content.map(({ type, text }) => [type, text]),
      [['text', 'Sencha.']],
    );
    assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [7, 3]);
    assert.deepEqual(server.prompt(), [user('Which tea?')]);
  },

  async 'streams events'({ client, server }) {
    server.model.next({ kind: 'reply', deltas: ['Green ', 'tea.'] });
    const events = [];
    for await (const event of await client.messages.create(asking('Which one?', { stream: true }))) events.push(event);
    const types = events.map(({ type }) => type);
    assert.deepEqual(types.slice(0, 2), ['message_start', 'content_block_start']);
    assert.deepEqual(types.slice(-3), ['content_block_stop', 'message_delta', 'message_stop']);
    assert.equal(events.map(({ delta }) => delta?.text ?? '').join(''), 'Green tea.');
    assert.deepEqual([events.at(-2).delta.stop_reason, events.at(-2).usage.output_tokens], ['end_turn', 3]);
  },

  async 'collects a stream with the helper'({ client, server }) {
    server.model.next({ kind: 'reply', deltas: ['Black ', 'tea ', 'then.'] });
    const stream = client.messages.stream(asking('Another?'));
    let heard = '';
    stream.on('text', (text) => {
      heard += text;
    });
    const message = await stream.finalMessage();
    assert.deepEqual([heard, message.content[0].text, await stream.finalText()], ['Black tea then.', 'Black tea then.', 'Black tea then.']);
    assert.deepEqual([message.stop_reason, message.usage.output_tokens], ['end_turn', 3]);
  },

  async 'adds its instructions to those of the agent'({ client, server }) {
    await client.messages.create(asking('A poem?', { system: [{ type: 'text', text: 'Rhyme.', cache_control: { type: 'ephemeral' } }] }));
    assert.match(server.asked().messages[0].content, /You are Ada\.[^]*Rhyme\./);
  },

  async 'goes on with the conversation that it sends'({ client, server }) {
    server.model.next({ kind: 'reply', text: 'Hello Ann.' }, { kind: 'reply', text: 'Ann.' });
    const first = await client.messages.create(asking('I am Ann.')).withResponse();
    const history = [user('I am Ann.'), { role: 'assistant', content: first.data.content }, user('Who am I?')];
    const second = await client.messages.create({ ...asking(), messages: history }).withResponse();
    assert.equal(second.data.content[0].text, 'Ann.');
    const [one, other] = [first, second].map(({ response }) => response.headers.get('x-conversation-id'));
    assert.ok(one);
    assert.equal(other, one);
    assert.deepEqual(server.prompt(), [user('I am Ann.'), { role: 'assistant', content: 'Hello Ann.' }, user('Who am I?')]);
  },

  async 'goes on with a conversation that it names'({ client, server }) {
    const headers = { 'X-Conversation-Id': 'named by the client of Anthropic' };
    await client.messages.create(asking('I am Bea.'), { headers });
    await client.messages.create(asking('Who am I?'), { headers });
    assert.deepEqual(
      server.prompt().map(({ content }) => content),
      ['I am Bea.', 'You said: I am Bea.', 'Who am I?'],
    );
  },

  async 'shows a picture'({ client, server }) {
    server.model.next({ kind: 'reply', text: 'A dot.' });
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
    const message = await client.messages.create(asking([picture, { type: 'text', text: 'What is this?' }]));
    assert.equal(message.content[0].text, 'A dot.');
    const seen = server.prompt()[0].content.find(({ type }) => type === 'image_url');
    assert.equal(seen.image_url.url, `data:image/png;base64,${PIXEL}`);
  },

  async 'sends a document'({ client, server }) {
    const document = { type: 'document', title: 'Tea', source: { type: 'text', media_type: 'text/plain', data: 'Matcha is a powder.' } };
    await client.messages.create(asking([document, { type: 'text', text: 'What is matcha?' }]));
    assert.match(JSON.stringify(server.asked()), /Matcha is a powder\./);
  },

  async 'passes limits, variation and stop texts on'({ client, server }) {
    await client.messages.create(asking('Briefly?', { max_tokens: 40, temperature: 0.25, top_p: 0.5, stop_sequences: ['END'] }));
    const { temperature, top_p: topP, max_completion_tokens: most, max_tokens: limit, stop } = server.asked();
    assert.deepEqual([temperature, topP, most ?? limit, stop], [0.25, 0.5, 40, ['END']]);
  },

  async 'parses an answer by its schema'({ client, server }) {
    server.model.next({ kind: 'reply', text: '{"tea":"Sencha","minutes":2}' });
    const format = zodOutputFormat(z.object({ tea: z.string(), minutes: z.number() }));
    const message = await client.messages.parse(asking('How long?', { output_config: { format } }));
    assert.deepEqual(message.parsed_output, { tea: 'Sencha', minutes: 2 });
    assert.deepEqual(Object.keys(server.asked().response_format.json_schema.schema.properties), ['tea', 'minutes']);
  },

  async 'counts the tokens of a request'({ client }) {
    const count = async (more) =>
      (await client.messages.countTokens({ model: 'Ada', messages: [user('Which tea?')], ...more })).input_tokens;
    const [plain, instructed] = [await count(), await count({ system: 'You speak like a pirate of the seventeenth century.' })];
    assert.ok(plain > 0 && plain < 20, `${plain} tokens`);
    assert.ok(instructed > plain + 6, `${instructed} tokens`);
  },
};
