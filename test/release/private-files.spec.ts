// What the processes make is for their user alone, whatever umask they are started with; test/medium/private-files is about the rest.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DEFAULT_SERVER_ID, idFromText } from '../../src/core/ids/index.js';
import { ApiClient } from '../support/api-client.js';
import { openBelow, openUp } from '../support/file-modes.js';
import { form } from '../support/uploads.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';

const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
const USER = '11111111-1111-1111-1111-111111111111';
const WIDE_OPEN = ['sh', '-c', 'umask 022; exec "$@"', 'sh'];

let directory: string;
let env: ServerEnv & { MEDIA_DIR: string };

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-modes-'));
  await mkdir(join(directory, 'characters'));
  await writeFile(join(directory, 'characters', 'vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
  env = {
    DATA_DIR: join(directory, 'data'),
    MEDIA_DIR: join(directory, 'data', 'media'),
    CHARACTERS_DIR: join(directory, 'characters'),
    PLUGINS_DIR: join(directory, 'plugins'),
  };
});
afterEach(async () => {
  await killAll();
  await rm(directory, { recursive: true, force: true });
});

/** Starts, has a message answered and a file uploaded, and shows what is there while the server runs. */
async function used(settings: ServerEnv): Promise<ServerProcess> {
  const server = await ServerProcess.start(settings, WIDE_OPEN);
  const api = new ApiClient(() => server.url);
  const agentId = idFromText('Vera');
  const { sessionId } = (await api.post('/api/messaging/sessions', { agentId, userId: USER })).body.data;
  await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hi', transport: 'http' });
  const channel = { name: 'room', serverId: DEFAULT_SERVER_ID, participantCentralUserIds: [agentId, USER] };
  const { id } = (await api.post('/api/messaging/channels', channel)).body.data;
  expect((await api.post(`/api/messaging/channels/${id}/upload-media`, form('text', 'a.txt'))).status).toBe(200);
  return server;
}

function parley(...args: string[]): void {
  const command = [...WIDE_OPEN.slice(1), process.execPath, MAIN, ...args];
  const { status, stderr } = spawnSync('sh', command, { cwd: directory, env: { PATH: process.env['PATH'], ...env }, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

it('the server and the commands create no file that other users can read', async () => {
  const server = await used(env);
  const names = await readdir(env.DATA_DIR);
  expect(names).toEqual(expect.arrayContaining(['media', 'parley.lock', 'parley.sqlite', 'parley.sqlite-wal', 'secret.key']));
  expect(await openBelow(env.DATA_DIR)).toEqual([]);
  parley('backup');
  parley('backup', join(directory, 'copy'));
  await server.stop();
  parley('restore', 'latest');
  expect(await openBelow(env.DATA_DIR, join(directory, 'copy'))).toEqual([]);
  await openUp(env.DATA_DIR);
  const again = await ServerProcess.start(env, WIDE_OPEN);
  expect(await openBelow(env.DATA_DIR)).toEqual([]);
  await again.stop();
});
