// The connection to PostgreSQL breaks in the middle of a unit of work.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { SCHEMA } from '../../src/app.module.js';
import { openStore, type Store } from '../../src/core/database/index.js';
import { append } from '../../src/core/journal/index.js';
import { openTestStore, type TestStore } from '../support/test-store.js';

const CHANNEL = 'aaaaaaaa-0000-0000-0000-000000000000';

let test: TestStore;
let way: Server;
let store: Store;
let connections: Socket[];
let dataDir: string;
/** Breaks the connection that commits next, before or after the database has done so. */
let breakAt: 'before the commit' | 'after the commit' | undefined;

beforeEach(async () => {
  breakAt = undefined;
  connections = [];
  test = await openTestStore('postgres');
  const address = new URL(test.config.databaseUrl);
  const target = { port: Number(address.port), host: address.hostname };
  way = createServer((near) => relay(near, connect(target)));
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
  address.port = String((way.address() as AddressInfo).port);
  dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
  store = await openStore({ ...test.config, dataDir, databaseUrl: address.href }, SCHEMA);
});
afterEach(async () => {
  await store.close();
  way.close();
  await test.close();
  await rm(dataDir, { recursive: true, force: true });
});

function relay(near: Socket, far: Socket): void {
  connections.push(near);
  let muted = false;
  const cut = (): void => {
    near.resetAndDestroy();
    far.destroy();
  };
  near.on('data', (piece) => {
    const commits = breakAt !== undefined && piece.includes('channel.cleared');
    if (commits && breakAt === 'before the commit') return cut();
    if (commits) {
      muted = true;
      breakAt = undefined;
    }
    far.write(piece);
  });
  // The answer to a unit of one round trip arrives after its commit.
  far.on('data', (piece) => {
    if (muted) cut();
    else near.write(piece);
  });
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => undefined);
    one.on('close', () => other.destroy());
  }
}

const write = (text: string): Promise<unknown> =>
  store.unitOfWork.commit([append('channel.cleared', CHANNEL, { channelId: text }, 1)]).catch((error: unknown) => error);

const written = async (): Promise<string[]> =>
  (await test.store.reader.rows<{ payload: string }>('SELECT payload FROM journal ORDER BY pos')).map(
    ({ payload }) => (JSON.parse(payload) as { channelId: string }).channelId,
  );

const LOST = { code: 'STORAGE_UNAVAILABLE', message: 'The connection to the database was lost.' };

it('stops no process: the unit is refused without a trace, and the next one is written', async () => {
  breakAt = 'before the commit';
  expect(await write('one')).toMatchObject(LOST);
  breakAt = undefined;
  expect(await write('two')).toHaveLength(1);
  expect(await written()).toEqual(['two']);
});

it('does not repeat a unit that may be committed', async () => {
  breakAt = 'after the commit';
  expect(await write('one')).toMatchObject(LOST);
  expect(await written()).toEqual(['one']);
});

it('reopens the listening connection, and hints arrive as before', async () => {
  const rung = new AbortController();
  store.notifier?.listen(() => rung.abort());
  for (const connection of connections.splice(0)) connection.resetAndDestroy();
  while (!rung.signal.aborted) await test.store.unitOfWork.commit([append('channel.cleared', CHANNEL, { channelId: 'other' }, 1)]);
});
