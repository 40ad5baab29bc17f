// What holds of sessions across operations, restarts and streams. test/contract says what each operation accepts and answers.
import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { serverEvents } from '../support/sse-client.js';

const SESSIONS = '/api/messaging/sessions';
const CHANNELS = '/api/messaging/channels';
const USER_ID = idFromText('the user');
const MINUTE = 60_000;
const SHORT = {
  name: 'Short',
  bio: 'Has no time.',
  settings: { SESSION_TIMEOUT_MINUTES: '10', SESSION_AUTO_RENEW: 'false', SESSION_WARNING_THRESHOLD_MINUTES: 'x' },
};

let clock: FakeClock;
let test: TestApp;
let api: ApiClient;

beforeAll(async () => {
  clock = new FakeClock();
  test = await createTestApp({ clock, characters: [{ name: 'Ada', bio: 'Counts.' }, SHORT] });
  api = new ApiClient(() => test.url);
});

afterAll(() => test.close());

async function aSession(body: object = {}): Promise<ApiResponse['body']> {
  const { body: session } = await api.post(SESSIONS, { agentId: ADA.id, userId: USER_ID, ...body });
  return { ...session, path: `${SESSIONS}/${session.sessionId}` };
}

describe('a session', () => {
  afterEach(() => test.model.assertDone());

  it("uses the agent's settings for missing fields", async () => {
    const { timeoutConfig } = await aSession({ agentId: idFromText('Short'), timeoutConfig: { maxDurationMinutes: 20 } });
    expect(timeoutConfig).toEqual({ timeoutMinutes: 10, autoRenew: false, maxDurationMinutes: 20, warningThresholdMinutes: 5 });
  });

  it('is deleted with its channel', async () => {
    const { path, channelId } = await aSession();
    await api.delete(`${CHANNELS}/${channelId}`);
    for (const answer of [await api.get(path), await api.post(`${path}/messages`, { content: 'x' })]) {
      expect([answer.status, answer.body.error.code]).toEqual([404, 'SESSION_NOT_FOUND']);
    }
  });

  it('leaves a channel like any other when it is deleted', async () => {
    const { path, channelId } = await aSession();
    await api.delete(path);
    test.model.reply('Hello.');
    const answer = await api.post(`${CHANNELS}/${channelId}/messages`, { author_id: USER_ID, content: 'Hi', transport: 'http' });
    expect([answer.status, answer.body.data.agentResponse.text]).toEqual([201, 'Hello.']);
  });

  it('gets the promised reply after the acknowledgement of a message', async () => {
    const { path, channelId } = await aSession();
    const { events, stop } = await following(channelId);
    test.model.reply('Hello, Zoe.');
    const { replyId } = (await api.post(`${path}/messages`, { content: 'Hello' })).body;
    for await (const { event } of events) if (event === 'turn.finished') break;
    expect((await api.get(`${path}/messages`)).body.messages).toMatchObject([
      { id: replyId, content: 'Hello, Zoe.', isAgent: true },
      { content: 'Hello', isAgent: false },
    ]);
    stop();
  });

  it('sends its renewals, its warning and its expiry as events, each once [sessions.warning-delivery]', async () => {
    const { path, channelId } = await aSession();
    const { events, stop } = await following(channelId, `${path}/events`);
    await api.post(`${path}/renew`);
    expect((await events.next()).value).toMatchObject({ event: 'session.renewed', data: { renewalCount: 1, channelId } });
    clock.advance(25 * MINUTE);
    const left = { minutesRemaining: 5, timeRemaining: 5 * MINUTE };
    expect((await events.next()).value).toMatchObject({ event: 'session.warning', data: left });
    clock.advance(5 * MINUTE);
    expect((await events.next()).value).toMatchObject({ event: 'session.expired' });
    stop();
  });

  it('outlives a restart', async () => {
    const { path, sessionId, expiresAt } = await aSession();
    await test.restart();
    expect((await api.get(path)).body).toMatchObject({ sessionId, expiresAt, status: 'active' });
  });
});

/** The events of a channel from now on. */
async function following(
  channelId: string,
  path = `${CHANNELS}/${channelId}/events`,
): Promise<{ events: ReturnType<typeof serverEvents>; stop: () => void }> {
  const reading = new AbortController();
  const events = serverEvents(await fetch(test.url + path, { signal: reading.signal }));
  expect((await events.next()).value).toMatchObject({ event: 'ready' });
  return { events, stop: () => reading.abort() };
}
