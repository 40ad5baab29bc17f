// A body costs little before it is known whether its operation takes it. The tests count units of work, not time.
import { describe, expect, it, jest } from '@jest/globals';
import { ADA } from '../support/create-test-app.js';
import { membersListed } from '../support/work-units.js';
import { guardedApp, USER } from './support/guarded-app.js';

const app = guardedApp({ env: { RATE_LIMIT: 'off' } });
const { api } = app;

const fields = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`u${index}`, index]));
const session = { agentId: ADA.id, userId: USER };

describe('unknown fields', () => {
  it.each<[string, string, object, boolean]>([
    ['a session without a credential', '/api/messaging/sessions', { ...fields(4900), ...session }, false],
    ['a channel', '/api/messaging/channels', { ...fields(49_000), name: 'a channel' }, true],
  ])('of %s are not inspected', async (_words, path, body, known) => {
    const listed = await membersListed(async () => {
      expect((await api.post(path, body, known ? app.as() : {})).status).toBe(201);
    });
    expect(listed).toBeLessThan(4000);
  });

  it('of a list element are checked once, for their depth', async () => {
    const logs = [{ level: 'info', message: 'a line', ...fields(40_000) }];
    const listed = await membersListed(async () => {
      expect((await api.post('/api/server/logs', { logs }, app.as())).status).toBe(200);
    });
    expect(listed).toBeLessThan(44_000);
  });
});

describe('a body', () => {
  it.each<[string, object, boolean, number]>([
    ['5,001 fields without a credential', { ...fields(5001), ...session }, false, 10_000],
    ['50,001 fields', { ...fields(50_001), ...session }, true, 100_000],
    ['100,001 values in a list', { list: Array.from({ length: 100_001 }, () => 0) }, true, 100_000],
  ])('of %s is refused before it is parsed', async (_words, body, known, most) => {
    const parse = jest.spyOn(JSON, 'parse');
    const sent = JSON.stringify(body);
    const { status, body: answer } = await api.post('/api/messaging/sessions', body, known ? app.as() : {});
    const parsed = parse.mock.calls.some(([text]) => text === sent);
    parse.mockRestore();
    expect([status, answer.error.code, answer.error.message, parsed]).toEqual([
      400,
      'VALIDATION_ERROR',
      expect.stringContaining(`more than ${most} values`),
      false,
    ]);
  });

  it('of 100,000 values is accepted', async () => {
    const metadata = { list: Array.from({ length: 49_000 }, () => 0), text: ',[{:"'.repeat(10) };
    expect((await api.post('/api/messaging/channels', { name: 'a channel', metadata }, app.as())).status).toBe(201);
  });
});

describe('an event', () => {
  it.each<[string, object]>([
    ['50,001 fields', fields(50_001)],
    ['100,001 values in a list', { list: Array.from({ length: 100_001 }, () => 0) }],
  ])('of %s is refused', async (_words, payload) => {
    const { token } = await app.session();
    const socket = await app.socket(token);
    expect(await socket.ask('join', payload)).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('100000 values') },
    });
  });
});
