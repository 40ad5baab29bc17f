// Streams of all protocols that a kill or a stop cuts: clients go on after the restart, and have in the end the reply that was not cut.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DoorDrill } from '../support/door-drill.js';
import { CLERK, PARTS } from '../support/doors.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';

/** So few that they are cut before the text is stored, which takes a moment. */
const FEW = PARTS.filter(({ part, door }) => part === 0 && ['chat completions', 'the AI SDK'].includes(door.name));

let folder: string;
let model: ModelServer;
let env: ServerEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-cuts-'));
  model = await startModelServer();
  for (const name of ['characters', 'plugins']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'characters', 'ada.json'), JSON.stringify({ name: 'Ada', bio: 'An agent of the tests.' }));
  await writeFile(join(folder, 'plugins', 'clerk.mjs'), CLERK);
  env = {
    DATA_DIR: join(folder, 'data'),
    CHARACTERS_DIR: join(folder, 'characters'),
    OPENAI_BASE_URL: model.baseUrl,
    CONVERSATION_SUMMARY: 'none',
    RATE_LIMIT: 'off',
    TURN_CONCURRENCY: '100',
    SHUTDOWN_GRACE_MS: '100',
  };
});
afterEach(killAll);
afterAll(async () => {
  await model.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a server that ends in the middle of replies', () => {
  it.each([
    ['killed, and the model then says the same', 'kill', false, PARTS],
    ['killed, and the model then says something else', 'kill', true, PARTS],
    ['killed before the text was stored, and the model then says the same', 'kill', false, FEW],
    ['killed before the text was stored, and the model then says something else', 'kill', true, FEW],
    ['stopped, and the model then says something else', 'stop', true, PARTS],
  ] as const)('gives each client the whole reply when it is %s', async (_what, end, saysOther, parts) => {
    const drill = new DoorDrill(model, saysOther);
    const first = await ServerProcess.start(env);
    const cut = await drill.cutAll(first.url, parts);
    await first[end]();
    const { url } = await ServerProcess.start(env);
    if (parts === FEW) await drill.askedAgain(cut);
    const resumed = drill.resume(url, cut);
    drill.release();
    expect(await drill.faults(url, resumed, true)).toEqual([]);
    expect(await drill.faults(url, drill.resume(url, cut), true)).toEqual([]);
  });
});
