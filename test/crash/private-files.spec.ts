// What Parley keeps is for its user alone, whatever umask it is started with: what it makes, and what is there from earlier.
import { spawnSync } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DEFAULT_SERVER_ID, idFromText } from '../../src/core/ids/index.js';
import { ApiClient } from '../support/api-client.js';
import { form } from '../support/uploads.js';
import { killAll, ServerProcess, type ServerEnv } from './support/server-process.js';

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

const modeOf = async (path: string): Promise<number> => (await lstat(path)).mode & 0o7777;

async function modesBelow(path: string): Promise<Record<string, string>> {
  const below = (await lstat(path)).isDirectory() ? await readdir(path, { recursive: true }) : [];
  const entries = ['', ...below].map(async (name) => [join(path, name), (await modeOf(join(path, name))).toString(8)]);
  return Object.fromEntries(await Promise.all(entries)) as Record<string, string>;
}

/** Those that another user may use. */
async function openBelow(...paths: string[]): Promise<string[]> {
  const modes = (await Promise.all(paths.map(modesBelow))).flatMap((found) => Object.entries(found));
  return modes.filter(([, mode]) => !/00$/.test(mode)).map(([path, mode]) => `${mode} ${path}`);
}

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

/** As an installation before, or a copy, has left it. */
async function openUp(...paths: string[]): Promise<void> {
  for (const path of paths) {
    for (const name of Object.keys(await modesBelow(path))) await chmod(name, (await lstat(name)).isDirectory() ? 0o755 : 0o644);
  }
}

it('makes nothing that others can read, as a server and on the command line', async () => {
  const server = await used(env);
  const names = await readdir(env.DATA_DIR);
  expect(names).toEqual(expect.arrayContaining(['media', 'parley.lock', 'parley.sqlite', 'parley.sqlite-wal', 'secret.key']));
  expect(await openBelow(env.DATA_DIR)).toEqual([]);
  parley('backup');
  parley('backup', join(directory, 'copy'));
  await server.stop();
  parley('restore', 'latest');
  expect(await openBelow(env.DATA_DIR, join(directory, 'copy'))).toEqual([]);
});

it('closes what is there from earlier, whoever touches it first', async () => {
  await (await used(env)).stop();
  parley('backup');
  await openUp(env.DATA_DIR);
  parley('backup');
  expect(await openBelow(env.DATA_DIR)).toEqual([]);
  await openUp(env.DATA_DIR);
  const server = await used(env);
  expect(await openBelow(env.DATA_DIR)).toEqual([]);
  expect(server.stdout).not.toContain('other users');
  await server.stop();
});

it('closes uploads and a database that lie elsewhere', async () => {
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
])('leaves %s as it is, closes its own in it, and says so', async (_what, mode, shared) => {
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
  expect(server.stdout).toMatch(/other users of this machine may read/);
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
