// How answers with long lists leave, on a real port.
import 'reflect-metadata';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '../../src/core/errors/index.js';
import {
  NoEnvelope,
  EnvelopeAdapter,
  EnvelopeGuard,
  ErrorFilter,
  takeFirst,
  HybridEnvelope,
  keysetPages,
  pagedList,
} from '../../src/core/http/index.js';
import { FakeClock } from '../support/fake-clock.js';

/** What the operations below answer, and what became of it. */
const given: { payload: unknown; rows: number; failAt: number; read: number; ended: number } = {
  payload: null,
  rows: 0,
  failAt: Number.POSITIVE_INFINITY,
  read: 0,
  ended: 0,
};

const PAGE = 100;
const row = (index: number): { index: number; text: string } => ({ index, text: 'ä'.repeat(500) });

/** Rows 0, 1, 2, … by their places, as a database would give them. */
async function* numbers(): AsyncGenerator<readonly number[], void> {
  try {
    yield* keysetPages<number>(async (behind = -1) => {
      if (behind + 1 >= given.failAt) throw new AppError('CHANNEL_NOT_FOUND', 'There is no such page.', 'For the test.');
      given.read += 1;
      const rows = Array.from({ length: Math.min(PAGE, given.rows - behind - 1) }, (_, place) => behind + 1 + place);
      return { rows, more: rows.length === PAGE };
    });
  } finally {
    given.ended += 1;
  }
}

@Controller()
class LongController {
  @Get('plain')
  async plain(): Promise<unknown> {
    return given.payload;
  }

  @Get('bare')
  @NoEnvelope()
  async bare(): Promise<unknown> {
    return given.payload;
  }

  @Get('paged')
  async paged(): Promise<unknown> {
    return pagedList(() => numbers(), row);
  }

  @Get('twice')
  @HybridEnvelope()
  async twice(): Promise<unknown> {
    return { list: pagedList(() => numbers(), row), count: given.rows };
  }
}

@Module({ controllers: [LongController] })
class LongModule {}

describe('a response with long lists', () => {
  const clock = new FakeClock();
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    app = await NestFactory.create<NestExpressApplication>(LongModule, new EnvelopeAdapter(clock), {
      logger: false,
      abortOnError: false,
      forceCloseConnections: true,
    });
    app.useGlobalGuards(new EnvelopeGuard()).useGlobalFilters(new ErrorFilter());
    await app.listen(0, '127.0.0.1');
    // A connection that is closed just when it is used again would fail a test.
    app.getHttpServer().keepAliveTimeout = 600_000;
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => app.close());
  beforeEach(() => {
    Object.assign(given, { payload: null, rows: 0, failAt: Number.POSITIVE_INFINITY, read: 0, ended: 0 });
  });

  // Without the many megabytes of a difference.
  const expectText = (text: string, value: unknown): void => expect(text === JSON.stringify(value)).toBe(true);
  const everyRow = (): unknown[] => Array.from({ length: given.rows }, (_, index) => row(index));

  it('has the text that JSON.stringify gives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), fc.array(fc.jsonValue(), { maxLength: 30 }), async (first, list) => {
        given.payload = { first, list, absent: undefined, nested: { list, date: new Date(0), none: [] }, holes: [...list, undefined] };
        expect(await (await fetch(`${url}/bare`)).text()).toBe(JSON.stringify(given.payload));
      }),
      { numRuns: 50 },
    );
  });

  it.each([0, 1, 4, 5, PAGE, 250])('of %i rows is sent at once, with its length', async (rows) => {
    given.rows = rows;
    const answer = await fetch(`${url}/paged`);
    const text = await answer.text();
    expect(JSON.parse(text)).toEqual({ success: true, data: everyRow() });
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      'application/json; charset=utf-8',
      'no-store',
    ]);
  });

  it.each(['paged', 'twice'])('of many megabytes is sent in slices and complete (%s)', async (path) => {
    given.rows = 20_000;
    const answer = await fetch(`${url}/${path}`);
    const list = { list: everyRow(), count: given.rows };
    expectText(await answer.text(), path === 'twice' ? { ...list, success: true, data: list } : { success: true, data: list.list });
    expect(answer.headers.get('content-length')).toBeNull();
    expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      'application/json; charset=utf-8',
      'no-store',
    ]);
  });

  it('from memory is sent in slices as well', async () => {
    given.payload = { things: Array.from({ length: 20_000 }, (_, index) => row(index)) };
    const answer = await fetch(`${url}/plain`);
    expectText(await answer.text(), { success: true, data: given.payload });
    expect(answer.headers.get('content-length')).toBeNull();
  });

  it('lets other requests through while it is sent', async () => {
    given.rows = 50_000;
    const long = fetch(`${url}/paged`).then((answer) => answer.text());
    const done = new AbortController();
    void long.then(() => done.abort());
    let others = 0;
    while (!done.signal.aborted) {
      await fetch(`${url}/plain`);
      others += 1;
    }
    expect(others).toBeGreaterThan(10);
  });

  it.each([
    [10, 'as long as the body'],
    [20_000, 'of no length'],
  ])('of %i rows answers HEAD with its headers, %s', async (rows) => {
    given.rows = rows;
    const answer = await fetch(`${url}/paged`, { method: 'HEAD' });
    const length = rows === 10 ? String(Buffer.byteLength(JSON.stringify({ success: true, data: everyRow() }))) : null;
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([
      200,
      'application/json; charset=utf-8',
      length,
    ]);
    expect(await answer.text()).toBe('');
    expect(given.ended).toBe(1);
    expect(given.read).toBeLessThan(10);
  });

  it('that fails before its first byte is an ordinary error', async () => {
    Object.assign(given, { rows: 20_000, failAt: PAGE });
    const answer = await fetch(`${url}/paged`);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({ success: false, error: expect.objectContaining({ code: 'CHANNEL_NOT_FOUND' }) }),
    ]);
  });

  it('that fails midway ends with a cut connection', async () => {
    Object.assign(given, { rows: 20_000, failAt: 10_000 });
    const answer = await fetch(`${url}/paged`);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  it('stops when its client disconnects', async () => {
    given.rows = 1_000_000;
    const leaving = new AbortController();
    const answer = await fetch(`${url}/paged`, { signal: leaving.signal });
    expect((await answer.body!.getReader().read()).done).toBe(false);
    leaving.abort();
    while (given.ended === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(given.read).toBeLessThan(5_000);
  });

  it('is generated as fast as it is read, and a client that does not read is cut', async () => {
    given.rows = 1_000_000;
    const { socket, closed } = await neverReading('/paged');
    // Until a slice waits for the client: nothing is read any more.
    for (let read = -1; read !== given.read || read === 0;) {
      read = given.read;
      for (let turn = 0; turn < 1000; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(given.read).toBeLessThan(5_000);
    clock.advance(29_000);
    expect(socket.destroyed).toBe(false);
    clock.advance(1_000);
    while (given.ended === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.resume();
    await closed;
  });

  async function neverReading(path: string): Promise<{ socket: Socket; closed: Promise<unknown> }> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const closed = once(socket, 'close');
    socket.on('error', () => undefined).pause();
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return { socket, closed };
  }
});

describe('the first rows of a list', () => {
  it.each([
    [3, [1, 2, 3], true],
    [4, [1, 2, 3, 4], false],
    [9, [1, 2, 3, 4], false],
  ])('up to %i', async (limit, rows, more) => {
    const pages = keysetPages<number>(async (behind = 0) => ({ rows: [behind + 1, behind + 2], more: behind < 2 }));
    expect(await takeFirst(pages, limit)).toEqual({ rows, more });
  });

  it('cannot be serialised as a plain list', () => {
    expect(() => JSON.stringify(pagedList(() => [[1]], String))).toThrow('a paged list');
  });
});
