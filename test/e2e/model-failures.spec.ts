// What people in a chat and operators see when the model service refuses: every road, over a real service that fails.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModelRegistry } from '../../src/providers/models/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { SocketClient } from '../support/socket-client.js';
import { allEvents } from '../support/sse-client.js';

const USER = '11111111-1111-1111-1111-111111111111';
const KEY = 'sk-secret-of-the-operator';
const SESSIONS = '/api/messaging/sessions';
const WRONG_KEY = { kind: 'status', status: 401, message: `Incorrect API key provided: ${KEY}` } as const;
const NOTICE =
  'I cannot answer: openai (gpt-4o-mini) refused the API key (status 401). Set OPENAI_API_KEY to a valid key. Then send the message again.';
const FAILURE = {
  code: 'MODEL_REJECTED',
  message: 'openai (gpt-4o-mini) refused the API key (status 401).',
  details: 'Set OPENAI_API_KEY to a valid key.',
};

describe('a model service that rejects the key', () => {
  let server: ModelServer;
  let test: TestApp;
  let session: ApiResponse['body'];
  let client: SocketClient;
  const api = new ApiClient(() => test.url);
  const say = (content: string, transport: string): Promise<ApiResponse> =>
    api.post(`${SESSIONS}/${session.sessionId}/messages`, { content, transport });
  const get = async (path: string): Promise<ApiResponse['body']> => (await api.get(path)).body.data;

  beforeAll(async () => {
    server = await startModelServer({ otherwise: WRONG_KEY });
    test = await createTestApp({ env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: KEY, MODEL_RETRIES: '0' } });
    // The real registry in place of the scripted model.
    Reflect.deleteProperty(test.app.get(ModelRegistry), 'chat');
    // Lines of other files of this worker.
    await api.delete('/api/server/logs');
    session = (await api.post(SESSIONS, { agentId: ADA.id, userId: USER })).body.data;
    client = await SocketClient.connect(test.url);
    await client.ask('join', { channelId: session.channelId });
  });
  afterAll(async () => {
    client.close();
    await test.close();
    await server.close();
  });

  it('is reported over HTTP, in the stream of a reply, and in the chat', async () => {
    expect((await get('/api/server/health')).dependencies).toMatchObject({ models: 'healthy' });
    const answer = await say('One?', 'http');
    expect([answer.status, answer.body.error]).toEqual([503, FAILURE]);
    const streamed = await fetch(`${test.url}${SESSIONS}/${session.sessionId}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Two?', transport: 'sse' }),
    });
    expect((await allEvents(streamed)).at(-1)).toMatchObject({ event: 'error', data: { ...FAILURE, error: FAILURE.message } });
    await say('Three?', 'websocket');
    const isNotice = ({ source }: Record<string, unknown>): boolean => source === 'turn_failure';
    await client.waitFor('messageBroadcast', (data) => isNotice(data) && client.all('messageBroadcast').filter(isNotice).length === 3);
    const notices = client.all('messageBroadcast').filter(isNotice);
    expect(notices.map(({ text, replyId, senderId }) => [text, replyId, senderId])).toEqual(Array(3).fill([NOTICE, null, ADA.id]));
    expect(new Set(notices.map(({ id }) => id)).size).toBe(3);
    expect(client.all('messageStreamError')).toMatchObject(Array(3).fill({ error: FAILURE.message, ...FAILURE }));
    expect(JSON.stringify(client.received)).not.toContain(KEY);
  });

  it('is reported in the status, the health and the run, and once in the log', async () => {
    const { models } = await get('/api/server/status');
    expect(models.services).toEqual([
      {
        ...{ kind: 'chat', provider: 'openai', model: 'gpt-4o-mini', ofAgent: false, failing: true, lastSuccessAt: null },
        lastFailure: { at: expect.stringMatching(/Z$/), reason: 'key', ...FAILURE },
        notice: null,
      },
    ]);
    const health = await api.get('/health');
    expect([health.status, health.body.status, health.body.dependencies]).toEqual([
      200,
      'DEGRADED',
      { agents: 'healthy', models: 'failing' },
    ]);
    const { runs } = await get(`/api/agents/${ADA.id}/runs`);
    expect(runs.map(({ metadata }: ApiResponse['body']) => metadata.error)).toEqual([FAILURE, FAILURE, FAILURE]);
    const lines = JSON.stringify(await get('/api/server/logs?level=error&limit=100'));
    expect(lines.split('the model does not respond').length - 1).toBe(1);
    expect(lines).toContain('Incorrect API key provided');
    expect(lines).not.toContain(KEY);
  });

  it('leaves no trace in the conversation, in memory or in later prompts', async () => {
    const { messages } = await get(`${SESSIONS}/${session.sessionId}/messages`);
    expect(messages.map(({ content }: ApiResponse['body']) => content)).toEqual(['Three?', 'Two?', 'One?']);
    const { memories } = await get(`/api/memory/${ADA.id}/memories`);
    expect(JSON.stringify(memories)).not.toContain('cannot answer');
    server.otherwise({ kind: 'reply', text: 'Here I am.' });
    expect((await say('Four?', 'http')).body.data.agentResponse.text).toBe('Here I am.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toMatch(/cannot answer|refused/);
  });

  it('is cleared by the next reply', async () => {
    expect((await get('/api/server/status')).models.services).toMatchObject([
      { failing: false, lastFailure: null, lastSuccessAt: expect.any(String) },
    ]);
    expect((await api.get('/health')).body).toMatchObject({ status: 'OK', dependencies: { models: 'healthy' } });
  });
});
