// What orchestrators and load balancers ask.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Readiness } from '../../src/modules/system/index.js';
import { ModelRegistry } from '../../src/providers/models/index.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { setReadOnly } from '../support/read-only-database.js';

const READY = { status: 'ready', checks: { database: 'writable', notifications: 'not_needed', models: 'healthy' } };

let test: TestApp;
let clock: FakeClock;
beforeEach(async () => {
  clock = new FakeClock();
  test = await createTestApp({ clock, env: { API_KEY: 'the key of the tests', RATE_LIMIT_REQUESTS: '1' } });
});
afterEach(() => test.close());

const probe = async (path: string): Promise<[number, unknown, string | null]> => {
  const response = await fetch(test.url + path);
  return [response.status, await response.json(), response.headers.get('connection')];
};

it('probes respond without a credential and without a limit', async () => {
  for (let count = 0; count < 3; count += 1) {
    expect((await probe('/livez')).slice(0, 2)).toEqual([200, { status: 'live' }]);
    expect((await probe('/startupz')).slice(0, 2)).toEqual([200, { status: 'started' }]);
    expect(await probe('/readyz')).toEqual([200, READY, 'keep-alive']);
  }
});

it('readiness fails for a read-only database, with one check a second, and recovers', async () => {
  expect((await probe('/readyz'))[0]).toBe(200);
  await setReadOnly(test, true);
  expect((await probe('/readyz'))[0]).toBe(200);
  clock.advance(1000);
  const [status, body] = await probe('/readyz');
  expect([status, body]).toEqual([
    503,
    {
      success: false,
      error: { code: 'STORAGE_UNAVAILABLE', message: expect.any(String), details: expect.any(String) },
      requestId: expect.any(String),
    },
  ]);
  expect((await probe('/livez'))[0]).toBe(200);
  await setReadOnly(test, false);
  expect((await probe('/readyz'))[0]).toBe(503);
  clock.advance(1000);
  expect((await probe('/readyz'))[0]).toBe(200);
});

it('readiness only warns of a failing model', async () => {
  Object.defineProperty(test.app.get(ModelRegistry), 'failing', { get: () => true });
  expect((await probe('/readyz')).slice(0, 2)).toEqual([200, { ...READY, checks: { ...READY.checks, models: 'failing' } }]);
});

it('readiness fails while the server drains, which closes connections and serves everything else', async () => {
  test.app.get(Readiness).startDraining();
  const [status, body, connection] = await probe('/readyz');
  expect([status, body, connection]).toEqual([
    503,
    expect.objectContaining({ error: expect.objectContaining({ code: 'SERVER_STOPPING' }) }),
    'close',
  ]);
  expect((await probe('/livez'))[0]).toBe(200);
  const agents = await fetch(`${test.url}/api/agents`, { headers: { 'x-api-key': 'the key of the tests' } });
  expect([agents.status, agents.headers.get('connection')]).toEqual([200, 'close']);
});
