// Conversations: their metadata, their items, and responses in them.
import assert from 'node:assert/strict';

const user = (content) => ({ type: 'message', role: 'user', content });
const texts = (items) => items.map(({ content }) => content[0].text);

async function itemsOf(client, id) {
  const items = [];
  // Two on a page, so that the client asks for more than one.
  for await (const item of client.conversations.items.list(id, { order: 'asc', limit: 2 })) items.push(item);
  return items;
}

export const conversations = {
  async 'creates, updates and retrieves a conversation'({ client }) {
    const created = await client.conversations.create({ metadata: { topic: 'tea' } });
    assert.match(created.id, /^conv_/);
    assert.deepEqual([created.object, created.metadata], ['conversation', { topic: 'tea' }]);
    await client.conversations.update(created.id, { metadata: { topic: 'rain' } });
    assert.deepEqual(await client.conversations.retrieve(created.id), { ...created, metadata: { topic: 'rain' } });
  },

  async 'responds in a conversation, and lists what was said page by page'({ client, server }) {
    const { id } = await client.conversations.create({ items: [user('I am Ann.')] });
    server.model.next({ kind: 'reply', text: 'Hello.' }, { kind: 'reply', text: 'Ann.' });
    const first = await client.responses.create({ model: 'Ada', input: 'Hi.', conversation: id });
    assert.deepEqual([first.output_text, first.conversation], ['Hello.', { id }]);
    const second = await client.responses.create({ model: 'Ada', input: 'Who am I?', conversation: { id } });
    assert.equal(second.output_text, 'Ann.');
    assert.deepEqual(texts(await itemsOf(client, id)), ['I am Ann.', 'Hi.', 'Hello.', 'Who am I?', 'Ann.']);
  },

  async 'adds, retrieves and deletes items'({ client }) {
    const { id } = await client.conversations.create({ items: [user('One.')] });
    const { data } = await client.conversations.items.create(id, { items: [user('Two.'), user('Three.')] });
    assert.deepEqual(texts(data), ['Two.', 'Three.']);
    assert.deepEqual(await client.conversations.items.retrieve(data[0].id, { conversation_id: id }), data[0]);
    assert.equal((await client.conversations.items.delete(data[0].id, { conversation_id: id })).id, id);
    assert.deepEqual(texts(await itemsOf(client, id)), ['One.', 'Three.']);
  },

  async 'deletes a conversation'({ client, OpenAI }) {
    const { id } = await client.conversations.create({ items: [user('Soon gone.')] });
    assert.deepEqual(await client.conversations.delete(id), { id, object: 'conversation.deleted', deleted: true });
    await assert.rejects(client.conversations.retrieve(id), (error) => {
      assert.ok(error instanceof OpenAI.NotFoundError);
      assert.equal(error.code, 'conversation_not_found');
      return true;
    });
  },
};
