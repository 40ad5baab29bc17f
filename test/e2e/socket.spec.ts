// What a stock socket.io client says and waitFor.
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SERVER_ID, newId } from '../../src/core/ids/index.js';
import { ADA } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { Gate } from '../support/scripted-model.js';
import { OTHER, socketApp, USER } from '../support/socket-app.js';

const MINUTE = 60_000;

const app = socketApp();
const { api, client, connect, createChannel, createSession, start, write } = app;

describe('a socket.io client', () => {
  describe('is told on connection', () => {
    it("its identity and the journal's offset", async () => {
      await start();
      const named = await connect({ entityId: USER });
      expect(await named.waitFor('authenticated')).toEqual({ entityId: USER, timestamp: expect.any(Number) });
      expect(await named.waitFor('connection_established')).toEqual({
        message: expect.any(String),
        socketId: named.socket.id,
        offset: expect.any(Number),
      });
      expect(named.received.map(({ name }) => name)).toEqual(['authenticated', 'connection_established']);
      const anonymous = await connect({});
      expect((await anonymous.waitFor('authenticated')).entityId).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('that it is refused without the key, or as an invalid entity', async () => {
      await start({ env: { API_KEY: 'sesame' } });
      const refused = async (auth: object): Promise<unknown> => {
        return client(auth)
          .connected()
          .then(
            () => 'accepted',
            (error: Error & { data?: { code: string } }) => [error.message, error.data?.code],
          );
      };
      expect(await refused({})).toEqual(['Invalid or missing API Key', 'UNAUTHORIZED']);
      expect(await refused({ apiKey: 'wrong' })).toEqual(['Invalid or missing API Key', 'UNAUTHORIZED']);
      expect(await refused({ apiKey: 'sesame', entityId: 'Ada' })).toEqual(['Valid entityId required', 'VALIDATION_ERROR']);
      expect(await refused({ apiKey: 'sesame', entityId: USER })).toBe('accepted');
    });
  });

  describe('in a channel', () => {
    it('joins, speaks, is acknowledged, and receives the answer grow and end, as everybody there does [sockets.conversation]', async () => {
      await start();
      const gate = new Gate();
      app.test.model.deltas(['Hello ', 'you.'], { gate });
      const channelId = await createChannel([ADA.id]);
      const [speaker, listener] = [await connect(), await connect({ entityId: OTHER })];
      for (const client of [speaker, listener]) {
        expect(await client.ask('join', { channelId })).toMatchObject({
          ok: true,
          channelId,
          roomId: channelId,
          offset: expect.any(Number),
        });
        expect(await client.waitFor('channel_joined')).toEqual(await client.waitFor('room_joined'));
      }
      const acknowledged = await speaker.ask('message', {
        type: 2,
        payload: { channelId, message: 'Hello?', messageId: 'mine-1', senderName: 'Ulla' },
      });
      expect(acknowledged).toMatchObject({ ok: true, clientMessageId: 'mine-1', status: 'received_by_server_and_processing', channelId });
      expect(await speaker.waitFor('messageAck')).toMatchObject({
        clientMessageId: 'mine-1',
        messageId: acknowledged.messageId,
        offset: acknowledged.offset,
      });

      gate.release(1);
      for (const client of [speaker, listener]) {
        expect(await client.waitFor('messageBroadcast')).toMatchObject({
          id: acknowledged.messageId,
          senderId: USER,
          senderName: 'Ulla',
          isAgent: false,
          text: 'Hello?',
          channelId,
          roomId: channelId,
          messageServerId: DEFAULT_SERVER_ID,
          clientMessageId: 'mine-1',
          offset: acknowledged.offset,
          seq: acknowledged.seq,
        });
        expect(await client.waitFor('controlMessage')).toMatchObject({ action: 'disable_input', target: 'input', agentId: ADA.id });
        expect(await client.waitFor('messageStreamChunk')).toMatchObject({ chunk: 'Hello ', index: 0, agentId: ADA.id, channelId });
      }
      gate.open();
      for (const client of [speaker, listener]) {
        const complete = await client.waitFor('messageComplete');
        expect(complete).toMatchObject({
          messageId: acknowledged.messageId,
          channelId,
          agentId: ADA.id,
          status: 'completed',
          didRespond: true,
        });
        const chunks = client.all('messageStreamChunk');
        expect(chunks.map(({ chunk }) => chunk).join('')).toBe('Hello you.');
        expect(chunks.map(({ index }) => index)).toEqual(chunks.map((_, index) => index));
        expect(new Set(chunks.map(({ messageId }) => messageId))).toEqual(new Set([complete.replyId]));
        expect(client.all('messageBroadcast')[1]).toMatchObject({
          id: complete.replyId,
          text: 'Hello you.',
          isAgent: true,
          inReplyTo: acknowledged.messageId,
        });
        await client.waitFor('controlMessage', ({ action }) => action === 'enable_input');
        const named = client.received.map(({ name }) => name).filter((name) => !['messageAck', 'messageStreamChunk'].includes(name));
        expect(named.slice(4)).toEqual(['messageBroadcast', 'controlMessage', 'messageBroadcast', 'messageComplete', 'controlMessage']);
        const offsets = client.received
          .filter(({ payload, name }) => payload.seq !== undefined && name !== 'messageAck')
          .map(({ payload }) => payload.offset as number);
        expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
      }
    });

    it('accepts the numbers of the original protocol as event names', async () => {
      await start();
      const channelId = await createChannel();
      const client = await connect();
      expect(await client.ask('1', { roomId: channelId })).toMatchObject({ ok: true, channelId });
      expect(
        await client.ask('2', { roomId: channelId, senderId: USER, message: 'by number', messageServerId: DEFAULT_SERVER_ID }),
      ).toMatchObject({ ok: true });
      expect(await client.waitFor('messageBroadcast')).toMatchObject({ text: 'by number', senderId: USER });
    });

    it('receives the reply to its message without joining, and each event once when it joins as well', async () => {
      await start();
      app.test.model.reply('You are welcome.');
      const channelId = await createChannel([ADA.id]);
      const client = await connect();
      await client.ask('message', { type: 2, payload: { channelId, message: 'May I?' } });
      await client.waitFor('messageBroadcast', ({ isAgent }) => isAgent);
      await client.ask('join', { channelId });
      await write(await createChannel(), 'elsewhere');
      app.test.model.reply('Again.');
      await client.ask('message', { type: 2, payload: { channelId, message: 'Once more?' } });
      await client.waitFor('messageBroadcast', ({ text }) => text === 'Again.');
      expect(client.all('messageBroadcast').map(({ text }) => text)).toEqual(['May I?', 'You are welcome.', 'Once more?', 'Again.']);
    });

    it('receives a failed reply as an error, its end, and the release of its input', async () => {
      await start();
      app.test.model.fail(new Error('secret'), { after: ['I was about '] });
      const channelId = await createChannel([ADA.id]);
      const client = await connect();
      const { messageId } = await client.ask('message', { type: 2, payload: { channelId, message: 'Tell me.' } });
      expect(await client.waitFor('messageStreamError')).toMatchObject({
        channelId,
        agentId: ADA.id,
        code: 'TURN_FAILED',
        partialText: 'I was about ',
      });
      expect(await client.waitFor('messageComplete')).toMatchObject({ messageId, status: 'failed', didRespond: false });
      await client.waitFor('controlMessage', ({ action }) => action === 'enable_input');
      expect(JSON.stringify(client.received)).not.toContain('secret');
    });

    it('stores a repeated message once, and acknowledges both', async () => {
      await start();
      const channelId = await createChannel();
      const client = await connect();
      const payload = { channelId, message: 'Only once.', messageId: 'c-1' };
      const [first, second] = [await client.ask('message', { type: 2, payload }), await client.ask('message', { type: 2, payload })];
      expect(second).toEqual(first);
      await client.ask('message', { type: 2, payload: { channelId, message: 'The end.' } });
      await client.waitFor('messageBroadcast', ({ text }) => text === 'The end.');
      expect(client.all('messageBroadcast').map(({ text }) => text)).toEqual(['Only once.', 'The end.']);
    });

    it("receives others' changes to the channel and its messages", async () => {
      await start();
      const channelId = await createChannel();
      const client = await connect();
      await client.ask('join', { channelId });
      const { id } = (await write(channelId, 'Short lived.')).body.data;
      await api.delete(`/api/messaging/channels/${channelId}/messages/${id}`);
      expect(await client.waitFor('messageDeleted')).toMatchObject({ messageId: id, channelId, roomId: channelId });
      await api.patch(`/api/messaging/channels/${channelId}`, { name: 'renamed' });
      expect(await client.waitFor('channelUpdated')).toMatchObject({
        channelId,
        updates: { name: 'renamed', messageServerId: DEFAULT_SERVER_ID },
      });
      await api.delete(`/api/messaging/channels/${channelId}/messages`);
      expect(await client.waitFor('channelCleared')).toMatchObject({ channelId });
      await api.delete(`/api/messaging/channels/${channelId}`);
      expect(await client.waitFor('channelDeleted')).toMatchObject({ channelId });
    });

    it.each([
      ['the message is deleted', (channelId: string, messageId: string) => `${channelId}/messages/${messageId}`],
      ['the messages of its author are deleted', (channelId: string) => `${channelId}/messages/all?userId=${USER}`],
      ['the channel is cleared', (channelId: string) => `${channelId}/messages`],
    ])('learns that an answer ends, and has its input free again, when %s in the middle of it [messages.deleted]', async (_what, path) => {
      await start();
      app.test.model.stall();
      const channelId = await createChannel([ADA.id]);
      const client = await connect();
      const { messageId } = await client.ask('message', { type: 2, payload: { channelId, message: 'Tell me.' } });
      await client.waitFor('controlMessage', ({ action }) => action === 'disable_input');
      await app.test.model.called();
      await api.delete(`/api/messaging/channels/${path(channelId, messageId as string)}`);
      expect(await client.waitFor('messageComplete')).toMatchObject({
        messageId,
        status: 'cancelled',
        didRespond: false,
        error: { code: 'TURN_CANCELLED' },
      });
      await client.waitFor('controlMessage', ({ action }) => action === 'enable_input');
    });

    it('receives nothing more after it left, and nothing of channels it never joined', async () => {
      await start();
      const [left, other] = [await createChannel(), await createChannel()];
      const client = await connect();
      await client.ask('join', { channelId: left });
      expect(await client.ask('leave', { channelId: left })).toMatchObject({ ok: true, channelId: left });
      await client.waitFor('channel_left');
      await write(left, 'to the one it left');
      await write(other, 'to the one it never joined');
      await client.ask('join', { channelId: other });
      await write(other, 'at last');
      await client.waitFor('messageBroadcast');
      expect(client.all('messageBroadcast').map(({ text }) => text)).toEqual(['at last']);
    });

    it('receives the state of the world', async () => {
      await start();
      const channelId = await createChannel([ADA.id, OTHER]);
      app.test.model.reply('Seen.');
      const written = await api.post(`/api/messaging/channels/${channelId}/messages`, {
        author_id: OTHER,
        content: 'Look.',
        transport: 'http',
      });
      const client = await connect();
      const state = await client.ask('request-world-state', { roomId: channelId });
      expect(state).toMatchObject({ ok: true, users: [{ id: OTHER }], channels: [{ id: channelId }], offset: expect.any(Number) });
      expect(state.agents.map(({ name }: { name: string }) => name)).toEqual(['Ada', 'Bob']);
      expect(state.messages.map(({ content }: { content: string }) => content)).toEqual(['Seen.', 'Look.']);
      expect(state.messages[1].id).toBe(written.body.data.userMessage.id);
      expect((await client.waitFor('world-state')).messages).toHaveLength(2);
    });
  });

  describe('in a session', () => {
    it("joins by the session's id", async () => {
      await start();
      app.test.model.reply('In the session.');
      const { sessionId, channelId } = await createSession();
      const client = await connect();
      expect(await client.ask('join', { roomId: sessionId, type: 'session' })).toMatchObject({
        ok: true,
        sessionId,
        channelId,
        roomId: sessionId,
      });
      await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hello.' });
      expect(await client.waitFor('messageBroadcast', ({ isAgent }) => isAgent)).toMatchObject({
        text: 'In the session.',
        channelId,
        sessionId,
      });
      expect(await client.ask('leave', { roomId: sessionId })).toMatchObject({ ok: true, channelId });
    });

    it('receives one warning of expiry, another after a renewal, and the expiry once [sessions.warning-delivery]', async () => {
      const clock = new FakeClock();
      await start({ clock });
      const timeoutConfig = { timeoutMinutes: 30, warningThresholdMinutes: 5, autoRenew: false, maxDurationMinutes: 720 };
      const { sessionId, channelId } = await createSession({ timeoutConfig });
      const client = await connect();
      await client.ask('join', { roomId: sessionId });
      clock.advance(25 * MINUTE);
      expect(await client.waitFor('sessionExpirationWarning')).toMatchObject({
        sessionId,
        channelId,
        minutesRemaining: 5,
        timeRemaining: 5 * MINUTE,
      });
      await api.post(`/api/messaging/sessions/${sessionId}/renew`);
      expect(await client.waitFor('sessionRenewed')).toMatchObject({
        sessionId,
        renewalCount: 1,
        expiresAt: new Date(clock.now() + 30 * MINUTE).toISOString(),
      });
      clock.advance(25 * MINUTE);
      await client.waitForMany('sessionExpirationWarning', 2);
      clock.advance(5 * MINUTE);
      expect(await client.waitFor('sessionExpired')).toMatchObject({ sessionId, channelId });
      expect(client.received.map(({ name }) => name).filter((name) => /^session(Exp|Ren)/.test(name))).toEqual([
        'sessionExpirationWarning',
        'sessionRenewed',
        'sessionExpirationWarning',
        'sessionExpired',
      ]);
    });
  });

  describe('with an invalid request', () => {
    it.each([
      ['an event type that does not exist', 'message', { type: 9, payload: {} }, 'VALIDATION_ERROR'],
      ['an event without a type', 'message', 'hello', 'VALIDATION_ERROR'],
      ['to join nothing', 'join', {}, 'VALIDATION_ERROR'],
      ['to join what is no id', 'join', { channelId: 'general' }, 'VALIDATION_ERROR'],
      ['a cursor that is none', 'join', { channelId: newId(), after: 'yesterday' }, 'VALIDATION_ERROR'],
      ['to say nothing', 'message', { type: 2, payload: { channelId: newId(), message: ' ' } }, 'VALIDATION_ERROR'],
      [
        'to give a message an id that is no text',
        'message',
        { type: 2, payload: { channelId: newId(), message: 'Hello?', messageId: 7 } },
        'VALIDATION_ERROR',
      ],
      ['to speak where there is nothing', 'message', { type: 2, payload: { channelId: newId(), message: 'Hello?' } }, 'CHANNEL_NOT_FOUND'],
      [
        'to speak as somebody else',
        'message',
        { type: 2, payload: { channelId: newId(), senderId: OTHER, message: 'Hello?' } },
        'FORBIDDEN',
      ],
      ['the state of nothing', 'request-world-state', { roomId: newId() }, 'CHANNEL_NOT_FOUND'],
    ])('is refused %s, in the acknowledgement and as messageError', async (_what, name, payload, code) => {
      await start();
      const client = await connect();
      const body = { code, message: expect.stringMatching(/./), details: expect.stringMatching(/./) };
      expect(await client.ask(name, payload)).toEqual({ ok: false, error: body });
      expect(await client.waitFor('messageError')).toEqual({ ...body, error: expect.stringMatching(/./) });
      expect(client.all('messageError')).toHaveLength(1);
      expect(client.socket.connected).toBe(true);
    });

    const joins: [payload: unknown, field: string][] = [
      ['hello', 'payload'],
      [['a', 'list'], 'payload'],
      [7, 'payload'],
      [{}, 'channelId'],
      [{ channelId: 7 }, 'channelId'],
      [{ channelId: null }, 'channelId'],
      [{ roomId: ['a'] }, 'channelId'],
      [{ channelId: newId(), after: '41.1' }, 'after'],
      [{ channelId: newId(), after: -1 }, 'after'],
      [{ channelId: newId(), after: 1.5 }, 'after'],
      [{ channelId: newId(), agentId: 'Ada' }, 'agentId'],
    ];
    const said = { channelId: newId(), message: 'Hello?' };
    const sends: [payload: unknown, field: string][] = [
      [{ ...said, channelId: 'general' }, 'channelId'],
      [{ ...said, messageServerId: 0 }, 'messageServerId'],
      [{ ...said, senderId: 'ada' }, 'senderId'],
      [{ ...said, message: { text: 'Hello?' } }, 'message'],
      [{ ...said, message: undefined }, 'message'],
      [{ ...said, metadata: [] }, 'metadata'],
      [{ ...said, messageId: 7 }, 'messageId'],
      [{ ...said, attachments: {} }, 'attachments'],
      [{ ...said, attachments: [null] }, 'attachments'],
      [{ ...said, attachments: ['a.png'] }, 'attachments'],
      [{ ...said, senderName: 7 }, 'senderName'],
      [{ ...said, source: {} }, 'source'],
      [{ ...said, targetUserId: 'ada' }, 'targetUserId'],
    ];

    const wrong: [name: string, payload: unknown, field: string][] = [
      ...joins.map(([payload, field]): [string, unknown, string] => ['join', payload, field]),
      ...joins.slice(0, 7).map(([payload, field]): [string, unknown, string] => ['request-world-state', payload, field]),
      ...joins.slice(0, 7).map(([payload, field]): [string, unknown, string] => ['leave', payload, field]),
      ...joins.slice(0, 7).map(([payload, field]): [string, unknown, string] => ['audioStart', payload, field]),
      ...joins.slice(3).map(([payload, field]): [string, unknown, string] => ['message', { type: 1, payload }, field]),
      ...sends.map(([payload, field]): [string, unknown, string] => ['message', { type: 2, payload }, field]),
      ...sends.map(([payload, field]): [string, unknown, string] => ['2', payload, field]),
      ['message', 'hello', 'payload'],
      ['message', { type: '2', payload: said }, 'type'],
      ['message', said, 'type'],
      ['message', { type: 2 }, 'payload'],
      ['message', { type: 2, payload: [said] }, 'payload'],
      ['subscribe_logs', 'all', 'payload'],
      ['update_log_filters', 'warn', 'payload'],
    ];

    it('gets the invalid field and the remedy', async () => {
      await start();
      const client = await connect();
      for (const [name, payload, field] of wrong) {
        const { error } = await client.ask(name, payload);
        const asked = JSON.stringify([name, payload]);
        expect([asked, error.code, error.message]).toEqual([
          asked,
          'VALIDATION_ERROR',
          expect.stringMatching(new RegExp(`\\b${field}\\b`)),
        ]);
        expect(error.details).toMatch(/Send|leave it out|Or/i);
      }
    });

    it('is refused without an acknowledgement too, and may continue', async () => {
      await start();
      const channelId = await createChannel();
      const client = await connect();
      client.socket.emit('message', { type: 3 });
      expect(await client.waitFor('messageError')).toMatchObject({ code: 'VALIDATION_ERROR' });
      expect(await client.ask('join', { channelId })).toMatchObject({ ok: true });
    });
  });
});
