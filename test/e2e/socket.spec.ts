// What a stock socket.io client says and hears, and that it misses nothing: not by a cut, not by a restart.
// SOCKET_SEED=n repeats the cuts of a failed run.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DEFAULT_SERVER_ID, newId } from '../../src/core/ids/index.js';
import { Journal, JournalRetention } from '../../src/core/journal/index.js';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { CuttingProxy } from '../support/cutting-proxy.js';
import { FakeClock } from '../support/fake-clock.js';
import { seeded, type Random } from '../support/random.js';
import { Gate } from '../support/scripted-model.js';
import { SocketClient } from '../support/socket-client.js';

const USER = '11111111-1111-1111-1111-111111111111';
const OTHER = '22222222-2222-2222-2222-222222222222';
const MINUTE = 60_000;

describe('a socket.io client', () => {
  let test: TestApp;
  let api: ApiClient;
  let clients: SocketClient[];
  beforeEach(() => {
    clients = [];
  });
  afterEach(async () => {
    for (const client of clients) client.close();
    test.model.assertDone();
    await test.close();
  });

  async function start(options: Parameters<typeof createTestApp>[0] = {}): Promise<void> {
    test = await createTestApp(options);
    api = new ApiClient(() => test.url);
  }

  async function connect(auth: object = { entityId: USER }, url = test.url): Promise<SocketClient> {
    const client = await SocketClient.connect(url, { auth: { ...auth } });
    clients.push(client);
    return client;
  }

  const createChannel = async (participants: string[] = []): Promise<string> =>
    (await api.post('/api/messaging/channels', { name: 'a channel', participantCentralUserIds: participants })).body.data.id;
  const createSession = async (extra: object = {}): Promise<{ sessionId: string; channelId: string }> =>
    (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER, ...extra })).body.data;
  const write = (channelId: string, content: string): ReturnType<ApiClient['post']> =>
    api.post(`/api/messaging/channels/${channelId}/messages`, { author_id: OTHER, content });

  describe('is told at the beginning', () => {
    it('who it is and where the journal stands', async () => {
      await start();
      const named = await connect({ entityId: USER });
      expect(await named.hears('authenticated')).toEqual({ entityId: USER, timestamp: expect.any(Number) });
      expect(await named.hears('connection_established')).toEqual({
        message: expect.any(String),
        socketId: named.socket.id,
        offset: expect.any(Number),
      });
      expect(named.heard.map(({ name }) => name)).toEqual(['authenticated', 'connection_established']);
      const anonymous = await connect({});
      expect((await anonymous.hears('authenticated')).entityId).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('that it may not come in without the key, or as something that is no entity', async () => {
      await start({ env: { API_KEY: 'sesame' } });
      const refused = async (auth: object): Promise<unknown> => {
        const client = new SocketClient(test.url, { auth: { ...auth } });
        clients.push(client);
        return client.connected().then(
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
    it('joins, speaks, is acknowledged, and hears the answer grow and end, as everybody there does', async () => {
      await start();
      const gate = new Gate();
      test.model.deltas(['Hello ', 'you.'], { gate });
      const channelId = await createChannel([ADA.id]);
      const [speaker, listener] = [await connect(), await connect({ entityId: OTHER })];
      for (const client of [speaker, listener]) {
        expect(await client.ask('join', { channelId })).toMatchObject({
          ok: true,
          channelId,
          roomId: channelId,
          offset: expect.any(Number),
        });
        expect(await client.hears('channel_joined')).toEqual(await client.hears('room_joined'));
      }
      const acknowledged = await speaker.ask('message', {
        type: 2,
        payload: { channelId, message: 'Hello?', messageId: 'mine-1', senderName: 'Ulla' },
      });
      expect(acknowledged).toMatchObject({ ok: true, clientMessageId: 'mine-1', status: 'received_by_server_and_processing', channelId });
      expect(await speaker.hears('messageAck')).toMatchObject({
        clientMessageId: 'mine-1',
        messageId: acknowledged.messageId,
        offset: acknowledged.offset,
      });

      gate.release(1);
      for (const client of [speaker, listener]) {
        expect(await client.hears('messageBroadcast')).toMatchObject({
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
        expect(await client.hears('controlMessage')).toMatchObject({ action: 'disable_input', target: 'input', agentId: ADA.id });
        expect(await client.hears('messageStreamChunk')).toMatchObject({ chunk: 'Hello ', index: 0, agentId: ADA.id, channelId });
      }
      gate.open();
      for (const client of [speaker, listener]) {
        const complete = await client.hears('messageComplete');
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
        await client.hears('controlMessage', ({ action }) => action === 'enable_input');
        const named = client.heard.map(({ name }) => name).filter((name) => !['messageAck', 'messageStreamChunk'].includes(name));
        expect(named.slice(4)).toEqual(['messageBroadcast', 'controlMessage', 'messageBroadcast', 'messageComplete', 'controlMessage']);
        const offsets = client.heard
          .filter(({ payload, name }) => payload.seq !== undefined && name !== 'messageAck')
          .map(({ payload }) => payload.offset as number);
        expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
      }
    });

    it('understands the numbers of the original protocol as event names', async () => {
      await start();
      const channelId = await createChannel();
      const client = await connect();
      expect(await client.ask('1', { roomId: channelId })).toMatchObject({ ok: true, channelId });
      expect(
        await client.ask('2', { roomId: channelId, senderId: USER, message: 'by number', messageServerId: DEFAULT_SERVER_ID }),
      ).toMatchObject({ ok: true });
      expect(await client.hears('messageBroadcast')).toMatchObject({ text: 'by number', senderId: USER });
    });

    it('hears the answer to what it says without having joined, and everything once when it joins as well', async () => {
      await start();
      test.model.reply('You are welcome.');
      const channelId = await createChannel([ADA.id]);
      const client = await connect();
      await client.ask('message', { type: 2, payload: { channelId, message: 'May I?' } });
      await client.hears('messageBroadcast', ({ isAgent }) => isAgent);
      await client.ask('join', { channelId });
      await write(await createChannel(), 'elsewhere');
      test.model.reply('Again.');
      await client.ask('message', { type: 2, payload: { channelId, message: 'Once more?' } });
      await client.hears('messageBroadcast', ({ text }) => text === 'Again.');
      expect(client.all('messageBroadcast').map(({ text }) => text)).toEqual(['May I?', 'You are welcome.', 'Once more?', 'Again.']);
    });

    it('hears a failed answer as an error, its end, and an input that is free again', async () => {
      await start();
      test.model.fail(new Error('secret'), { after: ['I was about '] });
      const channelId = await createChannel([ADA.id]);
      const client = await connect();
      const { messageId } = await client.ask('message', { type: 2, payload: { channelId, message: 'Tell me.' } });
      expect(await client.hears('messageStreamError')).toMatchObject({
        channelId,
        agentId: ADA.id,
        code: 'TURN_FAILED',
        partialText: 'I was about ',
      });
      expect(await client.hears('messageComplete')).toMatchObject({ messageId, status: 'failed', didRespond: false });
      await client.hears('controlMessage', ({ action }) => action === 'enable_input');
      expect(JSON.stringify(client.heard)).not.toContain('secret');
    });

    it('stores a message once that its client sends twice, and acknowledges it twice', async () => {
      await start();
      const channelId = await createChannel();
      const client = await connect();
      const payload = { channelId, message: 'Only once.', messageId: 'c-1' };
      const [first, second] = [await client.ask('message', { type: 2, payload }), await client.ask('message', { type: 2, payload })];
      expect(second).toEqual(first);
      await client.ask('message', { type: 2, payload: { channelId, message: 'The end.' } });
      await client.hears('messageBroadcast', ({ text }) => text === 'The end.');
      expect(client.all('messageBroadcast').map(({ text }) => text)).toEqual(['Only once.', 'The end.']);
    });

    it('hears what others do to the channel and its messages', async () => {
      await start();
      const channelId = await createChannel();
      const client = await connect();
      await client.ask('join', { channelId });
      const { id } = (await write(channelId, 'Short lived.')).body.data;
      await api.delete(`/api/messaging/channels/${channelId}/messages/${id}`);
      expect(await client.hears('messageDeleted')).toMatchObject({ messageId: id, channelId, roomId: channelId });
      await api.patch(`/api/messaging/channels/${channelId}`, { name: 'renamed' });
      expect(await client.hears('channelUpdated')).toMatchObject({
        channelId,
        updates: { name: 'renamed', messageServerId: DEFAULT_SERVER_ID },
      });
      await api.delete(`/api/messaging/channels/${channelId}/messages`);
      expect(await client.hears('channelCleared')).toMatchObject({ channelId });
      await api.delete(`/api/messaging/channels/${channelId}`);
      expect(await client.hears('channelDeleted')).toMatchObject({ channelId });
    });

    it('hears nothing more after it left, and nothing of channels it never joined', async () => {
      await start();
      const [left, other] = [await createChannel(), await createChannel()];
      const client = await connect();
      await client.ask('join', { channelId: left });
      expect(await client.ask('leave', { channelId: left })).toMatchObject({ ok: true, channelId: left });
      await client.hears('channel_left');
      await write(left, 'to the one it left');
      await write(other, 'to the one it never joined');
      await client.ask('join', { channelId: other });
      await write(other, 'at last');
      await client.hears('messageBroadcast');
      expect(client.all('messageBroadcast').map(({ text }) => text)).toEqual(['at last']);
    });

    it('is shown the state of the world', async () => {
      await start();
      const channelId = await createChannel([ADA.id, OTHER]);
      test.model.reply('Seen.');
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
      expect((await client.hears('world-state')).messages).toHaveLength(2);
    });
  });

  describe('in a session', () => {
    it('joins by the id of the session', async () => {
      await start();
      test.model.reply('In the session.');
      const { sessionId, channelId } = await createSession();
      const client = await connect();
      expect(await client.ask('join', { roomId: sessionId, type: 'session' })).toMatchObject({
        ok: true,
        sessionId,
        channelId,
        roomId: sessionId,
      });
      await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hello.' });
      expect(await client.hears('messageBroadcast', ({ isAgent }) => isAgent)).toMatchObject({
        text: 'In the session.',
        channelId,
        sessionId,
      });
      expect(await client.ask('leave', { roomId: sessionId })).toMatchObject({ ok: true, channelId });
    });

    it('hears once that it will expire, once more after a renewal, and once that it has', async () => {
      const clock = new FakeClock();
      await start({ clock });
      const timeoutConfig = { timeoutMinutes: 30, warningThresholdMinutes: 5, autoRenew: false, maxDurationMinutes: 720 };
      const { sessionId, channelId } = await createSession({ timeoutConfig });
      const client = await connect();
      await client.ask('join', { roomId: sessionId });
      clock.advance(25 * MINUTE);
      expect(await client.hears('sessionExpirationWarning')).toMatchObject({
        sessionId,
        channelId,
        minutesRemaining: 5,
        timeRemaining: 5 * MINUTE,
      });
      await api.post(`/api/messaging/sessions/${sessionId}/renew`);
      expect(await client.hears('sessionRenewed')).toMatchObject({
        sessionId,
        renewalCount: 1,
        expiresAt: new Date(clock.now() + 30 * MINUTE).toISOString(),
      });
      clock.advance(25 * MINUTE);
      await client.hearsMany('sessionExpirationWarning', 2);
      clock.advance(5 * MINUTE);
      expect(await client.hears('sessionExpired')).toMatchObject({ sessionId, channelId });
      expect(client.heard.map(({ name }) => name).filter((name) => /^session(Exp|Ren)/.test(name))).toEqual([
        'sessionExpirationWarning',
        'sessionRenewed',
        'sessionExpirationWarning',
        'sessionExpired',
      ]);
    });
  });

  describe('that asks for what cannot be', () => {
    it.each([
      ['an event type that does not exist', 'message', { type: 9, payload: {} }, 'VALIDATION_ERROR'],
      ['an event without a type', 'message', 'hello', 'VALIDATION_ERROR'],
      ['to join nothing', 'join', {}, 'VALIDATION_ERROR'],
      ['to join what is no id', 'join', { channelId: 'general' }, 'VALIDATION_ERROR'],
      ['a cursor that is none', 'join', { channelId: newId(), after: 'yesterday' }, 'VALIDATION_ERROR'],
      ['to say nothing', 'message', { type: 2, payload: { channelId: newId(), message: ' ' } }, 'VALIDATION_ERROR'],
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
      expect(await client.hears('messageError')).toEqual({ ...body, error: expect.stringMatching(/./) });
      expect(client.all('messageError')).toHaveLength(1);
      expect(client.socket.connected).toBe(true);
    });

    it('is refused without an acknowledgement too, and may go on', async () => {
      await start();
      const channelId = await createChannel();
      const client = await connect();
      client.socket.emit('message', { type: 3 });
      expect(await client.hears('messageError')).toMatchObject({ code: 'VALIDATION_ERROR' });
      expect(await client.ask('join', { channelId })).toMatchObject({ ok: true });
    });
  });

  describe('that was away', () => {
    const MESSAGES = 1000;
    const CUTS = 50;
    const WRITERS = 4;

    it(`hears all of ${MESSAGES} messages once and in order, although its connection is cut ${CUTS} times`, () =>
      seeded('SOCKET_SEED', async (random) => {
        await start();
        const channelId = await createChannel();
        const proxy = await CuttingProxy.to(portOf(test.url));
        try {
          const reader = new Returning(proxy, channelId, random);
          const reading = reader.read(MESSAGES, CUTS);
          await writeAll(channelId, MESSAGES);
          await reading;
          const stored = await storedTexts(channelId);
          expect(stored).toHaveLength(MESSAGES);
          expect(reader.texts).toEqual(stored);
          expect(reader.cuts).toBe(CUTS);
        } finally {
          await proxy.close();
        }
      }));

    it('misses nothing when the server is restarted in the middle', () =>
      seeded('SOCKET_SEED', async (random) => {
        await start();
        const channelId = await createChannel();
        const proxy = await CuttingProxy.to(portOf(test.url));
        try {
          const reader = new Returning(proxy, channelId, random);
          const reading = reader.read(300, 5);
          await writeAll(channelId, 100);
          await test.restart();
          proxy.target = portOf(test.url);
          await writeAll(channelId, 200);
          await reading;
          expect(reader.texts).toEqual(await storedTexts(channelId));
          expect(reader.texts).toHaveLength(300);
        } finally {
          await proxy.close();
        }
      }));

    it('hears each message once and in order when it speaks while it is still being told what it missed', async () => {
      await start();
      const channelId = await createChannel();
      await writeAll(channelId, 3);
      const [client, witness] = [await connect(), await connect({ entityId: OTHER })];
      await witness.ask('join', { channelId });
      const replay = holdReplay();
      const joined = client.ask('join', { channelId, after: 0 });
      await replay.reached;
      await client.ask('message', { type: 2, payload: { channelId, message: 'said meanwhile' } });
      await write(channelId, 'written meanwhile');
      await witness.hearsMany('messageBroadcast', 2);
      replay.release();
      await joined;
      await write(channelId, 'last');
      await client.hears('messageBroadcast', ({ text }) => text === 'last');
      expect(client.all('messageBroadcast').map(({ text }) => text)).toEqual(await storedTexts(channelId));
    });

    it('hears each message once when it joins again while it is still being told what it missed', async () => {
      await start();
      const channelId = await createChannel();
      await writeAll(channelId, 3);
      const client = await connect();
      const replay = holdReplay();
      const joined = client.ask('join', { channelId, after: 0 });
      await replay.reached;
      const again = client.ask('join', { channelId, after: 0 });
      await client.hearsMany('channel_joined', 2);
      replay.release();
      await Promise.all([joined, again]);
      await write(channelId, 'last');
      await client.hears('messageBroadcast', ({ text }) => text === 'last');
      expect(client.all('messageBroadcast').map(({ text }) => text)).toEqual(await storedTexts(channelId));
    });

    it('hears nothing more when it leaves while it is still being told what it missed', async () => {
      await start();
      const [channelId, other] = [await createChannel(), await createChannel()];
      await writeAll(channelId, 3);
      const client = await connect();
      const replay = holdReplay();
      const joined = client.ask('join', { channelId, after: 0 });
      await replay.reached;
      await client.ask('leave', { channelId });
      replay.release();
      await joined;
      await client.ask('join', { channelId: other });
      await write(channelId, 'unheard');
      await write(other, 'heard');
      await client.hears('messageBroadcast');
      expect(client.all('messageBroadcast').map(({ text }) => text)).toEqual(['heard']);
    });

    it('is told of the gap when what it missed is no longer kept, and goes on behind it', async () => {
      const clock = new FakeClock();
      await start({ clock, env: { JOURNAL_RETENTION_HOURS: '1' } });
      const channelId = await createChannel();
      const first = (await write(channelId, 'one')).body.data.offset as number;
      for (const text of ['two', 'three']) await write(channelId, text);
      clock.advance(61 * MINUTE);
      const kept = (await write(channelId, 'four')).body.data.offset as number;
      await test.app.get(JournalRetention).sweep();
      const client = await connect();
      await client.ask('join', { channelId, after: first });
      expect(await client.hears('gap')).toEqual({ from: first, to: kept - 1 });
      await write(channelId, 'five');
      await client.hears('messageBroadcast', ({ text }) => text === 'five');
      expect(client.heard.slice(4).map(({ name, payload }) => payload.text ?? name)).toEqual(['gap', 'four', 'five']);
    });

    /** Stops the next reading of what a client missed between the database and the client. */
    function holdReplay(): { reached: Promise<void>; release: () => void } {
      const [reached, held] = [settled(), settled()];
      const journal = test.app.get(Journal);
      const read = journal.read.bind(journal);
      jest.spyOn(journal, 'read').mockImplementation(async (...range) => {
        const page = await read(...range);
        reached.resolve();
        await held.promise;
        return page;
      });
      return { reached: reached.promise, release: held.resolve };
    }

    /** Posts so many messages, several at a time. */
    async function writeAll(channelId: string, count: number): Promise<void> {
      let next = 0;
      const writer = async (): Promise<void> => {
        while (next < count) {
          const { status } = await write(channelId, `message ${next++}`);
          expect(status).toBe(201);
        }
      };
      await Promise.all(Array.from({ length: WRITERS }, writer));
    }

    async function stored(channelId: string): Promise<{ content: string; offset: number }[]> {
      const all: { content: string; offset: number }[] = [];
      for (let before = ''; ;) {
        const { messages, hasMore, nextCursor } = (await api.get(`/api/messaging/channels/${channelId}/messages?limit=100${before}`)).body
          .data;
        all.push(...messages);
        if (!hasMore) return all.reverse();
        before = `&before=${nextCursor.before}`;
      }
    }

    const storedTexts = async (channelId: string): Promise<string[]> => (await stored(channelId)).map(({ content }) => content);
  });
});

/** A client that loses its connection again and again, and each time joins again behind the last event it heard. */
class Returning {
  readonly texts: string[] = [];
  cuts = 0;
  private cursor = 0;

  constructor(
    private readonly proxy: CuttingProxy,
    private readonly channelId: string,
    private readonly random: Random,
  ) {}

  /** Reads so many messages over so many cuts. Connections that end by themselves are made again too. */
  async read(messages: number, cuts: number): Promise<void> {
    const deadline = Date.now() + 45_000;
    while (this.texts.length < messages || this.cuts < cuts) {
      if (Date.now() > deadline) throw new Error(`heard ${this.texts.length} of ${messages} messages over ${this.cuts} of ${cuts} cuts`);
      const left = cuts - this.cuts;
      // The cuts are spread so that some messages are left for after the last one.
      const leash = left === 0 ? messages : this.random.between(0, Math.floor((2 * (messages - this.texts.length)) / (left + 1)));
      await this.listen(Math.min(messages, this.texts.length + leash), left > 0);
    }
  }

  /** One connection, until so many messages were heard altogether, and its cut. */
  private async listen(goal: number, cutAtGoal: boolean): Promise<void> {
    const client = new SocketClient(this.proxy.url);
    const ended = new Promise<void>((resolve) => client.socket.once('disconnect', () => resolve()));
    const { promise: reached, resolve: reach } = settled();
    client.socket.onAny((name: string, payload: { offset?: number; text: string; channelId?: string }) => {
      if (name === 'messageBroadcast') this.texts.push(payload.text);
      if (name === 'messageBroadcast' || name === 'channelCreated') this.cursor = payload.offset ?? this.cursor;
      if (this.texts.length >= goal) reach();
    });
    try {
      await client.connected();
      client.socket.emit('join', { channelId: this.channelId, after: this.cursor });
      if (this.texts.length >= goal) reach();
      const atGoal = await Promise.race([reached.then(() => true), ended.then(() => false)]);
      if (atGoal && cutAtGoal) {
        // Not in the same breath: the cut is to fall between or into frames that are under way.
        await new Promise((resolve) => setImmediate(resolve));
        client.socket.offAny();
        this.proxy.cut();
        await ended;
        this.cuts += 1;
      }
    } catch {
      // The server is not back yet.
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      client.close();
    }
  }
}

function settled(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
