// Backups by a schedule, over HTTP, on a clock that the tests move.
import { readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { makeBackup } from '../../src/core/backup/index.js';
import { meter } from '../../src/core/telemetry/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../contract/support/until.js';

type Data = ApiResponse['body'];

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 5, 1, 12);
const CHECK_MS = 5000;
const HEARTBEAT_MS = 15_000;

describe('scheduled backups', () => {
  const clock = new FakeClock(NOON);
  const api = new ApiClient(() => app.url);
  let app: TestApp;
  const folder = (): string => join(app.config.dataDir, 'backups');
  const names = async (suffix = ''): Promise<string[]> =>
    (await readdir(folder()).catch(() => [])).filter((name) => name.endsWith(suffix)).sort();
  const schedule = async (): Promise<Data> => expectData(await api.get('/api/server/backups')).schedule;
  const problems = async (): Promise<Data[]> =>
    expectData(await api.get('/api/server/problems')).problems.filter(({ kind }: Data) => kind === 'backup');
  /** Moves the clock on, and lets the background work look at it there. */
  const moveTo = async (instant: number): Promise<void> => {
    clock.set(instant);
    await new Promise(setImmediate);
    clock.advance(CHECK_MS);
    await new Promise(setImmediate);
    clock.advance(HEARTBEAT_MS);
  };
  /** The newest run, once it is in a state. */
  const run = async (dueAt: number, state: string, attempts = 1): Promise<Data> => {
    let found: Data;
    await until(async () => {
      [found] = (await schedule()).runs;
      return found?.dueAt === new Date(dueAt).toISOString() && found.state === state && found.attempts === attempts;
    });
    return found;
  };
  const value = (name: string): number => {
    const [series] = meter.snapshot().find((metric) => metric.name === name)?.series ?? [];
    return series && 'value' in series ? series.value : Number.NaN;
  };

  beforeAll(async () => {
    app = await createTestApp({
      clock,
      env: { BACKUP_SCHEDULE: '0 * * * *', BACKUP_KEEP: '2', BACKUP_VERIFY: 'true', RATE_LIMIT: 'off' },
    });
  });
  afterAll(() => app.close());
  afterEach(async () => rm(join(app.config.dataDir, 'huge'), { force: true }));

  it('start soon after the first start with the latest instant, verified, with nothing to report', async () => {
    expect(await schedule()).toMatchObject({
      expression: '0 * * * *',
      timeZone: 'UTC',
      destination: folder(),
      lastSuccess: null,
      runs: [],
    });
    clock.advance(CHECK_MS);
    const made = await run(NOON, 'complete');
    const [name] = await names();
    expect(made).toEqual({
      ...{
        dueAt: '2026-06-01T12:00:00.000Z',
        state: 'complete',
        attempts: 1,
        address: join(folder(), name!),
        error: null,
        nextAttemptAt: null,
      },
      ...{ size: expect.any(Number), startedAt: expect.any(String), endedAt: expect.any(String), verifiedAt: expect.any(String) },
    });
    expect(await schedule()).toMatchObject({ nextAt: '2026-06-01T13:00:00.000Z', lastSuccess: made });
    expect(expectData(await api.get(`/api/server/backups/${name}`)).backup).toMatchObject({ kind: 'schedule', state: 'complete' });
    expect(await problems()).toEqual([]);
    expect(value('backups.last_success_timestamp')).toBe(Date.parse(made.endedAt));
    expect(value('backups.last_size')).toBe(made.size);
    expect(value('backups.failing')).toBe(0);
  });

  it('are made once per instant, also across a restart, and only the latest of several missed ones', async () => {
    clock.set(NOON + HOUR_MS - 1);
    await app.restart();
    clock.advance(CHECK_MS);
    await run(NOON + HOUR_MS, 'complete');
    await app.restart();
    clock.advance(CHECK_MS);
    await app.app.close();
    clock.set(NOON + 5 * HOUR_MS + 20 * 60_000);
    await app.restart();
    clock.advance(CHECK_MS);
    await run(NOON + 5 * HOUR_MS, 'complete');
    expect((await schedule()).runs.map(({ dueAt }: Data) => dueAt.slice(11, 13))).toEqual(['17', '13', '12']);
  });

  it('are deleted, and only they, when newer ones are complete', async () => {
    const byHand = [await makeBackup(app.config, new Date(NOON)), join(folder(), '2026-01-01T00-00-00-000Z-before-upgrade')];
    await makeBackup(app.config, new Date(NOON), byHand[1]);
    await moveTo(NOON + 6 * HOUR_MS);
    await run(NOON + 6 * HOUR_MS, 'complete');
    await until(async () => (await names('-scheduled')).length === 2);
    expect((await names('-scheduled')).map((name) => name.slice(11, 13))).toEqual(['17', '18']);
    expect(await names()).toEqual(expect.arrayContaining(byHand.map((path) => path.slice(folder().length + 1))));
  });

  it('that fail are a problem with reason and remedy until one succeeds; they are retried, and old ones stay', async () => {
    const before = await names('-scheduled');
    await writeFile(join(app.config.dataDir, 'huge'), '');
    // More than any disk has, and nothing of it is written.
    await truncate(join(app.config.dataDir, 'huge'), 8e12);
    await moveTo(NOON + 7 * HOUR_MS);
    const failed = await run(NOON + 7 * HOUR_MS, 'waiting');
    expect(failed).toMatchObject({ size: null, error: { code: 'STORAGE_FULL', message: expect.stringContaining('no room for a backup') } });
    expect(await problems()).toEqual([
      {
        ...{ kind: 'backup', subject: folder(), count: 1, at: Date.parse(failed.endedAt), message: 'The scheduled backup failed.' },
        details: expect.stringMatching(
          /^There is no room for a backup in .* are free\. Free some space.* It is tried again at 2026-06-01T19:05:.* The newest complete one is .*18-00-\d\d-000Z-scheduled of 2026-06-01T18:00/,
        ),
      },
    ]);
    expect(value('backups.failing')).toBe(1);
    expect(await names('-scheduled')).toEqual(before);
    expect(await names('.partial')).toEqual([]);
    await rm(join(app.config.dataDir, 'huge'));
    await moveTo(Date.parse(failed.nextAttemptAt));
    const made = await run(NOON + 7 * HOUR_MS, 'complete', 2);
    expect(made.error).toBeNull();
    expect(await problems()).toEqual([]);
    expect(value('backups.failing')).toBe(0);
  });

  it('that cannot be verified stay, but delete no older ones, and are verified again rather than made again', async () => {
    const scratch = join(app.config.dataDir, 'cache', 'backup-verify');
    await rename(scratch, `${scratch}-aside`);
    await writeFile(scratch, 'in the way');
    await moveTo(NOON + 8 * HOUR_MS);
    const failed = await run(NOON + 8 * HOUR_MS, 'waiting');
    expect(failed.error).toMatchObject({ code: 'CONFIG_INVALID' });
    expect(await names('-scheduled')).toHaveLength(3);
    await rm(scratch);
    await rename(`${scratch}-aside`, scratch);
    await moveTo(Date.parse(failed.nextAttemptAt));
    const made = await run(NOON + 8 * HOUR_MS, 'complete', 2);
    expect(made.address).toBe(failed.address);
    await until(async () => (await names('-scheduled')).length === 2);
  });

  it('wait for a requested one, which is not started while one of them runs', async () => {
    await writeFile(join(app.config.dataDir, 'large'), Buffer.alloc(24 * 1024 * 1024, 7));
    const { backup } = expectData(await api.post('/api/server/backups'), 202);
    await moveTo(NOON + 9 * HOUR_MS);
    await until(async () => (await schedule()).runs[0].dueAt === '2026-06-01T21:00:00.000Z');
    await until(async () => expectData(await api.get(`/api/server/backups/${backup.name}`)).backup.state === 'complete');
    await moveTo(clock.now());
    await until(async () => (await schedule()).runs[0].state === 'running');
    expectError(await api.post('/api/server/backups'), 409, 'CONFLICT');
    await run(NOON + 9 * HOUR_MS, 'complete');
    await rm(join(app.config.dataDir, 'large'));
  });

  it('interrupted by a stop leave nothing partial, and are made by the next start without losing an attempt', async () => {
    await writeFile(join(app.config.dataDir, 'large'), Buffer.alloc(48 * 1024 * 1024, 7));
    const before = await names('-scheduled');
    await moveTo(NOON + 10 * HOUR_MS);
    await until(async () => (await names('.partial')).length === 1);
    await app.app.close();
    expect(await names('.partial')).toEqual([]);
    expect(await names('-scheduled')).toEqual(before);
    await app.restart();
    await run(NOON + 10 * HOUR_MS, 'complete');
    await rm(join(app.config.dataDir, 'large'));
  });

  it('are overdue when no server makes them', async () => {
    // The background work of this process does not notice that time has passed.
    const { now } = clock;
    clock.now = () => NOON + 13 * HOUR_MS;
    try {
      expect(await problems()).toMatchObject([
        {
          message: 'The backup that was due at 2026-06-01T23:00:00.000Z is overdue.',
          details: expect.stringContaining('No server has started it'),
        },
      ]);
    } finally {
      clock.now = now;
    }
  });
});

describe('the settings of scheduled backups', () => {
  it('report errors', async () => {
    const env = { BACKUP_SCHEDULE: 'every day', BACKUP_TIME_ZONE: 'Mars/Base', BACKUP_DESTINATION: 'ftp://host/x', BACKUP_KEEP: '0' };
    const failure = createTestApp({ env });
    await expect(failure).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      details: [
        'BACKUP_SCHEDULE must be a cron expression of five fields such as "0 3 * * *", or a word such as @daily, not "every day"',
        'BACKUP_TIME_ZONE must be a time zone such as Europe/Berlin, not "Mars/Base"',
        'BACKUP_DESTINATION must be a folder or an address such as s3://bucket/folder, not "ftp://host/x"',
        'BACKUP_KEEP must be a whole number from 1 to 10000, not "0"',
      ].join('; '),
    });
    await expect(createTestApp({ env: { BACKUP_DESTINATION: 's3://' } })).rejects.toMatchObject({
      details: expect.stringContaining('BACKUP_DESTINATION must be an address such as s3://bucket'),
    });
  });
});
