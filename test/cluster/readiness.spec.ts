// Whether a process takes work is a matter of the database that it shares.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { eventually } from '../support/memory-app.js';

let test: TestApp;
let observer: Client;
/** The database of the application; the observer is connected to another. */
let database: string;

beforeEach(async () => {
  test = await createTestApp({ engine: 'postgres' });
  const url = new URL(test.config.databaseUrl);
  database = url.pathname.slice(1);
  url.pathname = '/test';
  observer = new Client({ connectionString: url.href });
  await observer.connect();
});
afterEach(async () => {
  await observer.end();
  await test.close();
});

const probe = async (): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(`${test.url}/readyz`);
  return { status: response.status, body: await response.json() };
};
const cutConnections = (): Promise<unknown> =>
  observer.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
const isReady = async (): Promise<boolean> => (await probe()).status === 200;

it('a process whose connections are cut is not ready until it reconnects', async () => {
  const checks = { database: 'writable', notifications: 'connected', models: 'healthy' };
  expect(await probe()).toEqual({ status: 200, body: { status: 'ready', checks } });
  await observer.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
  await cutConnections();
  await eventually(async () => !(await isReady()));
  expect(await probe()).toMatchObject({ status: 503, body: { success: false, error: { code: 'STORAGE_UNAVAILABLE' } } });
  await observer.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
  await eventually(isReady);
});

it('a process does not wait for a row that another rewrites', async () => {
  const other = new Client({ connectionString: test.config.databaseUrl });
  await other.connect();
  await other.query('BEGIN');
  await other.query('SELECT id FROM migrations ORDER BY id LIMIT 1 FOR UPDATE');
  expect(await isReady()).toBe(true);
  await other.end();
});

it('a process on a read-only database is not ready', async () => {
  await observer.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
  await cutConnections();
  await eventually(async () => !(await isReady()));
  await observer.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
  await cutConnections();
  await eventually(isReady);
});
