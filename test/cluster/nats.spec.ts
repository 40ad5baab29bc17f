// Processes on one PostgreSQL database that tell each other of their events over NATS.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../src/core/clock/index.js';
import type { Config } from '../../src/core/config/index.js';
import { hintOf, readHint } from '../../src/core/database/index.js';
import type { Piece } from '../../src/core/journal/index.js';
import { Vault } from '../../src/core/vault/index.js';
import { RemotePieces } from '../../src/modules/messaging/replies/remote-pieces.js';
import { killAll, ServerProcess } from '../crash/support/server-process.js';
import { JournalProcess } from '../support/journal-process.js';
import { eventually } from '../support/memory-app.js';
import { NatsServer } from '../support/nats-server.js';
import { testConfig } from '../support/test-store.js';

const CHANNEL = 'aaaaaaaa-0000-0000-0000-000000000000';
/** Time between two polls while the state is `connected`. */
const POLL_MS = 1000;
const ROUNDS = 15;

let nats: NatsServer;

beforeEach(async () => {
  nats = await NatsServer.start();
});
afterEach(() => nats.kill());

describe('two processes', () => {
  let config: Config;
  let remove: () => Promise<void>;
  let processes: JournalProcess[];

  beforeEach(async () => {
    ({ config, remove } = await testConfig('postgres', { EVENTS_URL: nats.url }));
    processes = [];
  });
  afterEach(async () => {
    for (const process of processes) await process.close();
    await remove();
  });

  const open = async (other = config): Promise<JournalProcess> => {
    const process = await JournalProcess.open(other);
    processes.push(process);
    return process;
  };
  const openBoth = async (): Promise<[JournalProcess, JournalProcess]> => {
    // Another way to write the same address.
    return [await open(), await open({ ...config, databaseUrl: config.databaseUrl.replace('127.0.0.1', 'localhost') })];
  };
  const haveState = (state: string): Promise<void> => eventually(() => processes.every(({ store }) => store.notifier?.state === state));
  /** The median time from the begin of a commit in one process until the other hears of it, ms. */
  const delay = async (from: JournalProcess, to: JournalProcess): Promise<number> => {
    const delays: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const begin = performance.now();
      const heard = to.hear(CHANNEL, 1);
      await from.append(CHANNEL);
      await heard;
      delays.push(performance.now() - begin);
    }
    return delays.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  };

  it('receive events long before the next poll', async () => {
    const [one, other] = await openBoth();
    expect([one.store.notifier?.state, one.store.notifier?.advice]).toEqual(['connected', undefined]);
    expect(await delay(one, other)).toBeLessThan(POLL_MS / 5);
    expect(await delay(other, one)).toBeLessThan(POLL_MS / 5);
  });

  it('miss nothing while NATS is killed and restarted, and are as fast afterwards', async () => {
    const [one, other] = await openBoth();
    let count = 0;
    const offsets: number[] = [];
    other.journal.subscribeToChannel(CHANNEL, ({ offset }) => offsets.push(offset));
    const appendWhile = async (work: Promise<unknown>): Promise<void> => {
      const over = new AbortController();
      const ended = work.finally(() => over.abort());
      do {
        await one.append(CHANNEL);
        count += 1;
      } while (!over.signal.aborted);
      await ended;
    };
    await appendWhile(nats.kill().then(() => haveState('unheard')));
    expect(one.store.notifier?.advice).toMatch(`check NATS and EVENTS_URL (127.0.0.1:${nats.port})`);
    const appended = count;
    await appendWhile(eventually(() => offsets.length > appended));
    await appendWhile(nats.startAgain().then(() => haveState('connected')));
    await eventually(() => offsets.length === count);
    const rows = await one.store.reader.rows<{ pos: number }>('SELECT pos FROM journal ORDER BY pos');
    expect(offsets).toEqual(rows.map(({ pos }) => pos));
    expect(await delay(one, other)).toBeLessThan(POLL_MS / 5);
  });

  it('start without NATS, poll, and use it once it is available', async () => {
    await nats.kill();
    const [one, other] = await openBoth();
    const heard = other.hear(CHANNEL, 1);
    await one.append(CHANNEL);
    await heard;
    await haveState('unheard');
    await nats.startAgain();
    await haveState('connected');
    expect(await delay(one, other)).toBeLessThan(POLL_MS / 5);
  });

  it('carry the pieces of a reply to the process that has readers, sealed, and no others', async () => {
    const [one, other] = await openBoth();
    const vault = await Vault.open({ dataDir: config.dataDir, secretKey: 'one key for both', secretKeyPrevious: [] });
    const wire: string[] = [];
    one.store.notifier?.messages?.subscribe(`pieces.of.${CHANNEL}`, (text) => wire.push(text));
    for (const { store, journal } of [one, other]) new RemotePieces(store, journal, vault, new SystemClock()).onModuleInit();
    const tell = (text: string): void =>
      other.journal.tell({
        type: 'piece',
        behind: 3,
        entry: { type: 'message.chunk', channelId: CHANNEL, payload: { text }, at: 1, requestId: null } as unknown as Piece['entry'],
      });
    tell('a secret that nobody reads');
    const heard: unknown[] = [];
    const { stop } = one.journal.subscribeToItems(CHANNEL, (item) => heard.push(item));
    await eventually(() => {
      tell('a secret that is read');
      return heard.length > 0;
    });
    expect(heard[0]).toEqual({
      type: 'piece',
      behind: 3,
      entry: { type: 'message.chunk', channelId: CHANNEL, payload: { text: 'a secret that is read' }, at: 1, requestId: null },
    });
    expect(wire.filter((text) => text.includes('secret') || !Vault.isSealed(text))).toEqual([]);
    stop();
  });

  it('get no hints of another database', async () => {
    const stranger = await testConfig('postgres', { EVENTS_URL: nats.url });
    try {
      const [one, other] = [await open(), await open(stranger.config)];
      const told: string[] = [];
      other.store.notifier?.listen((hints) => told.push(...hints.map((text) => readHint(text).hint)));
      await one.append(CHANNEL);
      const third = await open(stranger.config);
      await third.append('bbbbbbbb-0000-0000-0000-00000000000b');
      const hint = hintOf('bbbbbbbb-0000-0000-0000-00000000000b', false);
      await eventually(() => told.includes(hint));
      expect(told).not.toContain(hintOf(CHANNEL, false));
    } finally {
      for (const process of processes.splice(0)) await process.close();
      await stranger.remove();
    }
  });
});

it('the built server is ready without NATS, and logs the remedy once', async () => {
  await nats.kill();
  const { config, remove } = await testConfig('postgres');
  const { dataDir, databaseUrl } = config;
  try {
    const server = await ServerProcess.start({
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      EVENTS_URL: nats.url.replace('//', '//name:password@'),
    });
    const checks = async (): Promise<{ notifications: string; advice?: string }> => {
      const response = await fetch(`${server.url}/readyz`);
      expect(response.status).toBe(200);
      return ((await response.json()) as { checks: { notifications: string } }).checks;
    };
    const hosts = `127.0.0.1:${nats.port}`;
    const advice = `NATS does not accept a connection, so the journal is polled: check NATS and EVENTS_URL (${hosts})`;
    expect(await checks()).toEqual({ database: 'writable', notifications: 'polled', models: 'healthy', advice });
    await failAttempts(2);
    await nats.startAgain();
    await eventually(async () => (await checks()).notifications === 'connected');
    expect(await checks()).toEqual({ database: 'writable', notifications: 'connected', models: 'healthy' });
    await server.printed(/NATS is connected again.*\n/);
    const told = server.stdout.split('\n').filter((line) => line.includes('"part":"events"'));
    expect(told).toEqual([expect.stringContaining(`"servers":"${hosts}","error":`), expect.stringContaining('NATS is connected again')]);
    expect(server.stdout).not.toContain('name:password');
  } finally {
    await killAll();
    await remove();
  }
});

/** Waits for so many attempts to connect, and closes each connection. */
async function failAttempts(count: number): Promise<void> {
  let attempts = 0;
  const closing = createServer((socket) => {
    attempts += 1;
    socket.destroy();
  });
  closing.listen(nats.port, '127.0.0.1');
  await eventually(() => attempts >= count);
  closing.close();
  await once(closing, 'close');
}
