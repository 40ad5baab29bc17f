// What an app passes to parley-client by mistake, above all a value that is missing: it is an error that names the option, and nothing is sent.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InvalidError, Parley, toMessage, userId } from 'parley-client';
import { connectLive } from 'parley-client/socket';
import { SignJWT } from 'jose';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';

const ADMIN = 'the key of the administrator';
const SECRET = 'a secret of at least thirty-two characters';

let test: TestApp;
let sent: string[];

beforeAll(async () => {
  test = await createTestApp({ env: { API_KEY: ADMIN, USER_TOKEN_SECRET: SECRET } });
});
beforeEach(() => {
  sent = [];
});
afterAll(() => test.close());

const counting: typeof fetch = (input, init) => {
  sent.push(input instanceof Request ? input.url : input.toString());
  return fetch(input, init);
};
const client = (options: object = {}): Parley => new Parley({ url: test.url, credential: ADMIN, fetch: counting, ...options });

const NO_TEXT: unknown[] = [
  undefined,
  null,
  '',
  '  ',
  'undefined',
  'null',
  'NaN',
  '[object Object]',
  NaN,
  0,
  42,
  true,
  {},
  [],
  () => 'ada',
];
/** A value of JavaScript, which knows no types. */
const untyped = <T>(value: unknown): T => value as T;

/** Expects an error that names an option and says what to do. */
async function expectRefused(option: string, act: () => unknown): Promise<void> {
  const error: unknown = await (async () => act())().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InvalidError);
  const { code, message, details } = error as InvalidError;
  expect([code, message]).toEqual(['INVALID_OPTION', expect.stringMatching(new RegExp(`^${option} `))]);
  expect(details).not.toBe('');
}

describe('a user without a name', () => {
  it.each(NO_TEXT)('is an error, not a shared visitor: %p', async (value) => {
    const user = untyped<string>(value);
    const parley = client();
    await expectRefused('user', () => userId(user));
    await expectRefused('user', () => parley.conversation({ agent: ADA.id, user }));
    await expectRefused('user', () => parley.session({ agent: ADA.id, user }));
    await expectRefused('user', () => parley.messages.post(ADA.id, user, 'Hello'));
    await expectRefused('user', () => parley.users.forget(user));
    await expectRefused('user', () => parley.users.export(user));
    await expectRefused('user', () => parley.users.profile(ADA.id, user));
    if (value !== undefined) await expectRefused('user', () => parley.memories.recall(ADA.id, 'cats', user));
    expect(sent).toEqual([]);
  });

  it('may be omitted with a user token only', async () => {
    const token = await new SignJWT({ sub: 'ann@example.com' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(Buffer.from(SECRET));
    test.model.always(() => 'Hello, Ann.');
    const own = client({ credential: token });
    const conversation = await own.conversation({ agent: ADA.id });
    expect(conversation.userId).toBe(userId('ann@example.com'));
    sent = [];
    expect((await own.conversation({ agent: ADA.name })).channelId).toBe(conversation.channelId);
    // A user may not list agents.
    expect(sent.map((url) => new URL(url).pathname)).toEqual(['/api/messaging/dm-channel']);
    expect((await conversation.ask('Hi')).text).toBe('Hello, Ann.');
    expect((await own.conversation({ agent: ADA.id, user: 'ann@example.com' })).channelId).toBe(conversation.channelId);
    expect((await own.session({ agent: ADA.id })).userId).toBe(userId('ann@example.com'));
    await expect(client().conversation({ agent: ADA.id })).rejects.toThrow(/currentUserId is missing/);
    await expect(client().session({ agent: ADA.id })).rejects.toThrow(/userId/);
    await expectRefused('user', () => own.conversation({ agent: ADA.id, user: undefined }));
  });
});

describe('another option that is not a text', () => {
  const WRONG = NO_TEXT.filter((value) => value !== undefined);

  it.each(WRONG)('causes an error that names it: %p', async (value) => {
    const text = untyped<string>(value);
    const parley = client();
    const ada = { agent: ADA.id, user: 'ada' };
    await expectRefused('agent', () => parley.conversation({ ...ada, agent: text }));
    await expectRefused('name', () => parley.conversation({ ...ada, name: text }));
    await expectRefused('userName', () => parley.conversation({ ...ada, userName: text }));
    await expectRefused('token', () => parley.session({ sessionId: 'a session', token: text }));
    const live = connectLive(client());
    await expectRefused('channelId', () => live.follow(text, { onEvent: () => undefined }));
    live.close();
    expect(sent).toEqual([]);
  });

  it.each([null, '', ' ', 'undefined', 'null', {}, [], NaN])('is refused as part of an address: %p', async (value) => {
    const id = untyped<string>(value);
    const parley = client();
    await expectRefused('sessionId', () => parley.session({ sessionId: id }));
    await expectRefused('sessionId', () => parley.sessions.get(id));
    await expectRefused('agentId', () => parley.agents.get(id));
    await expectRefused('channelId', () => parley.messages.list(id));
    await expectRefused('channelId', () => parley.channels.events(id).next());
    await expectRefused('agentId', () => parley.knowledge.add(id, { text: 'Tea.', name: 'tea.txt' }));
    // A query leaves out what is empty.
    if (value !== '' && !Array.isArray(value)) await expectRefused('before', () => parley.messages.list(ADA.id, { before: id }));
    expect(sent).toEqual([]);
  });

  it.each([undefined, null, '', ' ', 'undefined', {}, NaN])('is refused as a credential: %p', async (value) => {
    if (value !== undefined) await expectRefused('credential', () => client({ credential: value }).agents.list());
    if (value !== undefined) await expectRefused('credential', () => client({ credential: () => Promise.resolve(value) }).agents.list());
    expect(sent).toEqual([]);
    // No credential at all is the server's to judge.
    if (value === undefined) await expect(client({ credential: value }).agents.list()).rejects.toMatchObject({ status: 401 });
  });

  it('closes a socket with the reason when it is the credential', async () => {
    const live = connectLive(client({ credential: () => 'undefined' }));
    await new Promise<void>((resolve) => live.onState((state) => state === 'closed' && resolve()));
    expect(live.error).toMatchObject({ code: 'INVALID_OPTION', message: expect.stringMatching(/^credential /) });
  });

  it.each([null, 'undefined', 'null', {}, 42, 'localhost:3000', 'http://undefined:3000', 'ftp://127.0.0.1', 'http://', 'parley'])(
    'is refused as a server address: %p',
    (value) => expectRefused('url', () => client({ url: value })),
  );

  it('is refused as a missing server address outside of a page', async () => {
    for (const url of [undefined, '']) {
      const { fetch: _, ...options } = { url, credential: ADMIN, fetch };
      await expectRefused('url', () => new Parley(options).agents.list());
    }
  });

  it.each([null, '', 'undefined', {}])('is refused as a message id, which could name a stored message: %p', async (value) => {
    test.model.always(() => 'Hello.');
    const conversation = await client().conversation({ agent: ADA.id, user: 'ada' });
    sent = [];
    await expectRefused('clientMessageId', () => conversation.ask('Hi', { clientMessageId: untyped(value) }));
    if (value !== null) {
      await expectRefused('idempotencyKey', () => client().call('POST /api/keys', { body: { name: 'a' }, idempotencyKey: untyped(value) }));
    }
    for (const after of [untyped<number>(value), -1, 0.5]) await expectRefused('after', () => conversation.events({ after }).next());
    expect(sent).toEqual([]);
  });
});

it('a message keeps only attachments that are objects', () => {
  const fields = { id: 'a', attachments: [null, 'x', 7, [], { url: '/media/cat.png' }, { url: 7, title: null, width: 3 }] };
  expect(toMessage(fields).attachments).toEqual([{ url: '/media/cat.png' }, { width: 3 }]);
  for (const attachments of [null, 'x', 7, {}, undefined]) expect(toMessage({ id: 'a', attachments }).attachments).toEqual([]);
  expect(toMessage({ id: 'a', metadata: { attachments: [null] }, rawMessage: [null] }).attachments).toEqual([]);
});

it('a message with such attachments reaches histories, streams and sockets', async () => {
  test.model.always(() => 'Hello.');
  const parley = client();
  const conversation = await parley.conversation({ agent: ADA.id, user: 'ada', name: 'attachments' });
  const live = connectLive(parley);
  const heard = new Promise((resolve) => {
    live.follow(conversation.channelId, {
      after: 0,
      onEvent: (event) => event.type === 'message.created' && resolve(event.message.attachments),
    });
  });
  await parley.messages.post(conversation.channelId, 'ada', 'Look', {
    metadata: { attachments: [null, { url: '/a.png' }] },
    raw_message: { attachments: [null] },
  });
  expect(await heard).toEqual([{ url: '/a.png' }]);
  live.close();
  expect((await conversation.history()).messages.map(({ attachments }) => attachments)).toContainEqual([{ url: '/a.png' }]);
  for await (const event of conversation.events({ after: 0 })) {
    if (event.type !== 'message.created') continue;
    expect(event.message.attachments).toEqual([{ url: '/a.png' }]);
    break;
  }
});
