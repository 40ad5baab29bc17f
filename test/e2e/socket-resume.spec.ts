// A stock socket.io client misses nothing: not by a cut, not by a restart.
// SOCKET_SEED=n repeats the cuts of a failed run.
import { describe, expect, it, jest } from '@jest/globals';
import { Journal, JournalRetention } from '../../src/core/journal/index.js';
import { FaultyProxy } from '../support/faulty-proxy.js';
import { FakeClock } from '../support/fake-clock.js';
import { seeded, type Random } from '../support/random.js';
import { OTHER, socketApp } from '../support/socket-app.js';
import { SocketClient } from '../support/socket-client.js';

const MINUTE = 60_000;

const app = socketApp();
const { api, connect, createChannel, start, write } = app;

describe('a reconnecting socket.io client', () => {
  const MESSAGES = 1000;
  const CUTS = 50;
  const WRITERS = 4;

  it(`receives all of ${MESSAGES} messages once and in order, although its connection is cut ${CUTS} times`, () =>
    seeded('SOCKET_SEED', async (random) => {
      await start();
      const channelId = await createChannel();
      const proxy = await FaultyProxy.to(portOf(app.test.url));
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

  it('misses nothing when the server restarts midway', () =>
    seeded('SOCKET_SEED', async (random) => {
      await start();
      const channelId = await createChannel();
      const proxy = await FaultyProxy.to(portOf(app.test.url));
      try {
        const reader = new Returning(proxy, channelId, random);
        const reading = reader.read(300, 5);
        await writeAll(channelId, 100);
        await app.test.restart();
        proxy.target = portOf(app.test.url);
        await writeAll(channelId, 200);
        await reading;
        expect(reader.texts).toEqual(await storedTexts(channelId));
        expect(reader.texts).toHaveLength(300);
      } finally {
        await proxy.close();
      }
    }));

  it('receives each message once and in order when it writes while it is still catching up', async () => {
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
    await witness.waitForMany('messageBroadcast', 2);
    replay.release();
    await joined;
    await write(channelId, 'last');
    await client.waitFor('messageBroadcast', ({ text }) => text === 'last');
    expect(client.all('messageBroadcast').map(({ text }) => text)).toEqual(await storedTexts(channelId));
  });

  it('receives each message once when it joins again while it is still catching up', async () => {
    await start();
    const channelId = await createChannel();
    await writeAll(channelId, 3);
    const client = await connect();
    const replay = holdReplay();
    const joined = client.ask('join', { channelId, after: 0 });
    await replay.reached;
    const again = client.ask('join', { channelId, after: 0 });
    await client.waitForMany('channel_joined', 2);
    replay.release();
    await Promise.all([joined, again]);
    await write(channelId, 'last');
    await client.waitFor('messageBroadcast', ({ text }) => text === 'last');
    expect(client.all('messageBroadcast').map(({ text }) => text)).toEqual(await storedTexts(channelId));
  });

  it('receives nothing more when it leaves while it is still catching up', async () => {
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
    await client.waitFor('messageBroadcast');
    expect(client.all('messageBroadcast').map(({ text }) => text)).toEqual(['heard']);
  });

  it('receives a gap when missed entries have been deleted, and continues after it', async () => {
    const clock = new FakeClock();
    await start({ clock, env: { JOURNAL_RETENTION_HOURS: '1' } });
    const channelId = await createChannel();
    const first = (await write(channelId, 'one')).body.data.offset as number;
    for (const text of ['two', 'three']) await write(channelId, text);
    clock.advance(61 * MINUTE);
    const kept = (await write(channelId, 'four')).body.data.offset as number;
    await app.test.app.get(JournalRetention).sweep();
    const client = await connect();
    await client.ask('join', { channelId, after: first });
    expect(await client.waitFor('gap')).toEqual({ from: first, to: kept - 1, channelId, roomId: channelId });
    await write(channelId, 'five');
    await client.waitFor('messageBroadcast', ({ text }) => text === 'five');
    expect(client.received.slice(4).map(({ name, payload }) => payload.text ?? name)).toEqual(['gap', 'four', 'five']);
  });

  it('receives a gap when its cursor is ahead of the journal, as after a restore, and then new entries', async () => {
    await start();
    const channelId = await createChannel();
    const { offset } = (await write(channelId, 'one')).body.data;
    const client = await connect();
    const after = (offset as number) + 1000;
    await client.ask('join', { channelId, after });
    expect(await client.waitFor('gap')).toEqual({ from: after, to: offset, channelId, roomId: channelId });
    await write(channelId, 'two');
    await client.waitFor('messageBroadcast', ({ text }) => text === 'two');
  });

  /** Stops the next reading of what a client missed between the database and the client. */
  function holdReplay(): { reached: Promise<void>; release: () => void } {
    const [reached, held] = [settled(), settled()];
    const journal = app.test.app.get(Journal);
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

/** A client that loses its connection again and again, and each time joins again behind the last event it heard. */
class Returning {
  readonly texts: string[] = [];
  cuts = 0;
  private cursor = 0;

  constructor(
    private readonly proxy: FaultyProxy,
    private readonly channelId: string,
    private readonly random: Random,
  ) {}

  /** Reads so many messages over so many cuts. Connections that end by themselves are made again too. */
  async read(messages: number, cuts: number): Promise<void> {
    const deadline = Date.now() + 150_000;
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
