// What a socket is told of a channel's past while more comes than it reads.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Socket } from 'socket.io';
import { UnitOfWork } from '../../src/core/database/index.js';
import { cursorBehind, append, Journal } from '../../src/core/journal/index.js';
import { Subscriptions } from '../../src/interfaces/gateway/subscriptions.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';

const CHANNEL = 'aaaaaaaa-0000-0000-0000-000000000000';
const clock = new FakeClock();
let test: TestApp;
let journal: Journal;

beforeEach(async () => {
  test = await createTestApp({ clock, env: { SOCKET_BACKLOG_BYTES: '65536' } });
  journal = test.app.get(Journal);
});
afterEach(() => test.close());

async function write(count: number): Promise<void> {
  const last = journal.tail + count;
  const cleared = Array.from({ length: count }, () => append('channel.cleared', CHANNEL, { channelId: CHANNEL }, clock.now()));
  await test.app.get(UnitOfWork).commit(cleared);
  while (journal.tail < last) await new Promise((resolve) => setImmediate(resolve));
}

it('a subscriber gets everything, once and in order, even if more arrives meanwhile than is buffered for it', async () => {
  const told: number[] = [];
  const unread = { data: 'x'.repeat(100_000) };
  const connection = { writeBuffer: [unread], transport: {}, close: () => undefined };
  const rooms = new Set<string>();
  const socket = {
    connected: true,
    conn: connection,
    rooms,
    once: () => undefined,
    emit: (name: string, { offset }: { offset: number }) => name === 'channelCleared' && told.push(offset),
    join: (room: string) => rooms.add(room),
    leave: (room: string) => rooms.delete(room),
  } as unknown as Socket;
  const holder = {
    caller: { id: 'anonymous', scope: 'admin' as const },
    access: { signal: new AbortController().signal, release: () => undefined },
  };
  const begin = journal.tail;
  await write(3);
  const joining = test.app.get(Subscriptions).join(socket, CHANNEL, holder, cursorBehind(begin + 1));
  await write(1200);
  expect([told, rooms.size]).toEqual([[], 0]);
  connection.writeBuffer = [];
  const joined = new AbortController();
  void joining.then(() => joined.abort());
  while (!joined.signal.aborted) {
    clock.advance(20);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(told).toEqual(Array.from({ length: 1202 }, (_, index) => begin + index + 2));
  expect(rooms.size).toBe(1);
});
