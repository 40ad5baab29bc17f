// Every operation of the application times every kind of caller. The tables below are the only exceptions: an operation that is open, or
// asks for another scope than its method says, has to be entered here by hand.
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { routesOf, type Route } from './support/routes.js';

const ADMIN = 'the administrator of the tests';
const USER = '11111111-1111-1111-1111-111111111111';
const SECRET = 'the secret that the backend of the app has';
const NOBODY = '99999999-9999-9999-9999-999999999999';

const OPEN = [
  // The console, which holds no data: what it shows, it asks for with the credential of its reader.
  /^GET \/$/,
  /^GET \/console-assets\//,
  // The documents of the package, the same for every installation.
  /^GET \/(docs(\/|$)|llms\.txt)/,
  /^GET \/(healthz?|livez|readyz|startupz)$/,
  /^GET \/api\/server\/(health|ping|hello)$/,
  // Says whether a key is needed.
  /^GET \/api\/system\/config$/,
  // By the random name alone.
  /^GET \/media\//,
  // The description is the same for every installation, and a browser opens its page without a key.
  /^GET \/api\/(openapi\.json|docs)/,
  /^POST \/api\/messaging\/sessions$/,
  /^GET \/api\/messaging\/jobs\/health$/,
];
const ADMINS = [
  /^\w+ \/api\/keys/,
  /^GET \/api\/audit$/,
  /^GET \/api\/server\/problems$/,
  /^\w+ \/api\/server\/backups/,
  /^\w+ \/api\/server\/model/,
  /^GET \/api\/messaging\/sessions$/,
  /^\w+ \/api\/system\/env/,
  /^POST \/api\/server\/stop/,
  /^GET \/api\/plugins\/:name\/deliveries\/:id$/,
];
/** It opens a channel of the token's own user, who need not be named. */
const OWN_CHANNEL = '/api/messaging/dm-channel';
/** They begin conversations of the token's own user, and find no others. */
const OWN_CONVERSATIONS = /^\/(v1\/(chat\/completions|(messages|responses|conversations)(\/.*)?)|api\/agents\/:agent\/chat(\/.*)?)$/;
/** Codes of OpenAI's protocol. */
const PROTOCOL_CODES: Readonly<Record<string, string>> = {
  invalid_api_key: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  authentication_error: 'UNAUTHORIZED',
  permission_error: 'FORBIDDEN',
};
const WRITING_GETS = [/\/dm-channel$/];
const READING_POSTS = [
  /^POST \/api\/messaging\/messages\/search$/,
  /^POST \/api\/memory\/:agentId\/recall$/,
  /^POST \/v1\/messages\/count_tokens$/,
];

describe('the authorisation matrix', () => {
  const clock = new FakeClock();
  const api = new ApiClient(() => test.url);
  const ids: Record<string, string> = { agentId: ADA.id };
  const tokens: Record<string, string> = {};
  let test: TestApp;
  let routes: Route[];

  beforeAll(async () => {
    test = await createTestApp({ clock, env: { API_KEY: ADMIN, RATE_LIMIT: 'off', USER_TOKEN_SECRET: SECRET } });
    const as = { headers: { 'x-api-key': ADMIN } };
    const key = async (body: object): Promise<{ id: string; token: string }> => {
      const { data } = (await api.post('/api/keys', { name: 'a key', ...body }, as)).body;
      return { id: data.key.id, token: data.token };
    };
    const session = async (agentId: string): Promise<{ sessionId: string; channelId: string; token: string }> =>
      (await api.post('/api/messaging/sessions', { agentId, userId: USER })).body.data;
    const [own, other] = [await session(ADA.id), await session(BOB.id)];
    const revoked = await key({ scope: 'admin' });
    await api.delete(`/api/keys/${revoked.id}`, as);
    const expired = await key({ scope: 'admin', expiresAt: new Date(clock.now() + 1).toISOString() });
    clock.advance(1);
    Object.assign(ids, { sessionId: own.sessionId, channelId: own.channelId });
    const user = (sub: string, exp: number): Promise<string> =>
      new SignJWT({ sub, exp }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET));
    const now = Math.floor(clock.now() / 1000);
    Object.assign(tokens, {
      wrong: 'wrong',
      revoked: revoked.token,
      expired: expired.token,
      read: (await key({ scope: 'read' })).token,
      write: (await key({ scope: 'write' })).token,
      'wrong agent': (await key({ scope: 'admin', agents: [BOB.id] })).token,
      'other session': other.token,
      'a user that has expired': await user(USER, now),
      'another user': await user(NOBODY, now + 3600),
      user: await user(USER, now + 3600),
      'read and users': (await key({ scope: 'read', users: 'all' })).token,
      'write and users': (await key({ scope: 'write', users: [USER] })).token,
      'wrong agent and users': (await key({ scope: 'admin', agents: [BOB.id], users: 'all' })).token,
    });
    routes = routesOf(test).filter(({ method, path }) => method !== '_ALL' && method !== 'HEAD' && path !== '');
  });
  afterAll(() => test.close());

  const label = ({ method, path }: Route): string => `${method} ${path}`;
  const matches = (patterns: RegExp[], route: Route): boolean => patterns.some((pattern) => pattern.test(label(route)));
  const scopeOf = (route: Route): 'read' | 'write' | 'admin' => {
    if (matches(ADMINS, route)) return 'admin';
    if (matches(WRITING_GETS, route)) return 'write';
    return route.method === 'GET' || matches(READING_POSTS, route) ? 'read' : 'write';
  };
  const closed = (): Route[] => routes.filter((route) => !matches(OPEN, route));
  const call = async (route: Route, token?: string): Promise<string> => {
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? NOBODY);
    const send = (): ReturnType<typeof api.send> =>
      api.send(route.method, path, undefined, token === undefined ? {} : { headers: { 'x-api-key': token } });
    // A connection that stood idle since the test before may be closed just when it is taken again.
    const { status, body } = await send().catch((error: Error) => {
      if ((error.cause as { code?: string } | undefined)?.code !== 'ECONNRESET') throw error;
      return send();
    });
    const code: string = body?.error?.code ?? body?.error?.type ?? '';
    return `${label(route)} ${status} ${PROTOCOL_CODES[code] ?? code}`;
  };
  const expectAll = async (asked: Route[], token: string | undefined, answer: string): Promise<void> => {
    expect(asked.length).toBeGreaterThan(0);
    expect(await Promise.all(asked.map((route) => call(route, token)))).toEqual(asked.map((route) => `${label(route)} ${answer}`));
  };

  it('covers all operations', () => {
    expect(routes.length).toBeGreaterThan(40);
  });

  it.each([undefined, 'wrong', 'revoked', 'expired', 'a user that has expired'])(
    'admits no caller with the credential: %s',
    async (name) => {
      await expectAll(closed(), name && tokens[name], '401 UNAUTHORIZED');
    },
  );

  it.each(['read', 'read and users'])('lets a reader only read: %s', async (name) => {
    await expectAll(
      closed().filter((route) => scopeOf(route) !== 'read'),
      tokens[name],
      '403 FORBIDDEN',
    );
  });

  it.each(['write', 'write and users'])('denies a writer the operations of administrators: %s', async (name) => {
    await expectAll(
      closed().filter((route) => scopeOf(route) === 'admin'),
      tokens[name],
      '403 FORBIDDEN',
    );
  });

  it.each(['wrong agent', 'wrong agent and users'])("denies another agent's key all resources of the agent: %s", async (name) => {
    await expectAll(
      closed().filter(({ path }) => /:(agentId|channelId|sessionId)/.test(path)),
      tokens[name],
      '403 FORBIDDEN',
    );
  });

  it("denies another session's token everything", async () => {
    await expectAll(closed(), tokens['other session'], '403 FORBIDDEN');
  });

  it("denies another user's token everything", async () => {
    const others = closed().filter(({ path }) => path !== OWN_CHANNEL && !OWN_CONVERSATIONS.test(path));
    await expectAll(others, tokens['another user'], '403 FORBIDDEN');
  });

  it("limits a user's token to operations that are open to the user's session tokens", async () => {
    const answers = await Promise.all(closed().map(async (route) => [route, await call(route, tokens['user'])] as const));
    const reached = answers.filter(([, answer]) => !answer.includes(' 403 ')).map(([{ path }]) => path);
    expect(reached.length).toBeGreaterThan(8);
    const others = reached.filter((path) => !/:(sessionId|channelId)/.test(path) && !OWN_CONVERSATIONS.test(path));
    expect(others).toEqual([OWN_CHANNEL]);
  });
});
