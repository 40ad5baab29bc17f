// A summary outlives kill -9: the next process makes it, once.
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { startModelServer, type ModelServer, type ModelServerRequest } from '../support/model-server.mjs';
import { killAll, ServerProcess } from '../crash/support/server-process.js';

const USER_ID = '11111111-1111-1111-1111-111111111111';
const FILLER = 'The lamp in the hall is bright and the garden behind the house is green. '.repeat(4);
// Enough for a summary, also when the window holds twice the tokens because the service counts fewer.
const EXCHANGES = 14;

const isSummary = (body: ModelServerRequest['body']): boolean => JSON.stringify(body).includes('Summarise the conversation');

describe('a server that is killed during a summary', () => {
  let directory: string;
  let model: ModelServer;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parley-summaries-'));
    model = await startModelServer();
  });
  afterEach(async () => {
    await killAll();
    await model.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('completes the summary after the restart', async () => {
    const charactersDir = join(directory, 'characters');
    mkdirSync(charactersDir);
    writeFileSync(join(charactersDir, 'one.json'), JSON.stringify({ name: 'One', bio: 'An agent of the tests.' }));
    const env = {
      ...{ DATA_DIR: join(directory, 'data'), CHARACTERS_DIR: charactersDir, LOG_LEVEL: 'fatal', RATE_LIMIT: 'off' },
      ...{ OPENAI_BASE_URL: model.baseUrl, MODEL_RETRIES: '0', EMBEDDING_PROVIDER: 'none', CONVERSATION_TOKENS: '500' },
    };
    let server = await ServerProcess.start(env);
    const api = new ApiClient(() => server.url);
    const agentId: string = (await api.get('/api/agents')).body.data.agents[0].id;
    const { sessionId, channelId } = (await api.post('/api/messaging/sessions', { agentId, userId: USER_ID })).body.data;
    const summary = (): Promise<ApiResponse> => api.get(`/api/memory/${agentId}/rooms/${channelId}/summary`);

    model.otherwise((body) => (isSummary(body) ? { kind: 'hang', after: 1, text: 'Half a summary' } : { kind: 'reply', text: 'Yes.' }));
    for (let said = 0; said < EXCHANGES; said++) {
      await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: `w${said} ${FILLER}`, transport: 'http' });
    }
    await model.received(EXCHANGES + 1);
    await server.kill();
    model.otherwise({ kind: 'reply', text: 'A whole summary.' });
    server = await ServerProcess.start(env);

    let made = await summary();
    while (made.status === 404) made = await summary();
    expect(made.body.data).toMatchObject({ text: 'A whole summary.', model: expect.stringMatching(/^openai\//) });
    const prompts = model.requests.filter(({ body }) => isSummary(body)).map(({ body }) => body['messages']);
    expect(prompts).toHaveLength(2);
    // The later turns may have added messages to the job.
    expect(JSON.stringify(prompts[1])).toContain(': w0 The lamp');
  });
});
