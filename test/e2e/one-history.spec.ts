// One conversation through every protocol: whichever way it goes on, it has one history, in one order, wherever it is read.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { allEvents } from '../support/sse-client.js';
import { readUiStream } from '../support/ui-stream.js';

type Json = ReturnType<typeof JSON.parse>;
type Ask = (place: string, text: string) => Promise<{ said: string; place: string; id?: string }>;

const USER = '11111111-1111-1111-1111-111111111111';
let test: TestApp;
const api = new ApiClient(() => test.url);

beforeAll(async () => {
  test = await createTestApp();
  test.model.always(({ messages }) => `Answer to ${String(messages.findLast(({ role }) => role === 'user')?.content)}`);
});
afterAll(() => test.close());

const sent = async (path: string, body: object, headers = {}): Promise<Response> =>
  fetch(`${test.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const placeOf = ({ headers }: { headers: Headers }): string => headers.get('x-conversation-id')!;
const named = (place: string): { headers: Record<string, string> } => ({ headers: { 'X-Conversation-Id': place } });
const user = (content: string): object => ({ role: 'user', content });

const chat: Ask = async (place, text) => {
  const answer = await api.post('/v1/chat/completions', { model: 'Ada', messages: [user(text)] }, named(place));
  return { said: answer.body.choices[0].message.content, place: placeOf(answer) };
};
const aiSdk: Ask = async (place, text) => {
  const message = { id: text, role: 'user', parts: [{ type: 'text', text }] };
  const response = await sent('/api/agents/Ada/chat', { id: place, message, trigger: 'submit-message' });
  const { parts } = readUiStream(await response.text());
  return { said: parts.map(({ text: part = '' }) => String(part)).join(''), place: placeOf(response) };
};
const messages: Ask = async (place, text) => {
  const answer = await api.post('/v1/messages', { model: 'Ada', max_tokens: 100, messages: [user(text)] }, named(place));
  return { said: answer.body.content[0].text, place: placeOf(answer) };
};
const responses: Ask = async (place, text) => {
  const answer = await api.post('/v1/responses', { model: 'Ada', input: text, conversation: place });
  return { said: answer.body.output[0].content[0].text, place: placeOf(answer), id: answer.body.id };
};
const channel = (place: string): string => `/api/messaging/channels/${place}/messages`;
const native: Ask = async (place, text) => {
  const events = await allEvents(await sent(channel(place), { content: text, author_id: USER, transport: 'sse' }));
  return { said: events.at(-1)!.data.text, place };
};

describe('a conversation that goes on from protocol to protocol', () => {
  const asked: string[] = [];
  let place = '';
  const history = (): string[] => asked.flatMap((text) => [text, `Answer to ${text}`]);
  const go = async (ask: Ask, text: string, name = place): Promise<{ id?: string }> => {
    asked.push(text);
    const { said, place: at, ...more } = await ask(name, text);
    place ||= at;
    expect([said, at]).toEqual([`Answer to ${text}`, place]);
    return more;
  };

  it('is one history, in which the model reads all that was said', async () => {
    await go(chat, 'Chat?', 'our conversation');
    await go(aiSdk, 'A page?', 'our conversation');
    await go(native, 'A channel?');
    await go(messages, 'Anthropic?', 'our conversation');
    const { id } = await go(responses, 'Responses?', 'our conversation');
    await go(native, 'And again?');
    for (const ask of [aiSdk, messages, responses, chat]) await go(ask, `By its id, ${asked.length}?`);
    const read = test.model.requests
      .at(-1)!
      .messages.slice(1)
      .map(({ content }) => content);
    expect(read).toEqual(history().slice(0, -1));
    const branch = await api.post('/v1/responses', { model: 'Ada', input: 'Back?', previous_response_id: id });
    expect(placeOf(branch)).not.toBe(place);
  });

  it('is read as one in every place', async () => {
    const conversation = `/v1/conversations/conv_${place.replaceAll('-', '')}`;
    const { body: items } = await api.get(`${conversation}/items?order=asc&limit=100`);
    expect(items.data.map(({ role, content }: Json) => [role, content[0].text])).toEqual(
      history().map((text, index) => [index % 2 === 0 ? 'user' : 'assistant', text]),
    );
    const { body } = await api.get(`${channel(place)}?limit=100`);
    const stored = body.data.messages.reverse();
    expect(stored.map(({ content }: Json) => content)).toEqual(history());
    expect(stored.filter((_: Json, index: number) => index % 2 === 0).map(({ metadata }: Json) => metadata.protocol ?? null)).toEqual([
      ...['openai', 'ai-sdk', null, 'anthropic', 'openai', null],
      ...['ai-sdk', 'anthropic', 'openai', 'openai'],
    ]);
    expect(stored.every(({ isAgent, authorId }: Json) => isAgent === (authorId === ADA.id))).toBe(true);
  });

  it('is read page by page without a hole or a repetition', async () => {
    const texts: string[] = [];
    let after = '';
    do {
      const { body } = await api.get(`/v1/conversations/conv_${place.replaceAll('-', '')}/items?order=asc&limit=3${after}`);
      texts.push(...body.data.map(({ content }: Json) => content[0].text));
      after = body.has_more ? `&after=${body.last_id}` : '';
    } while (after !== '');
    expect(texts).toEqual(history());
  });
});

it('a session goes on in other protocols by its id, and lists all of it', async () => {
  const { body } = await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER });
  const { sessionId, channelId } = body.data;
  const path = `/api/messaging/sessions/${sessionId}/messages`;
  const begun = await allEvents(await sent(path, { content: 'Session?', transport: 'sse' }));
  expect(begun.at(-1)!.data.text).toBe('Answer to Session?');
  const asked = ['Session?'];
  for (const ask of [chat, aiSdk, messages, responses]) {
    asked.push(`Question ${asked.length}?`);
    expect((await ask(sessionId, asked.at(-1)!)).place).toBe(channelId);
  }
  const listed = (await api.get(`${path}?limit=100`)).body.data.messages;
  expect(listed.map(({ content }: Json) => content).reverse()).toEqual(asked.flatMap((text) => [text, `Answer to ${text}`]));
  const conversation = `/v1/conversations/conv_${channelId.replaceAll('-', '')}`;
  const { body: items } = await api.get(`${conversation}/items?order=asc&limit=100`);
  expect(items.data.map(({ content }: Json) => content[0].text)).toEqual(asked.flatMap((text) => [text, `Answer to ${text}`]));
  expect((await api.get(conversation)).body.id).toBe(conversation.split('/').at(-1));
  for (const change of [api.delete(conversation), api.post(conversation, { metadata: { name: 'Mine' } })]) {
    const { status, body: refused } = await change;
    expect([status, refused.error.message]).toEqual([404, expect.stringContaining('change it there')]);
  }
});

it('a response goes on in a channel with the agent, and finds no other', async () => {
  const channels = '/api/messaging/channels';
  const opened = async (agents: string[]): Promise<string> => {
    const { body } = await api.post(channels, { name: 'A room', participantCentralUserIds: [USER, ...agents] });
    return body.data.id;
  };
  const place = await opened([ADA.id]);
  expect(await responses(place, 'A channel?')).toMatchObject({ said: 'Answer to A channel?', place });
  for (const unknown of [await opened([]), USER]) {
    const { status, body } = await api.post('/v1/responses', { model: 'Ada', input: 'Who?', conversation: unknown });
    expect([status, body.error.type]).toEqual([404, 'not_found_error']);
  }
});
