// Backups over HTTP: /api/server/backups
import { access, cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { assertNoUnfinishedRestore, backupName, makeBackup, restoreBackup } from '../../src/core/backup/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from './support/until.js';

type Data = ApiResponse['body'];

const PATH = '/api/server/backups';
const LARGE = 48 * 1024 * 1024;

describe('backups over HTTP', () => {
  const clock = new FakeClock();
  const api = new ApiClient(() => app.url);
  let app: TestApp;
  const folder = (): string => join(app.config.dataDir, 'backups');
  const list = async (): Promise<Data[]> => expectData(await api.get(PATH)).backups;
  const read = async (name: string): Promise<Data> => expectData(await api.get(`${PATH}/${name}`)).backup;
  const start = async (): Promise<Data> => expectData(await api.post(PATH), 202).backup;
  const ended = async (name: string): Promise<Data> => {
    await until(async () => (await read(name)).state !== 'running');
    return read(name);
  };

  beforeAll(async () => {
    app = await createTestApp({ clock, env: { RATE_LIMIT: 'off' } });
  });
  beforeEach(() => clock.advance(1000));
  afterAll(() => app.close());

  it('lists none at first, and creates one', async () => {
    expect(expectData(await api.get(PATH))).toEqual({ backups: [], advice: null, schedule: null });
  });

  it("creates one that can be restored and that only the server's user can read", async () => {
    const begun = await start();
    const name = backupName('request', new Date(clock.now()));
    expect(begun).toEqual({
      ...{ name, folder: join(folder(), name), kind: 'request', state: 'running', createdAt: new Date(clock.now()).toISOString() },
      ...{ size: null, bytesDone: expect.any(Number), bytesTotal: expect.any(Number), version: null, error: null },
    });
    expect(begun.bytesTotal).toBeGreaterThan(4096);
    const done = await ended(name);
    expect(done).toEqual({
      ...{ ...begun, state: 'complete', bytesDone: null, bytesTotal: null },
      ...{ size: expect.any(Number), version: app.config.version },
    });
    expect(done.size).toBeGreaterThan(4096);
    expect((await list())[0]).toEqual(done);
    expect((await stat(done.folder)).mode & 0o077).toBe(0);
    const other = await createTestApp({ characters: [] });
    try {
      await other.app.close();
      const restored = await restoreBackup(other.config, done.folder, new Date(clock.now()));
      expect(restored.folder).toBe(done.folder);
      await assertNoUnfinishedRestore(other.config.dataDir);
    } finally {
      await other.close();
    }
  });

  it('creates one at a time, reports progress, and fails it when the server stops', async () => {
    await writeFile(join(app.config.dataDir, 'large.bin'), Buffer.alloc(LARGE, 7));
    const { name, bytesTotal } = await start();
    expect(bytesTotal).toBeGreaterThan(LARGE);
    expectError(await api.post(PATH), 409, 'CONFLICT');
    expectError(await api.delete(`${PATH}/${name}`), 409, 'CONFLICT');
    await until(async () => (await read(name)).bytesDone > 0);
    await app.restart();
    expect(await read(name)).toMatchObject({ state: 'failed', bytesDone: null, error: { code: 'SERVER_STOPPING' } });
    expect((await readdir(folder())).filter((entry) => entry.startsWith(name))).toEqual([`${name}.failed`]);
  });

  it('deletes what a killed server left, and reports the failure', async () => {
    const name = backupName('request', new Date(clock.now()));
    await mkdir(join(folder(), `${name}.partial`, 'files'), { recursive: true });
    const byCommand = `${backupName('command', new Date(clock.now()))}.partial`;
    await mkdir(join(folder(), byCommand));
    await app.restart();
    const createdAt = new Date(clock.now()).toISOString();
    expect(await read(name)).toMatchObject({ state: 'failed', createdAt, error: { code: 'SERVER_STOPPING' } });
    expect(await readdir(folder())).toContain(byCommand);
    expect(await readdir(folder())).not.toContain(`${name}.partial`);
  });

  it('reports why one failed until the next starts', async () => {
    const name = backupName('request', new Date(clock.now()));
    await mkdir(join(folder(), name));
    await start();
    const failed = await ended(name);
    expect(failed).toMatchObject({ state: 'failed', size: null, error: { code: 'CONFLICT' } });
    expect((await list()).filter(({ state }) => state === 'failed').map((backup) => backup.name)).toContain(name);
    clock.advance(1000);
    await ended((await start()).name);
    expect((await list()).filter(({ state }) => state === 'failed')).toEqual([]);
  });

  it('lists those of the command, newest first, and deletes any', async () => {
    const made = await makeBackup(app.config, new Date(clock.now()));
    const [first, second] = await list();
    expect(first).toMatchObject({ folder: made, kind: 'command', state: 'complete' });
    expect(first.createdAt > second.createdAt).toBe(true);
    expect((await api.delete(`${PATH}/${first.name}`)).status).toBe(204);
    await expect(access(made)).rejects.toThrow('ENOENT');
    expectError(await api.get(`${PATH}/${first.name}`), 404, 'BACKUP_NOT_FOUND');
    expectError(await api.delete(`${PATH}/${first.name}`), 404, 'BACKUP_NOT_FOUND');
    expect((await list())[0]).toEqual(second);
  });

  it.each(['..%2Felsewhere', '%2e%2e%2Felsewhere', '.hidden', 'a%00b', 'a'.repeat(300)])(
    'rejects other paths as a name: %s',
    async (name) => {
      const made = await makeBackup(app.config, new Date(clock.now()));
      const others = [join(app.config.dataDir, 'elsewhere'), join(folder(), '.hidden')];
      for (const other of others) await cp(made, other, { recursive: true });
      for (const answer of [await api.get(`${PATH}/${name}`), await api.delete(`${PATH}/${name}`)]) {
        expect([400, 404]).toContain(answer.status);
      }
      for (const left of others) {
        await access(left);
        await rm(left, { recursive: true });
      }
    },
  );
});

describe('backups over HTTP on PostgreSQL', () => {
  it('names the alternative', async () => {
    const app = await createTestApp({ engine: 'postgres' });
    const api = new ApiClient(() => app.url);
    try {
      expect(expectData(await api.get(PATH))).toEqual({ backups: [], advice: expect.stringContaining('pg_dump'), schedule: null });
      expectError(await api.post(PATH), 501, 'BACKUP_NOT_SUPPORTED');
    } finally {
      await app.close();
    }
  });
});
