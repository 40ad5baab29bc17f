import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { ApiClient, type Answer } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { Gate } from '../support/scripted-model.js';
import { allEvents, serverEvents } from '../support/sse-client.js';

const SESSIONS = '/api/messaging/sessions';
const USER_ID = idFromText('the user');
const MINUTE = 60_000;
const iso = (at: number): string => new Date(at).toISOString();

let clock: FakeClock;
let test: TestApp;
let api: ApiClient;

beforeAll(async () => {
  clock = new FakeClock();
  test = await createTestApp({
    clock,
    characters: [
      { name: 'Ada', bio: 'Counts.' },
      {
        name: 'Short',
        bio: 'Has no time.',
        settings: { SESSION_TIMEOUT_MINUTES: '10', SESSION_AUTO_RENEW: 'false', SESSION_WARNING_THRESHOLD_MINUTES: 'x' },
      },
    ],
  });
  api = new ApiClient(() => test.url);
});

afterAll(() => test.close());

const parties = { agentId: ADA.id, userId: USER_ID };
const create = (body: object = {}): Promise<Answer> => api.post(SESSIONS, { ...parties, ...body });
async function aSession(body: object = {}): Promise<Answer['body']> {
  const { status, body: session } = await create(body);
  expect(status).toBe(201);
  return { ...session, path: `${SESSIONS}/${session.sessionId}` };
}

function expectRefusal({ status, body }: Answer, expected: number, code: string, message?: string): void {
  expect({ status, code: body.error?.code }).toEqual({ status: expected, code });
  expect(body.success).toBe(false);
  for (const field of ['code', 'message', 'details']) expect(body.error[field]).toMatch(/./);
  if (message !== undefined) expect(body.error.message).toBe(message);
}

describe('creating a session', () => {
  it('returns it twice: under data, and at the top level', async () => {
    const metadata = { platform: 'web', username: 'zoe', extra: [1] };
    const { status, body, headers } = await create({ metadata });
    const now = clock.now();
    const session = {
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...parties,
      createdAt: iso(now),
      expiresAt: iso(now + 30 * MINUTE),
      metadata,
      timeoutConfig: { timeoutMinutes: 30, autoRenew: true, maxDurationMinutes: 720, warningThresholdMinutes: 5 },
      channelId: expect.any(String),
      lastActivity: iso(now),
      renewalCount: 0,
      timeRemaining: 30 * MINUTE,
      isNearExpiration: false,
      status: 'active',
    };
    expect(status).toBe(201);
    expect(body).toEqual({ success: true, data: session, ...session });
    expect(headers.get('x-session-expires-at')).toBe(session.expiresAt);
  });

  it('uses empty metadata by default, and accepts ids in upper case', async () => {
    const { body } = await create({ agentId: ADA.id.toUpperCase(), userId: USER_ID.toUpperCase() });
    expect(body).toMatchObject({ ...parties, metadata: {} });
  });

  it('creates a channel with agent and user, whose metadata the caller cannot forge', async () => {
    const { sessionId, channelId } = await aSession({ metadata: { sessionId: 'x', agentId: 'y', userId: 'z', platform: 'web' } });
    const { body } = await api.get(`/api/messaging/channels/${channelId}`);
    expect(body.data).toMatchObject({ name: `session-${sessionId}`, type: 'DM', metadata: { sessionId, ...parties, platform: 'web' } });
    expect(body.data.metadata.participantCentralUserIds.sort()).toEqual([ADA.id, USER_ID].sort());
  });

  it.each([
    [{ agentId: undefined }, 'Missing required fields: agentId, userId'],
    [{ userId: undefined }, 'Missing required fields: agentId, userId'],
    [{ agentId: undefined, userId: undefined }, 'Missing required fields: agentId, userId'],
    [{ agentId: 7, userId: 'x' }, 'Missing required fields: agentId, userId'],
    [{ agentId: 'x' }, "Invalid UUID format for field 'agentId'"],
    [{ agentId: 'x', userId: 'x' }, "Invalid UUID format for field 'agentId'"],
    [{ userId: `${USER_ID}0` }, "Invalid UUID format for field 'userId'"],
    [{ metadata: [] }, 'Invalid metadata: it must be a JSON object of at most 10240 characters'],
    [{ metadata: null }, 'Invalid metadata: it must be a JSON object of at most 10240 characters'],
    [{ metadata: 'web' }, 'Invalid metadata: it must be a JSON object of at most 10240 characters'],
    [{ metadata: { text: 'x'.repeat(10_230) } }, 'Invalid metadata: it must be a JSON object of at most 10240 characters'],
    [{ metadata: { avatar: 7 } }, 'Invalid metadata: avatar must be text'],
    [{ metadata: { platform: null } }, 'Invalid metadata: platform must be text'],
    ...['soon', null, 7, [], true].map(
      (timeoutConfig) => [{ timeoutConfig }, 'Invalid timeout configuration: timeoutConfig must be an object'] as const,
    ),
    ...[4, 1441, 0, -5, 30.5, '30', null, true, [30]].map(
      (timeoutMinutes) =>
        [
          { timeoutConfig: { timeoutMinutes } },
          'Invalid timeout configuration: timeoutConfig.timeoutMinutes must be an integer from 5 to 1440',
        ] as const,
    ),
    ...['true', 1, null].map(
      (autoRenew) =>
        [{ timeoutConfig: { autoRenew } }, 'Invalid timeout configuration: timeoutConfig.autoRenew must be true or false'] as const,
    ),
    ...[0, -1, 1.5, '60', null, false].flatMap((minutes) =>
      ['maxDurationMinutes', 'warningThresholdMinutes'].map(
        (field) =>
          [
            { timeoutConfig: { [field]: minutes } },
            `Invalid timeout configuration: timeoutConfig.${field} must be an integer from 1 to 2147483647`,
          ] as const,
      ),
    ),
    [
      { timeoutConfig: { maxDurationMinutes: 1e12 } },
      'Invalid timeout configuration: timeoutConfig.maxDurationMinutes must be an integer from 1 to 2147483647',
    ],
    [{ turnPolicy: 'sometimes' }, 'turnPolicy must be one of the following values: enqueue, reject, interrupt'],
  ] as (readonly [object, string])[])('refuses invalid body %#', async (body, message) => {
    expectRefusal(await create(body), 400, 'VALIDATION_ERROR', message);
  });

  it.each([
    ['nothing', undefined],
    ['a list', []],
  ])('refuses a body that is %s', async (_, body) => {
    expectRefusal(await api.post(SESSIONS, body, { headers: { 'content-type': 'application/json' } }), 400, 'VALIDATION_ERROR');
  });

  it('refuses an unknown agent, after all other checks', async () => {
    const agentId = idFromText('nobody');
    expectRefusal(await create({ agentId }), 404, 'AGENT_NOT_FOUND', `Agent with ID '${agentId}' not found`);
    expectRefusal(await create({ agentId, metadata: 1 }), 400, 'VALIDATION_ERROR');
  });

  it('accepts the limits themselves, and ignores unknown fields', async () => {
    for (const timeoutMinutes of [5, 1440]) {
      const { timeoutConfig } = await aSession({ timeoutConfig: { timeoutMinutes, other: 'x' }, other: 1 });
      expect(timeoutConfig).toEqual({ timeoutMinutes, autoRenew: true, maxDurationMinutes: 720, warningThresholdMinutes: 5 });
    }
  });

  it("uses the agent's settings for missing fields", async () => {
    const { timeoutConfig } = await aSession({ agentId: idFromText('Short'), timeoutConfig: { maxDurationMinutes: 20 } });
    expect(timeoutConfig).toEqual({ timeoutMinutes: 10, autoRenew: false, maxDurationMinutes: 20, warningThresholdMinutes: 5 });
  });
});

describe('a session', () => {
  it('is returned in its current state', async () => {
    const { path, sessionId, createdAt } = await aSession();
    clock.advance(26 * MINUTE);
    const { status, body, headers } = await api.get(path);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      sessionId,
      createdAt,
      timeRemaining: 4 * MINUTE,
      isNearExpiration: true,
      status: 'expiring',
      renewalCount: 0,
    });
    expect(headers.get('x-session-expires-at')).toBe(body.expiresAt);
  });

  it.each(['nobody', 'health-', '%00', idFromText('no session')])('is not found under %s', async (id) => {
    expectRefusal(await api.get(`${SESSIONS}/${id}`), 404, 'SESSION_NOT_FOUND', `Session with ID '${decodeURIComponent(id)}' not found`);
  });

  it('is renewed, also without automatic renewal', async () => {
    const { path } = await aSession({ timeoutConfig: { autoRenew: false } });
    clock.advance(MINUTE);
    const { status, body } = await api.post(`${path}/renew`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, renewalCount: 1, expiresAt: iso(clock.now() + 30 * MINUTE), data: { renewalCount: 1 } });
  });

  it('is not renewed beyond its maximum duration', async () => {
    const { path, createdAt, sessionId } = await aSession({ timeoutConfig: { maxDurationMinutes: 40 } });
    clock.advance(20 * MINUTE);
    expect((await api.post(`${path}/renew`)).body.timeRemaining).toBe(20 * MINUTE);
    const refusal = await api.post(`${path}/renew`);
    expectRefusal(refusal, 422, 'SESSION_RENEWAL_FAILED', `Cannot renew session '${sessionId}': Maximum duration reached`);
    expect(JSON.parse(refusal.body.error.details)).toEqual({ maxDuration: 40, createdAt, timeSinceCreation: 20 * MINUTE });
    expect((await api.post(`${path}/heartbeat`)).body).toMatchObject({ renewalCount: 1, lastActivity: iso(clock.now()) });
  });

  it('is configured field by field', async () => {
    const { path } = await aSession({ timeoutConfig: { autoRenew: false, warningThresholdMinutes: 7 } });
    const { status, body } = await api.patch(`${path}/timeout`, { timeoutMinutes: 60 });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      timeoutConfig: { timeoutMinutes: 60, autoRenew: false, maxDurationMinutes: 720, warningThresholdMinutes: 7 },
      timeRemaining: 60 * MINUTE,
    });
    expectRefusal(
      await api.patch(`${path}/timeout`, { timeoutMinutes: 1441 }),
      400,
      'VALIDATION_ERROR',
      'Invalid timeout configuration: timeoutMinutes must be an integer from 5 to 1440',
    );
    expectRefusal(await api.patch(`${path}/timeout`, []), 400, 'VALIDATION_ERROR');
    expect((await api.patch(`${path}/timeout`, {})).body.timeoutConfig.timeoutMinutes).toBe(60);
  });

  it('is expired in every operation, until it is deleted', async () => {
    const { path, sessionId, expiresAt } = await aSession();
    clock.advance(30 * MINUTE);
    const requests = [
      api.get(path),
      api.post(`${path}/renew`),
      api.post(`${path}/heartbeat`),
      api.patch(`${path}/timeout`, {}),
      api.post(`${path}/messages`, { content: 'x' }),
      api.get(`${path}/messages`),
      api.get(`${path}/messages/${idFromText('x')}/events`),
      api.get(`${path}/events`),
    ];
    for (const answer of await Promise.all(requests)) {
      expectRefusal(answer, 410, 'SESSION_EXPIRED', `Session '${sessionId}' expired at ${expiresAt}`);
    }
    clock.advance(-20 * MINUTE);
    expectRefusal(await api.get(path), 410, 'SESSION_EXPIRED');
    clock.advance(20 * MINUTE);
    expect((await api.delete(path)).status).toBe(200);
    expectRefusal(await api.get(path), 404, 'SESSION_NOT_FOUND');
  });

  it('is deleted once; its channel stays', async () => {
    const { path, sessionId, channelId } = await aSession();
    const { status, body } = await api.delete(path);
    const answer = { success: true, message: `Session ${sessionId} deleted successfully`, sessionId };
    expect({ status, body }).toEqual({ status: 200, body: { ...answer, data: answer } });
    for (const again of [await api.delete(path), await api.get(path), await api.post(`${path}/renew`)]) {
      expectRefusal(again, 404, 'SESSION_NOT_FOUND');
    }
    expect((await api.get(`/api/messaging/channels/${channelId}/messages`)).status).toBe(200);
  });

  it('is deleted with its channel', async () => {
    const { path, channelId } = await aSession();
    await api.delete(`/api/messaging/channels/${channelId}`);
    expectRefusal(await api.post(`${path}/messages`, { content: 'x' }), 404, 'SESSION_NOT_FOUND');
  });
});

describe('the list of sessions', () => {
  it('shows active ones, newest first, filtered and in pages', async () => {
    const userId = idFromText('somebody else');
    const ids: string[] = [];
    for (const timeoutMinutes of [5, 30, 30, 30]) {
      ids.unshift((await aSession({ userId, timeoutConfig: { timeoutMinutes } })).sessionId);
      clock.advance(1000);
    }
    clock.advance(5 * MINUTE);
    await api.delete(`${SESSIONS}/${ids[0]}`);
    const list = async (query: string): Promise<Answer> => api.get(`${SESSIONS}?userId=${userId}${query}`);
    const { status, body } = await list('');
    expect(status).toBe(200);
    expect(body.data.sessions.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual([ids[1], ids[2]]);
    expect(body).toMatchObject({ success: true, total: 2, sessions: body.data.sessions });
    expect((await list('&limit=1&offset=1')).body).toMatchObject({ total: 2, sessions: [{ sessionId: ids[2] }] });
    expect((await list(`&agentId=${idFromText('Short')}`)).body).toMatchObject({ total: 0, sessions: [] });
    const all = (await api.get(SESSIONS)).body;
    expect(all.stats).toEqual({
      totalSessions: all.total + all.stats.expiredSessions,
      activeSessions: all.total,
      expiredSessions: expect.any(Number),
    });
    expect(all.stats.expiredSessions).toBeGreaterThan(0);
  });

  it.each(['agentId=x', 'limit=-1', 'limit=ten', 'offset=1.5', 'limit=1&limit=2'])('refuses ?%s', async (query) => {
    expectRefusal(await api.get(`${SESSIONS}?${query}`), 400, 'VALIDATION_ERROR');
  });

  it('has a separate health operation', async () => {
    const { status, body } = await api.get(`${SESSIONS}/health`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      status: 'healthy',
      activeSessions: expect.any(Number),
      expiringSoon: expect.any(Number),
      timestamp: iso(clock.now()),
      uptime: expect.any(Number),
    });
    expect(body.activeSessions).toBe(body.data.activeSessions);
  });
});

describe('a message to a session', () => {
  afterEach(() => test.model.assertDone());

  it('is stored, renews the session, and gets its reply as events by default', async () => {
    const { path, channelId, sessionId } = await aSession({ metadata: { username: 'zoe' } });
    clock.advance(MINUTE);
    test.model.reply('Hello, Zoe.');
    const { status, body, headers } = await api.post(`${path}/messages`, {
      content: 'Hello',
      metadata: { mood: 'good', sessionId: 'forged' },
    });
    expect(status).toBe(201);
    const sessionStatus = { expiresAt: iso(clock.now() + 30 * MINUTE), renewalCount: 1, wasRenewed: true, isNearExpiration: false };
    const { id, userMessage } = body;
    const { createdAt, metadata } = userMessage;
    expect(userMessage).toMatchObject({
      channel_id: channelId,
      author_id: USER_ID,
      authorId: USER_ID,
      authorName: 'zoe',
      content: 'Hello',
      source_type: 'user',
      raw_message: { content: 'Hello' },
      metadata: { mood: 'good', sessionId },
    });
    const { replyId } = body;
    const owed = { replyId, inReplyTo: id, replies: [{ agentId: ADA.id, replyId, inReplyTo: id }] };
    const answer = { id, content: 'Hello', authorId: USER_ID, createdAt, metadata, success: true, userMessage, sessionStatus, ...owed };
    expect(body).toEqual({ ...answer, data: answer });
    expect(headers.get('x-session-expires-at')).toBe(sessionStatus.expiresAt);
    const history = await eventually(
      async () => (await api.get(`${path}/messages`)).body.messages,
      (messages) => messages.length === 2,
    );
    expect(history).toMatchObject([
      { id: replyId, content: 'Hello, Zoe.', isAgent: true, authorId: ADA.id },
      { content: 'Hello', isAgent: false },
    ]);
  });

  it.each(['http', 'sync'])('gets its reply at once over %s', async (transport) => {
    const { path } = await aSession();
    test.model.reply('Four.');
    const { status, body } = await api.post(`${path}/messages`, { content: 'Two and two?', transport });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      success: true,
      content: 'Two and two?',
      agentResponse: { text: 'Four.' },
      sessionStatus: { wasRenewed: true },
    });
    expect(body.data).toMatchObject({ success: true, userMessage: { id: body.id }, agentResponse: { text: 'Four.', inReplyTo: body.id } });
  });

  it.each(['sse', 'stream'])('gets its reply in deltas over %s, and again from any of them', async (transport) => {
    const { path } = await aSession();
    test.model.deltas(['One, ', 'two.']);
    const response = await fetch(`${test.url}${path}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Count!', transport }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('x-session-expires-at')).toBe(iso(clock.now() + 30 * MINUTE));
    const events = await allEvents(response);
    expect(events[0]).toMatchObject({ event: 'user_message', data: { content: 'Count!' } });
    expect(events.at(-1)).toMatchObject({
      event: 'done',
      data: { type: 'complete', text: 'One, two.', sessionStatus: { wasRenewed: true, renewalCount: 1, isNearExpiration: false } },
    });
    const messageId = events[0]?.data.id;
    const resumed = await allEvents(
      await fetch(`${test.url}${path}/messages/${messageId}/events`, { headers: { 'last-event-id': String(events[0]?.id) } }),
    );
    expect(resumed.map(({ id }) => id)).toEqual(events.slice(1).map(({ id }) => id));
  });

  it('returns a warning about the expiry, and that it was not renewed', async () => {
    const { path } = await aSession({ timeoutConfig: { autoRenew: false } });
    clock.advance(26 * MINUTE);
    test.model.reply('Yes?');
    const { body } = await api.post(`${path}/messages`, { content: 'x', transport: 'http' });
    expect(body.sessionStatus).toMatchObject({ wasRenewed: false, renewalCount: 0, isNearExpiration: true });
    expect((await api.get(path)).body.lastActivity).toBe(iso(clock.now()));
  });

  it('is stored once per client id, and renews once', async () => {
    const { path } = await aSession();
    test.model.reply('Once.');
    const body = { content: 'x', clientMessageId: 'mine', transport: 'http' };
    const [first, second] = [await api.post(`${path}/messages`, body), await api.post(`${path}/messages`, body)];
    expect(second.body.id).toBe(first.body.id);
    expect(second.body).toMatchObject({ agentResponse: { text: 'Once.' }, sessionStatus: { wasRenewed: false, renewalCount: 1 } });
    expectRefusal(await api.post(`${path}/messages`, { ...body, content: 'y' }), 409, 'MESSAGE_EXISTS');
    expect((await api.get(path)).body.renewalCount).toBe(1);
  });

  it('keeps its attachments', async () => {
    const { path } = await aSession();
    test.model.reply('Nice.');
    const attachments = [{ type: 'image', url: 'http://127.0.0.1/x.png', name: 'x' }];
    const { body } = await api.post(`${path}/messages`, { content: 'Look', attachments, transport: 'http' });
    expect(body.userMessage).toMatchObject({ raw_message: { content: 'Look', attachments }, metadata: { attachments } });
  });

  it.each([
    [{ content: 'x', transport: 'pigeon' }, 'transport must be one of http, sync, sse, stream, websocket'],
    [{ content: 'x', transport: 7 }, 'transport must be one of http, sync, sse, stream, websocket'],
    [{ transport: 'pigeon' }, 'transport must be one of http, sync, sse, stream, websocket'],
    [{}, 'Missing required fields: content'],
    [{ content: 7 }, 'Missing required fields: content'],
    [{ content: null }, 'Missing required fields: content'],
    [{ content: '' }, 'Invalid content: Content cannot be empty'],
    [{ content: ' \n' }, 'Invalid content: Content cannot be empty'],
    [{ content: 'x'.repeat(4001) }, 'Invalid content: Content exceeds maximum length of 4000 characters'],
    [{ content: 'x', metadata: [] }, 'Invalid metadata: Metadata must be an object'],
    [{ content: 'x', metadata: { text: 'x'.repeat(10_230) } }, 'Invalid metadata: Metadata exceeds maximum length of 10240 characters'],
    [{ content: 'x', attachments: {} }, 'Invalid attachments: Attachments must be a list of objects'],
    [{ content: 'x', attachments: ['x'] }, 'Invalid attachments: Attachments must be a list of objects'],
    [{ content: 'x', clientMessageId: 'x'.repeat(256) }, 'Invalid clientMessageId: It must be text of 1 to 255 characters'],
  ])('is refused and renews nothing: invalid body %#', async (body, message) => {
    const { path } = await aSession();
    expectRefusal(await api.post(`${path}/messages`, body), 400, 'VALIDATION_ERROR', message);
    expect((await api.get(path)).body.renewalCount).toBe(0);
  });

  it('is checked in the order of the contract', async () => {
    const path = `${SESSIONS}/${idFromText('no session')}/messages`;
    expectRefusal(await api.post(path, { transport: 'pigeon' }), 400, 'VALIDATION_ERROR');
    expectRefusal(await api.post(path, {}), 400, 'VALIDATION_ERROR');
    expectRefusal(await api.post(path, undefined), 400, 'VALIDATION_ERROR');
    expectRefusal(await api.post(path, { content: '', metadata: 1 }), 404, 'SESSION_NOT_FOUND');
  });

  it('is refused while another waits for its reply, if the session is configured so', async () => {
    const { path } = await aSession({ turnPolicy: 'reject' });
    const gate = new Gate();
    test.model.deltas(['Done.'], { gate });
    const first = api.post(`${path}/messages`, { content: 'first', transport: 'http' });
    await test.model.called(test.model.requests.length + 1);
    expectRefusal(await api.post(`${path}/messages`, { content: 'second' }), 409, 'TURN_IN_PROGRESS');
    gate.open();
    expect((await first).body.agentResponse.text).toBe('Done.');
    expect((await api.get(path)).body.renewalCount).toBe(1);
  });
});

describe('the messages of a session', () => {
  it('are paged, newest first', async () => {
    const { path } = await aSession();
    for (const content of ['1', '2', '3']) {
      test.model.reply(`re ${content}`);
      await api.post(`${path}/messages`, { content, transport: 'http' });
    }
    const { body, headers } = await api.get(`${path}/messages?limit=2`);
    expect(body.data).toMatchObject({ hasMore: true, messages: [{ content: 're 3' }, { content: '3' }] });
    expect(body.messages).toEqual(body.data.messages);
    expect(headers.get('x-session-expires-at')).toMatch(/Z$/);
    const next = await api.get(`${path}/messages?before=${body.nextCursor.before}`);
    expect(next.body.messages.map(({ content }: { content: string }) => content)).toEqual(['re 2', '2', 're 1', '1']);
    expectRefusal(await api.get(`${path}/messages?before=soon`), 400, 'VALIDATION_ERROR');
  });
});

describe('the events of a session', () => {
  it('report renewals, the warning and the expiry, each once', async () => {
    const { path, channelId } = await aSession();
    const reading = new AbortController();
    const response = await fetch(`${test.url}${path}/events`, { signal: reading.signal });
    const events = serverEvents(response);
    expect((await events.next()).value).toMatchObject({ event: 'ready' });
    await api.post(`${path}/renew`);
    expect((await events.next()).value).toMatchObject({ event: 'session.renewed', data: { renewalCount: 1, channelId } });
    clock.advance(25 * MINUTE);
    expect((await events.next()).value).toMatchObject({
      event: 'session.warning',
      data: { minutesRemaining: 5, timeRemaining: 5 * MINUTE },
    });
    clock.advance(5 * MINUTE);
    expect((await events.next()).value).toMatchObject({ event: 'session.expired' });
    reading.abort();
    await expect(events.next()).rejects.toThrow();
  });

  it('arrive late after a restart', async () => {
    const { path } = await aSession();
    await test.restart();
    expect((await api.get(path)).status).toBe(200);
  });
});

async function eventually<T>(look: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await look();
    if (good(value)) return value;
  }
}
