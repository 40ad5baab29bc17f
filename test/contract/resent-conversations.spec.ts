// Which conversation a request goes on with whose caller sends the whole of it again (docs/decisions/0067).
import { describe, expect, it } from '@jest/globals';
import { ADA, BOB } from '../support/create-test-app.js';
import { contractApp, NOBODY } from './support/contract-app.js';
import { PIXEL } from './support/samples.js';

const CHAT = '/v1/chat/completions';
const WEATHER = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } };

type Said = { role: string; content: unknown; tool_calls?: object[]; tool_call_id?: string };
interface Answer {
  /** The conversation. */
  readonly at: string;
  readonly text: string;
  readonly message: Said;
}

const app = contractApp();
const { api } = app;
let turn = 0;

const user = (content: unknown): Said => ({ role: 'user', content });
const assistant = (content: string): Said => ({ role: 'assistant', content });

/** Asks, and gets a reply that no other request gets, unless it is given. */
async function ask(
  messages: readonly object[],
  {
    reply = `Reply ${++turn}.`,
    headers = {},
    ...body
  }: { reply?: string; headers?: Record<string, string>; [field: string]: unknown } = {},
): Promise<Answer> {
  app.test.model.reply(reply);
  const { status, body: got, headers: sent } = await api.post(CHAT, { model: 'Ada', messages, ...body }, { headers });
  expect([status, got.error?.message]).toEqual([200, undefined]);
  const { message } = got.choices[0];
  return { at: sent.get('x-conversation-id')!, text: message.content, message };
}

/** A conversation of two questions and answers, as its caller would send it again. */
async function begun(options: Record<string, string> = {}): Promise<{ at: string; said: Said[] }> {
  const first = user(`Question ${++turn}`);
  const one = await ask([first], options);
  const second = user(`Question ${++turn}`);
  const two = await ask([first, assistant(one.text), second], options);
  expect(two.at).toBe(one.at);
  return { at: one.at, said: [first, assistant(one.text), second, assistant(two.text)] };
}

/** What the model got of the conversation of the last request. */
const prompt = (): Said[] =>
  app.test.model.requests
    .at(-1)!
    .messages.slice(1)
    .map(({ role, content }) => ({ role, content }));
const stored = async (channelId: string): Promise<string[]> =>
  (await app.messages(channelId)).map(({ content }) => content as string).reverse();

describe('a conversation goes on', () => {
  const NEXT = user('And then?');

  it.each<[string, (said: Said[]) => Said[], Record<string, unknown>?]>([
    ['as it was', (said) => [...said, NEXT]],
    ['with a system message that changed', (said) => [{ role: 'system', content: `It is now ${Math.random()}` }, ...said, NEXT]],
    ['with spaces around texts', (said) => [...said.map((each) => ({ ...each, content: ` ${String(each.content)}\n` })), NEXT]],
    ['with contents as parts', (said) => [...said.map((each) => ({ ...each, content: [{ type: 'text', text: each.content }] })), NEXT]],
    [
      'with fields that other services add to messages',
      (said) => [...said.map((each) => ({ ...each, refusal: null, annotations: [], reasoning_content: 'Hm.' })), NEXT],
    ],
    ['with another temperature', (said) => [...said, NEXT], { temperature: 1.5 }],
    ['with tools', (said) => [...said, NEXT], { tools: [WEATHER] }],
    ['under the id of the agent instead of its name', (said) => [...said, NEXT], { model: ADA.id }],
    ['with two new messages of the user', (said) => [...said, user('One more thing.'), NEXT]],
  ])('%s', async (_, resend, options = {}) => {
    const { at, said } = await begun();
    const sent = resend(said);
    const next = await ask(sent, options);
    expect(next.at).toBe(at);
    const texts = [
      ...said.map(({ content }) => String(content)),
      ...sent.slice(sent.findIndex(({ content }) => content === said.at(-1)!.content) + 1).map(({ content }) => content),
    ];
    expect((await stored(at)).slice(0, 4)).toEqual(texts.slice(0, 4));
    expect((await stored(at)).slice(-2)).toEqual([NEXT.content, next.text]);
    expect(prompt().at(-1)).toEqual(NEXT);
  });

  it('with words in another normal form', async () => {
    const first = user(`Ulm, schön ${++turn}`.normalize('NFC'));
    const one = await ask([first], { reply: `Übung ${turn}.`.normalize('NFC') });
    const next = await ask([user(String(first.content).normalize('NFD')), assistant(one.text.normalize('NFD')), NEXT]);
    expect(next.at).toBe(one.at);
  });

  it('with a picture that is sent again', async () => {
    const first = user([
      { type: 'text', text: `See ${++turn}` },
      { type: 'image_url', image_url: { url: PIXEL } },
    ]);
    const one = await ask([first]);
    expect((await ask([first, assistant(one.text), NEXT])).at).toBe(one.at);
  });

  it('with the calls and results of tools in between', async () => {
    const first = user(`Weather ${++turn}?`);
    app.test.model.calls([{ name: 'get_weather', input: {} }]);
    const { body } = await api.post(CHAT, { model: 'Ada', messages: [first], tools: [WEATHER] });
    const call = body.choices[0].message;
    const result = { role: 'tool', tool_call_id: call.tool_calls[0].id, content: 'Sun' };
    const one = await ask([first, call, result], { tools: [WEATHER] });
    const next = await ask([first, call, result, assistant(one.text), NEXT], { tools: [WEATHER] });
    expect(next.at).toBe(one.at);
    expect(prompt().map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  });

  it('of a user that the request names', async () => {
    const { at, said } = await begun({ user: 'ann' });
    expect((await ask([...said, NEXT], { user: 'ann' })).at).toBe(at);
  });

  it('that the header names, with what is new alone', async () => {
    const name = `chat ${++turn}`;
    const one = await ask([user('Remember the number 17.')], { headers: { 'X-Conversation-Id': name } });
    const next = await ask([user('Which number?')], { headers: { 'X-Conversation-Id': name } });
    expect(next.at).toBe(one.at);
    expect(prompt()).toEqual([user('Remember the number 17.'), assistant(one.text), user('Which number?')]);
  });

  it('that the header names by the id of its channel or session', async () => {
    const session = await app.newSession();
    const bySession = await ask([user('Hello from a program.')], { headers: { 'X-Conversation-Id': session.sessionId } });
    expect(bySession.at).toBe(session.channelId);
    expect((await ask([user('Once more.')], { headers: { 'X-Conversation-Id': session.channelId } })).at).toBe(session.channelId);
  });
});

describe('a conversation branches', () => {
  const NEXT = user('And then?');

  it.each<[string, (said: Said[]) => Said[]]>([
    ['when a question was edited', ([, one, ...rest]) => [user('Edited.'), one!, ...rest, NEXT]],
    ['when the last question was edited', ([first, one]) => [first!, one!, user('Edited.')]],
    ['when an answer was edited', (said) => [...said.slice(0, -1), assistant('Edited.'), NEXT]],
    ['when an answer was cut', (said) => [...said.slice(0, -1), assistant('Rep'), NEXT]],
    ['when the last answer is asked for again', (said) => said.slice(0, -1)],
    ['when the first messages were cut', (said) => [...said.slice(2), NEXT]],
    ['when a message is there twice', ([first, ...rest]) => [first!, first!, ...rest, NEXT]],
    ['when messages changed places', ([a, b, c, d]) => [c!, d!, a!, b!, NEXT]],
    ['when a message of the assistant was added', (said) => [...said, assistant('I never said this.'), NEXT]],
    ['when the assistant greeted first', (said) => [assistant('Welcome!'), ...said, NEXT]],
  ])('%s', async (_, resend) => {
    const { at, said } = await begun();
    const sent = resend(said);
    const next = await ask(sent);
    expect(next.at).not.toBe(at);
    // The prompt is what the caller sent, and so is the new conversation; the first one stays as it was.
    expect(prompt()).toEqual(sent);
    expect(await stored(next.at)).toEqual([...sent.map(({ content }) => content), next.text]);
    expect(await stored(at)).toEqual(said.map(({ content }) => content));
  });

  it('when it has gone on already', async () => {
    const { at, said } = await begun();
    const one = await ask([...said, NEXT]);
    const other = await ask([...said, user('Something else?')]);
    expect([one.at, other.at === at]).toEqual([at, false]);
    expect((await ask([...said, user('Something else?'), assistant(other.text), NEXT])).at).toBe(other.at);
  });

  it('when two requests go on from it at the same time', async () => {
    const { at, said } = await begun();
    app.test.model.reply('Reply a.').reply('Reply b.');
    const both = await Promise.all(['One?', 'Two?'].map((text) => api.post(CHAT, { model: 'Ada', messages: [...said, user(text)] })));
    const places = both.map(({ headers }) => headers.get('x-conversation-id'));
    expect(places).toContain(at);
    expect(new Set(places).size).toBe(2);
  });

  it('when it has gone on elsewhere', async () => {
    const { at, said } = await begun();
    app.test.model.reply('Elsewhere.');
    await api.post(`/api/messaging/channels/${at}/messages`, { author_id: NOBODY, content: 'From the console', transport: 'http' });
    expect((await ask([...said, NEXT])).at).not.toBe(at);
  });

  it('names the conversation that it branches from', async () => {
    const { at, said } = await begun();
    const next = await ask(said.slice(0, -1));
    const { body } = await api.get(`/api/messaging/channels/${next.at}/details`);
    expect(body.data.metadata.branchOf).toBe(at);
  });
});

describe('people are kept apart', () => {
  const NEXT = user('And then?');

  it('who say the same and get the same answer behind one key', async () => {
    const hello = user(`Hello ${++turn}`);
    const [one, other] = [await ask([hello], { reply: 'Hi.' }), await ask([hello], { reply: 'Hi.' })];
    expect(one.at).not.toBe(other.at);
    // It is not known whose conversation goes on: both get one of their own.
    const [next, last] = [await ask([hello, assistant('Hi.'), NEXT]), await ask([hello, assistant('Hi.'), NEXT])];
    expect(new Set([one.at, other.at, next.at, last.at]).size).toBe(4);
  });

  it('whom requests name', async () => {
    const { at, said } = await begun({ user: 'ann' });
    expect((await ask([...said, NEXT], { user: 'bob' })).at).not.toBe(at);
    expect((await ask([...said, NEXT])).at).not.toBe(at);
  });

  it('who use the same name for a conversation', async () => {
    const headers = { 'X-Conversation-Id': `work ${++turn}` };
    const one = await ask([user('Mine.')], { headers, user: 'ann' });
    expect((await ask([user('Mine.')], { headers, user: 'bob' })).at).not.toBe(one.at);
  });

  it('from agents that did not say it', async () => {
    const { at, said } = await begun();
    expect((await ask([...said, NEXT], { model: BOB.id })).at).not.toBe(at);
  });

  it('and no one of them is vouched for, so nothing is recalled elsewhere', async () => {
    const { at } = await begun({ user: 'ann' });
    const [message] = await app.entries(at).then((entries) => entries.filter(({ type }) => type === 'message.created'));
    expect(message?.payload).toMatchObject({ vouched: false });
  });
});

describe('a request for a title or a summary', () => {
  it('is a conversation of its own', async () => {
    const { at, said } = await begun();
    const task = user(`### Task:\nWrite a title for:\n${said.map(({ content }) => String(content)).join('\n')}`);
    const title = await ask([task]);
    expect(title.at).not.toBe(at);
    expect((await ask([...said, user('Next.')])).at).toBe(at);
  });
});
