// OpenAI's conversations: what they keep, what was said in them, and responses in them.
import { describe, expect, it } from '@jest/globals';
import { contractApp, NOBODY } from './support/contract-app.js';
import { ResponsesCaller, saidIn, type Json } from './support/responses.js';

const CONVERSATIONS = '/v1/conversations';
const WEATHER = { type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } };

const app = contractApp();
const { api } = app;
const caller = new ResponsesCaller(app);
const user = (content: string): object => ({ type: 'message', role: 'user', content });
const create = async (body: object = {}): Promise<Json> => {
  const answer = await api.post(CONVERSATIONS, body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};
const itemsOf = async (id: string, query = ''): Promise<Json> => (await api.get(`${CONVERSATIONS}/${id}/items${query}`)).body;
const textsOf = ({ data }: Json): string[] => data.map(({ content, call_id: callId }: Json) => content?.[0].text ?? callId);

describe('a conversation', () => {
  it('keeps its metadata', async () => {
    const created = await create({ metadata: { topic: 'tea' } });
    expect(created).toEqual({
      id: expect.stringMatching(/^conv_[0-9a-f]{32}$/),
      object: 'conversation',
      created_at: Math.floor(app.clock.now() / 1000),
      metadata: { topic: 'tea' },
    });
    expect((await api.get(`${CONVERSATIONS}/${created.id}`)).body).toEqual(created);
    const changed = { ...created, metadata: { topic: 'rain' } };
    expect((await api.post(`${CONVERSATIONS}/${created.id}`, { metadata: { topic: 'rain' } })).body).toEqual(changed);
    expect((await api.get(`${CONVERSATIONS}/${created.id}`)).body).toEqual(changed);
  });

  it('is deleted with all that was said', async () => {
    const { id } = await create({ items: [user('Hi')] });
    expect((await api.delete(`${CONVERSATIONS}/${id}`)).body).toEqual({ id, object: 'conversation.deleted', deleted: true });
    for (const path of ['', '/items']) {
      const { status, body } = await api.get(`${CONVERSATIONS}/${id}${path}`);
      expect([status, body.error.code]).toEqual([404, 'conversation_not_found']);
    }
  });

  it('has responses, which go on from each other and from the items that were added', async () => {
    const { id } = await create({ items: [user('I am Ann.')] });
    app.test.model.reply('Hello.').reply('Ann, and you like tea.');
    const first = await caller.ask({ input: 'Hi.', conversation: id, metadata: { n: '1' } });
    expect([first.conversation, first.previous_response_id]).toEqual([{ id }, null]);
    const added = (
      await api.post(`${CONVERSATIONS}/${id}/items`, { items: [user('I like tea.'), { role: 'assistant', content: 'Noted.' }] })
    ).body;
    expect(textsOf(added)).toEqual(['I like tea.', 'Noted.']);
    const second = await caller.ask({ input: 'Who am I?', conversation: { id } });
    expect(saidIn(second)).toBe('Ann, and you like tea.');
    const prompt = app.test.model.requests
      .at(-1)!
      .messages.slice(1)
      .map(({ content }) => String(content));
    expect(prompt).toEqual(
      ['I am Ann.', 'Hi.', 'Hello.', 'I like tea.', 'Noted.', 'Who am I?'].map((text) => expect.stringContaining(text)),
    );
    expect(await caller.get(first.id)).toMatchObject({ conversation: { id }, output: first.output });
    expect(textsOf(await itemsOf(id, '?order=asc'))).toEqual([
      ...['I am Ann.', 'Hi.', 'Hello.', 'I like tea.', 'Noted.', 'Who am I?'],
      'Ann, and you like tea.',
    ]);
  });

  it('lists its items page by page in both orders, and has each of them', async () => {
    const { id } = await create({ items: ['One', 'Two', 'Three'].map(user) });
    app.test.model.calls([{ name: 'get_weather', input: {} }], 'I look.').reply('Rain.');
    const asked = await caller.ask({ input: 'Rain?', conversation: id, tools: [WEATHER] });
    const call = asked.output.at(-1);
    const outputs = [{ type: 'function_call_output', call_id: call.call_id, output: 'Wet.' }];
    await caller.ask({ input: outputs, conversation: id, tools: [WEATHER] });
    const all = await itemsOf(id, '?order=asc&limit=100');
    expect(all.data.map(({ type, role = null }: Json) => [type, role])).toEqual([
      ...Array.from({ length: 4 }, () => ['message', 'user']),
      ['message', 'assistant'],
      ['function_call', null],
      ['function_call_output', null],
      ['message', 'assistant'],
    ]);
    expect(all.data[5]).toEqual(call);
    for (const order of ['asc', 'desc']) {
      const ordered = order === 'asc' ? all.data : [...all.data].reverse();
      for (const limit of [1, 3, 7]) {
        const found: Json[] = [];
        let page: Json;
        do {
          page = await itemsOf(id, `?order=${order}&limit=${limit}${page === undefined ? '' : `&after=${page.last_id}`}`);
          expect(page.first_id).toBe(page.data[0].id);
          found.push(...page.data);
        } while (page.has_more);
        expect(found).toEqual(ordered);
      }
    }
    for (const item of all.data) expect((await api.get(`${CONVERSATIONS}/${id}/items/${item.id}`)).body).toEqual(item);
    const { status, body } = await api.get(`${CONVERSATIONS}/${id}/items/msg_${NOBODY.replaceAll('-', '')}`);
    expect([status, body.error.code]).toEqual([404, 'item_not_found']);
  });

  it('loses a message that is deleted', async () => {
    const { id } = await create({ items: [user('One'), user('Two')] });
    app.test.model.reply('Yes.');
    const { output } = await caller.ask({ input: 'Three', conversation: id });
    const { data } = await itemsOf(id, '?order=asc');
    expect((await api.delete(`${CONVERSATIONS}/${id}/items/${data[0].id}`)).body.id).toBe(id);
    expect((await api.delete(`${CONVERSATIONS}/${id}/items/${output[0].id}`)).status).toBe(200);
    expect(textsOf(await itemsOf(id, '?order=asc'))).toEqual(['Two', 'Three']);
  });

  it('of any name is created by the first response in it', async () => {
    app.test.model.reply('Hello.').reply('Ann.');
    const first = await caller.ask({ input: 'I am Ann.', conversation: 'ann-1' });
    expect(first.conversation.id).toMatch(/^conv_/);
    expect((await caller.ask({ input: 'Who?', conversation: 'ann-1' })).conversation).toEqual(first.conversation);
    expect(textsOf(await itemsOf(first.conversation.id))).toEqual(['Ann.', 'Who?', 'Hello.', 'I am Ann.']);
  });

  it('has one agent', async () => {
    const { id } = await create();
    app.test.model.reply('Yes.');
    await caller.ask({ input: 'Hi', conversation: id });
    const { status, body } = await caller.send({ input: 'Hi', conversation: id, model: 'Bob' });
    expect([status, body.error.param]).toEqual([400, 'model']);
  });

  it.each([
    ['metadata that is no text', '', { metadata: { a: 1 } }, 400, 'metadata'],
    ['a field that nothing reads', '', { name: 'x' }, 400, 'name'],
    ['a message of an agent that it does not have', '', { items: [{ role: 'assistant', content: 'x' }] }, 400, 'items'],
    ['a message of the system', '', { items: [{ role: 'system', content: 'x' }] }, 400, 'items'],
    ['a call', '', { items: [{ type: 'function_call', call_id: 'c', name: 'x', arguments: '{}' }] }, 400, 'items'],
    ['an unknown item', '', { items: [{ type: 'computer_call' }] }, 400, 'items[0].type'],
    ['no items', '/ID/items', { items: [] }, 400, 'items'],
    ['an unknown conversation', `/conv_${NOBODY.replaceAll('-', '')}`, { metadata: {} }, 404, 'conversation'],
    ['an id of another kind', '/resp_1', { metadata: {} }, 404, 'conversation'],
  ])('is not made of %s', async (_what, path, body, status, param) => {
    const { id } = await create();
    const answer = await api.post(`${CONVERSATIONS}${path.replace('ID', id)}`, body);
    expect([answer.status, answer.body.error.param]).toEqual([status, param]);
  });

  it('is not found by responses when it does not exist', async () => {
    const { status, body } = await caller.send({ input: 'Hi', conversation: `conv_${NOBODY.replaceAll('-', '')}` });
    expect([status, body.error]).toMatchObject([404, { code: 'conversation_not_found', param: 'conversation' }]);
  });
});
