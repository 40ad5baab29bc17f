// Errors of handlers: each has one outcome and affects no other request.
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Log } from '../../src/core/logging/index.js';
import { pluginApp, withRoutes } from './support/plugin-app.js';

const app = pluginApp({
  'bad.mjs': withRoutes(
    'bad',
    `[
      ['/throws', () => { throw new Error('secret detail'); }],
      ['/throws-text', () => { throw 'secret detail'; }],
      ['/throws-nothing', () => { throw undefined; }],
      ['/rejects', async () => { throw new Error('secret detail'); }],
      ['/rejects-later', async () => { await null; await Promise.reject(new Error('secret detail')); }],
      ['/not-json', (q, r) => r.json({ number: 1n })],
      ['/circular', (q, r) => { const a = {}; a.a = a; r.json(a); }],
      ['/bad-status', (q, r) => r.status(99).json({})],
      ['/bad-header', (q, r) => r.set('x-a', 'b\\r\\nx-c: d').json({})],
      ['/answers-then-throws', (q, r) => { r.json({ fine: true }); throw new Error('afterwards'); }],
      ['/answers-then-rejects', async (q, r) => { r.json({ fine: true }); await held('reject'); throw new Error('afterwards'); }],
      ['/answers-twice', (q, r) => { r.status(201).json({ first: true }); r.status(500).json({ second: true }); }],
      ['/sends-twice', (q, r) => { r.send('first'); r.send('second'); r.end('third'); r.redirect('/'); r.set('x-late', '1'); r.type('html'); }],
      ['/throws-in-answer', (q, r) => { r.write('half'); throw new Error('in the middle'); }],
      ['/waits', async (q, r) => { await held('wait'); r.json({ waited: true }); tell('waited'); }],
      ['/never', (q) => { tell('never', q.signal); return new Promise(() => {}); }],
      ['/returns', () => { tell('returned'); }],
      ['/later', (q, r) => { held('later').then(() => r.json({ later: true })); }],
      ['/slow', async (q, r, runtime) => { tell('slow', [q.signal, runtime.abortSignal]); await held('slow'); r.json({ slow: true }); tell('slow ended', r.headersSent); }],
      ['/short', (q) => { tell('short', q.signal); return new Promise(() => {}); }, 50],
      ['/gone', async (q, r, { abortSignal }) => { await new Promise((resolve) => { abortSignal.addEventListener('abort', resolve); tell('gone'); }); tell('aborted', q.signal.aborted); throw new Error('gone, then failed'); }],
      ['/stream', (q, r) => r.type('text/plain').stream((async function* () { yield 'one '; yield Buffer.from('two '); yield 'three'; })())],
      ['/stream-breaks', (q, r) => r.stream((async function* () { yield 'one'; await held('break'); throw new Error('broken'); })())],
      ['/stream-breaks-alone', (q, r) => { r.stream((async function* () { yield 'one'; throw new Error('broken'); })()); }],
      ['/stream-breaks-first', (q, r) => r.stream((async function* () { throw new Error('broken'); })())],
      ['/stream-endless', (q, r) => r.stream((async function* () { try { for (;;) yield 'x'.repeat(65536); } finally { tell('stream left'); } })())],
      ['/blocks', (q, r) => { const until = performance.now() + 1000; while (performance.now() < until); r.json({ blocked: true }); }],
      ['/fine', (q, r) => r.json({ fine: true })],
      ['/text', (q, r) => r.send('text')],
      ['/bytes', (q, r) => r.type('application/octet-stream').send(new Uint8Array([1, 2]))],
      ['/object', (q, r) => r.send({ a: 1 })],
      ['/nothing', (q, r) => r.status(204).end()],
      ['/parts', (q, r) => { r.set('x-parts', '2'); r.write('a'); r.write('b'); r.end(); }],
      ['/redirect', (q, r) => r.redirect('/fine')],
      ['/redirect-308', (q, r) => r.redirect(308, '/fine')],
    ].map(([path, handler, timeoutMs]) => ({ type: 'GET', path, handler, timeoutMs }))`,
  ),
});
const { api, clock } = app;
const FINE = { status: 200, body: { fine: true } };
const FAILED = { status: 500, body: { success: false, error: 'Internal error' } };

let errors: jest.SpiedFunction<Log['error']>;
let warnings: jest.SpiedFunction<Log['warn']>;
beforeEach(() => {
  errors = jest.spyOn(Log.prototype, 'error');
  warnings = jest.spyOn(Log.prototype, 'warn');
});
afterEach(async () => {
  expect(await api.get('/fine')).toMatchObject(FINE);
});

const logged = (spy: typeof errors | typeof warnings, words: string): number =>
  spy.mock.calls.filter((call) => String(call[0]).includes(words) || JSON.stringify(call[1] ?? {}).includes(words)).length;

describe('a handler that fails', () => {
  it.each([
    '/throws',
    '/throws-text',
    '/throws-nothing',
    '/rejects',
    '/rejects-later',
    '/not-json',
    '/circular',
    '/bad-status',
    '/bad-header',
  ])('%s: 500 in the flat form, which hides the cause; the log has it', async (path) => {
    const answer = await api.get(path);
    expect({ status: answer.status, body: answer.body }).toEqual(FAILED);
    expect(logged(errors, `GET ${path} of bad`)).toBe(1);
  });

  it('after its response: the response stands, and the failure is logged', async () => {
    expect(await api.get('/answers-then-throws')).toMatchObject(FINE);
    expect(logged(errors, '/answers-then-throws')).toBe(1);
  });

  it('long after its response: likewise', async () => {
    expect(await api.get('/answers-then-rejects')).toMatchObject(FINE);
    await app.release('reject');
    await api.get('/fine');
    expect(logged(errors, '/answers-then-rejects')).toBe(1);
  });

  it('midway through its response: the connection is cut', async () => {
    await expect(api.get('/throws-in-answer')).rejects.toThrow();
    expect(logged(errors, '/throws-in-answer')).toBe(1);
  });
});

describe('a handler that responds twice', () => {
  it('has sent the first', async () => {
    expect(await api.get('/answers-twice')).toMatchObject({ status: 201, body: { first: true } });
    expect(logged(warnings, 'after it had ended')).toBe(2);
  });

  it('in any way', async () => {
    const { status, body, headers } = await api.get('/sends-twice');
    expect({ status, body, late: headers.get('x-late'), type: headers.get('content-type') }).toEqual({
      status: 200,
      body: 'first',
      late: null,
      type: 'text/html; charset=utf-8',
    });
    expect(logged(warnings, 'after it had ended')).toBe(5);
  });
});

describe('a handler that does not respond', () => {
  it.each([
    ['never ends', '/never', 'never', 5000],
    ['ends without an answer', '/returns', 'returned', 5000],
    ['has a limit of its own', '/short', 'short', 50],
  ])('and %s: 504 at the limit, not before [routes.limit]', async (_name, path, event, limit) => {
    let answered = false;
    const answer = api.get(path).finally(() => (answered = true));
    await app.heard(event);
    clock.advance(limit - 1);
    expect(await api.get('/fine')).toMatchObject(FINE);
    expect(answered).toBe(false);
    clock.advance(1);
    expect(await answer).toMatchObject({ status: 504, body: { success: false, error: `No answer within ${limit} ms` } });
    expect(logged(warnings, 'a route handler timed out')).toBe(1);
  });

  it('in time: its signals abort, and its response is dropped [routes.limit]', async () => {
    const answer = api.get('/slow');
    const signals = await app.heard<AbortSignal[]>('slow');
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    clock.advance(5000);
    expect((await answer).status).toBe(504);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    await app.release('slow');
    expect(await app.heard('slow ended')).toBe(true);
    expect(logged(warnings, 'after it had ended')).toBe(1);
  });

  it('before it returns, but in time: that response is sent', async () => {
    const answer = api.get('/later');
    await app.release('later');
    expect(await answer).toMatchObject({ status: 200, body: { later: true } });
  });

  it('does not affect others while they wait', async () => {
    const waiting = api.get('/waits');
    const never = api.get('/never');
    await app.heard('never');
    clock.advance(4999);
    await app.release('wait');
    expect(await waiting).toMatchObject({ status: 200, body: { waited: true } });
    clock.advance(1);
    expect((await never).status).toBe(504);
  });
});

describe('a client that disconnects', () => {
  it('aborts only its own handler, whose failure is logged', async () => {
    const other = api.get('/waits');
    const leaving = new AbortController();
    const gone = api.get('/gone', { signal: leaving.signal });
    await app.heard('gone');
    leaving.abort();
    await expect(gone).rejects.toThrow();
    expect(await app.heard('aborted')).toBe(true);
    await api.get('/fine');
    expect(logged(errors, '/gone')).toBe(1);
    await app.release('wait');
    expect(await other).toMatchObject({ status: 200, body: { waited: true } });
  });

  it('midway through a stream ends the stream', async () => {
    const { hostname, port } = new URL(app.test.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /stream-endless HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await app.heard('stream left');
  });

  it('may do so before its body is complete', async () => {
    const { hostname, port } = new URL(app.test.url);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => {
      socket.write('GET /fine HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nhalf', resolve);
    });
    socket.destroy();
  });
});

describe('a stream', () => {
  it('is sent to its end', async () => {
    const { status, headers, body } = await api.get('/stream');
    expect({ status, body, type: headers.get('content-type') }).toEqual({
      status: 200,
      body: 'one two three',
      type: 'text/plain; charset=utf-8',
    });
  });

  it('that breaks cuts the connection', async () => {
    const answer = api.get('/stream-breaks');
    await app.release('break');
    await expect(answer).rejects.toThrow();
    expect(logged(errors, '/stream-breaks')).toBeGreaterThan(0);
  });

  it('with an unhandled error cuts the connection too', async () => {
    await expect(api.get('/stream-breaks-alone')).rejects.toThrow();
    expect(logged(errors, '/stream-breaks-alone')).toBe(1);
  });

  it('that breaks before its first byte is 500', async () => {
    expect(await api.get('/stream-breaks-first')).toMatchObject(FAILED);
  });
});

describe('a handler may respond with', () => {
  it.each([
    ['text', '/text', 200, 'text', { 'content-type': 'text/html; charset=utf-8' }],
    ['bytes', '/bytes', 200, '\u0001\u0002', { 'content-type': 'application/octet-stream' }],
    ['an object', '/object', 200, { a: 1 }, { 'content-type': 'application/json; charset=utf-8' }],
    ['nothing', '/nothing', 204, '', {}],
    ['parts', '/parts', 200, 'ab', { 'x-parts': '2' }],
    ['a redirection', '/redirect', 200, { fine: true }, {}],
    ['another redirection', '/redirect-308', 200, { fine: true }, {}],
  ])('%s', async (_name, path, status, body, headers) => {
    const answer = await api.get(path);
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value);
  });
});

it('a handler that blocks for a second delays others no longer than that', async () => {
  const [blocked, ...others] = await Promise.all([api.get('/blocks'), ...Array.from({ length: 5 }, () => api.get('/fine'))]);
  expect(blocked.body).toEqual({ blocked: true });
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});
