// OWASP API7:2023. Every field of every operation that takes text is given an address at which something listens: it must not be called,
// and no file of the machine may come back. The model sees the name of an attachment only.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DEFAULT_SERVER_ID } from '../../src/core/ids/index.js';
import { ADA } from '../support/create-test-app.js';
import { form } from '../support/uploads.js';
import { guardedApp, USER } from './support/guarded-app.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

interface Document {
  readonly paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  readonly components: { schemas: Record<string, Schema> };
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/reference/openapi.json'), 'utf8')) as Document;
const app = guardedApp();
const { api } = app;
const called: string[] = [];
let trap: Server;
let ids: Record<string, string>;

beforeAll(async () => {
  trap = createServer((request, response) => {
    called.push(`${request.method} ${request.url}`);
    response.end('caught');
  });
  trap.on('connection', () => called.push('a connection'));
  trap.listen(0, '127.0.0.1');
  await once(trap, 'listening');
  app.test.model.always(() => 'I have seen nothing.');
  ids = { ...(await app.session()), agentId: ADA.id };
});
afterAll(() => new Promise((resolve) => trap.close(resolve)));

const address = (path = 'secret.png'): string => `http://127.0.0.1:${(trap.address() as AddressInfo).port}/${path}`;

/** Waits for the replies, after which any component that fetches attachments would have done so. */
async function answered(): Promise<void> {
  const said = { content: 'Are you there?', transport: 'http' };
  expect((await api.post(`/api/messaging/sessions/${ids['sessionId']}/messages`, said, app.as())).status).toBe(201);
}

it('no operation fetches an address, in any of its fields', async () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      return schema === undefined || /server\/(stop|model)|system\/env/.test(path) ? [] : [{ method: method.toUpperCase(), path, schema }];
    }),
  );
  expect(operations.length).toBeGreaterThan(30);
  const statuses = new Map<number, number>();
  for (const { method, path, schema } of operations) {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? DEFAULT_SERVER_ID);
    for (const optional of [true, false]) {
      const { status } = await api.send(method, url, valueOf(schema, optional), app.as());
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect([method, path, status < 500 || status === 503]).toEqual([method, path, true]);
    }
  }
  // Enough of them went through.
  expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(10);
  await answered();
  expect(called).toEqual([]);
});

it.each<[string, (url: string) => unknown]>([
  ['attachments', (url) => [{ url, type: 'image', contentType: 'image/png', name: 'secret.png' }]],
  ['attachments of other shapes', (url) => [{ url: { href: url } }, { src: url, source: url, href: url }]],
])('a message with %s elsewhere gets a reply, and nothing is fetched', async (_what, attachmentsOf) => {
  for (const url of [
    address(),
    'file:///etc/passwd',
    '/etc/passwd',
    '//127.0.0.1/x',
    'gopher://127.0.0.1:6379/_x',
    'http://[::1]:1/',
    `${address()}#/media/`,
  ]) {
    const attachments = attachmentsOf(url);
    const { sessionId, channelId } = ids;
    const said = { content: 'What is this?', transport: 'http', attachments, metadata: { avatar: url, avatarUrl: url } };
    app.data(await api.post(`/api/messaging/sessions/${sessionId}/messages`, said, app.as()));
    const posted = { author_id: USER, content: 'What is this?', transport: 'http', attachments, raw_message: { attachments } };
    app.data(await api.post(`/api/messaging/channels/${channelId}/messages`, posted, app.as()));
    app.data(
      await api.post(
        '/api/messaging/submit',
        { channel_id: channelId, author_id: ADA.id, content: 'See', raw_message: { attachments } },
        app.as(),
      ),
    );
    const ingested = {
      channel_id: channelId,
      author_id: USER,
      message_server_id: DEFAULT_SERVER_ID,
      content: 'x',
      raw_message: { attachments },
      source_type: url,
    };
    app.data(await api.post('/api/messaging/ingest-external', ingested, app.as()));
    const socket = await app.socket('the administrator of the tests', { entityId: USER });
    expect((await socket.ask('2', { channelId, message: 'What is this?', attachments, metadata: { attachments, avatar: url } })).ok).toBe(
      true,
    );
    await answered();
  }
  expect(called).toEqual([]);
  expect(JSON.stringify(app.test.model.requests)).not.toMatch(/root:x:|caught/);
});

it('a character with addresses everywhere is treated as text', async () => {
  const url = address();
  const characterJson = {
    name: 'Links',
    bio: [url],
    system: `Read ${url}`,
    knowledge: [url, { path: url }, { directory: url }, { path: '../../etc/passwd' }, { path: 'file:///etc/passwd.md' }],
    settings: {
      avatar: url,
      OPENAI_BASE_URL: url,
      OPENAI_API_URL: url,
      ANTHROPIC_BASE_URL: url,
      modelEndpoint: url,
      modelEndpointOverride: url,
      image: url,
      voice: { url, model: url },
    },
    plugins: [url, '/etc/passwd', '../../evil.mjs'],
  };
  const made = await api.post('/api/agents', { characterJson }, app.as());
  expect([201, 400]).toContain(made.status);
  const plain = { ...characterJson, knowledge: [url] };
  const agent = app.data(await api.post('/api/agents', { characterJson: plain }, app.as()));
  app.data(await api.post(`/api/agents/${agent.id}/start`, undefined, app.as()));
  const session = await app.session(agent.id);
  app.data(await api.post(`/api/messaging/sessions/${session.sessionId}/messages`, { content: 'Hi', transport: 'http' }, app.as()));
  await api.post(`/api/audio/${agent.id}/speech/generate`, { text: 'Hi' }, app.as());
  expect((await api.post('/api/agents', { characterPath: url }, app.as())).status).toBe(400);
  expect((await api.post('/api/agents', { characterPath: '../../../../etc/passwd.json' }, app.as())).status).toBe(400);
  expect(called).toEqual([]);
});

it('a file that contains addresses is stored, and they are not followed', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><image href="${address()}"/></svg>`;
  const xml = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "${address()}"><!ENTITY y SYSTEM "file:///etc/passwd">]><a>&x;&y;</a>`;
  const list = `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\n${address('a.ts')}\n`;
  for (const [content, name] of [
    [svg, 'a.svg'],
    [xml, 'a.xml'],
    [list, 'a.txt'],
  ] as const) {
    const { url } = app.data(await api.post(`/api/messaging/channels/${ids['channelId']}/upload-media`, form(content, name), app.as()));
    const said = { content: 'What is in it?', transport: 'http', attachments: [{ url }] };
    app.data(await api.post(`/api/messaging/sessions/${ids['sessionId']}/messages`, said, app.as()));
    expect(await (await fetch(app.test.url + url)).text()).toBe(content);
  }
  // A playlist in the place of a recording: programs that decode sound would read what it names.
  const recording = form(list, 'a.mp3', 'audio/mpeg');
  expect((await api.post(`/api/audio/${ADA.id}/transcriptions`, recording, app.as())).status).toBeGreaterThanOrEqual(400);
  expect(called).toEqual([]);
});

/** What a schema asks for, with the address in the place of every text. */
function valueOf(schema: Schema, optional: boolean, depth = 0): unknown {
  if (schema.$ref !== undefined) return valueOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, optional, depth);
  if (schema.enum) return schema.enum[0];
  const choice = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (choice) return valueOf(choice, optional, depth);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (schema.properties && depth < 5) {
    const required = new Set((schema as { required?: string[] }).required);
    const fields = Object.entries(schema.properties).filter(([name]) => optional || required.has(name));
    return Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field, optional, depth + 1)]));
  }
  if (type === 'object') return { url: address(), avatar: address(), callbackUrl: address(), webhook: address() };
  if (type === 'array') return schema.items ? [valueOf(schema.items, optional, depth + 1)] : [address()];
  if (type === 'integer' || type === 'number') return 10;
  if (type === 'boolean') return true;
  return schema.format === 'uuid' ? (depth === 0 ? USER : ADA.id) : address();
}
