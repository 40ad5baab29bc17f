// The opening of sockets: pages of other sites open none, and what is not let in holds little and not for long.
import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { SocketClient } from '../support/socket-client.js';
import { ADMIN, guardedApp } from './support/guarded-app.js';
import { sendRaw, statusOf } from './support/raw-http.js';

const app = guardedApp({ env: { TRUSTED_PROXIES: 'loopback', CORS_ORIGIN: 'https://mine.example' } });
const EVIL = 'https://evil.example';
const POLLING = '/socket.io/?EIO=4&transport=polling';
const MOST_OF_NETWORK = 250;

type Headers = Record<string, string>;

/** With headers that fetch does not let a caller choose. */
const send = (path: string, headers: Headers, body?: string): Promise<[status: number, text: string]> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(app.test.url + path, { method: body === undefined ? 'GET' : 'POST', headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => resolve([response.statusCode ?? 0, text]));
    });
    sent.once('error', reject).end(body);
  });
const open = async (headers: Headers = {}): Promise<string> => {
  const [status, text] = await send(POLLING, headers);
  return status === 200 ? (JSON.parse(text.slice(1)) as { sid: string }).sid : String(status);
};
const upgrade = (headers: Headers, query = ''): Promise<string> =>
  sendRaw(
    app.test.url,
    [
      `GET /socket.io/?EIO=4&transport=websocket${query} HTTP/1.1`,
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      '',
    ].join('\r\n'),
  );

describe('a page of another site', () => {
  it.each<[string, Headers]>([
    ['by a picture', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
    ['by a picture on a neighbouring site', { 'sec-fetch-site': 'same-site' }],
    ['by a script', { 'sec-fetch-site': 'cross-site', origin: EVIL }],
    ['in a browser that says the origin alone', { origin: EVIL }],
  ])('opens no socket %s', async (_how, headers) => {
    expect(await open(headers)).toBe('403');
    expect(statusOf(await upgrade(headers))).toBe(400);
    const sid = await open();
    expect((await send(`${POLLING}&sid=${sid}`, headers))[0]).toBe(403);
    expect((await send(`${POLLING}&sid=${sid}`, headers, '40'))[0]).toBe(403);
    expect(statusOf(await upgrade(headers, `&sid=${sid}`))).toBe(400);
    // The socket of the session is unaffected.
    expect(await send(`${POLLING}&sid=${sid}`, {}, `40{"apiKey":"${ADMIN}"}`)).toEqual([200, 'ok']);
    expect((await send(`${POLLING}&sid=${sid}`, {}))[1]).toMatch(/^40\{"sid"/);
  });

  it.each<[string, Headers]>([
    ['a page of this server', { 'sec-fetch-site': 'same-origin' }],
    ['an address that somebody typed', { 'sec-fetch-site': 'none' }],
    ['a page that CORS_ORIGIN names', { 'sec-fetch-site': 'cross-site', origin: 'https://mine.example' }],
    ['a program', {}],
  ])('cannot be %s', async (_what, headers) => {
    const sid = await open(headers);
    expect(sid).toMatch(/^[\w-]{20}$/);
    expect(await send(`${POLLING}&sid=${sid}`, headers, '40')).toEqual([200, 'ok']);
  });
});

describe('a connection that is not admitted', () => {
  const deadline = (): void => app.clock.advance(10_000);

  it("counts towards its network's limit, and ends after 10 s", async () => {
    deadline();
    const from = (address: string): Headers => ({ 'x-forwarded-for': address });
    const sids: string[] = [];
    for (let count = 0; count < MOST_OF_NETWORK; count += 1) sids.push(await open(from('192.0.2.1')));
    expect(sids.every((sid) => sid.length === 20)).toBe(true);
    expect(await open(from('192.0.2.1'))).toBe('403');
    expect(await open(from('192.0.2.2'))).toHaveLength(20);
    // An admitted connection makes room.
    await send(`${POLLING}&sid=${sids[0]}`, {}, `40{"apiKey":"${ADMIN}"}`);
    await send(`${POLLING}&sid=${sids[0]}`, {});
    expect(await open(from('192.0.2.1'))).toHaveLength(20);
    expect(await open(from('192.0.2.1'))).toBe('403');
    deadline();
    expect((await send(`${POLLING}&sid=${sids[1]}`, {}))[1]).toContain('Session ID unknown');
    expect((await send(`${POLLING}&sid=${sids[0]}`, {}, '3'))[0]).toBe(200);
    expect(await open(from('192.0.2.1'))).toHaveLength(20);
  });

  it.each([
    ['an event', '42["join",{}]'],
    ['the head of an event with binary data', '459-["join",{"_placeholder":true,"num":0}]'],
    ['a namespace with a name of a megabyte', `40/${'x'.repeat(900_000)},{}`],
  ])('is closed when it sends %s', async (_what, packet) => {
    const sid = await open();
    await send(`${POLLING}&sid=${sid}`, {}, packet);
    // Engine.IO says goodbye in its own word, 1, where it can.
    expect((await send(`${POLLING}&sid=${sid}`, {}))[1]).toMatch(/Session ID unknown|1$/);
  });

  it.each<[string, object]>([
    ['a megabyte of text', { entityId: 'x'.repeat(900_000) }],
    ['a hundred thousand keys', Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`f${index}`, 0]))],
  ])('gets an error when auth has %s', async (_what, auth) => {
    await expect(SocketClient.connect(app.test.url, { auth: { apiKey: ADMIN, ...auth } })).rejects.toMatchObject({
      data: { code: 'VALIDATION_ERROR', message: expect.stringContaining('auth') },
    });
  });

  it('gets an error for any other namespace', async () => {
    await expect(SocketClient.connect(`${app.test.url}/other`, { auth: { apiKey: ADMIN } })).rejects.toThrow('Invalid namespace');
  });
});
