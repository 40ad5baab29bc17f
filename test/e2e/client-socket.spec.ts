// parley-client/socket against the whole application: several channels over one connection, and nothing missed or heard twice.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type ChannelEvent } from 'parley-client';
import { connectLive, type FollowOptions, type Live, type LiveState } from 'parley-client/socket';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FaultyProxy } from '../support/faulty-proxy.js';
import { Gate } from '../support/scripted-model.js';

const ADMIN = 'the key of the administrator';

let test: TestApp;
let proxy: FaultyProxy;
const opened: Live[] = [];

beforeAll(async () => {
  test = await createTestApp({ env: { API_KEY: ADMIN, RATE_LIMIT: 'off' } });
  proxy = await FaultyProxy.to(() => Number(new URL(test.url).port));
});
afterEach(() => {
  for (const live of opened.splice(0)) live.close();
  test.model.assertDone();
});
afterAll(async () => {
  await proxy.close();
  await test.close();
});

const parley = (credential = ADMIN): Parley => new Parley({ url: test.url, credential });

function connect(credential: string | (() => Promise<string>) = ADMIN): Live {
  const live = connectLive(new Parley({ url: proxy.url, credential }));
  opened.push(live);
  return live;
}

/** Follows a channel and writes down what it hears. */
class Reader {
  readonly events: ChannelEvent[] = [];
  readonly following: ReturnType<Live['follow']>;
  private wake: () => void = () => undefined;

  constructor(
    live: Live,
    readonly channelId: string,
    options: Partial<FollowOptions> = {},
  ) {
    this.following = live.follow(channelId, {
      after: 0,
      onError: (error) => {
        throw error;
      },
      ...options,
      onEvent: (event) => {
        this.events.push(event);
        options.onEvent?.(event);
        this.wake();
      },
    });
  }

  get texts(): readonly string[] {
    return this.events.flatMap((event) => (event.type === 'message.created' ? event.message.text : []));
  }

  async until(done: (events: readonly ChannelEvent[]) => boolean): Promise<void> {
    while (!done(this.events)) await new Promise<void>((resolve) => (this.wake = resolve));
  }
}

async function stateOf(live: Live, wanted: LiveState): Promise<void> {
  if (live.state === wanted) return;
  await new Promise<void>((resolve) => {
    const stop = live.onState((state) => {
      if (state !== wanted) return;
      stop();
      resolve();
    });
  });
}

const newChannel = async (...participants: string[]): Promise<string> => {
  const { id } = await parley().channels.create({ name: 'a channel', participantCentralUserIds: participants });
  return id;
};

describe('following channels', () => {
  it('yields each event of several channels once and in order, over cuts and a restart', async () => {
    const live = connect();
    const readers = [new Reader(live, await newChannel()), new Reader(live, await newChannel())];
    const twin = new Reader(live, readers[0]!.channelId);
    const heardBy = (count: number) => (events: readonly ChannelEvent[]) =>
      events.filter(({ type }) => type === 'message.created').length >= count;
    for (let round = 0; round < 4; round += 1) {
      for (const { channelId } of readers) {
        for (const person of ['ann', 'bob']) await parley().messages.post(channelId, person, `${person} ${round}`);
        if (round < 3) proxy.cut();
      }
      if (round === 1) await test.restart();
    }
    for (const reader of [...readers, twin]) {
      await reader.until(heardBy(8));
      const stored = (await parley().messages.list(reader.channelId)).messages.map(({ content }) => content).reverse();
      expect(reader.texts).toEqual(stored);
      const offsets = reader.events.map(({ offset }) => offset);
      expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b));
      expect(reader.following.cursor).toBe(reader.events.at(-1)?.cursor);
    }
    expect(twin.events).toEqual(readers[0]!.events);
  });

  it('yields a reply with the same events and fields as a stream, despite a cut during the reply', async () => {
    const live = connect();
    const channelId = await newChannel(ADA.id);
    const gate = new Gate();
    const words = Array.from({ length: 8 }, (_, index) => `word ${index} `);
    test.model.deltas(words, { gate });
    let cuts = 0;
    const reader = new Reader(live, channelId, {
      onEvent: ({ type }) => {
        gate.release();
        if (type !== 'message.chunk' || cuts === 2) return;
        cuts += 1;
        proxy.cut();
      },
    });
    const { id } = await parley().messages.post(channelId, 'ann', 'Say eight words.');
    await parley().messages.edit(id, 'Say eight words!');
    await reader.until((events) => events.some(({ type }) => type === 'turn.finished'));
    expect(cuts).toBe(2);
    const heard: ChannelEvent[] = [];
    for await (const event of parley().events(channelId, { after: 0 })) {
      if (event.type === 'gap') throw new Error('nothing was to be missing');
      heard.push(event);
      if (event.type === 'turn.finished') break;
    }
    // A reply that is running comes in other parts than one that has ended.
    const isPart = ({ type }: ChannelEvent): boolean => type === 'message.chunk';
    const others = (events: readonly ChannelEvent[]): object[] =>
      events.flatMap((event) => (isPart(event) ? [] : [{ ...event, cursor: event.type === 'turn.started' ? '' : event.cursor }]));
    expect(others(reader.events)).toEqual(others(heard));
    const parts = reader.events.filter((event) => event.type === 'message.chunk');
    expect(parts.map(({ text }) => text).join('')).toBe(words.join(''));
    expect(parts.map(({ reset }) => reset)).toEqual(parts.map(() => false));
    expect(Object.keys(parts[0] ?? {})).toEqual(Object.keys(heard.find(isPart) ?? {}));
    expect(reader.events.map(({ type }) => type)).toEqual(expect.arrayContaining(['turn.started', 'message.chunk', 'message.updated']));
    expect(reader.texts.at(-1)).toBe(words.join('').trim());
  });

  it('starts now without a cursor, and yields nothing after its end', async () => {
    const live = connect();
    const channelId = await newChannel();
    await parley().messages.post(channelId, 'ann', 'before');
    const early = new Reader(live, channelId);
    await early.until((events) => events.some(({ type }) => type === 'message.created'));
    const late = new Reader(live, channelId, { after: undefined });
    await parley().messages.post(channelId, 'ann', 'now');
    await late.until((events) => events.length > 0);
    expect(late.texts).toEqual(['now']);
    late.following.unfollow();
    await parley().messages.post(channelId, 'ann', 'later');
    await early.until(() => early.texts.includes('later'));
    expect(late.texts).toEqual(['now']);
  });

  it('reports a refused channel', async () => {
    const session = await new Parley({ url: test.url }).session({ agent: ADA.id, user: 'ann' });
    const live = connect(session.token);
    const others = await newChannel();
    const refusal = await new Promise((onError) => live.follow(others, { onEvent: () => undefined, onError }));
    expect(refusal).toMatchObject({ name: 'ForbiddenError', code: 'FORBIDDEN', status: 403 });
    const own = new Reader(live, session.channelId, { after: 0 });
    test.model.reply('Hello.');
    await session.ask('Hi');
    await own.until((events) => events.some(({ type }) => type === 'turn.finished'));
    expect(own.texts).toEqual(['Hi', 'Hello.']);
  });
});

describe('the connection', () => {
  it('reports its state, and reconnects after a cut', async () => {
    const live = connect();
    const states: LiveState[] = [live.state];
    live.onState((state) => states.push(state));
    await stateOf(live, 'open');
    proxy.cut();
    await stateOf(live, 'reconnecting');
    await stateOf(live, 'open');
    live.close();
    expect(states).toEqual(['connecting', 'open', 'reconnecting', 'open', 'closed']);
  });

  it('closes with the reason for a wrong credential, and connects with the right one', async () => {
    let key = 'a wrong key';
    const live = connect(async () => key);
    await stateOf(live, 'closed');
    expect(live.error).toMatchObject({ name: 'UnauthenticatedError', code: 'UNAUTHORIZED' });
    key = ADMIN;
    live.connect();
    await stateOf(live, 'open');
    expect(live.error).toBeUndefined();
  });

  it('yields the server log, also after a cut', async () => {
    const live = connect();
    const lines: string[] = [];
    await stateOf(live, 'open');
    const stop = await live.followLogs({
      level: 'info',
      onLine: ({ msg }) => lines.push(msg),
    });
    const heard = async (text: string): Promise<void> => {
      // Lines written while the connection is down are not sent later.
      while (!lines.some((line) => line.includes(text))) {
        await parley().call('POST /api/server/logs', { body: { logs: [{ level: 'info', message: text }] } });
      }
    };
    await heard('the first line');
    proxy.cut();
    await stateOf(live, 'reconnecting');
    await heard('the second line');
    stop();
  });
});
