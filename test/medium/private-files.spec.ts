// What lies in the folders of Parley is for its user alone, also what an earlier version or a copy left open.
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import '../../src/app.module.js';
import { runServer, type RunningServer } from '../../src/bootstrap/run-server.js';
import { runCommand } from '../../src/cli/cli.js';
import { loadConfig, type Config } from '../../src/core/config/index.js';
import { restrictPermissions, restrictUmask } from '../../src/core/file-permissions/index.js';
import { DEFAULT_SERVER_ID, idFromText } from '../../src/core/ids/index.js';
import { recentLines } from '../../src/core/logging/index.js';
import { ApiClient } from '../support/api-client.js';
import { openBelow, openUp } from '../support/file-modes.js';
import { form } from '../support/uploads.js';

const USER = '11111111-1111-1111-1111-111111111111';

let directory: string;
let env: Record<string, string> & { DATA_DIR: string; MEDIA_DIR: string };
let umask: number;

beforeEach(async () => {
  umask = process.umask(0o022);
  directory = await mkdtemp(join(tmpdir(), 'parley-modes-'));
  await mkdir(join(directory, 'characters'));
  await writeFile(join(directory, 'characters', 'vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
  env = {
    DATA_DIR: join(directory, 'data'),
    MEDIA_DIR: join(directory, 'data', 'media'),
    CHARACTERS_DIR: join(directory, 'characters'),
    PLUGINS_DIR: join(directory, 'plugins'),
    SERVER_PORT: '0',
    EMBEDDING_PROVIDER: 'none',
    LOG_LEVEL: 'silent',
  };
});
afterEach(async () => {
  process.umask(umask);
  await rm(directory, { recursive: true, force: true });
});

const configOf = (settings: Record<string, string>): Config => loadConfig(settings, '0.0.0');

/** Starts as `parley start` does, has a message answered and a file uploaded. */
async function used(settings: Record<string, string>): Promise<RunningServer> {
  recentLines.clear();
  process.umask(0o022);
  restrictUmask();
  await restrictPermissions(configOf(settings));
  const server = await runServer(configOf(settings));
  const api = new ApiClient(() => server.url);
  const agentId = idFromText('Vera');
  const { sessionId } = (await api.post('/api/messaging/sessions', { agentId, userId: USER })).body.data;
  await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hi', transport: 'http' });
  const channel = { name: 'room', serverId: DEFAULT_SERVER_ID, participantCentralUserIds: [agentId, USER] };
  const { id } = (await api.post('/api/messaging/channels', channel)).body.data;
  expect((await api.post(`/api/messaging/channels/${id}/upload-media`, form('text', 'a.txt'))).status).toBe(200);
  return server;
}

async function backup(): Promise<void> {
  process.umask(0o022);
  const program = { version: '0.0.0', config: async () => configOf(env), start: async () => undefined };
  let complaints = '';
  const terminal = { out: () => undefined, err: (text: string) => (complaints += text) };
  expect([await runCommand(['backup'], program, terminal), complaints]).toEqual([0, '']);
}

const warnings = (): string[] =>
  [...recentLines.newestFirst()].filter(({ level, part }) => level === 'warn' && part === 'start').map(({ msg }) => msg);

it('closes existing files, whichever component uses them first', async () => {
  await (await used(env)).stop();
  await backup();
  await openUp(env.DATA_DIR);
  await backup();
  expect(await openBelow(env.DATA_DIR)).toEqual([]);
  await openUp(env.DATA_DIR);
  const server = await used(env);
  expect(await openBelow(env.DATA_DIR)).toEqual([]);
  expect(warnings()).toEqual([]);
  await server.stop();
});

it('closes uploads and a database stored elsewhere', async () => {
  const database = join(directory, 'database');
  await mkdir(database);
  await chmod(database, 0o755);
  const elsewhere = { ...env, MEDIA_DIR: join(directory, 'uploads'), DATABASE_URL: `sqlite:${join(database, 'mine.db')}` };
  await (await used(elsewhere)).stop();
  await openUp(elsewhere.MEDIA_DIR, database);
  const server = await used(elsewhere);
  expect(await openBelow(elsewhere.MEDIA_DIR)).toEqual([]);
  expect(await openBelow(database)).toEqual([`755 ${database}`]);
  await server.stop();
});

it.each([
  ['a folder with files of others', 0o755, true],
  ['a folder for everybody', 0o1777, false],
])('leaves %s unchanged, closes its own files in it, and reports this', async (_what, mode, shared) => {
  await mkdir(env.DATA_DIR);
  const other = join(env.DATA_DIR, 'notes.txt');
  if (shared) await writeFile(other, 'not of Parley');
  await chmod(env.DATA_DIR, mode);
  await (await used(env)).stop();
  const folders = (await readdir(env.DATA_DIR)).map((name) => join(env.DATA_DIR, name)).filter((path) => path !== other);
  await openUp(...folders);
  const server = await used(env);
  const expected = [`${mode.toString(8)} ${env.DATA_DIR}`, ...(shared ? [`644 ${other}`] : [])];
  expect((await openBelow(env.DATA_DIR)).sort()).toEqual(expected.sort());
  expect(warnings()).toEqual([expect.stringMatching(/^other users of this machine may read/)]);
  await server.stop();
});

it('follows no link out of its folder', async () => {
  await (await used(env)).stop();
  const outside = join(directory, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'file'), 'not of Parley');
  await openUp(outside);
  await symlink(outside, join(env.DATA_DIR, 'backups'));
  await symlink(join(outside, 'file'), join(env.DATA_DIR, 'restore.sql'));
  await (await used(env)).stop();
  expect(await openBelow(outside)).toEqual([`755 ${outside}`, `644 ${join(outside, 'file')}`]);
});
