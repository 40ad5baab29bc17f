// A disk that fills up, and a clock that jumps, as those notice it who send deliveries.
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { sign } from '@octokit/webhooks-methods';
import { STORE, type Store } from '../../src/core/database/index.js';
import { DeliveriesRepository } from '../../src/modules/plugins/webhooks/deliveries.repository.js';
import type { ApiResponse } from '../support/api-client.js';
import { FakeClock } from '../support/fake-clock.js';
import { createWebhookApp, held, type WebhookApp } from '../support/webhook-app.js';

const SECRET = 'a secret of the tests';
const HOOKS = {
  '/ack': { verify: 'github', secret: 'SECRET_OF_TESTS', mode: 'ack', timeoutMs: 600_000 },
  '/inline': { verify: 'github', secret: 'SECRET_OF_TESTS' },
} as const;
const NO_ROOM = `CREATE TRIGGER no_room BEFORE UPDATE ON webhook_deliveries WHEN NEW.status = 'done' BEGIN SELECT RAISE(ABORT, 'no room'); END`;
const NOTHING_BUT_CLAIMS = `CREATE TRIGGER nothing_but_claims BEFORE UPDATE ON webhook_deliveries
  WHEN OLD.status = 'running' AND NEW.attempts = OLD.attempts BEGIN SELECT RAISE(ABORT, 'no room'); END`;
// Small steps: what is done at a heartbeat is done long before a lease runs out.
const STEP_MS = 100;
const STEPS_OVER_A_HEARTBEAT = 150;
const STEPS_OVER_A_LEASE = 400;

let app: WebhookApp;
let clock: FakeClock;
beforeEach(async () => {
  clock = new FakeClock();
  app = await createWebhookApp(HOOKS, { SECRET_OF_TESTS: SECRET }, { clock, env: { SHUTDOWN_GRACE_MS: '0' } });
});
afterEach(() => app.close());

async function deliver(id: string, body: unknown = { id }, path: keyof typeof HOOKS = '/ack'): Promise<ApiResponse> {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'x-github-delivery': id, 'x-hub-signature-256': await sign(SECRET, text) };
  return app.api.send('POST', path, text, { headers });
}

async function find(deliveryId: string): Promise<{ id: string; status: string } | undefined> {
  const { body } = await app.api.get('/api/plugins/hooks/deliveries');
  return (body.data.deliveries as { id: string; status: string }[]).find(({ id }) => id === deliveryId);
}

const execute = (sql: string): Promise<unknown> => app.test.app.get<Store>(STORE).unitOfWork.run('execute', ({ rows }) => rows(sql, []));

it('a delivery without space is refused with 507, and accepted once there is some', async () => {
  const { reader } = app.test.app.get<Store>(STORE);
  const [row] = await reader.rows<{ page_count: number }>('PRAGMA page_count');
  await execute(`PRAGMA max_page_count=${row!.page_count}`);
  const large = { text: 'x'.repeat(100_000) };
  expect(await deliver('one', large)).toMatchObject({ status: 507, body: { success: false, error: 'The disk is full.' } });
  await execute(`PRAGMA max_page_count=${row!.page_count + 10_000}`);
  expect(await deliver('one', large)).toMatchObject({ status: 202 });
});

it('a delivery whose end could not be stored is not repeated, and completed when possible, also while others run', async () => {
  await execute(NO_ROOM);
  app.handlers.reactions.push(held(200).reaction, 200);
  await deliver('runs on');
  await app.handlers.called(1);
  const { deliveryId } = (await deliver('one')).body;
  await app.handlers.called(2);
  for (let count = 0; count < STEPS_OVER_A_HEARTBEAT; count += 1) {
    clock.advance(STEP_MS);
    expect(await find(deliveryId)).toMatchObject({ status: 'running' });
  }
  await execute('DROP TRIGGER no_room');
  while ((await find(deliveryId))?.status !== 'done') clock.advance(STEP_MS);
  expect(await find(deliveryId)).toMatchObject({ attempts: 1 });
  expect(app.handlers.calls).toHaveLength(2);
});

it('a delivery whose end could not be stored is not repeated, even if its lease could not be renewed', async () => {
  await execute(NOTHING_BUT_CLAIMS);
  const { deliveryId } = (await deliver('one')).body;
  await app.handlers.called(1);
  for (let count = 0; count < STEPS_OVER_A_LEASE; count += 1) {
    clock.advance(STEP_MS);
    expect(await find(deliveryId)).toMatchObject({ status: 'running' });
  }
  await deliver('two');
  await app.handlers.called(2);
  await execute('DROP TRIGGER nothing_but_claims');
  while ((await find(deliveryId))?.status !== 'done') clock.advance(STEP_MS);
  expect(await find(deliveryId)).toMatchObject({ attempts: 1 });
  expect(app.handlers.calls.map(({ request }) => request.body)).toEqual([{ id: 'one' }, { id: 'two' }]);
});

it('a delivery whose claim got no response from the database is released and handled, also while others run', async () => {
  app.handlers.reactions.push(held(200).reaction);
  await deliver('runs on');
  await app.handlers.called(1);
  const repository = app.test.app.get(DeliveriesRepository);
  const take = repository.claim.bind(repository);
  jest.spyOn(repository, 'claim').mockImplementationOnce(async (...values) => {
    await take(...values);
    throw new Error('Connection terminated');
  });
  const { deliveryId } = (await deliver('one')).body;
  while ((await find(deliveryId))?.status !== 'done') clock.advance(STEP_MS);
  expect(await find(deliveryId)).toMatchObject({ attempts: 1 });
  expect(app.handlers.calls).toHaveLength(2);
});

it('an inline delivery whose end could not be stored is neither refused nor repeated on redelivery', async () => {
  await execute(NO_ROOM);
  expect((await deliver('one', {}, '/inline')).status).toBe(500);
  expect((await deliver('one', {}, '/inline')).status).toBe(500);
  await execute('DROP TRIGGER no_room');
  expect(await deliver('one', {}, '/inline')).toMatchObject({ status: 200, body: { success: true, duplicate: true } });
  expect(app.handlers.calls).toHaveLength(1);
});

it('an inline delivery that is being handled is not handled again when the clock jumps over its lease', async () => {
  const { reaction, open } = held(200);
  app.handlers.reactions.push(reaction);
  const first = deliver('one', {}, '/inline');
  await app.handlers.called(1);
  jest.spyOn(clock, 'now').mockReturnValue(clock.now() + 600_000);
  expect(await deliver('one', {}, '/inline')).toMatchObject({ status: 409, body: { error: 'This delivery is being handled' } });
  open();
  expect(await first).toMatchObject({ status: 200 });
  expect(await deliver('one', {}, '/inline')).toMatchObject({ status: 200, body: { duplicate: true } });
  expect(app.handlers.calls).toHaveLength(1);
});

it('an inline delivery that was handled is a duplicate, also for those who repeat it at the same time', async () => {
  await deliver('one', {}, '/inline');
  const answers = await Promise.all([1, 2, 3].map(() => deliver('one', {}, '/inline')));
  expect(answers.map(({ status, body }) => [status, body.duplicate])).toEqual([1, 2, 3].map(() => [200, true]));
});
