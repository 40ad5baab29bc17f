// The AI SDK's chats: callers that may use them, their owners, and what only some callers see of them.
import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { readUiStream } from '../support/ui-stream.js';
import { contractApp, USER } from './support/contract-app.js';

const ADMIN = 'the-administrator-of-the-tests';
const SECRET = 'a-secret-that-signs-the-tokens-of-users';
const SHOW = `export default { name: 'teas', actions: [
  { name: 'LOOK_UP', description: 'Looks up a tea.', handler: () => ({ text: 'the result' }) }] };`;
const OTHER = '22222222-2222-2222-2222-222222222222';

type Extra = { headers: Record<string, string> };
const as = (credential: string): Extra => ({ headers: { authorization: `Bearer ${credential}` } });

describe('a chat', () => {
  const app = contractApp({ API_KEY: ADMIN, RATE_LIMIT: 'off', USER_TOKEN_SECRET: SECRET }, { plugins: { 'teas.mjs': SHOW } });
  const { api } = app;
  let ofBob: string;

  beforeAll(async () => {
    const { body } = await api.post('/api/keys', { name: 'a key', scope: 'write', agents: [BOB.id] }, as(ADMIN));
    ofBob = body.data.token;
  });

  const tokenOf = (sub: string): string => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part({ alg: 'HS256' })}.${part({ sub, exp: Math.floor(app.clock.now() / 1000) + 3600 })}`;
    return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
  };
  const ask = (agent: string, id: string, credential: string): Promise<ApiResponse> => {
    const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Which tea?' }] }];
    return api.post(`/api/agents/${agent}/chat`, { id, messages }, as(credential));
  };
  const resume = (agent: string, id: string, credential: string): Promise<ApiResponse> =>
    api.get(`/api/agents/${agent}/chat/${id}/stream`, as(credential));

  it('needs a credential', async () => {
    expectError(await api.post('/api/agents/Ada/chat', { id: 'x', messages: [] }), 401, 'UNAUTHORIZED');
    expectError(await api.get('/api/agents/Ada/chat/x/stream'), 401, 'UNAUTHORIZED');
  });

  it.each(['Bob', 'bob', BOB.id])('is open to a key for the agent, which may name it %s', async (name) => {
    app.test.model.reply('Sencha.');
    expect((await ask(name, `as ${name}`, ofBob)).status).toBe(200);
    expect((await resume(name, 'x', ofBob)).status).toBe(204);
  });

  it.each(['Ada', ADA.id, 'nobody'])('of another agent does not exist for it: %s', async (name) => {
    expectError(await ask(name, 'x', ofBob), 404, 'AGENT_NOT_FOUND');
    expectError(await resume(name, 'x', ofBob), 404, 'AGENT_NOT_FOUND');
  });

  it('shows the arguments and results of actions to a key, and not to a user', async () => {
    const shown = async (credential: string): Promise<unknown> => {
      app.test.model.calls([{ name: 'LOOK_UP', input: { a: 1 } }]).reply('Sencha.');
      const { status, body } = await ask('Ada', 'actions', credential);
      expect(status).toBe(200);
      const { toolName, state, input, output } = readUiStream(body).parts.find(({ type }) => type === 'dynamic-tool')!;
      return { toolName, state, input, output };
    };
    const seen = { toolName: 'LOOK_UP', state: 'output-available' };
    expect(await shown(ADMIN)).toEqual({ ...seen, input: { a: 1 }, output: expect.objectContaining({ text: 'the result' }) });
    expect(await shown(tokenOf(USER))).toEqual({ ...seen, input: {}, output: null });
  });

  it("of a user token is its user's", async () => {
    app.test.model.reply('One.').reply('Two.').reply('Three.');
    const [one, again, other] = [
      await ask('Ada', 'same', tokenOf(USER)),
      await ask('Ada', 'same', tokenOf(USER)),
      await ask('Ada', 'same', tokenOf(OTHER)),
    ];
    const ids = [one, again, other].map(({ headers }) => headers.get('x-conversation-id')!);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
    expectError(await ask('Ada', ids[0]!, tokenOf(OTHER)), 404, 'CHANNEL_NOT_FOUND');
    expectError(await resume('Ada', ids[0]!, tokenOf(OTHER)), 404, 'CHANNEL_NOT_FOUND');
    const { body } = await api.get(`/api/messaging/channels/${ids[0]}/messages`, as(ADMIN));
    expect(new Set(body.data.messages.map(({ authorId }: { authorId: string }) => authorId))).toEqual(new Set([USER, ADA.id]));
  });

  it('goes on in a session of the user of the token', async () => {
    const { body } = await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER }, as(ADMIN));
    const { sessionId, channelId } = body.data;
    app.test.model.reply('In the session.');
    const { status, headers } = await ask('Ada', sessionId, tokenOf(USER));
    expect([status, headers.get('x-conversation-id')]).toEqual([200, channelId]);
    expectError(await ask('Ada', sessionId, tokenOf(OTHER)), 404, 'CHANNEL_NOT_FOUND');
  });
});

describe('PROTOCOLS without ai-sdk', () => {
  const { api } = contractApp({ PROTOCOLS: 'openai' });

  it('makes the paths 404, and the error names the setting', async () => {
    const sent = await api.post('/api/agents/Ada/chat', { id: 'x', messages: [] });
    for (const answer of [sent, await api.get('/api/agents/Ada/chat/x/stream')]) {
      expectError(answer, 404, 'NOT_FOUND');
      expect(answer.body.error.details).toContain('PROTOCOLS');
    }
  });
});
