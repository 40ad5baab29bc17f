// parley doctor on PostgreSQL: what a fleet needs, and what the database must be.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runCommand } from '../../src/cli/cli.js';
import type { Finding } from '../../src/operations/doctor/finding.js';
import type { Config } from '../../src/core/config/index.js';
import { openTestStore, type TestStore } from '../support/test-store.js';
import { PgBouncer } from '../support/pgbouncer.js';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore('postgres');
});
afterAll(() => test.close());

async function about(check: string, changed: Partial<Config> = {}): Promise<string[]> {
  let out = '';
  const config = { ...test.config, variable: (name: string) => (name === 'PATH' ? '/usr/bin:/bin' : undefined), ...changed };
  const program = { version: '1.2.3', config: async () => config, start: async () => undefined };
  await runCommand(['doctor', '--json'], program, { out: (text) => (out += text), err: (text) => (out += text) });
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return findings.filter((each) => each.check === check).map(({ level, message, remedy = '' }) => `${level}: ${message} ${remedy}`);
}

it('accepts a database of this version', async () => {
  expect(await about('database')).toEqual([expect.stringMatching(/^ok: PostgreSQL responds/)]);
  expect(await about('file system')).toEqual([]);
});

it('counts the connections that the servers need', async () => {
  const [row] = await test.store.reader.rows<{ n: string }>(`SELECT current_setting('max_connections') AS n`);
  const most = Number(row?.n);
  expect(await about('database', { databasePoolSize: most })).toEqual([
    expect.stringMatching(/^error: A server needs .*DATABASE_POOL_SIZE/),
  ]);
  expect(await about('database', { databasePoolSize: Math.floor(most * 0.6) })).toEqual([
    expect.stringMatching(/^warning: .*two servers.*DATABASE_POOL_SIZE/),
  ]);
});

it('lists what the servers of a fleet must share', async () => {
  expect(await about('fleet')).toEqual([
    expect.stringMatching(/^warning: SECRET_KEY is not set.*secret\.key on every server/),
    expect.stringMatching(/^warning: Uploads are in DATA_DIR.*MEDIA_DIR.*MEDIA_STORAGE/),
  ]);
  const shared = { secretKey: 'a key that all servers share, 8f1d7c3e9a', setVariables: new Set(['MEDIA_DIR']) };
  expect(await about('fleet', shared)).toEqual([expect.stringMatching(/^ok/)]);
  const store = (name: string): string | undefined => (name === 'MEDIA_STORAGE' ? 's3://uploads' : undefined);
  expect(await about('fleet', { ...shared, setVariables: new Set(), variable: store })).toEqual([expect.stringMatching(/^ok/)]);
});

it('reports a pooler, a setting that loses data, and a missing pg_dump', async () => {
  const pooler = await PgBouncer.start();
  const databaseUrl = pooler.urlOf(test.config.databaseUrl);
  expect(await about('database', { databaseUrl })).toEqual([expect.stringMatching(/^warning: .*through a pooler.*EVENTS_URL/)]);
  await pooler.close();
  const risky = `${test.config.databaseUrl}?options=-c%20synchronous_commit%3Doff`;
  expect(await about('database', { databaseUrl: risky })).toEqual([expect.stringMatching(/^warning: .*synchronous_commit/)]);
  expect(await about('backups', { variable: () => '/nowhere' })).toContainEqual(
    expect.stringMatching(/^warning: pg_dump is not installed/),
  );
});
