// nginx and Caddy with the configurations of deploy/, in front of the built server.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../scripts/deploy/proxies.mjs';
import { killAll, ServerProcess } from '../crash/support/server-process.js';
import { ApiClient } from '../support/api-client.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { PROXIES, ReverseProxy } from '../support/reverse-proxy.js';
import { SocketClient } from '../support/socket-client.js';
import { serverEvents } from '../support/sse-client.js';
import { form } from '../support/uploads.js';

const KEY = 'a key of the tests';
const HEADERS = { 'x-api-key': KEY };
const UPLOAD_LIMIT_BYTES = 4_000_000;
// What nginx takes without a setting of its own.
const DEFAULT_OF_NGINX = 1_048_576;
const POSTS = 12;
const ECHO = `export default {
  name: 'echo',
  routes: [{ type: 'GET', path: '/echo', handler: ({ headers }, response) => response.json(headers) }],
};`;

let folder: string;
let model: ModelServer;
let server: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-behind-'));
  model = await startModelServer();
  for (const name of ['characters', 'plugins']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'characters', 'ada.json'), JSON.stringify({ name: 'Ada', bio: 'An agent of the tests.' }));
  await writeFile(join(folder, 'plugins', 'echo.mjs'), ECHO);
  server = await ServerProcess.start({
    DATA_DIR: join(folder, 'data'),
    CHARACTERS_DIR: join(folder, 'characters'),
    PLUGINS_DIR: join(folder, 'plugins'),
    OPENAI_BASE_URL: model.baseUrl,
    API_KEY: KEY,
    // More than the proxy, as in a network of containers: the proxy must not pass on what clients make up.
    TRUSTED_PROXIES: 'loopback',
    UPLOAD_LIMIT_BYTES: String(UPLOAD_LIMIT_BYTES),
    SERVER_URL: 'https://agents.example.com',
  });
});
afterAll(async () => {
  await killAll();
  await model.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each(PROXIES)('behind %s', (name) => {
  let proxy: ReverseProxy;
  let api: ApiClient;
  let agentId: string;
  let session: { sessionId: string; channelId: string };

  beforeAll(async () => {
    proxy = await ReverseProxy.start(name, [Number(new URL(server.url).port)]);
    api = new ApiClient(() => proxy.url);
    agentId = (await api.get('/api/agents', { headers: HEADERS })).body.data.agents[0].id;
    session = (await api.post('/api/messaging/sessions', { agentId, userId: randomUUID() }, { headers: HEADERS })).body.data;
  });
  afterAll(() => proxy.close());

  it('events arrive while the stream is open', async () => {
    const over = new AbortController();
    const url = `${proxy.url}/api/messaging/channels/${session.channelId}/events`;
    const events = serverEvents(await fetch(url, { headers: HEADERS, signal: over.signal }));
    expect((await events.next()).value).toMatchObject({ event: 'ready' });
    await api.post(
      `/api/messaging/sessions/${session.sessionId}/messages`,
      { content: 'Hello', transport: 'websocket' },
      { headers: HEADERS },
    );
    for await (const { event, data } of events) if (event === 'message.created' && data.inReplyTo !== null) break;
    over.abort();
  });

  it('deltas of a reply arrive before the model has finished', async () => {
    model.next({ kind: 'hang', after: 2, text: 'one two three' });
    const body = JSON.stringify({ content: 'Count', transport: 'sse' });
    const over = new AbortController();
    const response = await fetch(`${proxy.url}/api/messaging/sessions/${session.sessionId}/messages`, {
      method: 'POST',
      headers: { ...HEADERS, 'content-type': 'application/json' },
      body,
      signal: over.signal,
    });
    for await (const { event } of serverEvents(response)) if (event === 'chunk') break;
    over.abort();
    expect(response.headers.get('content-type')).toContain('text/event-stream');
  });

  it.each([['websocket'], ['polling']])('sockets connect by %s', async (transport) => {
    const client = await SocketClient.connect(proxy.url, { transports: [transport], auth: { apiKey: KEY } });
    expect(client.socket.io.engine.transport.name).toBe(transport);
    client.socket.close();
  });

  it('uploads may exceed the default of nginx, and the server itself refuses larger ones', async () => {
    const path = `/api/messaging/channels/${session.channelId}/upload-media`;
    const upload = (bytes: number) => api.post(path, form(Buffer.alloc(bytes, 'a'), 'a.txt'), { headers: HEADERS });
    expect((await upload(3 * DEFAULT_OF_NGINX)).status).toBe(200);
    const refused = await upload(UPLOAD_LIMIT_BYTES + 1);
    expect([refused.status, refused.body.error.code]).toEqual([413, 'FILE_TOO_LARGE']);
  });

  it("the server knows the client's address, for any header of the client", async () => {
    const body = JSON.stringify({ name: `from ${name}`, scope: 'read' });
    const forged = { 'x-forwarded-for': '203.0.113.9', 'content-type': 'application/json', ...HEADERS };
    const created = await ask(`${proxy.url}/api/keys`, { method: 'POST', headers: forged, localAddress: '127.0.0.2' }, body);
    expect(created.statusCode).toBe(201);
    await text(created);
    const { entries } = (await api.get('/api/audit?limit=1', { headers: HEADERS })).body.data;
    expect(entries[0]).toMatchObject({ address: '127.0.0.2' });
  });

  it("the server knows the client's host name and protocol", async () => {
    const headers = { host: 'agents.example.com', ...HEADERS };
    const response = await ask(`${proxy.url}/echo`, { headers });
    expect(JSON.parse(await text(response))).toMatchObject({
      host: 'agents.example.com',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'agents.example.com',
    });
  });

  it("the public cannot read the server's metrics", async () => {
    const response = await fetch(`${proxy.url}/metrics`, { headers: HEADERS });
    expect([response.status, response.headers.get('content-type') ?? '']).toEqual([404, expect.not.stringContaining('json')]);
  });
});

describe.each(PROXIES)('servers of any kind behind %s', (name) => {
  const servers: Server[] = [];
  let proxy: ReverseProxy;

  async function serve(answer: RequestListener): Promise<number> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  afterEach(async () => {
    await proxy.close();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  });

  it('a POST that a server may have started is not sent to another, and a stopped server loses none', async () => {
    const begun: string[] = [];
    const note = (answer: (response: ServerResponse) => void): RequestListener => {
      return ({ method, url = '' }, response) => {
        if (method !== 'POST') return void response.end();
        begun.push(url);
        answer(response);
      };
    };
    const ports = [await serve(note((response) => response.end())), await serve(note((response) => response.destroy())), await freePort()];
    proxy = await ReverseProxy.start(name, ports);
    const codes: (number | undefined)[] = [];
    for (let index = 0; index < POSTS; index += 1) {
      // Caddy chooses by the address.
      const response = await ask(`${proxy.url}/${index}`, { method: 'POST', localAddress: `127.0.0.${index + 1}` });
      await text(response);
      codes.push(response.statusCode);
    }
    expect(new Set(codes)).toEqual(new Set([200, 502]));
    expect(begun).toEqual(Array.from({ length: POSTS }, (_, index) => `/${index}`));
  });

  it('a server notices that the reader of a stream has disconnected', async () => {
    let left: Promise<unknown> | undefined;
    const port = await serve(({ url }, response) => {
      if (url !== '/') return void response.end();
      left = once(response, 'close');
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    });
    proxy = await ReverseProxy.start(name, [port]);
    const reader = new AbortController();
    const response = await fetch(proxy.url, { signal: reader.signal });
    await response.body!.getReader().read();
    reader.abort();
    await left;
  });
});

/** A request from another address of loopback, or with a Host header, neither of which `fetch` can make. */
async function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; localAddress?: string },
  body = '',
): Promise<IncomingMessage> {
  const asked = request(url, { ...options, agent: false });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}
