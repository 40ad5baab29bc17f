// Two applications on one PostgreSQL database: a rate limit holds for both together.
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../src/bootstrap/create-app.js';
import { STORE, type Store } from '../../src/core/database/index.js';
import { RateLimits } from '../../src/modules/access/index.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { eventually } from '../support/memory-app.js';

const ADMIN = 'the administrator of the tests';

let first: TestApp;
let second: NestExpressApplication;
let urls: [string, string];

async function start(env: Record<string, string>): Promise<void> {
  first = await createTestApp({
    engine: 'postgres',
    env: { API_KEY: ADMIN, SECRET_KEY: 'the key that both processes have, long enough', ...env },
  });
  second = await createApp({ ...first.config, dataDir: join(first.config.dataDir, 'second') });
  await second.listen(0, '127.0.0.1');
  urls = [first.url, `http://127.0.0.1:${(second.getHttpServer().address() as AddressInfo).port}`];
}
afterEach(async () => {
  await second.close();
  await first.close();
});

/** Sends a request without a credential; each is counted for the address, whatever its answer. */
const ask = async (url: string): Promise<[status: number, remaining: string | null]> => {
  const response = await fetch(`${url}/api/messaging/sessions`, { method: 'POST' });
  await response.text();
  return [response.status, response.headers.get('ratelimit-remaining')];
};
const isAdmitted = async (url: string): Promise<boolean> => (await ask(url))[0] !== 429;
const store = (): Store => first.app.get<Store>(STORE);
const rows = (): Promise<{ kind: string; taken: number }[]> => store().readSource.query('SELECT kind, taken FROM rate_limit_counters');

describe('a small limit', () => {
  beforeEach(() => start({ RATE_LIMIT_SESSIONS: '10' }));

  it('that is used up on one process refuses the first request on another', async () => {
    for (let left = 9; left >= 0; left -= 1) expect(await ask(urls[0])).toEqual([400, String(left)]);
    expect(await ask(urls[1])).toEqual([429, '0']);
    expect(await ask(urls[0])).toEqual([429, '0']);
  });

  it('is counted per process while the database is unavailable, and together afterwards', async () => {
    await store().readSource.query('ALTER TABLE rate_limit_counters RENAME TO away');
    const admitted = await Promise.all(Array.from({ length: 15 }, () => isAdmitted(urls[0])));
    expect(admitted.filter(Boolean)).toHaveLength(10);
    expect(await isAdmitted(urls[1])).toBe(true);
    await store().readSource.query('ALTER TABLE away RENAME TO rate_limit_counters');
    await eventually(async () => {
      await isAdmitted(urls[0]);
      return (await rows()).length > 0;
    });
  });
});

it('a limit admits exactly its number, for any distribution of requests, with few statements', async () => {
  await start({ RATE_LIMIT_SESSIONS: '200' });
  const statements = [first.app, second].map((app) => jest.spyOn(app.get<Store>(STORE).readSource, 'query'));
  const admitted = await Promise.all(Array.from({ length: 300 }, (_, index) => isAdmitted(urls[index % 3 === 0 ? 1 : 0])));
  const count = admitted.filter(Boolean).length;
  expect(count).toBeLessThanOrEqual(200);
  // Each process may hold a portion that it does not use.
  expect(count).toBeGreaterThanOrEqual(200 - 2 * 4);
  const sent = statements.flatMap(({ mock }) => mock.calls).filter(([sql]) => sql.includes('rate_limit_counters'));
  expect(sent.length).toBeLessThanOrEqual(200 / 4 + 2);
});

it('an expired window starts anew, and counters of expired windows are deleted', async () => {
  await start({ RATE_LIMIT_SESSIONS: '1', RATE_LIMIT_WINDOW_SECONDS: '3' });
  expect(await isAdmitted(urls[0])).toBe(true);
  expect(await isAdmitted(urls[1])).toBe(false);
  await eventually(() => isAdmitted(urls[1]));
  expect((await rows()).map(({ kind }) => kind)).toEqual(['sessions']);
  await eventually(async () => {
    await first.app.get(RateLimits).sweep();
    return (await rows()).length === 0;
  });
  expect(await isAdmitted(urls[0])).toBe(true);
});

it('the administrator has no limit', async () => {
  await start({ RATE_LIMIT_REQUESTS: '1' });
  for (let count = 0; count < 3; count += 1) {
    const { status } = await fetch(`${urls[0]}/api/agents`, { headers: { 'x-api-key': ADMIN } });
    expect(status).toBe(200);
  }
  expect(await rows()).toEqual([]);
});
