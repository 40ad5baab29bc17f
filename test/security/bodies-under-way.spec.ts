// Request bodies that do not end, or that the server does not want: what they hold is bounded, and their senders can read the answer.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BodyMemory } from '../../src/core/http/body-memory.js';
import { onErrorLine } from '../../src/core/logging/index.js';
import { ADA } from '../support/create-test-app.js';
import { Gate } from '../support/scripted-model.js';
import { ADMIN, guardedApp, USER } from './support/guarded-app.js';

const MB = 1024 * 1024;
const ALL = 6 * MB;
const ONE_ADDRESS = 3 * MB;
const INTAKE = `export default { name: 'intake', routes: [
  { type: 'POST', path: '/intake', isMultipart: true, maxBytes: ${20 * MB}, timeoutMs: 600000, handler: (request, response) =>
    request.headers['x-api-key'] === 'known' ? response.json({ files: request.files.length }) : response.status(401).json({ error: 'no' }) },
  { type: 'POST', path: '/brief', isMultipart: true, timeoutMs: 1000, handler: (_request, response) => response.json({}) },
  { type: 'POST', path: '/hook', timeoutMs: 600000, handler: ({ rawBody }, response) => response.json({ size: rawBody.length }) },
] };`;
const app = guardedApp({
  env: { BODY_BUFFER_BYTES: String(ALL), BODY_BUFFER_BYTES_PER_ADDRESS: String(ONE_ADDRESS), TRUSTED_PROXIES: 'loopback' },
  plugins: { 'intake.mjs': INTAKE },
});
const SESSIONS = '/api/messaging/sessions';
const UPLOAD = `/api/media/agents/${ADA.id}/upload-media`;
const TRANSCRIPTION = `/api/audio/${ADA.id}/transcriptions`;
const PART = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n';
const FORM = { 'content-type': 'multipart/form-data; boundary=x' };
const JSON_TYPE = { 'content-type': 'application/json' };

const opened: Socket[] = [];
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await until(() => held() === 0);
});

const held = (): number => app.test.app.get(BodyMemory).used;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}

/** A request whose body begins and does not end. */
class Unfinished {
  answer = '';
  isClosed = false;

  private constructor(
    readonly socket: Socket,
    readonly request: IncomingMessage,
  ) {}

  static async begin(path: string, headers: Record<string, string>, address = '192.0.2.1', length = 100 * MB): Promise<Unfinished> {
    const socket = connect(Number(new URL(app.test.url).port), '127.0.0.1');
    opened.push(socket);
    const arrived = once(app.test.app.getHttpServer() as NodeJS.EventEmitter, 'request') as Promise<[IncomingMessage]>;
    const framing = 'transfer-encoding' in headers ? {} : { 'content-length': String(length) };
    const lines = Object.entries({ host: 'localhost', 'x-forwarded-for': address, ...framing, ...headers });
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`);
    const begun = new Unfinished(socket, (await arrived)[0]);
    socket.on('error', () => undefined);
    socket.once('close', () => (begun.isClosed = true));
    socket.setEncoding('utf8').on('data', (text: string) => (begun.answer += text));
    return begun;
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.answer)?.[1] ?? 0);
  }

  get code(): string | undefined {
    return /"code":"(\w+)"/.exec(this.answer)?.[1];
  }

  /** Sends bytes until the server has them, or has answered. */
  async send(bytes: string | Buffer): Promise<this> {
    const { bytesRead } = this.request.socket;
    this.socket.write(bytes);
    await until(() => this.request.socket.bytesRead - bytesRead >= bytes.length || this.answer !== '' || this.isClosed);
    return this;
  }

  async answered(): Promise<this> {
    await until(() => this.answer.endsWith('}') || this.isClosed);
    return this;
  }
}

/** The beginning of a JSON text. */
const text = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 6)}`;

describe('a body that its sender may not send', () => {
  it.each<[string, string, Record<string, string>, number]>([
    ['JSON without a credential', '/api/keys', JSON_TYPE, 401],
    ['JSON with a wrong credential', '/api/keys', { ...JSON_TYPE, 'x-api-key': 'wrong' }, 401],
    ['a file', UPLOAD, FORM, 401],
    ['a recording', TRANSCRIPTION, FORM, 401],
    ['JSON for a path below a plugin that needs a credential', '/api/agents/x/plugins/intake/hook', JSON_TYPE, 401],
    ['JSON for nothing', '/api/no-such-operation', JSON_TYPE, 404],
    ['JSON that the operation does not read', '/api/keys', { ...JSON_TYPE, 'x-api-key': ADMIN, 'content-type': 'text/plain' }, 415],
    ['JSON that is too long', '/api/keys', { ...JSON_TYPE, 'x-api-key': ADMIN }, 413],
  ])('gets its response before it arrives, and reserves nothing: %s', async (_what, path, headers, status) => {
    const begun = await Unfinished.begin(path, headers);
    await begun.answered();
    expect([begun.status, held()]).toEqual([status, 0]);
    // The server discards the rest of the body, and the client still gets the response.
    await begun.send(Buffer.alloc(4 * MB));
    expect([begun.isClosed, held()]).toEqual([false, 0]);
    app.clock.advance(5000);
    await until(() => begun.isClosed);
  });

  it('leaves the connection usable when it arrives after the response', async () => {
    const begun = await (await Unfinished.begin('/api/keys', JSON_TYPE, undefined, 10)).answered();
    expect(begun.status).toBe(401);
    begun.answer = '';
    begun.socket.write('0123456789GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => begun.status === 200);
  });

  it('gets a response also when the client asks to close the connection', async () => {
    const begun = await (await Unfinished.begin('/api/keys', { ...JSON_TYPE, connection: 'close' }, undefined, 2 * MB)).answered();
    expect(begun.status).toBe(401);
    await begun.send(Buffer.alloc(2 * MB));
    await until(() => begun.isClosed);
  });

  it.each([
    ['/api/keys', 401],
    [SESSIONS, 100],
  ])('is requested only when wanted: %s gets %i', async (path, status) => {
    const begun = await Unfinished.begin(path, { ...JSON_TYPE, expect: '100-continue' }, undefined, 1000);
    await until(() => begun.answer !== '');
    expect(begun.status).toBe(status);
  });
});

const WANTED: [what: string, path: string, headers: Record<string, string>, begin: string][] = [
  ['JSON of strangers', SESSIONS, JSON_TYPE, '{"a":"'],
  ['JSON in pieces', SESSIONS, { ...JSON_TYPE, 'transfer-encoding': 'chunked' }, '100000\r\n{"a":"'],
  ['JSON with a credential', '/api/messaging/submit', { ...JSON_TYPE, 'x-api-key': ADMIN }, '{"a":"'],
  ['files for a plugin', '/intake', FORM, PART],
  ['fields for a plugin', '/intake', FORM, '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n'],
  ['bytes for a plugin', '/hook', { 'content-type': 'application/octet-stream' }, 'x'],
  ['recordings', TRANSCRIPTION, { ...FORM, 'x-api-key': ADMIN }, PART],
  ['uploads', UPLOAD, { ...FORM, 'x-api-key': ADMIN }, '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n'],
];

describe.each(WANTED)('unfinished %s', (_what, path, headers, begin) => {
  const some = async (address?: string): Promise<Unfinished> => {
    const before = held();
    const begun = await Unfinished.begin(path, headers, address, MB);
    await begun.send(begin + 'x'.repeat(MB - 100 - begin.length));
    await until(() => held() - before > MB / 2 || begun.answer !== '');
    return begun;
  };

  it('reserve no more than the limit of one address, and of all', async () => {
    const begun: Unfinished[] = [];
    for (let sender = 0; sender < 4; sender += 1) begun.push(await some());
    const over = await begun[3]!.answered();
    expect([over.status, over.code, /retry-after: 5/i.test(over.answer)]).toEqual([429, 'RATE_LIMIT_EXCEEDED', true]);
    expect(held()).toBeLessThanOrEqual(ONE_ADDRESS);
    for (let sender = 0; sender < 3; sender += 1) begun.push(await some('192.0.2.2'));
    const full = await (await some('192.0.2.3')).answered();
    expect([full.status, full.code, /retry-after: 5/i.test(full.answer)]).toEqual([503, 'SERVER_BUSY', true]);
    expect(held()).toBeLessThanOrEqual(ALL);
    expect((await app.api.get('/api/agents', app.as())).status).toBe(200);
  });

  it('are abandoned after 30 s', async () => {
    const begun = await some();
    expect(held()).toBeGreaterThan(0);
    app.clock.advance(30_000);
    await begun.answered();
    expect([begun.status, begun.code, held()]).toEqual([408, 'REQUEST_TIMEOUT', 0]);
  });

  it('reserve nothing once their clients disconnect', async () => {
    const begun = await some();
    begun.socket.destroy();
    await until(() => held() === 0);
  });
});

it('a temporary refusal is not logged as an error', async () => {
  const errors: string[] = [];
  const stop = onErrorLine(({ message }) => errors.push(message));
  for (let sender = 0; sender < 7; sender += 1) {
    await (await Unfinished.begin('/hook', JSON_TYPE, `192.0.2.${sender}`, 2 * MB - 1)).send(text(MB));
  }
  const over = await (await Unfinished.begin('/hook', JSON_TYPE, '192.0.2.9', 2 * MB - 1)).send(text(MB));
  expect([(await over.answered()).status, errors]).toEqual([503, []]);
  stop();
});

it('a route that has timed out keeps nothing of a body that still arrives', async () => {
  const begun = await (await Unfinished.begin('/brief', FORM)).send(PART + 'x'.repeat(500_000));
  await until(() => held() > 400_000);
  app.clock.advance(1000);
  await begun.answered();
  await until(() => held() === 0);
  await begun.send('x'.repeat(500_000));
  expect([begun.status, held()]).toEqual([504, 0]);
});

it('a body counts until its response is sent', async () => {
  const { sessionId, token } = await app.session(ADA.id, USER);
  const gate = new Gate();
  app.test.model.deltas(['Yes.'], { gate });
  const answer = app.api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'x'.repeat(4000), transport: 'http' }, app.as(token));
  await app.test.model.called();
  expect(held()).toBeGreaterThan(4000);
  gate.open();
  expect((await answer).status).toBe(201);
  await until(() => held() === 0);
});

describe('a socket connection that is not admitted', () => {
  const UPGRADE = ['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13', 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA=='];
  // The head of a masked text frame of 950,000 bytes.
  const FRAME = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x0e, 0x7e, 0xf0, 0, 0, 0, 0]);

  it('counts an unfinished frame like a body', async () => {
    const sockets: Socket[] = [];
    for (let sender = 0; sender < 4; sender += 1) {
      const socket = connect(Number(new URL(app.test.url).port), '127.0.0.1');
      opened.push(socket);
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.write(['GET /socket.io/?EIO=4&transport=websocket HTTP/1.1', 'host: localhost', ...UPGRADE, '', ''].join('\r\n'));
      await once(socket, 'data');
      const before = held();
      socket.write(Buffer.concat([FRAME, Buffer.alloc(900_000)]));
      await until(() => held() - before > 800_000 || socket.destroyed);
    }
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, false, true]);
    expect(held()).toBeLessThanOrEqual(ONE_ADDRESS);
  });

  it('counts its long-polling data', async () => {
    const polling = '/socket.io/?EIO=4&transport=polling';
    const begun: Unfinished[] = [];
    for (let sender = 0; sender < 4; sender += 1) {
      const { sid } = JSON.parse((await (await fetch(app.test.url + polling)).text()).slice(1)) as { sid: string };
      const before = held();
      const one = await Unfinished.begin(`${polling}&sid=${sid}`, { 'content-type': 'text/plain' }, undefined, 950_000);
      begun.push(await one.send('4'.repeat(900_000)));
      await until(() => held() - before > 800_000 || one.isClosed);
    }
    expect(begun.map(({ isClosed }) => isClosed)).toEqual([false, false, false, true]);
    expect(held()).toBeLessThanOrEqual(ONE_ADDRESS);
  });
});

describe("a plugin route without the server's credentials", () => {
  const limited = guardedApp({ env: { RATE_LIMIT: 'on', RATE_LIMIT_PLUGINS: '2' }, plugins: { 'intake.mjs': INTAKE } });

  it('has its own rate limit, which applies before the body is read', async () => {
    const call = (): Promise<[number, string | undefined]> => limited.outcome(limited.api.post('/hook', { a: 1 }));
    expect([(await call())[0], (await call())[0], await call()]).toEqual([200, 200, [429, 'RATE_LIMIT_EXCEEDED']]);
    expect((await limited.api.get('/api/agents', limited.as())).status).toBe(200);
  });
});
