// A request that is sent again with its Idempotency-Key is carried out once: at once, over restarts, and when its first attempt died.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Reader, UnitOfWork } from '../../src/core/database/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { setReadOnly } from '../support/read-only-database.js';
import { Gate } from '../support/scripted-model.js';

const USER = '11111111-1111-1111-1111-111111111111';
const ADMIN = 'the administrator of the tests';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SESSIONS = '/api/messaging/sessions';
const CHANNELS = '/api/messaging/channels';

describe('a POST with an Idempotency-Key', () => {
  const clock = new FakeClock();
  const api = new ApiClient(() => test.url);
  let test: TestApp;
  let key: string;

  beforeAll(async () => {
    test = await createTestApp({ clock, env: { API_KEY: ADMIN } });
  });
  beforeEach(() => {
    key = randomUUID();
    test.model.always(() => 'Hello');
  });
  afterAll(() => test.close());

  const send = (path: string, body: unknown, idempotencyKey = key, apiKey = ADMIN): Promise<ApiResponse> =>
    api.post(path, body, { headers: { 'x-api-key': apiKey, 'idempotency-key': idempotencyKey } });
  const get = async (path: string): Promise<ApiResponse['body']> => (await api.get(path, { headers: { 'x-api-key': ADMIN } })).body.data;
  const outcome = ({ status, body }: ApiResponse): [number, string] => [status, body.error.code];
  const createChannel = async (): Promise<string> =>
    (await send(CHANNELS, { name: 'a channel', participantCentralUserIds: [ADA.id, USER] }, randomUUID())).body.data.id;
  const createSession = async (): Promise<{ sessionId: string }> =>
    (await send(SESSIONS, { agentId: ADA.id, userId: USER }, randomUUID())).body.data;
  /** As if the process had died when it had written and not yet answered. */
  const loseAnswer = (): Promise<unknown> =>
    test.app.get(UnitOfWork).commit([{ sql: 'UPDATE idempotency_keys SET status = NULL, response = NULL, lease_until = 0', params: [] }]);

  const operations: Record<string, () => Promise<[path: string, body: object]>> = {
    'a session': async () => [SESSIONS, { agentId: ADA.id, userId: USER }],
    'a channel': async () => [CHANNELS, { name: 'a channel' }],
    'a group channel': async () => ['/api/messaging/group-channels', { name: 'a group' }],
    "a session's message": async () => [`${SESSIONS}/${(await createSession()).sessionId}/messages`, { content: 'Hi' }],
    "a session's message that waits": async () => [
      `${SESSIONS}/${(await createSession()).sessionId}/messages`,
      { content: 'Hi', transport: 'http' },
    ],
    "a channel's message": async () => [`${CHANNELS}/${await createChannel()}/messages`, { author_id: USER, content: 'Hi' }],
    "an agent's message": async () => [
      '/api/messaging/submit',
      { channel_id: await createChannel(), author_id: ADA.id, content: 'Hi', raw_message: { text: 'Hi', actions: [] } },
    ],
    'a message server': async () => ['/api/messaging/message-servers', { name: 'a server', sourceType: 'test' }],
    'a world': async () => [`/api/agents/${ADA.id}/worlds`, { name: 'a world' }],
    'an API key': async () => ['/api/keys', { name: 'a key' }],
  };

  describe.each(Object.keys(operations))('for %s', (name) => {
    it('is answered the same again', async () => {
      const [path, body] = await operations[name]!();
      const first = await send(path, body);
      expect(first.status).toBe(201);
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      const again = await send(path, body);
      expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([201, 'true', first.body]);
      for (const header of ['content-type', 'x-parley-position']) expect(again.headers.get(header)).toBe(first.headers.get(header));
      expect((await send(path, body, randomUUID())).body).not.toEqual(first.body);
    });
  });

  it.each([
    'a session',
    'a channel',
    'a group channel',
    "a session's message",
    "a session's message that waits",
    "a channel's message",
    "an agent's message",
  ])('for %s is executed once although the first attempt was killed before its response', async (name) => {
    const [path, body] = await operations[name]!();
    const first = await send(path, body);
    await loseAnswer();
    const again = await send(path, body);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
    const idOf = ({ body: { data } }: ApiResponse): string => data.sessionId ?? data.id;
    expect(idOf(again)).toBe(idOf(first));
    expect(again.body.data.agentResponse).toEqual(first.body.data.agentResponse);
  });

  it('returns a new key to replace one whose response was lost', async () => {
    const first = await send('/api/keys', { name: 'a key' });
    await loseAnswer();
    const again = await send('/api/keys', { name: 'a key' });
    expect(again.body.data.key).toEqual(first.body.data.key);
    const statusWith = async ({ body }: ApiResponse): Promise<number> =>
      (await api.get('/api/agents', { headers: { 'x-api-key': body.data.token } })).status;
    expect([await statusWith(first), await statusWith(again)]).toEqual([401, 200]);
  });

  it('is not repeated when the outcome of the first attempt is unknown', async () => {
    const path = '/api/messaging/message-servers';
    const servers = async (): Promise<number> => (await get(path)).messageServers.length;
    await send(path, { name: 'a server', sourceType: 'test' });
    const before = await servers();
    await loseAnswer();
    expect(outcome(await send(path, { name: 'a server', sourceType: 'test' }))).toEqual([409, 'IDEMPOTENCY_OUTCOME_UNKNOWN']);
    expect(await servers()).toBe(before);
  });

  it('gets the same response after a restart', async () => {
    const first = await send(SESSIONS, { agentId: ADA.id, userId: USER });
    await test.restart();
    expect((await send(SESSIONS, { agentId: ADA.id, userId: USER })).body).toEqual(first.body);
  });

  it('is refused while the first attempt runs, and with another body', async () => {
    const path = `${SESSIONS}/${(await createSession()).sessionId}/messages`;
    const gate = new Gate();
    // No answer of an earlier test is still being made.
    await test.restart();
    test.model.deltas(['Hello'], { gate });
    const first = send(path, { content: 'Hi', transport: 'http' });
    await test.model.called();
    const meanwhile = await send(path, { content: 'Hi', transport: 'http' });
    expect([...outcome(meanwhile), meanwhile.headers.get('retry-after')]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS', '1']);
    expect(outcome(await send(path, { content: 'Ho', transport: 'http' }))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    gate.open();
    const answered = await first;
    expect((await send(path, { content: 'Hi', transport: 'http' })).body).toEqual(answered.body);
  });

  it('keeps its claim although renewals fail for a while', async () => {
    const path = `${SESSIONS}/${(await createSession()).sessionId}/messages`;
    const gate = new Gate();
    await test.restart();
    test.model.deltas(['Hello'], { gate });
    const first = send(path, { content: 'Hi', transport: 'http' });
    await test.model.called();
    const leases = async (): Promise<number> =>
      Number((await test.app.get(Reader).rows<{ at: number }>('SELECT max(lease_until) AS at FROM idempotency_keys'))[0]?.at);
    const noted = await leases();
    await setReadOnly(test, true);
    for (let seconds = 0; seconds < 20; seconds += 10) {
      clock.advance(10_000);
      // Written after what the clock has woken.
      expect((await api.post(SESSIONS, { agentId: ADA.id, userId: USER }, { headers: { 'x-api-key': ADMIN } })).status).toBe(503);
    }
    await setReadOnly(test, false);
    while ((await leases()) === noted) clock.advance(1000);
    expect(outcome(await send(path, { content: 'Hi', transport: 'http' }))).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    gate.open();
    expect((await first).status).toBe(201);
  });

  it('is executed once when it is sent ten times at once', async () => {
    const body = { agentId: ADA.id, userId: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(SESSIONS, body)));
    const done = answers.filter(({ status }) => status === 201);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map((answer) => answer.body.data.sessionId)).size).toBe(1);
    expect(answers.filter(({ status }) => status !== 201).every((answer) => outcome(answer)[0] === 409)).toBe(true);
    expect((await get(`${SESSIONS}?userId=${body.userId}`)).sessions).toHaveLength(1);
  });

  it('has a key per caller and operation', async () => {
    const other = (await send('/api/keys', { name: 'another', scope: 'write' }, randomUUID())).body.data.token as string;
    const mine = await send(CHANNELS, { name: 'mine' });
    const theirs = await send(CHANNELS, { name: 'mine' }, key, other);
    expect(theirs.status).toBe(201);
    expect(theirs.body.data.id).not.toBe(mine.body.data.id);
    expect((await send('/api/messaging/group-channels', { name: 'mine' })).status).toBe(201);
  });

  it('may be repeated after an error', async () => {
    const agentId = '99999999-9999-9999-9999-999999999999';
    expect((await send(SESSIONS, { agentId, userId: USER })).status).toBe(404);
    expect((await send(SESSIONS, { agentId: ADA.id, userId: USER })).status).toBe(201);
  });

  it('needs a valid key', async () => {
    expect(outcome(await send(CHANNELS, { name: 'x' }, 'k'.repeat(256)))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('stores nothing for an unauthorised caller, and no token in plain text', async () => {
    const count = async (): Promise<number> =>
      Number((await test.app.get(Reader).rows<{ n: number }>('SELECT count(*) AS n FROM idempotency_keys'))[0]?.n);
    const before = await count();
    expect((await send(CHANNELS, { name: 'x' }, key, 'wrong')).status).toBe(401);
    expect(await count()).toBe(before);
    const { token } = (await send(SESSIONS, { agentId: ADA.id, userId: USER })).body.data as { token: string };
    const files = await Promise.all(['', '-wal'].map((end) => readFile(join(test.config.dataDir, `parley.sqlite${end}`))));
    expect(files.some((bytes) => bytes.includes(token.slice(20, 60)))).toBe(false);
  });

  it('is forgotten after IDEMPOTENCY_HOURS', async () => {
    await send(CHANNELS, { name: 'x' });
    const rows = async (): Promise<number> => (await test.app.get(Reader).rows('SELECT id FROM idempotency_keys')).length;
    clock.advance(47 * HOUR);
    expect(await rows()).toBeGreaterThan(0);
    clock.advance(HOUR + MINUTE);
    for (let look = 0; look < 1000 && (await rows()) > 0; look++) clock.advance(MINUTE);
    expect(await rows()).toBe(0);
  });
});
