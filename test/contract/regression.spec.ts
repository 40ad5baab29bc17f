// Regressions: behaviour in which the original service and its copies fail (contract 10.2), for the operations of this service.
// Paging has its own file: message-paging.spec.ts.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/core/errors/index.js';
import { DEFAULT_SERVER_ID } from '../../src/core/ids/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { Gate } from '../support/scripted-model.js';
import { SocketClient } from '../support/socket-client.js';
import { allEvents, serverEvents } from '../support/sse-client.js';
import { CHANNELS, contractApp, MINUTE, NOBODY, SESSIONS, SUBMIT, USER } from './support/contract-app.js';
import { UUID_V0, ZERO_UUID } from './support/kinds.js';

/** What the rows below are about: a fresh session and a fresh channel with one message. */
interface Place {
  readonly sessionId: string;
  readonly channelId: string;
  readonly messageId: string;
}

type Call = [operation: string, method: string, path: (place: Place) => string, body: object | undefined, status: number];

/** Every operation, asked for something that it does. */
const CALLS: Call[] = [
  ['list agents', 'GET', () => '/api/agents', undefined, 200],
  ['create a room', 'POST', () => `/api/agents/${ADA.id}/rooms`, { name: 'Support' }, 201],
  ['create a world', 'POST', () => `/api/agents/${ADA.id}/worlds`, { name: 'Lobby' }, 201],
  ['list channels', 'GET', () => `/api/messaging/message-servers/${DEFAULT_SERVER_ID}/channels`, undefined, 200],
  ['create a channel', 'POST', () => CHANNELS, { name: 'room' }, 201],
  ['read a channel', 'GET', ({ channelId }) => `${CHANNELS}/${channelId}`, undefined, 200],
  ['read the details of a channel', 'GET', ({ channelId }) => `${CHANNELS}/${channelId}/details`, undefined, 200],
  ['update a channel', 'PATCH', ({ channelId }) => `${CHANNELS}/${channelId}`, { name: 'After' }, 200],
  ['post to a channel', 'POST', ({ channelId }) => `${CHANNELS}/${channelId}/messages`, { author_id: USER, content: 'Hello.' }, 201],
  ['list the messages of a channel', 'GET', ({ channelId }) => `${CHANNELS}/${channelId}/messages`, undefined, 200],
  ['submit a message', 'POST', () => SUBMIT, undefined, 201],
  ['create a session', 'POST', () => SESSIONS, { agentId: ADA.id, userId: USER }, 201],
  ['list sessions', 'GET', () => SESSIONS, undefined, 200],
  ['ask how sessions are', 'GET', () => `${SESSIONS}/health`, undefined, 200],
  ['read a session', 'GET', ({ sessionId }) => `${SESSIONS}/${sessionId}`, undefined, 200],
  ['renew a session', 'POST', ({ sessionId }) => `${SESSIONS}/${sessionId}/renew`, undefined, 200],
  ['configure a session', 'PATCH', ({ sessionId }) => `${SESSIONS}/${sessionId}/timeout`, { timeoutMinutes: 10 }, 200],
  ['keep a session alive', 'POST', ({ sessionId }) => `${SESSIONS}/${sessionId}/heartbeat`, undefined, 200],
  ['post to a session', 'POST', ({ sessionId }) => `${SESSIONS}/${sessionId}/messages`, { content: 'Hello.' }, 201],
  ['list the messages of a session', 'GET', ({ sessionId }) => `${SESSIONS}/${sessionId}/messages`, undefined, 200],
  ['delete a session', 'DELETE', ({ sessionId }) => `${SESSIONS}/${sessionId}`, undefined, 200],
  ['delete a message', 'DELETE', ({ channelId, messageId }) => `${CHANNELS}/${channelId}/messages/${messageId}`, undefined, 204],
  ['clear a channel', 'DELETE', ({ channelId }) => `${CHANNELS}/${channelId}/messages`, undefined, 204],
  ['delete a channel', 'DELETE', ({ channelId }) => `${CHANNELS}/${channelId}`, undefined, 204],
  ['say ping', 'GET', () => '/api/server/ping', undefined, 200],
  ['say hello', 'GET', () => '/api/server/hello', undefined, 200],
  ['ask for the status', 'GET', () => '/api/server/status', undefined, 200],
  ['ask for the health', 'GET', () => '/api/server/health', undefined, 200],
  ['ask for the version', 'GET', () => '/api/system/version', undefined, 200],
];

const WITHOUT_BODY = CALLS.filter(([operation, , , body]) => body === undefined && operation !== 'submit a message');
const READING = CALLS.filter(([, method]) => method === 'GET');
const DELETING = CALLS.filter(([, , , , status]) => status === 204);

/** What some clients put behind every address; only routes of plugins have a use for it. */
const AGENT_QUERIES: [name: string, query: string][] = [
  ['an agent', `agentId=${ADA.id}`],
  ['no agent', `agentId=${NOBODY}`],
  ['two agents', `agentId=${ADA.id}&agentId=${BOB.id}`],
];

const STRANGE_IDS: [name: string, id: string][] = [
  ['the all-zero UUID', ZERO_UUID],
  ['a UUID of version 0', UUID_V0],
  ['a UUID of version 0 in upper case', UUID_V0.toUpperCase()],
];

describe('regressions', () => {
  const app = contractApp();
  const { api, clock } = app;

  beforeEach(() => {
    app.test.model.always(() => 'Yes.');
  });

  async function newPlace(): Promise<Place> {
    const { sessionId } = await app.newSession();
    const { id: channelId } = await app.newChannel({ participants: [USER] });
    const { id: messageId } = await app.say(channelId, 'First.');
    return { sessionId, channelId, messageId };
  }

  async function call([operation, method, path, body]: Call, query = '', headers: Record<string, string> = {}): Promise<ApiResponse> {
    const place = await newPlace();
    const given = operation === 'submit a message' ? { channel_id: place.channelId, author_id: ADA.id, content: 'Done.' } : body;
    return api.send(method, path(place) + query, given, { headers });
  }

  describe('a JSON content type without a body', () => {
    it.each(WITHOUT_BODY)('does not prevent a request to %s', async (...row) => {
      expect((await call(row, '', { 'content-type': 'application/json' })).status).toBe(row[4]);
    });
  });

  describe('the response', () => {
    it.each(CALLS)('of a request to %s has data wherever it has success [envelope.success]', async (...row) => {
      const { status, body } = await call(row);
      expect(status).toBe(row[4]);
      if (status === 204) return;
      expect(body.success).toBe(true);
      expect(body.data).toBeInstanceOf(Object);
    });

    it.each(DELETING)('of a request to %s has neither a body nor a content type', async (...row) => {
      const { status, headers, body } = await call(row);
      expect({ status, type: headers.get('content-type'), body }).toEqual({ status: 204, type: null, body: '' });
    });
  });

  describe('?agentId= on a built-in operation', () => {
    const rows = AGENT_QUERIES.flatMap(([name, query]) =>
      READING.filter(([operation]) => operation !== 'list sessions').map((row) => [name, row[0], query, row] as const),
    );

    it.each(rows)('with %s does not affect a request to %s', async (_name, _operation, query, row) => {
      expect((await call(row, `?${query}`)).status).toBe(200);
    });
  });

  describe('a word in place of an id', () => {
    it('is an operation of its own: sessions/health', async () => {
      expect((await api.get(`${SESSIONS}/health`)).body).toMatchObject({ success: true, status: 'healthy' });
    });

    it('is an unknown session otherwise', async () => {
      expectError(await api.get(`${SESSIONS}/healthy`), 404, 'SESSION_NOT_FOUND');
    });
  });

  describe('a conversation', () => {
    it.each(STRANGE_IDS)('is possible for a user who is %s', async (_name, userId) => {
      const shown = userId.toLowerCase();
      const { sessionId, channelId } = await app.newSession({ userId });
      const { agentResponse } = (await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'One.', transport: 'http' })).body;
      expect(agentResponse.text).toBe('Yes.');
      await api.post(`${CHANNELS}/${channelId}/messages`, { content: 'Two.', transport: 'http' }, { headers: { 'x-entity-id': userId } });
      const client = await SocketClient.connect(app.test.url, { auth: { entityId: userId } });
      try {
        expect(await client.waitFor('authenticated')).toMatchObject({ entityId: shown });
        const { ok, messageId } = await client.ask('message', {
          type: 2,
          payload: { channelId, messageServerId: ZERO_UUID, message: 'Three.' },
        });
        expect(ok).toBe(true);
        await app.entry(channelId, 'turn.finished', ({ payload }) => 'messageId' in payload && payload.messageId === messageId);
      } finally {
        client.close();
      }
      const said = (await app.messages(channelId)).filter(({ isAgent }) => !isAgent).map(({ authorId, content }) => [authorId, content]);
      expect(said).toEqual([
        [shown, 'Three.'],
        [shown, 'Two.'],
        [shown, 'One.'],
      ]);
    });
  });

  it('a client that reads the participants, adds one and sends the list back keeps all', async () => {
    const { id } = await app.newChannel({ participants: [ADA.id, USER] });
    const { participantCentralUserIds: list } = (await api.get(`${CHANNELS}/${id}/details`)).body.data.metadata;
    await api.patch(`${CHANNELS}/${id}`, { participantCentralUserIds: [...list, NOBODY] });
    const after = (await api.get(`${CHANNELS}/${id}/details`)).body.data.metadata.participantCentralUserIds;
    expect(after.sort()).toEqual([ADA.id, USER, NOBODY].sort());
  });

  describe('a stream', () => {
    const open = (sessionId: string, signal?: AbortSignal): Promise<Response> =>
      fetch(`${app.test.url}${SESSIONS}/${sessionId}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ content: 'Hello.', transport: 'sse' }),
        signal,
      });

    it('from a model without output ends with an error that says so', async () => {
      app.test.model.always(() => '');
      const events = await allEvents(await open((await app.newSession()).sessionId));
      expect(events.map(({ event }) => event)).toEqual(['user_message', 'error']);
      expect(events.at(-1)?.data).toMatchObject({ code: 'EMPTY_REPLY', didRespond: false });
    });

    it('ends with an error when the reply fails midway', async () => {
      app.test.model.fail(new AppError('MODEL_UNAVAILABLE', 'The model went away.', 'It was asked once.'), { after: ['Ye'] });
      const response = await open((await app.newSession()).sessionId);
      expect(response.status).toBe(200);
      const events = await allEvents(response);
      expect(events.map(({ event }) => event)).toEqual(['user_message', 'chunk', 'error']);
      const told = { code: 'MODEL_UNAVAILABLE', message: 'The model went away.', details: 'It was asked once.' };
      expect(events.at(-1)?.data).toMatchObject({ type: 'error', error: told.message, ...told });
    });

    it('hides the cause of a server error', async () => {
      app.test.model.fail(new TypeError('Cannot read properties of undefined (/work/src/x.ts:1:1)'));
      const { event, data } = (await allEvents(await open((await app.newSession()).sessionId))).at(-1) ?? {};
      expect(event).toBe('error');
      expect(data.code).toBe('TURN_FAILED');
      expect(JSON.stringify(data)).not.toMatch(/TypeError|Cannot read|\/work/);
    });

    it('is an ordinary error when the session has expired', async () => {
      const { sessionId, expiresAt } = await app.newSession();
      clock.set(Date.parse(expiresAt));
      const response = await open(sessionId);
      expectError({ status: response.status, headers: response.headers, body: await response.json() }, 410, 'SESSION_EXPIRED');
    });

    it('whose client disconnects does not stop the reply', async () => {
      const gate = new Gate();
      app.test.model.deltas(['Still ', 'here.'], { gate });
      const { sessionId, channelId } = await app.newSession();
      const gone = new AbortController();
      const response = await open(sessionId, gone.signal);
      for await (const { event } of serverEvents(response)) if (event === 'user_message') break;
      gone.abort();
      gate.open();
      await app.entry(channelId, 'turn.finished');
      expect((await app.messages(channelId)).map(({ content }) => content)).toEqual(['Still here.', 'Hello.']);
    });
  });

  describe('a session', () => {
    const count = async (channelId: string, type: string): Promise<number> =>
      (await app.entries(channelId)).filter((entry) => entry.type === type).length;

    it('warns once before each expiry, and again after a renewal [sessions.warning]', async () => {
      const { sessionId, channelId } = await app.newSession();
      clock.advance(25 * MINUTE - 1);
      await api.get(`${SESSIONS}/${sessionId}`);
      expect(await count(channelId, 'session.warning')).toBe(0);
      clock.advance(1);
      const { payload } = await app.entry(channelId, 'session.warning');
      expect(payload).toMatchObject({ sessionId, minutesRemaining: 5, timeRemaining: 5 * MINUTE });
      clock.advance(MINUTE);
      await api.get(`${SESSIONS}/${sessionId}`);
      expect(await count(channelId, 'session.warning')).toBe(1);
      const renewed = (await api.post(`${SESSIONS}/${sessionId}/renew`)).body;
      clock.set(Date.parse(renewed.expiresAt) - 5 * MINUTE);
      await app.entry(channelId, 'session.warning', (entry) => entry.at === clock.now());
      clock.set(Date.parse(renewed.expiresAt));
      await app.entry(channelId, 'session.expired');
      expect(await count(channelId, 'session.warning')).toBe(2);
      expect(await count(channelId, 'session.expired')).toBe(1);
    });

    it('without automatic renewal expires although it is used [sessions.renewal]', async () => {
      const { sessionId } = await app.newSession({ timeoutConfig: { autoRenew: false } });
      for (let minutes = 10; minutes < 30; minutes += 10) {
        clock.advance(10 * MINUTE);
        expect((await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Hello.' })).status).toBe(201);
        expect((await api.post(`${SESSIONS}/${sessionId}/heartbeat`)).status).toBe(200);
      }
      clock.advance(10 * MINUTE);
      expectError(await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Hello.' }), 410, 'SESSION_EXPIRED');
    });

    it('in constant use lasts until its maximum, and no longer [sessions.renewal]', async () => {
      const { sessionId, createdAt } = await app.newSession({ timeoutConfig: { timeoutMinutes: 30, maxDurationMinutes: 100 } });
      for (let minutes = 20; minutes < 100; minutes += 20) {
        clock.advance(20 * MINUTE);
        expect((await api.post(`${SESSIONS}/${sessionId}/heartbeat`)).status).toBe(200);
      }
      expect((await api.get(`${SESSIONS}/${sessionId}`)).body.expiresAt).toBe(new Date(Date.parse(createdAt) + 100 * MINUTE).toISOString());
      clock.advance(20 * MINUTE - 1);
      expect((await api.post(`${SESSIONS}/${sessionId}/heartbeat`)).status).toBe(200);
      clock.advance(1);
      expectError(await api.post(`${SESSIONS}/${sessionId}/heartbeat`), 410, 'SESSION_EXPIRED');
    });

    it('stays expired when the clock is set back', async () => {
      const { sessionId, expiresAt } = await app.newSession();
      clock.set(Date.parse(expiresAt));
      expectError(await api.get(`${SESSIONS}/${sessionId}`), 410, 'SESSION_EXPIRED');
      clock.advance(-10 * MINUTE);
      expectError(await api.get(`${SESSIONS}/${sessionId}`), 410, 'SESSION_EXPIRED');
    });
  });
});
