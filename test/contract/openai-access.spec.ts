// OpenAI's protocol: whom it admits, where it is switched off, and what a wrong base URL gets.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { loadConfig } from '../../src/core/config/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { contractApp, MINUTE, NOBODY, USER } from './support/contract-app.js';

const ADMIN = 'the-administrator-of-the-tests';
const SECRET = 'the secret that the backend of the app has';
const OPERATIONS = [
  ['GET', '/v1/models'],
  ['GET', '/v1/models/Ada'],
  ['POST', '/v1/embeddings'],
  ['POST', '/v1/audio/speech'],
  ['POST', '/v1/audio/transcriptions'],
] as const;

const seen = ({ status, body }: ApiResponse): unknown[] => [status, body.error?.type, body.error?.code];

describe('a credential', () => {
  const app = contractApp({ API_KEY: ADMIN, RATE_LIMIT: 'off', USER_TOKEN_SECRET: SECRET });
  const { api } = app;
  let token: string;
  const userToken = (sub: string): Promise<string> =>
    new SignJWT({ sub })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(app.clock.now() / 1000 + 600)
      .sign(Buffer.from(SECRET));
  const as = (key: string): { headers: Record<string, string> } => ({ headers: { authorization: `Bearer ${key}` } });

  beforeAll(async () => {
    const { body } = await api.post('/api/keys', { name: 'a key', scope: 'write', agents: [BOB.id] }, as(ADMIN));
    token = body.data.token;
  });

  it.each(OPERATIONS)("is needed, and its lack is told in OpenAI's form: %s %s", async (method, path) => {
    expect(seen(await api.send(method, path))).toEqual([401, 'authentication_error', 'invalid_api_key']);
    expect(seen(await api.send(method, path, undefined, as('wrong')))).toEqual([401, 'authentication_error', 'invalid_api_key']);
  });

  it('may be sent as clients of both protocols send it', async () => {
    for (const headers of [as(ADMIN).headers, { 'x-api-key': ADMIN, 'anthropic-version': '2023-06-01' }]) {
      expect((await api.get('/v1/models', { headers })).status).toBe(200);
    }
  });

  it('for some agents shows these only', async () => {
    const { body } = await api.get('/v1/models', as(token));
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['Bob']);
    expect((await api.get('/v1/models/bob', as(token))).status).toBe(200);
  });

  it.each(['Ada', ADA.id, ADA.id.toUpperCase()])('for other agents reports %s like an unknown one', async (model) => {
    const unknown = async (send: (named: string) => Promise<ApiResponse>): Promise<void> => {
      const [other, nobody] = [await send(model), await send(NOBODY)];
      expect([other.status, nobody.status]).toEqual([404, 404]);
      expect(other.body.error).toEqual({ ...nobody.body.error, message: nobody.body.error.message.replace(NOBODY, model) });
    };
    await unknown((named) => api.get(`/v1/models/${named}`, as(token)));
    await unknown((named) => api.post('/v1/embeddings', { model: named, input: 'tea' }, as(token)));
    await unknown((named) => api.post('/v1/audio/speech', { model: named, input: 'Tea.' }, as(token)));
  });

  it('for other agents must not name them elsewhere either', async () => {
    const body = { model: 'Bob', input: 'tea', user: ADA.id };
    expect(seen(await api.post('/v1/embeddings', body, as(token)))).toEqual([403, 'permission_error', 'forbidden']);
  });

  it('reads and goes on with the conversations to which it has access, of other interfaces too', async () => {
    const session = async (agentId: string): Promise<string> =>
      (await api.post('/api/messaging/sessions', { agentId, userId: USER }, as(ADMIN))).body.data.channelId;
    const channel = { name: 'A room', participantCentralUserIds: [USER] };
    const places = {
      Ada: await session(ADA.id),
      Bob: await session(BOB.id),
      none: (await api.post('/api/messaging/channels', channel, as(ADMIN))).body.data.id as string,
    };
    const callers: [string, (keyof typeof places)[]][] = [
      [ADMIN, ['Ada', 'Bob', 'none']],
      [token, ['Bob']],
      [await userToken(USER), ['Ada', 'Bob']],
      [await userToken(NOBODY), []],
    ];
    app.test.model.always(() => 'Hello.');
    for (const [caller, readable] of callers) {
      for (const [agent, id] of Object.entries(places)) {
        const isReadable = readable.includes(agent as keyof typeof places);
        const conversation = `conv_${id.replaceAll('-', '')}`;
        for (const path of ['', '/items']) {
          expect((await api.get(`/v1/conversations/${conversation}${path}`, as(caller))).status).toBe(isReadable ? 200 : 404);
        }
        const body = { model: agent === 'none' ? 'Bob' : agent, input: 'Hello', conversation };
        const goesOn = isReadable && agent !== 'none';
        expect((await api.post('/v1/responses', body, as(caller))).status).toBe(goesOn ? 200 : 404);
      }
    }
  });

  it('of a user no longer reads the conversation of a session that is over', async () => {
    const session = { agentId: ADA.id, userId: USER, timeoutConfig: { timeoutMinutes: 5 } };
    const { body } = await api.post('/api/messaging/sessions', session, as(ADMIN));
    const items = `/v1/conversations/conv_${body.data.channelId.replaceAll('-', '')}/items`;
    const user = await userToken(USER);
    const statuses = (): Promise<number[]> => Promise.all([user, ADMIN].map(async (caller) => (await api.get(items, as(caller))).status));
    expect(await statuses()).toEqual([200, 200]);
    app.clock.advance(6 * MINUTE);
    expect(await statuses()).toEqual([404, 200]);
  });
});

describe('PROTOCOLS', () => {
  describe('none', () => {
    const { api } = contractApp({ PROTOCOLS: 'none' });

    it.each(OPERATIONS)('makes 404 of %s %s, in its form, and names the setting', async (method, path) => {
      const answer = await api.send(method, path);
      expect(seen(answer)).toEqual([404, 'not_found_error', 'not_found']);
      expect(answer.body.error.message).toContain('PROTOCOLS');
    });

    it('leaves other paths to others', async () => {
      expectError(await api.post('/chat/completions', {}), 404, 'NOT_FOUND');
    });
  });

  describe('anthropic', () => {
    const { api } = contractApp({ PROTOCOLS: 'anthropic' });

    it('keeps the list of models, which both protocols have', async () => {
      expect((await api.get('/v1/models')).status).toBe(200);
      expect(seen(await api.post('/v1/embeddings', { model: 'Ada', input: 'tea' }))).toEqual([404, 'not_found_error', 'not_found']);
    });
  });

  it.each([
    [undefined, ['openai', 'anthropic', 'ai-sdk']],
    ['none', []],
    [' ai-sdk, openai ,', ['openai', 'ai-sdk']],
  ])('%s is %j', (value, expected) => {
    expect(loadConfig({ PROTOCOLS: value }, '1').protocols).toEqual(expected);
  });

  it.each(['openai,grpc', 'OpenAI', ',', 'none,openai'])('must not be %s', (value) => {
    expect(() => loadConfig({ PROTOCOLS: value }, '1')).toThrow(
      expect.objectContaining({ details: expect.stringContaining('PROTOCOLS must') }),
    );
  });
});

describe('a base URL', () => {
  const site = `export default { name: 'site', routes: [
    { type: 'STATIC', path: '/', filePath: 'public' },
    { type: 'POST', path: '/embeddings', handler: (q, r) => r.send('mine') }] };`;
  const plugins = { 'site/index.mjs': site, 'site/public/models': 'a file' };
  const { api } = contractApp({}, { plugins });

  it.each([
    ['POST', '/chat/completions'],
    ['POST', '/responses'],
    ['GET', '/responses/resp_1'],
    ['GET', '/models/Ada'],
    ['POST', '/messages'],
    ['POST', '/audio/speech'],
    ['POST', '/audio/transcriptions'],
    ['POST', '/conversations'],
    ['POST', '/v1/v1/chat/completions'],
    ['GET', '/v1/v1/models'],
    ['POST', '/V1/v1/messages'],
  ])('that is wrong is told: %s %s', async (method, path) => {
    const answer = await api.send(method, path);
    expect(seen(answer)).toEqual([404, 'not_found_error', 'not_found']);
    expect(answer.body.error.message).toMatch(/base URL .* ends with \/v1 .* Anthropic/);
  });

  it('leaves the routes and the files of plugins alone', async () => {
    expect((await api.post('/embeddings', {})).body).toBe('mine');
    expect((await api.get('/models')).body).toBe('a file');
  });

  it.each(['/messages', '/conversations/7'])('leaves the page %s to the console', async (path) => {
    const { headers } = await api.get(path, { headers: { accept: 'text/html' } });
    expect(headers.get('content-type')).toContain('text/html');
  });

  it.each(['/messagesx', '/chat', '/v1x/models'])('is not looked for in %s', async (path) => {
    expectError(await api.get(path), 404, 'NOT_FOUND');
  });
});
