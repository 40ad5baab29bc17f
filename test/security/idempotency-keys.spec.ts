// Whose answer a repeated request gets. Without a credential the key alone shows that it is the same caller.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../src/core/database/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA } from '../support/create-test-app.js';
import { guardedApp, OTHER, USER } from './support/guarded-app.js';

const SESSIONS = '/api/messaging/sessions';
// A proxy on this machine may say who calls.
const app = guardedApp({ env: { TRUSTED_PROXIES: 'loopback' } });
const { api } = app;

const create = (key: string, { userId = USER, from = '192.0.2.1', token = '' } = {}): Promise<ApiResponse> =>
  api.post(SESSIONS, { agentId: ADA.id, userId }, { headers: { 'idempotency-key': key, 'x-forwarded-for': from, 'x-api-key': token } });
const sessionsOf = async (userId: string): Promise<number> =>
  app.data(await api.get(`${SESSIONS}?userId=${userId}`, app.as())).sessions.length;
const outcome = ({ status, body }: ApiResponse): [number, string] => [status, body.error.code];

describe('without a credential', () => {
  it.each(['192.0.2.1', '198.51.100.7', '2001:db8::1'])('a random UUID gets the same response, from %s too', async (from) => {
    const [key, userId] = [randomUUID(), randomUUID()];
    const first = await create(key, { userId });
    const again = await create(key, { userId, from });
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(await sessionsOf(userId)).toBe(1);
  });

  it('a random UUID with another body is refused, and reveals nothing of the first', async () => {
    const key = randomUUID();
    const first = app.data(await create(key));
    const other = await create(key, { userId: OTHER, from: '198.51.100.7' });
    expect(outcome(other)).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    for (const told of [first.sessionId, first.token, first.channelId, USER]) expect(JSON.stringify(other.body)).not.toContain(told);
  });

  it.each([
    ['a word', () => `retry-${randomUUID().slice(0, 8)}`],
    ['a number', () => String(Date.UTC(2026, 0, 1))],
    ['the nil UUID', () => '00000000-0000-0000-0000-000000000000'],
    ['a UUID made of a name', () => randomUUID().replace(/^(.{14})4/, '$15')],
    ['a UUID made of the time', () => randomUUID().replace(/^(.{14})4/, '$11')],
    ['a UUID of another variant', () => randomUUID().replace(/^(.{19})./, '$1c')],
    ['a UUID with something before it', () => `x${randomUUID()}`],
  ])('%s as the key creates one session, and is refused when repeated', async (_what, make) => {
    const [key, userId] = [make(), randomUUID()];
    expect((await create(key, { userId })).status).toBe(201);
    for (const again of [{ userId }, { userId, from: '198.51.100.7' }, { userId: OTHER }]) {
      const refused = await create(key, again);
      expect(outcome(refused)).toEqual([409, 'IDEMPOTENCY_KEY_NOT_RANDOM']);
      expect(refused.body.error.details).toContain('random UUID');
      expect(refused.body.data).toBeUndefined();
    }
    expect(await sessionsOf(userId)).toBe(1);
  });

  it('a guessable key is not resumed when its first request was interrupted', async () => {
    const [key, userId] = [`cut-${randomUUID().slice(0, 8)}`, randomUUID()];
    expect((await create(key, { userId })).status).toBe(201);
    await app.test.app
      .get(UnitOfWork)
      .commit([{ sql: 'UPDATE idempotency_keys SET status = NULL, response = NULL, lease_until = 0, written = 0', params: [] }]);
    expect(outcome(await create(key, { userId }))).toEqual([409, 'IDEMPOTENCY_KEY_NOT_RANDOM']);
    expect(await sessionsOf(userId)).toBe(1);
  });

  it('such a key creates one session for ten concurrent requests', async () => {
    const [key, userId] = [`burst-${randomUUID().slice(0, 8)}`, randomUUID()];
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(key, { userId })));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(await sessionsOf(userId)).toBe(1);
  });

  it('such a key is free again after an error', async () => {
    const [key, userId] = [`refused-${randomUUID().slice(0, 8)}`, randomUUID()];
    expect(outcome(await create(key, { userId: 'nobody' }))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await create(key, { userId })).status).toBe(201);
  });

  it('a wrong credential counts as none', async () => {
    const [key, userId] = [`wrong-${randomUUID().slice(0, 8)}`, randomUUID()];
    expect((await create(key, { userId, token: 'wrong' })).status).toBe(201);
    expect(outcome(await create(key, { userId }))).toEqual([409, 'IDEMPOTENCY_KEY_NOT_RANDOM']);
  });
});

it('with a credential any text is a key, per caller and from every address', async () => {
  const [one, two] = [await app.key({ scope: 'write' }), await app.key({ scope: 'write' })];
  const key = `mine-${randomUUID().slice(0, 8)}`;
  const first = await create(key, { token: one });
  expect((await create(key, { token: one, from: '198.51.100.7' })).body).toEqual(first.body);
  const others = await Promise.all([create(key, { token: two }), create(key)]);
  const ids = [first, ...others].map((answer) => app.data(answer).sessionId);
  expect(new Set(ids).size).toBe(3);
});
