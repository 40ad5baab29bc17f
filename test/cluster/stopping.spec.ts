// A process stops while its clients wait for turns that another process runs.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { runServer, type RunningServer } from '../../src/bootstrap/run-server.js';
import type { Config } from '../../src/core/config/index.js';
import { idFromText } from '../../src/core/ids/index.js';
import { TurnRunner } from '../../src/modules/turns/index.js';
import { killAll, ServerProcess } from '../crash/support/server-process.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { testConfig } from '../support/test-store.js';

const KEY = 'the key that both processes have, long enough';
const TEXT = 'word '.repeat(40).trim();

let model: ModelServer;
let config: Config;
let remove: () => Promise<void>;
let stopping: RunningServer;

beforeEach(async () => {
  model = await startModelServer();
  ({ config, remove } = await testConfig('postgres', { SECRET_KEY: KEY, EMBEDDING_PROVIDER: 'none' }));
  await mkdir(config.charactersDir);
  await writeFile(join(config.charactersDir, 'vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
});
afterEach(async () => {
  await killAll();
  await model.close();
  await remove();
});

async function askWhileStopping(graceMs: number): Promise<ApiResponse> {
  stopping = await runServer({ ...config, shutdownGraceMs: graceMs });
  await ServerProcess.start({
    DATA_DIR: join(config.dataDir, 'other'),
    CHARACTERS_DIR: config.charactersDir,
    DATABASE_URL: config.databaseUrl,
    SECRET_KEY: KEY,
    OPENAI_BASE_URL: model.baseUrl,
  });
  // From now on the other one runs the turns.
  await stopping.app.get(TurnRunner).drain(0);
  const api = new ApiClient(() => stopping.url);
  const session = { agentId: idFromText('Vera'), userId: randomUUID() };
  const { sessionId } = (await api.post('/api/messaging/sessions', session)).body.data;
  const answer = api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Take your time.', transport: 'http' });
  await model.received();
  await stopping.stop();
  return answer;
}

it('waiting clients get the reply', async () => {
  // Longer than a stopping process waits for clients of its own turns.
  model.otherwise({ kind: 'reply', text: TEXT, delayMs: 40 });
  const { status, body } = await askWhileStopping(20_000);
  expect([status, body.data.agentResponse?.text]).toEqual([201, TEXT]);
});

it('waiting clients learn that the reply is pending when the grace time ends', async () => {
  model.otherwise({ kind: 'hang', after: 1 });
  const begin = performance.now();
  const { status, body } = await askWhileStopping(300);
  expect([status, body.error.code, body.error.message]).toEqual([503, 'SERVER_STOPPING', expect.stringContaining('still pending')]);
  expect(performance.now() - begin).toBeLessThan(30_000);
});
