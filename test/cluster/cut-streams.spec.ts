// Streams of all protocols that are cut on one server of a fleet: clients go on at another one, also when the first was killed.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { killAll, ServerProcess } from '../crash/support/server-process.js';
import { DoorDrill } from '../support/door-drill.js';
import { CLERK } from '../support/doors.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { testConfig } from '../support/test-store.js';

let model: ModelServer;
let start: (name: string) => Promise<ServerProcess>;
let remove: () => Promise<void>;
/** The one that clients ask, and the one that they go on at. */
let servers: ServerProcess[];

beforeAll(async () => {
  model = await startModelServer();
  const test = await testConfig('postgres');
  const { dataDir, charactersDir, pluginsDir, databaseUrl } = test.config;
  remove = test.remove;
  for (const folder of [charactersDir, pluginsDir]) await mkdir(folder, { recursive: true });
  await writeFile(join(charactersDir, 'ada.json'), JSON.stringify({ name: 'Ada', bio: 'An agent of the tests.' }));
  await writeFile(join(pluginsDir, 'clerk.mjs'), CLERK);
  start = (name) =>
    ServerProcess.start({
      DATA_DIR: join(dataDir, name),
      CHARACTERS_DIR: charactersDir,
      PLUGINS_DIR: pluginsDir,
      DATABASE_URL: databaseUrl,
      SECRET_KEY: 'the key that all processes have, long enough',
      OPENAI_BASE_URL: model.baseUrl,
      CONVERSATION_SUMMARY: 'none',
      RATE_LIMIT: 'off',
      TURN_CONCURRENCY: '100',
    });
  servers = [];
});
afterAll(async () => {
  await killAll();
  await model.close();
  await remove();
});

describe('a client whose stream is cut on one server', () => {
  it.each([
    ['writes on', false, false],
    ['is killed', true, false],
    ['is killed, and the model says something else', true, true],
  ])('gets the whole reply from another one, while the first %s', async (_what, isKilled, saysOther) => {
    const drill = new DoorDrill(model, saysOther);
    const [first = await start('0'), second = await start(String(first.pid))] = servers;
    const cut = await drill.cutAll(first.url);
    if (isKilled) await first.kill();
    const resumed = drill.resume(second.url, cut);
    drill.release();
    expect(await drill.faults(second.url, resumed, true)).toEqual([]);
    expect(await drill.faults(second.url, drill.resume(second.url, cut), true)).toEqual([]);
    servers = isKilled ? [second] : [first, second];
  });
});
