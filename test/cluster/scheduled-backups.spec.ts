// Backups by a schedule where several processes share a PostgreSQL database: one for each instant, and a rehearsal that leaves nothing behind.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { SCHEMA } from '../../src/app.module.js';
import { makeBackup, verifyBackup, type Verification } from '../../src/core/backup/index.js';
import type { Config } from '../../src/core/config/index.js';
import { openStore } from '../../src/core/database/index.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';
import { until } from '../contract/support/until.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { testConfig } from '../support/test-store.js';

const NOON = new Date('2026-11-21T12:00:00.000Z');

let config: Config;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ config, remove } = await testConfig('postgres'));
  config = { ...config, variable: (name) => (name === 'PATH' ? process.env['PATH'] : config.variable(name)) };
});
afterEach(async () => {
  await killAll();
  await remove();
});

const query = async (sql: string, databaseUrl = config.databaseUrl): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};
const scratchDatabases = (): Promise<Record<string, unknown>[]> =>
  query(`SELECT datname FROM pg_database WHERE datname LIKE 'parley_verify_%'`);

describe('scheduled backups of a fleet', () => {
  let folder: string;
  const made = async (): Promise<string[]> => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('-scheduled'));
  const envOf = async (name: string): Promise<ServerEnv> => {
    const directory = join(config.dataDir, name);
    await mkdir(directory, { recursive: true });
    return {
      DATA_DIR: join(directory, 'data'),
      CHARACTERS_DIR: directory,
      DATABASE_URL: config.databaseUrl,
      SECRET_KEY: 'of the whole fleet, in 32 characters or more',
      // Once a year, so that only the instant that was missed is due.
      BACKUP_SCHEDULE: '@yearly',
      BACKUP_DESTINATION: folder,
      BACKUP_VERIFY: 'true',
    };
  };
  const runs = async (server: ServerProcess): Promise<ApiResponse['body'][]> =>
    (await new ApiClient(() => server.url).get('/api/server/backups')).body.data.schedule.runs;

  beforeEach(() => {
    folder = join(config.dataDir, 'fleet-backups');
  });

  it('run once, are verified, and look alike in all processes, also when the leader changes', async () => {
    const first = await ServerProcess.start(await envOf('first'));
    const second = await ServerProcess.start(await envOf('second'));
    await until(async () => (await runs(first))[0]?.state === 'complete');
    const [run] = await runs(first);
    expect(run).toMatchObject({ attempts: 1, error: null, verifiedAt: expect.any(String) });
    expect(await runs(second)).toEqual([run]);
    await first.stop();
    const third = await ServerProcess.start(await envOf('third'));
    // Both have looked whether a backup is due, with each of them as the leader.
    await until(async () => (await query(`SELECT 1 FROM leases WHERE until > clock_timestamp()`)).length === 1);
    await second.stop();
    await third.stop();
    expect(await made()).toHaveLength(1);
    expect(await scratchDatabases()).toEqual([]);
  });

  it('are made by another process when the leader is killed meanwhile, without leftovers', async () => {
    const env = await envOf('first');
    await mkdir(env.DATA_DIR, { recursive: true });
    await writeFile(join(env.DATA_DIR, 'large'), Buffer.alloc(96 * 1024 * 1024, 3));
    const first = ServerProcess.launch(env);
    await until(async () => (await readdir(folder).catch(() => [])).some((name) => name.endsWith('.partial')));
    await first.kill();
    expect(await made()).toEqual([]);
    // As if the lease of the killed process had ended.
    await query('UPDATE backup_runs SET due_at = 0');
    const second = await ServerProcess.start(await envOf('second'));
    await until(async () => (await runs(second))[0]?.state === 'complete');
    expect((await runs(second))[0]).toMatchObject({ attempts: 2 });
    expect(await readdir(folder)).toEqual(await made());
    expect(await made()).toHaveLength(1);
    await second.stop();
  });
});

describe('the verification of a dump', () => {
  const verify = (folder: string): Promise<Verification> => verifyBackup(config, async () => folder, { schema: SCHEMA, now: NOON });
  let folder: string;

  beforeEach(async () => {
    const store = await openStore(config, SCHEMA);
    await store.unitOfWork.commit([
      { sql: 'INSERT INTO plugin_values (plugin, key, value, updated_at) VALUES (?, ?, ?, ?)', params: ['p', 'k', '1', 0] },
    ]);
    await store.close();
    folder = await makeBackup(config, NOON);
  });

  it('restores it to a scratch database and drops that, and one that a killed process left, for any result', async () => {
    expect((await verify(folder)).faults).toEqual([]);
    expect(await scratchDatabases()).toEqual([]);
    await query(`UPDATE plugin_values SET value = 'later'`);
    expect((await verify(folder)).faults).toEqual([]);
    const manifest = join(folder, 'backup.json');
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"plugin_values": 1', '"plugin_values": 2'));
    expect(await verify(folder)).toMatchObject({ isDamaged: true, faults: ['the table plugin_values has 1 rows instead of 2'] });
    await rm(join(folder, 'parley.pgdump'));
    expect((await verify(folder)).faults).toEqual(['parley.pgdump is missing']);
    expect(await scratchDatabases()).toEqual([]);
    expect(await query('SELECT value FROM plugin_values')).toEqual([{ value: 'later' }]);
  });

  it('names the right that a role needs to create databases', async () => {
    const role = `role_${config.databaseUrl.split('_').at(-1)}`;
    await query(`CREATE ROLE ${role} LOGIN`);
    try {
      const url = new URL(config.databaseUrl);
      url.username = role;
      const limited = { ...config, databaseUrl: url.href };
      await expect(verifyBackup(limited, async () => folder, { schema: SCHEMA, now: NOON })).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        details: expect.stringContaining('CREATEDB'),
      });
    } finally {
      await query(`DROP ROLE ${role}`);
    }
  });
});
