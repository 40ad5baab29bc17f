// Message servers: /api/messaging/message-servers and what belongs to it (contract 1.8)
import { describe, expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { CHANNELS, contractApp, NOBODY, USER } from './support/contract-app.js';
import { describeBody, describePathId } from './support/describe-operation.js';
import { anyText, listOf, object, text, uuid, ZERO_UUID, type Field } from './support/kinds.js';
import { CHANNEL, expectOnly, expectShape, SERVER } from './support/shapes.js';

const SERVERS = '/api/messaging/message-servers';

const SERVER_FIELDS: Field[] = [
  ['name', text(255), 'required'],
  ['sourceType', text(255), 'optional'],
  ['sourceId', text(255), 'optional or null'],
  ['description', anyText(10_000), 'optional or null'],
  ['metadata', object(), 'optional or null'],
];

const SYNC_FIELDS: Field[] = [
  [
    'channels',
    listOf(
      [
        null,
        7,
        'x',
        {},
        { name: 'x' },
        { sourceId: '1' },
        { sourceId: '1', name: 'x', type: 'pigeon' },
        { __proto__: null, sourceId: 'x', name: 7 },
      ],
      [],
    ),
    'required',
  ],
];

const LATER_PATHS: [name: string, path: string, current: string][] = [
  ['central-servers', '/api/messaging/central-servers', SERVERS],
  ['servers', '/api/messaging/servers', SERVERS],
  ['central-servers/{id}/channels', `/api/messaging/central-servers/${ZERO_UUID}/channels`, `${SERVERS}/${ZERO_UUID}/channels`],
  ['servers/{id}/channels', `/api/messaging/servers/${ZERO_UUID}/channels`, `${SERVERS}/${ZERO_UUID}/channels`],
  ['servers/{id}/agents', `/api/messaging/servers/${ZERO_UUID}/agents`, `${SERVERS}/${ZERO_UUID}/agents`],
];

describe('message servers', () => {
  const app = contractApp();
  const { api } = app;
  const json = { headers: { 'content-type': 'application/json' } };
  const newServer = async (): Promise<string> => expectData(await api.post(SERVERS, { name: 'Guild' }), 201).id;
  const channelsOf = async (id: string): Promise<ApiResponse['body']> => expectData(await api.get(`${SERVERS}/${id}/channels`));

  it('report the current one', async () => {
    expectOnly(expectData(await api.get('/api/messaging/message-server/current')), { messageServerId: ZERO_UUID });
  });

  describe('POST', () => {
    describeBody({
      fields: SERVER_FIELDS,
      good: () => ({ name: 'Guild' }),
      send: (body) => api.post(SERVERS, body, json),
      data: (answer) => expectData(answer, 201),
      shape: SERVER,
      shownAt: { description: 'metadata.description' },
    });

    it('responds 201 with the server, also as `server`, and lists it', async () => {
      const { server, ...data } = expectData(await api.post(SERVERS, { name: 'Guild', sourceType: 'discord', sourceId: '42' }), 201);
      expectOnly(server, data);
      expect(data).toMatchObject({ name: 'Guild', sourceType: 'discord', sourceId: '42', metadata: {} });
      const list = expectData(await api.get(SERVERS));
      expectOnly(list.servers, list.messageServers);
      expect(list.messageServers[0].id).toBe(ZERO_UUID);
      expect(list.messageServers).toContainEqual(data);
      for (const one of list.messageServers) expectShape(one, SERVER);
    });
  });

  describe('DELETE [servers.deletion]', () => {
    describePathId('messageServerId', {
      send: (id) => api.delete(`${SERVERS}/${id === ZERO_UUID ? NOBODY : id}`),
      unknown: 'MESSAGE_SERVER_NOT_FOUND',
    });

    it('deletes the server with its channels, and notifies their clients', async () => {
      const serverId = await newServer();
      const { id } = await app.newChannel({ serverId });
      await app.say(id, 'Going down.', { transport: 'websocket' });
      expect((await api.delete(`${SERVERS}/${serverId}`)).status).toBe(204);
      expectError(await api.get(`${CHANNELS}/${id}`), 404, 'CHANNEL_NOT_FOUND');
      expectError(await api.get(`${SERVERS}/${serverId}/channels`), 404, 'MESSAGE_SERVER_NOT_FOUND');
      await app.entry(id, 'channel.deleted');
    });

    it('refuses to delete the default server with 409', async () => {
      expectError(await api.delete(`${SERVERS}/${ZERO_UUID}`), 409, 'CONFLICT');
    });
  });

  describe('agents', () => {
    const path = (id: string): string => `${SERVERS}/${id}/agents`;

    describePathId('messageServerId', { send: (id) => api.get(path(id === ZERO_UUID ? NOBODY : id)), unknown: 'MESSAGE_SERVER_NOT_FOUND' });
    describePathId('agentId', { send: (id) => api.get(`/api/messaging/agents/${id}/message-servers`), unknown: 'AGENT_NOT_FOUND' });
    describePathId('agentId', { send: (id) => api.delete(`${path(ZERO_UUID)}/${id}`), unknown: 'PARTICIPANT_NOT_FOUND' });

    describe('POST', () => {
      describeBody({
        fields: [['agentId', { ...uuid, right: [['is an agent in upper case', ADA.id.toUpperCase()]] }, 'required']],
        good: () => ({ agentId: ADA.id }),
        send: (body) => api.post(path(ZERO_UUID), body, json),
        data: (answer) => expectData(answer, 201),
        shape: { success: true, messageServerId: ZERO_UUID, agentId: ADA.id },
        shownAt: { agentId: undefined },
      });
    });

    it('of the default server are all agents, in the nested form that clients expect', async () => {
      const data = expectData(await api.get(path(ZERO_UUID)));
      expectOnly(data, {
        messageServerId: ZERO_UUID,
        agents: data.agents,
        success: true,
        data: { messageServerId: ZERO_UUID, agents: data.agents },
      });
      expect(data.agents.sort()).toEqual([ADA.id, BOB.id].sort());
    });

    it('join and leave a server with its channels, also after a restart [servers.agents]', async () => {
      const serverId = await newServer();
      expect(expectData(await api.get(path(serverId))).agents).toEqual([]);
      expectData(await api.post(path(serverId), { agentId: ADA.id }), 201);
      expect(expectData(await api.get(path(serverId))).agents).toEqual([ADA.id]);
      expect(expectData(await api.get(`/api/messaging/agents/${ADA.id}/message-servers`)).messageServers).toEqual([ZERO_UUID, serverId]);
      const { id } = await app.newChannel({ serverId });
      expectData(await api.delete(`${path(serverId)}/${ADA.id}`));
      expectError(await api.delete(`${path(serverId)}/${ADA.id}`), 404, 'PARTICIPANT_NOT_FOUND');
      expect(expectData(await api.get(`${CHANNELS}/${id}/participants`))).toEqual([USER]);
      expect((await app.entry(id, 'channel.updated')).payload.participantIds).toEqual([USER]);
      await app.test.restart();
      app.useScriptedModel();
      expect(expectData(await api.get(`/api/messaging/agents/${ADA.id}/message-servers`)).messageServers).toEqual([ZERO_UUID]);
    });

    it('removed from the default server stay away until they are added again [servers.default-agents]', async () => {
      expectData(await api.delete(`${path(ZERO_UUID)}/${BOB.id}`));
      await app.test.restart();
      app.useScriptedModel();
      expect(expectData(await api.get(path(ZERO_UUID))).agents).toEqual([ADA.id]);
      expect(expectData(await api.get(`/api/messaging/agents/${BOB.id}/message-servers`)).messageServers).toEqual([]);
      expectData(await api.post(path(ZERO_UUID), { agentId: BOB.id }), 201);
      expect(expectData(await api.get(path(ZERO_UUID))).agents).toContain(BOB.id);
    });

    it('that do not exist cannot be added', async () => {
      expectError(await api.post(path(ZERO_UUID), { agentId: NOBODY }), 404, 'AGENT_NOT_FOUND');
      expectError(await api.post(path(NOBODY), { agentId: ADA.id }), 404, 'MESSAGE_SERVER_NOT_FOUND');
    });
  });

  describe('POST sync-channels', () => {
    const sync = (id: string, channels: unknown[]): Promise<ApiResponse> => api.post(`${SERVERS}/${id}/sync-channels`, { channels });

    describeBody({
      fields: SYNC_FIELDS,
      good: () => ({ channels: [] }),
      send: (body) => api.post(`${SERVERS}/${ZERO_UUID}/sync-channels`, body, json),
      data: expectData,
      shape: { synced: 0, channelIds: [] },
      shownAt: { channels: undefined },
    });
    describePathId('messageServerId', { send: (id) => sync(id === ZERO_UUID ? NOBODY : id, []), unknown: 'MESSAGE_SERVER_NOT_FOUND' });

    it('creates new channels, updates the others, and is idempotent', async () => {
      const serverId = await newServer();
      const first = [
        { sourceId: '1', name: 'general', type: 'text' },
        { sourceId: '2', name: 'voice', type: 'voice' },
      ];
      const { synced, channelIds } = expectData(await sync(serverId, first));
      expect(synced).toBe(2);
      expect(expectData(await sync(serverId, [{ ...first[0], name: 'renamed' }])).channelIds).toEqual([channelIds[0]]);
      const channels = await channelsOf(serverId);
      for (const channel of channels) expectShape(channel, CHANNEL);
      expect(channels.map(({ name, type, sourceId }: Record<string, string>) => [name, type, sourceId]).sort()).toEqual([
        ['renamed', 'text', '1'],
        ['voice', 'voice', '2'],
      ]);
      expect(await app.entry(channelIds[0], 'channel.updated')).toMatchObject({ payload: { name: 'renamed' } });
    });

    it('creates one channel for concurrent requests', async () => {
      const serverId = await newServer();
      const answers = await Promise.all(Array.from({ length: 8 }, () => sync(serverId, [{ sourceId: '1', name: 'general' }])));
      expect(new Set(answers.map((answer) => expectData(answer).channelIds[0])).size).toBe(1);
      expect(await channelsOf(serverId)).toHaveLength(1);
    });
  });

  describe('a page of channels [channels.pages]', () => {
    const page = (id: string, query: string, headers = {}): Promise<ApiResponse> =>
      api.get(`${SERVERS}/${id}/channels?${query}`, { headers });

    it.each(['limit=0', 'limit=-1', 'limit=x', 'limit=1001', 'cursor=x', `cursor=${Buffer.from('1:x').toString('base64url')}`])(
      'is refused with 400 for %s',
      async (query) => {
        expectError(await page(ZERO_UUID, query), 400, 'VALIDATION_ERROR');
      },
    );

    it('leads to the next one, also between channels of the same millisecond, and may end exactly full', async () => {
      const serverId = await newServer();
      const channels = Array.from({ length: 6 }, (_, index) => ({ sourceId: String(index), name: `channel ${index}` }));
      expectData(await api.post(`${SERVERS}/${serverId}/sync-channels`, { channels }));
      const seen: string[] = [];
      let query = 'limit=2';
      for (let pages = 1; ; pages += 1) {
        const answer = await page(serverId, query);
        seen.push(...expectData(answer).map(({ id }: { id: string }) => id));
        const next = answer.headers.get('x-next-cursor');
        if (next === null) {
          expect(pages).toBe(3);
          break;
        }
        query = `limit=2&cursor=${next}`;
      }
      expect(seen).toEqual((await channelsOf(serverId)).map(({ id }: { id: string }) => id));
      expect(new Set(seen).size).toBe(6);
      expect(expectData(await page(serverId, 'limit=2', { 'x-api-dialect': 'eliza' })).nextCursor).toEqual(expect.any(String));
    });
  });

  describe('a page of message servers', () => {
    it.each(['limit=0', 'limit=x', 'limit=1001', 'cursor=x', 'cursor=1'])('is refused with 400 for %s', async (query) => {
      expectError(await api.get(`${SERVERS}?${query}`), 400, 'VALIDATION_ERROR');
    });

    it('leads to the next one, also between servers of the same millisecond, and after a deleted one', async () => {
      for (let index = 0; index < 5; index += 1) await newServer();
      const before: string[] = expectData(await api.get(SERVERS)).servers.map(({ id }: { id: string }) => id);
      const seen: string[] = [];
      let query = 'limit=2';
      for (let pages = 0; pages < before.length; pages += 1) {
        const { messageServers, servers, nextCursor } = expectData(await api.get(`${SERVERS}?${query}`));
        expect(servers).toEqual(messageServers);
        seen.push(...servers.map(({ id }: { id: string }) => id));
        if (nextCursor === null) break;
        if (seen.at(-1) !== ZERO_UUID) await api.delete(`${SERVERS}/${seen.at(-1)}`);
        query = `limit=2&cursor=${nextCursor}`;
      }
      expect(seen).toEqual(before);
    });
  });

  describe('the older path', () => {
    it.each(LATER_PATHS)('%s returns the same, and reports its deprecation and successor', async (_name, path, current) => {
      const [older, newer] = [await api.get(path), await api.get(current)];
      expect(expectData(older)).toEqual(expectData(newer));
      expect(older.headers.get('deprecation')).toMatch(/^@\d+$/);
      expect(older.headers.get('link')).toBe(`<${current}>; rel="successor-version"`);
      expect(newer.headers.has('deprecation')).toBe(false);
    });

    it('reports the deprecation in errors too', async () => {
      expect((await api.get('/api/messaging/servers/x/agents')).headers.has('deprecation')).toBe(true);
    });
  });

  it('derive no id of a synced channel from its name alone', async () => {
    const [one, other] = [await newServer(), await newServer()];
    const ids = await Promise.all(
      [one, other].map(
        async (id) =>
          expectData(await api.post(`${SERVERS}/${id}/sync-channels`, { channels: [{ sourceId: '1', name: 'x' }] })).channelIds[0],
      ),
    );
    expect(new Set([...ids, idFromText('1')]).size).toBe(3);
  });
});
