// Backup, restore and upgrade: what an operator does with the built program, and what happens when it is cut off.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import sqlite3 from 'sqlite3';
import { idFromText } from '../../src/core/ids/index.js';
import { until } from '../contract/support/until.js';
import { ApiClient } from '../support/api-client.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';

const MAIN = resolve(import.meta.dirname, '../../dist/main.js');
const AGENT_ID = idFromText('Vera');
const USER_ID = '11111111-1111-1111-1111-111111111111';

jest.setTimeout(120_000);

let directory = '';
let dataDir = '';
let env: ServerEnv;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-backup-'));
  dataDir = join(directory, 'data');
  await mkdir(join(directory, 'characters'));
  await writeFile(join(directory, 'characters', 'vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
  env = { DATA_DIR: dataDir, CHARACTERS_DIR: join(directory, 'characters'), PLUGINS_DIR: join(directory, 'plugins') };
});
afterEach(async () => {
  await killAll();
  await rm(directory, { recursive: true, force: true });
});

function parley(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: directory,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  return { status, stdout, stderr };
}

async function openChannel(api: ApiClient): Promise<string> {
  const { body } = await api.post('/api/messaging/sessions', { agentId: AGENT_ID, userId: USER_ID });
  return body.data.channelId as string;
}

async function submit(api: ApiClient, channelId: string, content: string): Promise<void> {
  const answer = await api.post('/api/messaging/submit', { channel_id: channelId, author_id: AGENT_ID, content });
  expect(answer.status).toBe(201);
}

async function contents(api: ApiClient, channelId: string): Promise<string[]> {
  const { body } = await api.get(`/api/messaging/channels/${channelId}/messages?limit=100`);
  return (body.data.messages as { content: string }[]).map(({ content }) => content).reverse();
}

/** Runs statements on the file while no server does. */
async function edit(...statements: string[]): Promise<void> {
  const database = new sqlite3.Database(join(dataDir, 'parley.sqlite'));
  for (const sql of statements) {
    await new Promise<void>((done, fail) => database.exec(sql, (error) => (error ? fail(error) : done())));
  }
  await new Promise((done) => database.close(done));
}

/** A server's worth of data: the channel, with the messages "1" to "5", and "6" after what is done in between. */
async function fill(between?: () => void): Promise<string> {
  const server = await ServerProcess.start(env);
  const api = new ApiClient(() => server.url);
  const channelId = await openChannel(api);
  for (const text of ['1', '2', '3', '4', '5']) await submit(api, channelId, text);
  if (between) {
    between();
    await submit(api, channelId, '6');
  }
  await server.stop();
  return channelId;
}

async function contentsAfterStart(channelId: string): Promise<string[]> {
  const server = await ServerProcess.start(env);
  const found = await contents(new ApiClient(() => server.url), channelId);
  await server.stop();
  return found;
}

describe('parley backup and restore', () => {
  it('copies while the server writes, and restores everything acknowledged before the backup and nothing after it', async () => {
    const server = await ServerProcess.start(env);
    const api = new ApiClient(() => server.url);
    const channelId = await openChannel(api);
    await mkdir(join(dataDir, 'media'));
    await writeFile(join(dataDir, 'media', 'blob'), 'of an upload');
    for (let count = 1; count <= 20; count += 1) await submit(api, channelId, `before ${count}`);
    const backup = spawn(process.execPath, [MAIN, 'backup'], { cwd: directory, env: { PATH: process.env['PATH'], ...env } });
    let said = '';
    backup.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = once(backup, 'close');
    let count = 0;
    const writing = (async (): Promise<void> => {
      while (backup.exitCode === null && count < 60) await submit(api, channelId, `during ${(count += 1)}`);
    })();
    expect(await ended).toEqual([0, null]);
    await writing;
    await submit(api, channelId, 'after');
    await writeFile(join(dataDir, 'media', 'later'), 'of another upload');
    const folder = /^The backup is in (.+)\.$/m.exec(said)?.[1] ?? '';

    expect(parley('restore', folder)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Another process uses the data directory'),
    });
    await server.stop();
    const restored = parley('restore', 'latest');
    expect(restored).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining(`${folder} is restored`) });

    const found = await contentsAfterStart(channelId);
    expect(found.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, index) => `before ${index + 1}`));
    expect(found.slice(20)).toEqual(Array.from({ length: found.length - 20 }, (_, index) => `during ${index + 1}`));
    expect(found).not.toContain('after');
    expect(await readFile(join(dataDir, 'media', 'blob'), 'utf8')).toBe('of an upload');
    expect(await readdir(join(dataDir, 'media'))).toEqual(['blob']);
    const aside = /the previous data is in (.+)\.\n/.exec(restored.stdout)?.[1] ?? '';
    expect((await readdir(aside)).sort()).toEqual(expect.arrayContaining(['media', 'parley.sqlite']));
  });

  it('leaves either state or can resume when killed at any moment; a server does not start on a mixture', async () => {
    const folder = join(directory, 'copy');
    const channelId = await fill(() => parley('backup', folder));
    for (const delay of [250, 450]) {
      const restore = spawn(process.execPath, [MAIN, 'restore', folder], { cwd: directory, env: { PATH: process.env['PATH'], ...env } });
      const killed = setTimeout(() => restore.kill('SIGKILL'), delay);
      await once(restore, 'close');
      clearTimeout(killed);
      const names = await readdir(dataDir);
      if (names.includes('restore.json')) {
        const { stderr, code } = await ServerProcess.fail(env);
        expect({ stderr, code }).toEqual({ stderr: expect.stringContaining('was interrupted'), code: 1 });
        expect(parley('restore', 'latest')).toMatchObject({ status: 0, stderr: '' });
      }
    }
    // However often it was cut off, running it again ends it.
    await writeFile(join(dataDir, 'restore.json'), JSON.stringify({ folder, replaced: join(dataDir, 'backups', 'replaced-again') }));
    expect(await ServerProcess.fail(env)).toMatchObject({ code: 1, stderr: expect.stringContaining('parley-server restore latest') });
    expect(parley('restore', folder)).toMatchObject({ status: 0, stderr: '' });
    expect(parley('restore', folder)).toMatchObject({ status: 0, stderr: '' });
    expect(await contentsAfterStart(channelId)).toEqual(['1', '2', '3', '4', '5']);
  });
});

describe('a scheduled backup', () => {
  it('killed midway is not taken for a backup, and the next start makes it', async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'large'), Buffer.alloc(96 * 1024 * 1024, 7));
    // Once a year, so that only the instant that was missed is due.
    env = { ...env, BACKUP_SCHEDULE: '@yearly', BACKUP_VERIFY: 'true' };
    const backups = join(dataDir, 'backups');
    const names = (): Promise<string[]> => readdir(backups).catch(() => []);
    const killed = await ServerProcess.start(env);
    await until(async () => (await names()).length > 0);
    await killed.kill();
    expect(await names()).toEqual([expect.stringMatching(/-scheduled\.partial$/)]);
    expect(parley('restore', 'latest')).toMatchObject({ status: 1, stderr: expect.stringContaining('contains no complete backup') });

    const server = await ServerProcess.start(env);
    const schedule = async (): Promise<{ runs: object[] }> =>
      (await new ApiClient(() => server.url).get('/api/server/backups')).body.data.schedule as { runs: object[] };
    await until(async () => (await schedule()).runs.some((run) => 'state' in run && run.state === 'complete'));
    expect((await schedule()).runs).toMatchObject([{ attempts: 2, error: null, verifiedAt: expect.any(String) }]);
    await server.stop();
    expect(await names()).toEqual([expect.stringMatching(/-scheduled$/)]);
    expect(parley('backup', 'verify')).toMatchObject({ status: 0 });
  });
});

describe('an upgrade', () => {
  // What a version without one migration left behind.
  const DOWNGRADE = ['DROP TABLE server_model', `DELETE FROM migrations WHERE name LIKE 'ServerModel%'`];

  it('killed at any moment is completed by the next start', async () => {
    const channelId = await fill();
    for (const delay of [450, 750]) {
      await edit(...DOWNGRADE.map((sql) => sql.replace('DROP TABLE', 'DROP TABLE IF EXISTS')));
      const server = ServerProcess.launch(env);
      const killed = setTimeout(() => server.signal('SIGKILL'), delay);
      await server.exited;
      clearTimeout(killed);
    }
    expect(await contentsAfterStart(channelId)).toEqual(['1', '2', '3', '4', '5']);
  });
});
