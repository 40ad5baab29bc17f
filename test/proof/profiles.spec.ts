// Kill -9 while the model reads what a user said: the next process reads it, and each fact is stored once.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';

const USER = '11111111-1111-1111-1111-111111111111';
const AGENT = { id: idFromText('Vera'), name: 'Vera', bio: 'An agent of the tests.' };
const TURNS = 6;

describe('a server that is killed while it extracts facts', () => {
  let folder: string;
  let model: ModelServer;
  let env: ServerEnv;
  let server: ServerProcess;
  const api = new ApiClient(() => server.url);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-profiles-'));
    model = await startModelServer();
    await mkdir(join(folder, 'characters'));
    await writeFile(join(folder, 'characters', 'vera.json'), JSON.stringify(AGENT));
    const services = { OPENAI_BASE_URL: model.baseUrl, MODEL_RETRIES: '0', MEMORY_EXTRACTION: 'auto' };
    env = { DATA_DIR: join(folder, 'data'), CHARACTERS_DIR: join(folder, 'characters'), RATE_LIMIT: 'off', ...services };
    server = await ServerProcess.start(env);
  });
  afterEach(async () => {
    await killAll();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  });

  const facts = async (): Promise<ApiResponse['body'][]> =>
    (await api.get(`/api/memory/${AGENT.id}/users/${USER}/profile`)).body.data.facts;

  it('reads the messages again', async () => {
    const { body } = await api.post('/api/messaging/sessions', { agentId: AGENT.id, userId: USER });
    model.next(...Array.from({ length: TURNS }, () => ({ kind: 'reply', text: 'I see.' }) as const), { kind: 'hang' });
    for (let turn = 1; turn <= TURNS; turn += 1) {
      await api.post(`/api/messaging/sessions/${body.sessionId}/messages`, { content: `I like song ${turn}.`, transport: 'http' });
    }
    const first = await model.received(TURNS + 1);
    await server.kill();
    model.next({ kind: 'reply', text: JSON.stringify({ add: [{ text: 'Likes song 4.', sources: [4] }] }) });
    server = await ServerProcess.start(env);
    const second = await model.received(TURNS + 2);
    expect(second.body['messages']).toEqual(first.body['messages']);
    while ((await facts()).length === 0);
    await server.kill();
    server = await ServerProcess.start(env);
    expect((await facts()).map(({ text }) => text)).toEqual(['Likes song 4.']);
    expect(model.requests).toHaveLength(TURNS + 2);
  });
});
