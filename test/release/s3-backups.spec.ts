// Backups in a bucket: by the schedule, verified, restored, and what a failure leaves behind.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { backupCommand } from '../../src/operations/backups-cli/backup.command.js';
import { restoreCommand } from '../../src/operations/backups-cli/restore.command.js';
import type { Program, Terminal } from '../../src/cli/program.js';
import { findBackup, openDestination } from '../../src/modules/backups/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { expectData } from '../support/expect-envelope.js';
import { FakeClock } from '../support/fake-clock.js';
import { startS3Server, type S3Server } from '../support/s3-server.js';
import { testConfig } from '../support/test-store.js';
import { until } from '../contract/support/until.js';

type Data = ApiResponse['body'];

const HOUR_MS = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 5, 1);
const BUCKET = 'backups';
const PLACE = `s3://${BUCKET}/parley`;

describe('backups in a bucket', () => {
  const clock = new FakeClock(MIDNIGHT);
  const api = new ApiClient(() => app.url);
  let s3: S3Server;
  let app: TestApp;
  let large: string;
  const keys = (): Promise<string[]> => s3.keys(BUCKET);
  const names = async (): Promise<string[]> => [...new Set((await keys()).map((key) => key.split('/')[1]!))];
  const local = (): Promise<string[]> => readdir(join(app.config.dataDir, 'backups')).catch(() => []);
  const moveTo = async (instant: number): Promise<void> => {
    clock.set(instant);
    await new Promise(setImmediate);
    clock.advance(5000);
    await new Promise(setImmediate);
    clock.advance(15_000);
  };
  const run = async (dueAt: number, state: string): Promise<Data> => {
    let found: Data;
    await until(async () => {
      [found] = expectData(await api.get('/api/server/backups')).schedule.runs;
      return found?.dueAt === new Date(dueAt).toISOString() && found.state === state && found.attempts > 0;
    });
    return found;
  };
  const cli = async (command: typeof backupCommand, config: TestApp['config'], ...args: string[]): Promise<string> => {
    let said = '';
    const terminal = { out: (text: string) => (said += text), err: (text: string) => (said += text) } as unknown as Terminal;
    const program: Program = { version: config.version, config: async () => config, start: async () => undefined };
    const result = await command.run(args, program, terminal);
    return typeof result === 'string' ? result : `${said}exit code ${result}`;
  };

  beforeAll(async () => {
    s3 = await startS3Server();
    await s3.createBucket(BUCKET);
    app = await createTestApp({
      clock,
      env: { ...s3.env, BACKUP_SCHEDULE: '@hourly', BACKUP_DESTINATION: PLACE, BACKUP_KEEP: '2', BACKUP_VERIFY: 'true', RATE_LIMIT: 'off' },
    });
    large = join(app.config.dataDir, 'large');
    await writeFile(large, Buffer.alloc(7 * 1024 * 1024, 'large'));
  });
  afterAll(async () => {
    await app.close();
    await s3.close();
  });

  it('are complete with their last object, verified by their content, and leave no copy on the server', async () => {
    await moveTo(MIDNIGHT);
    const made = await run(MIDNIGHT, 'complete');
    const [name] = await names();
    expect(made).toMatchObject({ address: `${PLACE}/${name}`, size: expect.any(Number), verifiedAt: expect.any(String) });
    expect(await keys()).toEqual(
      expect.arrayContaining(['backup.json', 'files/large', 'files/secret.key', 'parley.sqlite'].map((path) => `parley/${name}/${path}`)),
    );
    const written = s3.requests.filter(({ method }) => ['PUT', 'POST'].includes(method)).map(({ url }) => url);
    expect(written.at(-1)).toContain(`${name}/backup.json`);
    expect(await local()).toEqual([]);
  });

  it('are restored and verified by the address of one, of the folder, and by "latest"', async () => {
    const [name] = await names();
    for (const address of [`${PLACE}/${name}`, PLACE, `${PLACE}/latest`, 'latest']) {
      const found = await findBackup(app.config, address);
      expect(found.destination.addressOf(found.name)).toBe(`${PLACE}/${name}`);
      found.destination.close();
    }
    expect(await cli(backupCommand, app.config, 'verify', PLACE)).toMatch(/ok {6}contents .*\nexit code 0$/);
    const other = await testConfig('sqlite', { ...s3.env, BACKUP_DESTINATION: PLACE });
    try {
      expect(await cli(restoreCommand, other.config, 'latest')).toContain(`${PLACE}/${name} is restored`);
      expect(await readFile(join(other.config.dataDir, 'large'))).toEqual(await readFile(large));
      expect((await readdir(join(other.config.dataDir, 'backups'))).filter((entry) => !entry.startsWith('replaced-'))).toEqual([]);
    } finally {
      await other.remove();
    }
    await expect(cli(restoreCommand, app.config, 'latest')).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
    await expect(findBackup(app.config, `s3://${BUCKET}/nothing`)).rejects.toMatchObject({ code: 'BACKUP_INVALID' });
    await expect(findBackup(app.config, 's3://nowhere/parley')).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      details: 'Create the bucket, or correct its name.',
    });
  });

  it('can be made by hand, and stay when scheduled ones are deleted, which starts with the manifest', async () => {
    const elsewhere = { ...app.config, mediaStorage: { bucket: 'uploads', prefix: 'parley/' } };
    const [made, files] = (await cli(backupCommand, elsewhere, PLACE)).split('\n');
    expect(made).toMatch(new RegExp(`^The backup is in ${PLACE}/[^/]+Z\\.$`));
    expect(files).toBe('Uploaded files are in s3://uploads/parley/ and not in the backup.');
    expect(await names()).toHaveLength(2);
    const [first] = (await names()).filter((name) => name.endsWith('-scheduled'));
    for (const hours of [1, 2]) {
      await moveTo(MIDNIGHT + hours * HOUR_MS);
      await run(MIDNIGHT + hours * HOUR_MS, 'complete');
    }
    await until(async () => (await names()).length === 3);
    expect((await names()).filter((name) => name.endsWith('-scheduled')).map((name) => name.slice(11, 13))).toEqual(['01', '02']);
    const deleted = s3.requests.filter(({ method, url }) => method === 'DELETE' && url.includes(first!)).map(({ url }) => url);
    expect(deleted[0]).toContain('backup.json');
  });

  it('that fail are reported with the remedy, keep the old ones, and leave nothing that looks like a backup', async () => {
    const before = await keys();
    s3.intercept = ({ method, url }) =>
      method === 'PUT' && url.includes('parley.sqlite') ? { status: 403, code: 'AccessDenied' } : undefined;
    await moveTo(MIDNIGHT + 3 * HOUR_MS);
    const failed = await run(MIDNIGHT + 3 * HOUR_MS, 'waiting');
    s3.intercept = () => undefined;
    expect(failed.error).toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      details: 'Allow the credentials to list, read, write and delete in the bucket.',
    });
    expect(expectData(await api.get('/api/server/problems')).problems).toMatchObject([{ kind: 'backup', subject: PLACE, count: 1 }]);
    expect(await keys()).toEqual(expect.arrayContaining(before));
    expect((await keys()).filter((key) => key.endsWith('backup.json'))).toEqual(before.filter((key) => key.endsWith('backup.json')));
    expect(await local()).toEqual([]);
    await moveTo(Date.parse(failed.nextAttemptAt));
    const made = await run(MIDNIGHT + 3 * HOUR_MS, 'complete');
    expect(made.attempts).toBe(2);
    await until(async () => (await names()).length === 3);
  });

  it('that are damaged in transit lose their manifest, delete no older ones, and are made again', async () => {
    const before = (await keys()).filter((key) => key.endsWith('backup.json'));
    let spoilt = '';
    s3.intercept = async ({ method, url }) => {
      const [, key] = /^\/backups\/(parley\/[^?]*parley\.sqlite)/.exec(url) ?? [];
      if (method === 'GET' && key !== undefined && spoilt === '') {
        spoilt = key;
        await s3.replace(BUCKET, key, Buffer.from('another content'));
      }
      return undefined;
    };
    await moveTo(MIDNIGHT + 4 * HOUR_MS);
    const failed = await run(MIDNIGHT + 4 * HOUR_MS, 'waiting');
    s3.intercept = () => undefined;
    expect(failed.error).toMatchObject({ code: 'BACKUP_INVALID', details: expect.stringContaining('parley.sqlite is damaged') });
    expect((await keys()).filter((key) => key.endsWith('backup.json'))).toEqual(before);
    await moveTo(Date.parse(failed.nextAttemptAt));
    const made = await run(MIDNIGHT + 4 * HOUR_MS, 'complete');
    expect(made.address).not.toBe(failed.address);
    await until(async () => !(await keys()).includes(spoilt) && (await names()).length === 3);
  });

  it('left unfinished by a killed server are deleted by the next one: objects, parts, and the local copy', async () => {
    const left = '2026-06-01T03-30-00-000Z-scheduled';
    const destination = await openDestination(app.config);
    const partial = join(app.config.dataDir, 'backups', `${left}.partial`);
    await mkdir(partial, { recursive: true });
    await writeFile(join(partial, 'parley.sqlite'), 'half');
    const { S3Objects } = await import('../../src/providers/storage/index.js');
    const objects = await S3Objects.open(app.config, { bucket: BUCKET, prefix: 'parley/' });
    await objects.put(`${left}/files/a`, Buffer.from('a'));
    await objects.put('others/files/a', Buffer.from('of another program'));
    await destination.removeUnfinished();
    expect((await keys()).filter((key) => key.includes(left))).toEqual([]);
    expect(await keys()).toContain('parley/others/files/a');
    expect(await local()).toEqual([]);
    await objects.delete('others/files/a');
    for (const each of [destination, objects]) each.close();
  });

  it('whose manifest points outside the backup are not fetched', async () => {
    const { S3Objects } = await import('../../src/providers/storage/index.js');
    const objects = await S3Objects.open(app.config, { bucket: BUCKET, prefix: 'parley/' });
    const described = { parley: '1', createdAt: '2026-06-01T00:00:00.000Z', engine: 'sqlite', size: 1, rows: {} };
    const manifest = { ...described, files: { '../../evil': 'x' } };
    await objects.put('evil/backup.json', Buffer.from(JSON.stringify(manifest)));
    await expect(cli(backupCommand, app.config, 'verify', `${PLACE}/evil`)).rejects.toMatchObject({
      code: 'BACKUP_INVALID',
      message: expect.stringContaining('leads out of the backup'),
    });
    await objects.put('evil/backup.json', Buffer.from('{'));
    await expect(cli(backupCommand, app.config, 'verify', `${PLACE}/evil`)).rejects.toMatchObject({ code: 'BACKUP_INVALID' });
    await objects.delete('evil/backup.json');
    objects.close();
    await rm(large, { force: true });
  });
});
