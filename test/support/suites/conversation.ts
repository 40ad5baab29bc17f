import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { AppError } from '../../../src/core/errors/index.js';
import { DEFAULT_SERVER_ID, idForAgent, newId } from '../../../src/core/ids/index.js';
import { GENERAL_CHANNEL_ID } from '../../../src/modules/messaging/index.js';
import { Journal } from '../../../src/core/journal/index.js';
import { ApiClient } from '../api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../create-test-app.js';
import { Gate } from '../scripted-model.js';
import { allEvents, serverEvents, type ServerEvent } from '../sse-client.js';

const USER = '11111111-1111-1111-1111-111111111111';

/** The main path, from a message to its answer, over every transport. */
export function describeConversation(engine: Engine): void {
  describe(`a conversation on ${engine}`, () => {
    let test: TestApp;
    let api: ApiClient;
    beforeEach(async () => {
      test = await createTestApp({ engine });
      api = new ApiClient(() => test.url);
    });
    afterEach(async () => {
      test.model.assertDone();
      await test.close();
    });

    const session = async (extra: object = {}): Promise<{ sessionId: string; channelId: string }> =>
      (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER, ...extra })).body.data;
    const say = (sessionId: string, content: string, transport: string, extra: object = {}): ReturnType<ApiClient['post']> =>
      api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport, ...extra });
    const history = async (channelId: string): Promise<string[]> =>
      (await api.get(`/api/messaging/channels/${channelId}/messages`)).body.data.messages
        .map((message: { content: string }) => message.content)
        .reverse();

    it('replies over http, stores both sides in order, and remembers them in the next turn [sessions.conversation]', async () => {
      test.model.reply('Hello, I am Ada.').reply('You said hello.');
      const { sessionId, channelId } = await session();
      const first = await say(sessionId, 'Hello!', 'http');
      expect(first.status).toBe(201);
      expect(first.body.data.agentResponse).toMatchObject({ text: 'Hello, I am Ada.', agentId: ADA.id });
      const second = await say(sessionId, 'What did I say?', 'sync');
      expect(second.body.data.agentResponse.text).toBe('You said hello.');
      expect(await history(channelId)).toEqual(['Hello!', 'Hello, I am Ada.', 'What did I say?', 'You said hello.']);
      const seen = test.model.requests[1]?.messages.slice(1).map(({ role, content }) => `${role}: ${content}`);
      expect(seen).toEqual(['user: Hello!', 'assistant: Hello, I am Ada.', 'user: What did I say?']);
    });

    it('streams over sse and ends with done; a cut stream resumes after Last-Event-ID, also after a restart', async () => {
      const gate = new Gate();
      test.model.deltas(['One, ', 'two, ', 'three.'], { gate });
      const { sessionId, channelId } = await session();
      const cut = new AbortController();
      const response = await fetch(`${test.url}/api/messaging/sessions/${sessionId}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ content: 'Count.', transport: 'sse' }),
        signal: cut.signal,
      });
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      const resumeAt = response.headers.get('content-location') ?? '';
      const seen: ServerEvent[] = [];
      gate.release(1);
      for await (const event of serverEvents(response)) {
        seen.push(event);
        if (event.event === 'chunk') break;
      }
      cut.abort();
      gate.open();
      const last = seen.at(-1)?.id ?? 0;
      const rest = await allEvents(await fetch(test.url + resumeAt, { headers: { 'last-event-id': String(last) } }));
      const whole = await allEvents(await fetch(test.url + resumeAt));
      const entries = (events: readonly ServerEvent[]): unknown[] =>
        events.filter(({ event }) => event !== 'chunk').map(({ id, event }) => ({ id, event }));
      expect(entries([...seen, ...rest])).toEqual(entries(whole));
      const text = [...seen, ...rest].filter(({ event }) => event === 'chunk').map(({ data }) => data.chunk as string);
      expect(text.join('')).toBe('One, two, three.');
      expect(rest.at(-1)).toMatchObject({ event: 'done', data: { type: 'complete', text: 'One, two, three.', didRespond: true } });
      await test.restart();
      expect(await allEvents(await fetch(test.url + resumeAt, { headers: { 'last-event-id': String(last) } }))).toEqual(rest);
      expect(await history(channelId)).toEqual(['Count.', 'One, two, three.']);
    });

    it('records a model error and reports it over every transport [messages.model-fails]', async () => {
      test.model
        .fail(new AppError('MODEL_UNAVAILABLE', 'The model stays away.', 'It was tried three times.'))
        .fail(new AppError('MODEL_UNAVAILABLE', 'Away.', 'Still.'));
      const { sessionId, channelId } = await session();
      const http = await say(sessionId, 'Are you there?', 'http');
      expect(http.status).toBe(503);
      expect(http.body).toMatchObject({
        success: false,
        error: { code: 'MODEL_UNAVAILABLE', message: 'The model stays away.', details: 'It was tried three times.' },
      });
      const response = await fetch(`${test.url}/api/messaging/sessions/${sessionId}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ content: 'And now?', transport: 'sse' }),
      });
      const events = await allEvents(response);
      expect(events.map(({ event }) => event)).toEqual(['user_message', 'error']);
      expect(events[1]?.data).toMatchObject({ type: 'error', error: 'Away.', code: 'MODEL_UNAVAILABLE' });
      expect(await history(channelId)).toEqual(['Are you there?', 'And now?']);
    });

    it('hides an internal error behind a fixed text, and continues', async () => {
      test.model.fail(new Error('secret /etc/passwd')).reply('Fine.');
      const { sessionId } = await session();
      const failed = await say(sessionId, 'Break.', 'http');
      expect(failed.status).toBe(500);
      expect(failed.body.error.code).toBe('TURN_FAILED');
      expect(JSON.stringify(failed.body)).not.toContain('passwd');
      expect((await say(sessionId, 'Again.', 'http')).body.data.agentResponse.text).toBe('Fine.');
    });

    it('retries when the model returns nothing, and fails the second time', async () => {
      test.model.reply('').reply('Yes?').reply(' \n').reply('');
      const { sessionId, channelId } = await session();
      expect((await say(sessionId, 'Hm.', 'http')).body.data.agentResponse.text).toBe('Yes?');
      const events = await allEvents(
        await fetch(`${test.url}/api/messaging/sessions/${sessionId}/messages`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ content: 'Hm?', transport: 'stream' }),
        }),
      );
      expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'EMPTY_REPLY', didRespond: false } });
      expect(await history(channelId)).toEqual(['Hm.', 'Yes?', 'Hm?']);
    });

    it('completes a reply whose client has disconnected [messages.replies-stored]', async () => {
      const gate = new Gate();
      test.model.deltas(['Still ', 'here.'], { gate });
      const { sessionId, channelId } = await session();
      const gone = new AbortController();
      const waiting = fetch(`${test.url}/api/messaging/sessions/${sessionId}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ content: 'Wait.', transport: 'http' }),
        signal: gone.signal,
      });
      await test.model.called(1);
      gone.abort();
      await expect(waiting).rejects.toThrow();
      const stream = await fetch(`${test.url}/api/messaging/channels/${channelId}/events?lastEventId=0`, {
        signal: AbortSignal.timeout(60_000),
      });
      gate.open();
      for await (const { event } of serverEvents(stream)) if (event === 'turn.finished') break;
      expect(await history(channelId)).toEqual(['Wait.', 'Still here.']);
      // Other conversations of the process may have errors.
      const { logs } = (await api.get('/api/server/logs?level=error')).body as { logs: { path?: string }[] };
      expect(logs.filter(({ path }) => path?.includes(sessionId))).toEqual([]);
    });

    it('replies to messages of a channel in order, each reply seeing the earlier ones', async () => {
      const { sessionId, channelId } = await session();
      test.model.always((request) => `to ${request.messages.at(-1)?.content ?? ''}`);
      const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => say(sessionId, text, 'http')));
      expect(answers.map(({ body }) => body.data.agentResponse.text)).toEqual(['to a', 'to b', 'to c', 'to d', 'to e']);
      const stored = await history(channelId);
      expect(stored.filter((text) => text.startsWith('to '))).toEqual(
        stored.filter((text) => !text.startsWith('to ')).map((text) => `to ${text}`),
      );
      expect(test.model.requests.at(-1)?.messages.filter(({ role }) => role === 'assistant')).toHaveLength(4);
    });

    it('refuses, or interrupts, during a reply, as the turn policy says [sessions.turn-policy]', async () => {
      const gate = new Gate();
      test.model.deltas(['slow'], { gate });
      const rejecting = await session({ turnPolicy: 'reject' });
      const first = say(rejecting.sessionId, 'first', 'http');
      await test.model.called(1);
      const refused = await say(rejecting.sessionId, 'second', 'websocket');
      expect([refused.status, refused.body.error.code]).toEqual([409, 'TURN_IN_PROGRESS']);
      gate.open();
      expect((await first).body.data.agentResponse.text).toBe('slow');
      expect(await history(rejecting.channelId)).toEqual(['first', 'slow']);

      test.model.stall().reply('to the newer one');
      const interrupting = await session({ turnPolicy: 'interrupt' });
      const old = say(interrupting.sessionId, 'old', 'http');
      await test.model.called(2);
      const newer = await say(interrupting.sessionId, 'newer', 'http');
      expect(newer.body.data.agentResponse.text).toBe('to the newer one');
      expect((await old).body.error.code).toBe('TURN_CANCELLED');
      expect(await history(interrupting.channelId)).toEqual(['old', 'newer', 'to the newer one']);
    });

    it.each(['reject', 'interrupt'])('recognises a message repeated during its reply, with the turn policy %s', async (turnPolicy) => {
      const gate = new Gate();
      test.model.deltas(['Here.'], { gate });
      const { sessionId, channelId } = await session({ turnPolicy });
      const first = say(sessionId, 'Where?', 'http', { clientMessageId: 'c-1' });
      await test.model.called();
      const again = await say(sessionId, 'Where?', 'websocket', { clientMessageId: 'c-1' });
      expect(again.status).toBe(201);
      gate.open();
      expect((await first).body.data).toMatchObject({ userMessage: { id: again.body.data.id }, agentResponse: { text: 'Here.' } });
      expect(await history(channelId)).toEqual(['Where?', 'Here.']);
    });

    it('lets exactly one agent reply in a group: the addressed one, the named one, else the first [messages.replying-agents]', async () => {
      const ask = (content: string, metadata: object = {}): ReturnType<ApiClient['post']> =>
        api.post(`/api/messaging/channels/${GENERAL_CHANNEL_ID}/messages`, { author_id: USER, content, metadata, transport: 'http' });
      test.model.always(() => 'me');
      expect((await ask('Anybody?')).body.data.agentResponse.agentId).toBe(ADA.id);
      expect((await ask('Bob, you?')).body.data.agentResponse.agentId).toBe(BOB.id);
      expect((await ask('Bobby?')).body.data.agentResponse.agentId).toBe(ADA.id);
      expect((await ask('Bobby or Bob?')).body.data.agentResponse.agentId).toBe(BOB.id);
      expect((await ask('You there.', { targetAgentId: BOB.id })).body.data.agentResponse.agentId).toBe(BOB.id);
    });

    it('shows the model each author once there is more than one, also before the agent has written', async () => {
      const ask = (content: string): ReturnType<ApiClient['post']> =>
        api.post(`/api/messaging/channels/${GENERAL_CHANNEL_ID}/messages`, {
          author_id: USER,
          author_display_name: 'Zed',
          content,
          transport: 'http',
        });
      test.model.reply('Hello, Zed.').reply('Hello, both.');
      await ask('Ada, hello!');
      await ask('And you, Bob?');
      const seen = test.model.requests.map(({ messages }) => messages.slice(1).map(({ role, content }) => `${role}: ${content}`));
      expect(seen).toEqual([['user: Ada, hello!'], ['user: Zed: Ada, hello!', 'user: Ada: Hello, Zed.', 'user: Zed: And you, Bob?']]);
    });

    it('creates the channel with the first message when a server is named, and refuses to wait without an agent', async () => {
      const channelId = newId();
      const body = {
        author_id: USER,
        content: 'Hi',
        message_server_id: DEFAULT_SERVER_ID,
        metadata: { isDm: true, targetAgentId: ADA.id },
        transport: 'http',
      };
      test.model.reply('Hi there');
      expect((await api.post(`/api/messaging/channels/${channelId}/messages`, body)).body.data.agentResponse.text).toBe('Hi there');
      expect((await api.get(`/api/messaging/channels/${channelId}/details`)).body.data).toMatchObject({
        type: 'DM',
        metadata: { participantCentralUserIds: [USER, ADA.id] },
      });
      const empty = await api.post('/api/messaging/channels', { name: 'empty' });
      const nobody = await api.post(`/api/messaging/channels/${empty.body.data.id}/messages`, {
        author_id: USER,
        content: 'Hello?',
        transport: 'http',
      });
      expect([nobody.status, nobody.body.error.code]).toEqual([404, 'AGENT_NOT_FOUND']);
      expect(await history(empty.body.data.id)).toEqual([]);
    });

    it('stores a message once, however often its client repeats it [messages.once]', async () => {
      test.model.reply('once');
      const { sessionId, channelId } = await session();
      const [one, two] = await Promise.all([
        say(sessionId, 'same', 'http', { clientMessageId: 'c-1' }),
        say(sessionId, 'same', 'http', { clientMessageId: 'c-1' }),
      ]);
      const later = await say(sessionId, 'same', 'http', { clientMessageId: 'c-1' });
      expect(new Set([one, two, later].map(({ body }) => body.data.userMessage.id)).size).toBe(1);
      expect([one, two, later].map(({ body }) => body.data.agentResponse.text)).toEqual(['once', 'once', 'once']);
      const other = await say(sessionId, 'different', 'http', { clientMessageId: 'c-1' });
      expect([other.status, other.body.error.code]).toEqual([409, 'MESSAGE_EXISTS']);
      expect(await history(channelId)).toEqual(['same', 'once']);
    });

    it('lets a repeated message wait for the agents that owed a reply then, not for those that would now [messages.again]', async () => {
      test.model.reply('It was me.');
      const channelId = (await api.post('/api/messaging/channels', { name: 'both', participantCentralUserIds: [ADA.id, BOB.id] })).body.data
        .id as string;
      const path = `/api/messaging/channels/${channelId}/messages`;
      const body = { author_id: USER, content: 'Who is there?', clientMessageId: 'c-1' };
      const first = await api.post(path, { ...body, transport: 'http' });
      await api.delete(`/api/messaging/channels/${channelId}/agents/${ADA.id}`);
      const second = await api.post(path, { ...body, transport: 'http' });
      expect(second.body.data.agentResponse).toEqual(first.body.data.agentResponse);
      expect((await streamed(path, body)).at(-1)).toMatchObject({ event: 'done', data: { text: 'It was me.', agentId: ADA.id } });
    });

    it('reports at once that no reply follows to messages sent while the agent was stopped, also when it runs again', async () => {
      const { sessionId } = await session();
      await api.post(`/api/agents/${ADA.id}/stop`);
      await say(sessionId, 'Anybody?', 'websocket', { clientMessageId: 'c-1' });
      await api.post(`/api/agents/${ADA.id}/start`);
      const again = await say(sessionId, 'Anybody?', 'http', { clientMessageId: 'c-1' });
      expect([again.status, again.body.data.agentResponse]).toEqual([201, null]);
      const path = `/api/messaging/sessions/${sessionId}/messages`;
      const events = await streamed(path, { content: 'Anybody?', clientMessageId: 'c-1' });
      expect(events.map(({ event }) => event)).toEqual(['user_message', 'done']);
      expect(events[1]?.data).toMatchObject({ type: 'complete', text: '', didRespond: false, sessionStatus: {} });
    });

    it('starts the turn of an idle channel with its message, and later turns in order', async () => {
      const texts = ['one', 'two', 'three', 'four', 'five', 'six'];
      test.model.always((request) => `Re: ${request.messages.at(-1)?.content}`);
      const { sessionId, channelId } = await session();
      await say(sessionId, 'first', 'http');
      await Promise.all(texts.map((content) => say(sessionId, content, 'http')));
      await say(sessionId, 'last', 'http');
      const entries = await test.app.get(Journal).read(channelId, 0);
      const users = entries.filter(
        ({ type, payload }) => type === 'message.created' && (payload as { authorKind: string }).authorKind === 'user',
      );
      const started = entries.filter(({ type }) => type === 'turn.started');
      expect(started.map(({ payload }) => payload)).toEqual(
        users.map(({ payload }) => expect.objectContaining({ messageId: (payload as { id: string }).id, attempt: 1 })),
      );
      expect([users[0], users.at(-1)].map((user) => entries[entries.indexOf(user!) + 1]?.type)).toEqual(['turn.started', 'turn.started']);
      expect(started.at(-1)?.at).toBe(users.at(-1)?.at);
      const ends = entries.filter(({ type }) => type === 'turn.started' || type === 'turn.finished').map(({ type }) => type);
      expect(ends).toEqual(users.flatMap(() => ['turn.started', 'turn.finished']));
    });

    it('resumes a pending reply after a restart', async () => {
      test.model.stall();
      const { sessionId, channelId } = await session();
      await say(sessionId, 'You owe me.', 'websocket');
      await test.model.called(1);
      const before = test.model;
      await test.restart();
      before.assertDone();
      test.model.reply('Here it is.');
      const stream = await fetch(`${test.url}/api/messaging/channels/${channelId}/events?lastEventId=0`, {
        signal: AbortSignal.timeout(60_000),
      });
      for await (const { event } of serverEvents(stream)) if (event === 'turn.finished') break;
      expect(await history(channelId)).toEqual(['You owe me.', 'Here it is.']);
    });

    it('uses its memory: the next turn sees an edited record', async () => {
      test.model.reply('Noted.').reply('Green.');
      const { sessionId, channelId } = await session();
      const told = await say(sessionId, 'My colour is blue.', 'http');
      const memoryId = memoryOf(told.body.data.userMessage.id as string);
      const patched = await api.patch(`/api/memory/${ADA.id}/memories/${memoryId}`, { content: { text: 'My colour is green.' } });
      expect(patched.status).toBe(200);
      await say(sessionId, 'What is my colour?', 'http');
      expect(test.model.requests[1]?.messages[1]?.content).toBe('My colour is green.');
      expect((await history(channelId))[0]).toBe('My colour is blue.');
    });

    it('forgets deleted messages, one at a time and with a cleared channel [memory.of-messages]', async () => {
      test.model.always(() => 'Yes.');
      const { sessionId, channelId } = await session();
      const first = await say(sessionId, 'The code is 1234.', 'http');
      await say(sessionId, 'The word is fish.', 'http');
      await api.delete(`/api/messaging/channels/${channelId}/messages/${first.body.data.userMessage.id as string}`);
      await say(sessionId, 'What do you know?', 'http');
      const seen = (): string => JSON.stringify(test.model.requests.at(-1)?.messages);
      expect([seen().includes('1234'), seen().includes('fish')]).toEqual([false, true]);
      await api.delete(`/api/messaging/channels/${channelId}/messages`);
      await say(sessionId, 'And now?', 'http');
      expect(seen().includes('fish')).toBe(false);
    });

    async function streamed(path: string, body: object): Promise<ServerEvent[]> {
      return allEvents(
        await fetch(test.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...body, transport: 'sse' }),
          signal: AbortSignal.timeout(60_000),
        }),
      );
    }

    function memoryOf(messageId: string): string {
      return idForAgent(ADA.id, `${messageId}-${ADA.id}`);
    }
  });
}
