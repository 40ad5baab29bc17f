// parley-client against the whole application: conversations that last, cuts, refusals and repetitions.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import {
  AnswerError,
  ConflictError,
  ForbiddenError,
  InvalidError,
  NetworkError,
  NotFoundError,
  Parley,
  RateLimitedError,
  TimeoutError,
  UnauthenticatedError,
  userId,
  type AnswerEvent,
  type ChannelEvent,
  type Gap,
} from 'parley-client';
import { DEFAULT_SERVER_ID, userIdOf } from '../../src/core/ids/index.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FaultyProxy } from '../support/faulty-proxy.js';
import { Gate } from '../support/scripted-model.js';

const ADMIN = 'the key of the administrator';
const SECRET = 'a secret of at least thirty-two characters';

let test: TestApp;
let proxy: FaultyProxy;

beforeAll(async () => {
  test = await createTestApp({ env: { API_KEY: ADMIN, USER_TOKEN_SECRET: SECRET } });
  proxy = await FaultyProxy.to(() => Number(new URL(test.url).port));
});
afterEach(() => test.model.assertDone());
afterAll(async () => {
  await proxy.close();
  await test.close();
});

const client = (credential: string | undefined = ADMIN, url = test.url): Parley => new Parley({ url, credential });
const tokenOf = (sub: string): Promise<string> =>
  new SignJWT({ sub }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1h').sign(Buffer.from(SECRET));

let people = 0;
/** A user that no other test talks about. */
const somebody = (): string => `person-${(people += 1)}@example.com`;

/** A `fetch` that counts, and loses the answers of the first requests. */
function losing(answers: number): { fetch: typeof fetch; sent: Request[] } {
  const sent: Request[] = [];
  return {
    sent,
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      const response = await fetch(input, init);
      await response.arrayBuffer();
      if (sent.length <= answers) throw new TypeError('The connection was cut.');
      return fetch(input, init);
    },
  };
}

describe('a permanent conversation', () => {
  it('is the same for the same user and agent, by id or name, over restarts', async () => {
    const user = somebody();
    const conversation = await client().conversation({ agent: ADA.id, user });
    test.model.reply('Hello, Ann.');
    expect(await conversation.ask('I am Ann.')).toMatchObject({ text: 'Hello, Ann.', messages: [{ authorId: ADA.id, isAgent: true }] });
    await test.restart((model) => model.reply('You are Ann.'));

    const again = await client().conversation({ agent: ' ada', user });
    expect(again.channelId).toBe(conversation.channelId);
    expect((await again.ask('Who am I?')).text).toBe('You are Ann.');
    expect(JSON.stringify(test.model.requests[0])).toContain('I am Ann.');
    const { messages, older } = await again.history();
    expect(messages.map(({ text }) => text)).toEqual(['I am Ann.', 'Hello, Ann.', 'Who am I?', 'You are Ann.']);
    expect(older).toBeUndefined();
    const newest = await again.history({ limit: 3 });
    expect(newest.messages.map(({ text }) => text)).toEqual(['Hello, Ann.', 'Who am I?', 'You are Ann.']);
    const oldest = await again.history({ before: newest.older ?? '' });
    expect(oldest.messages.map(({ text }) => text)).toEqual(['I am Ann.']);
  });

  it('is a different one for each name and each user', async () => {
    const user = somebody();
    const options = [{ user }, { user, name: 'work' }, { user, name: 'home' }, { user: somebody() }];
    const opened = await Promise.all(options.map((one) => client().conversation({ agent: ADA.id, ...one })));
    expect(new Set(opened.map(({ channelId }) => channelId)).size).toBe(4);
  });

  it("works with the user's token, and not with another user's", async () => {
    const user = somebody();
    const token = await tokenOf(user);
    const own = new Parley({ url: test.url, credential: () => Promise.resolve(token) });
    const conversation = await own.conversation({ agent: 'Ada', user, userName: 'Ann' });
    test.model.reply('Hi.');
    expect((await conversation.ask('Hello')).text).toBe('Hi.');
    const { messages } = await conversation.history();
    expect(messages[0]).toMatchObject({ authorId: userId(user), authorName: 'Ann' });
    await expect(client(await tokenOf(somebody())).conversation({ agent: 'Ada', user })).rejects.toThrow(ForbiddenError);
  });

  it('yields events until the reply, in journal order', async () => {
    const conversation = await client().conversation({ agent: ADA.id, user: somebody() });
    const gate = new Gate();
    test.model.deltas(['One, ', 'two.'], { gate });
    const events: AnswerEvent[] = [];
    for await (const event of conversation.send('Count.', { metadata: { from: 'a test' } })) {
      events.push(event);
      // Each piece is awaited, so that they don't arrive as one.
      if (event.type !== 'message.created') gate.release(event.type === 'message.chunk' ? 2 : 1);
    }
    expect(events.map(({ type }) => type)).toEqual([
      'message.created',
      'turn.started',
      'message.chunk',
      'message.chunk',
      'message.created',
      'turn.finished',
    ]);
    expect(events[0]).toMatchObject({ message: { text: 'Count.', isAgent: false, metadata: { from: 'a test' } } });
    expect(events.flatMap((event) => (event.type === 'message.chunk' ? event.text : []))).toEqual(['One, ', 'two.']);
    const [question, answer] = events.flatMap((event) => (event.type === 'message.created' ? event.message : []));
    expect(answer).toMatchObject({ text: 'One, two.', inReplyTo: question?.id });
    const offsets = events.map(({ offset }) => offset);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
  });

  it('resumes after each cut without repetitions', async () => {
    const words = Array.from({ length: 12 }, (_, index) => `word ${index} `);
    const conversation = await client(ADMIN, proxy.url).conversation({ agent: ADA.id, user: somebody() });
    const gate = new Gate();
    test.model.deltas(words, { gate });
    let text = '';
    let cuts = 0;
    for await (const event of conversation.send('Say twelve words.')) {
      if (event.type === 'message.chunk') {
        text += event.text;
        if (cuts < 3) {
          cuts += 1;
          proxy.cut();
        }
      }
      if (event.type !== 'message.created') gate.release(4);
    }
    expect(cuts).toBe(3);
    expect(text).toBe(words.join(''));
  });

  it('throws when the agent fails, and when the reply is stopped', async () => {
    const conversation = await client().conversation({ agent: ADA.id, user: somebody() });
    test.model.fail(new Error('out of order'));
    await expect(conversation.ask('Hello')).rejects.toThrow(AnswerError);

    test.model.stall();
    for await (const event of conversation.send('Hello again')) {
      if (event.type === 'turn.started') await conversation.stop(event.inReplyTo);
      if (event.type === 'turn.cancelled') expect(event.error.code).not.toBe('');
    }
  });

  it('ends when its signal is aborted', async () => {
    const conversation = await client().conversation({ agent: ADA.id, user: somebody() });
    const gate = new Gate();
    test.model.deltas(['Never', ' ending'], { gate });
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      for await (const { type } of conversation.send('Begin.', { signal: stop.signal })) {
        if (type === 'turn.started') stop.abort(new Error('enough'));
      }
    };
    await expect(read()).rejects.toThrow('enough');
    gate.open();
  });

  it('uploads the files of a message', async () => {
    const conversation = await client().conversation({ agent: ADA.id, user: somebody() });
    test.model.reply('Thank you.');
    const file = new File(['The code is 4711.'], 'code.txt', { type: 'text/plain' });
    await conversation.ask('Read this.', { attachments: [file] });
    const [attachment] = (await conversation.history()).messages[0]?.attachments ?? [];
    expect(attachment).toMatchObject({ title: 'code.txt' });
    expect(await (await fetch(new URL(attachment?.url ?? '', test.url))).text()).toBe('The code is 4711.');
  });
});

describe('a session', () => {
  it('needs no credential, uses its token, and is reopened by id and token', async () => {
    const open = new Parley({ url: test.url });
    const session = await open.session({ agent: ADA.id, user: somebody(), timeout: { timeoutMinutes: 5 } });
    test.model.reply('Hello.');
    expect((await session.ask('Hi')).text).toBe('Hello.');
    expect(session.timeLeftMs).toBeGreaterThan(4 * 60_000);
    expect(session.timeLeftMs).toBeLessThanOrEqual(5 * 60_000);

    const { sessionId, token } = session;
    const again = await open.session({ sessionId, ...(token !== undefined && { token }) });
    expect((await again.history()).messages.map(({ text }) => text)).toEqual(['Hi', 'Hello.']);
    expect((await again.renew()).renewalCount).toBeGreaterThan(0);
    expect((await again.heartbeat()).sessionId).toBe(sessionId);
    await again.end();
    expect(again.timeLeftMs).toBe(0);
    await expect(client().session({ sessionId })).rejects.toThrow(NotFoundError);
  });
});

it('an API key can change the timeout of a session', async () => {
  const session = await client().session({ agent: 'Ada', user: somebody() });
  expect((await session.setTimeout({ timeoutMinutes: 120 })).timeoutConfig.timeoutMinutes).toBe(120);
  expect(session.timeLeftMs).toBeGreaterThan(100 * 60_000);
  await session.end();
});

describe('a call', () => {
  it("throws an error of the matching class, with the server's message", async () => {
    const missing = await failureOf(client().agents.get('99999999-9999-9999-9999-999999999999'));
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ code: 'AGENT_NOT_FOUND', status: 404, name: 'NotFoundError' });
    expect(missing.requestId).toMatch(/./);
    expect(missing.details).toMatch(/./);
    expect(await failureOf(client('a wrong key').agents.list())).toBeInstanceOf(UnauthenticatedError);
    expect(await failureOf(client(await tokenOf('ann')).keys.list())).toBeInstanceOf(ForbiddenError);
    expect(await failureOf(client().channels.create({ name: '' }))).toBeInstanceOf(InvalidError);

    expect(
      await failureOf(
        client().call('DELETE /api/messaging/message-servers/{messageServerId}', { path: { messageServerId: DEFAULT_SERVER_ID } }),
      ),
    ).toBeInstanceOf(ConflictError);
    const nowhere = new Parley({ url: 'http://127.0.0.1:1', retries: 0 });
    expect(await failureOf(nowhere.server.version())).toBeInstanceOf(NetworkError);
    const silent = new Parley({
      url: test.url,
      fetch: (_, init) => new Promise((__, reject) => init?.signal?.addEventListener('abort', reject)),
    });
    expect(await failureOf(silent.call('GET /api/system/version', { timeoutMs: 5 }))).toBeInstanceOf(TimeoutError);
  });

  it('creates one resource although responses are lost', async () => {
    const { fetch, sent } = losing(2);
    const parley = new Parley({ url: test.url, credential: ADMIN, fetch });
    const before = (await parley.keys.list()).keys.length;
    const already = sent.length;
    await parley.keys.create({ name: 'made once' });
    expect(sent.length).toBeGreaterThan(already);
    expect((await client().keys.list()).keys.length).toBe(before + 1);
    const posts = sent.filter(({ method }) => method === 'POST').map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(posts).size).toBe(1);
  });

  it('repeats a POST with its key until a response arrives', async () => {
    const { fetch, sent } = losing(2);
    const parley = new Parley({ url: test.url, credential: ADMIN, fetch });
    const { id } = await parley.channels.create({ name: 'made once' });
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    const all = await client().channels.list();
    expect(all.filter(({ name }) => name === 'made once').map((channel) => channel.id)).toEqual([id]);
  });

  it('does not repeat a PATCH', async () => {
    const { fetch, sent } = losing(1);
    const parley = new Parley({ url: test.url, credential: ADMIN, fetch });
    expect(await failureOf(parley.agents.update(ADA.id, { bio: 'A new life.' }))).toBeInstanceOf(NetworkError);
    expect(sent).toHaveLength(1);
  });

  it('waits as long as a 429 requests, up to a limit', async () => {
    let asked = 0;
    const limited = (seconds: string): Parley =>
      new Parley({
        url: test.url,
        credential: ADMIN,
        fetch: async (input, init) => {
          asked += 1;
          if (asked > 1) return fetch(input, init);
          const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests', details: 'Wait.' };
          return Response.json({ success: false, error }, { status: 429, headers: { 'retry-after': seconds } });
        },
      });
    const begun = performance.now();
    expect((await limited('1').server.version()).version).toMatch(/\d/);
    expect(performance.now() - begun).toBeGreaterThan(990);
    asked = 0;
    const refused = await failureOf(limited('600').server.version());
    expect(refused).toBeInstanceOf(RateLimitedError);
    expect(refused.retryAfterMs).toBe(600_000);
    asked = 0;
    const signal = AbortSignal.timeout(20);
    const stopped = limited('5').call('GET /api/system/version', { signal });
    await expect(stopped).rejects.toMatchObject({ name: 'TimeoutError', code: DOMException.TIMEOUT_ERR });
  });

  it('sends the highest known position', async () => {
    const sent: (string | null)[] = [];
    const parley = new Parley({
      url: test.url,
      credential: ADMIN,
      fetch: (input, init) => {
        sent.push(new Headers(init?.headers).get('x-parley-position'));
        return fetch(input, init);
      },
    });
    await parley.channels.create({ name: 'one' });
    await parley.channels.create({ name: 'two' });
    await parley.server.version();
    expect(sent[0]).toBeNull();
    expect(Number(sent[2])).toBeGreaterThan(Number(sent[1]));
  });
});

describe('the events of a channel', () => {
  it('arrive once and in order from a cursor, over cuts and a restart', async () => {
    const parley = client(ADMIN, proxy.url);
    const { id } = await parley.channels.create({ name: 'a channel' });
    const first = await parley.messages.post(id, 'ann', 'message 0');
    await parley.messages.post(id, 'ann', 'message 1');
    const seen: (ChannelEvent | Gap)[] = [];
    const states: string[] = [];
    const reconnects = (): number => states.filter((state) => state === 'reconnecting').length;
    for await (const event of parley.events(id, { after: first.offset, onState: (state) => states.push(state) })) {
      seen.push(event);
      // What arrived before a cut may still be read after it.
      if (seen.length >= 9 && reconnects() === 2) break;
      if (seen.length === 3) proxy.cut();
      if (seen.length === 6) await test.restart();
      for (const name of ['ann', 'bob']) await client().messages.post(id, name, `${name} has read ${seen.length}`);
    }
    const stored = (await client().messages.list(id, { limit: 100 })).messages.map(({ content }) => content).reverse();
    expect(seen.map((event) => event.type === 'message.created' && event.message.text)).toEqual(stored.slice(1, seen.length + 1));
  });
});

it('user ids match those of the server, and UUIDs stay unchanged', () => {
  for (const name of ['ada@example.com', 'Ada', 'Zoë 👋', 'a\ud800b', 'x'.repeat(500)]) expect(userId(name)).toBe(userIdOf(name));
  expect(userId('Ada')).not.toBe(ADA.id);
  expect(userId(ADA.id.toUpperCase())).toBe(ADA.id);
});

async function failureOf(call: Promise<unknown>): Promise<{ [K in keyof RateLimitedError]: RateLimitedError[K] }> {
  try {
    await call;
  } catch (error) {
    return error as RateLimitedError;
  }
  throw new Error('this was to fail');
}
