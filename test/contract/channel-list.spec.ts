// Operation 9: GET /api/messaging/message-servers/{messageServerId}/channels
import { describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../src/core/database/index.js';
import { DEFAULT_SERVER_ID } from '../../src/core/ids/index.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { CHANNELS, contractApp, NOBODY } from './support/contract-app.js';
import { describePathId } from './support/describe-operation.js';
import { CHANNEL, expectOnly, expectShape } from './support/shapes.js';

/** How a channel was created, and how it is listed. The words for `type` come back as they were given. */
const LISTED: [name: string, body: Record<string, unknown>, entry: object][] = [
  ['a text channel', { name: 'a', type: 'text' }, { name: 'a', type: 'text', description: '', metadata: {} }],
  ['a voice channel', { name: 'b', type: 'voice' }, { type: 'voice' }],
  ['an elizaOS group', { name: 'c', type: 'GROUP' }, { type: 'GROUP' }],
  ['an elizaOS direct channel', { name: 'd', type: 'DM' }, { type: 'DM' }],
  ['a channel with a description', { name: 'e', description: 'About.' }, { description: 'About.', topic: 'About.' }],
  ['a channel with metadata', { name: 'f', metadata: { a: { b: [1] } } }, { metadata: { a: { b: [1] } } }],
];

const SERVER_V0 = 'b850bc30-45f8-0041-a00a-83df46d8555e';

const DIALECTS: [name: string, header: string | undefined, environment: 'spec' | 'eliza', shape: 'list' | 'object'][] = [
  ['says nothing', undefined, 'spec', 'list'],
  ['says spec', 'spec', 'spec', 'list'],
  ['says eliza', 'eliza', 'spec', 'object'],
  ['says elizaos-1.7', 'elizaos-1.7', 'spec', 'object'],
  ['says something unknown', 'klingon', 'spec', 'list'],
  ['says nothing where eliza is configured', undefined, 'eliza', 'object'],
  ['says eliza where eliza is configured', 'eliza', 'eliza', 'object'],
  ['says spec where eliza is configured', 'spec', 'eliza', 'list'],
];

describe('GET /api/messaging/message-servers/{messageServerId}/channels', () => {
  const apps = { spec: contractApp(), eliza: contractApp({ API_DIALECT: 'eliza' }) };
  const app = apps.spec;
  const { api } = app;
  const path = (id: string): string => `/api/messaging/message-servers/${id}/channels`;

  describePathId('messageServerId', {
    send: (id) => api.get(path(id === DEFAULT_SERVER_ID ? NOBODY : id)),
    unknown: 'MESSAGE_SERVER_NOT_FOUND',
  });

  it('responds 200 with a list of Channels [channels.list]', async () => {
    const channels = expectData(await api.get(path(DEFAULT_SERVER_ID)));
    expect(Array.isArray(channels)).toBe(true);
    expect(channels.length).toBeGreaterThan(0);
    for (const channel of channels) expectShape(channel, CHANNEL);
  });

  it('accepts the all-zero UUID, which is the default server [submit.server]', async () => {
    for (const { serverId } of expectData(await api.get(path(DEFAULT_SERVER_ID)))) expect(serverId).toBe(DEFAULT_SERVER_ID);
  });

  describe('lists [channels.list-unknown]', () => {
    it.each(LISTED)('%s', async (_name, body, entry) => {
      const { id } = await app.newChannel(body);
      const found = expectData(await api.get(path(DEFAULT_SERVER_ID))).filter((channel: { id: string }) => channel.id === id);
      expect(found).toHaveLength(1);
      expectShape(found[0], CHANNEL);
      expect(found[0]).toMatchObject(entry);
    });

    it('the channel of a session', async () => {
      const { channelId, sessionId } = await app.newSession();
      const channels = expectData(await api.get(path(DEFAULT_SERVER_ID)));
      expect(channels).toContainEqual(expect.objectContaining({ id: channelId, name: `session-${sessionId}`, type: 'DM' }));
    });

    it('no deleted channel', async () => {
      const { id } = await app.newChannel();
      await api.delete(`${CHANNELS}/${id}`);
      expect(expectData(await api.get(path(DEFAULT_SERVER_ID))).map((channel: { id: string }) => channel.id)).not.toContain(id);
    });

    it('nothing for a server without channels, whose id is of version 0 and in upper case', async () => {
      await newServer(SERVER_V0);
      expectOnly(expectData(await api.get(path(SERVER_V0.toUpperCase()))), []);
    });

    it('no channels of another server', async () => {
      await newServer(SERVER_V0);
      const { id } = await app.newChannel({ serverId: SERVER_V0 });
      expect(expectData(await api.get(path(SERVER_V0))).map((channel: { id: string }) => channel.id)).toEqual([id]);
      expect(expectData(await api.get(path(DEFAULT_SERVER_ID))).map((channel: { id: string }) => channel.id)).not.toContain(id);
    });
  });

  describe('with an X-API-Dialect that [channels.dialect]', () => {
    it.each(DIALECTS)('%s', async (_name, header, environment, shape) => {
      const answer = await apps[environment].api.get(path(DEFAULT_SERVER_ID), {
        headers: header === undefined ? {} : { 'x-api-dialect': header },
      });
      const data = expectData(answer);
      if (shape === 'object') expectOnly(data, { channels: expect.any(Array) });
      const channels = shape === 'object' ? data.channels : data;
      expectShape(channels[0], CHANNEL);
    });

    it('is eliza, errors have the common form', async () => {
      expectError(await api.get(path('x'), { headers: { 'x-api-dialect': 'eliza' } }), 400, 'INVALID_ID');
    });
  });

  async function newServer(id: string): Promise<void> {
    await app.test.app.get(UnitOfWork).commit([
      {
        sql: `INSERT INTO message_servers (id, name, source_type, source_id, metadata, created_at, updated_at)
          VALUES (?, 'Other', 'test', NULL, '{}', 0, 0) ON CONFLICT (id) DO NOTHING`,
        params: [id],
      },
    ]);
  }
});
