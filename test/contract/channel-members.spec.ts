// Participants of channels, direct channels, groups, and the older channel paths (contract 1.9)
import { describe, expect, it } from '@jest/globals';
import { newId } from '../../src/core/ids/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { CHANNELS, contractApp, NOBODY, USER } from './support/contract-app.js';
import { describeBody, describePathId } from './support/describe-operation.js';
import { anyText, listOf, object, oneOf, text, uuid, UUID_V0, ZERO_UUID, type Field } from './support/kinds.js';
import { CHANNEL, expectOnly, expectShape } from './support/shapes.js';

const PEOPLE = listOf([null, 7, 'x', '', [USER]], [ZERO_UUID, UUID_V0, USER.toUpperCase(), ADA.id]);
const CREATE_FIELDS: Field[] = [
  ['name', text(255), 'required'],
  ['serverId', { ...uuid, right: [] }, 'optional'],
  ['messageServerId', { ...uuid, right: [] }, 'optional'],
  ['server_id', { ...uuid, right: [] }, 'optional'],
  ['message_server_id', { ...uuid, right: [] }, 'optional'],
  ['description', anyText(10_000), 'optional or null'],
  ['metadata', object(), 'optional'],
  ['participantCentralUserIds', PEOPLE, 'optional'],
  ['participants', PEOPLE, 'optional'],
  ['turnPolicy', oneOf('enqueue', 'reject', 'interrupt'), 'optional'],
];
const CREATED_AT = {
  serverId: undefined,
  messageServerId: undefined,
  server_id: undefined,
  message_server_id: undefined,
  participantCentralUserIds: undefined,
  participants: undefined,
};

const TYPES = [
  'text',
  'voice',
  'dm',
  'group',
  'CHANNEL',
  'SELF',
  'DM',
  'GROUP',
  'VOICE_DM',
  'VOICE_GROUP',
  'FEED',
  'THREAD',
  'WORLD',
  'FORUM',
  'API',
];

describe('channels', () => {
  const app = contractApp();
  const { api } = app;
  const json = { headers: { 'content-type': 'application/json' } };

  describe.each([
    ['POST channels', CHANNELS],
    ['POST group-channels', '/api/messaging/group-channels'],
  ])('%s', (_name, path) => {
    describeBody({
      fields: CREATE_FIELDS,
      good: () => ({ name: 'room' }),
      send: (body) => api.post(path, body, json),
      data: (answer) => expectData(answer, 201),
      shape: CHANNEL,
      shownAt: CREATED_AT,
    });

    it('responds 201 with the channel, also as `channel`, and its participants in the metadata', async () => {
      const { channel, ...data } = expectData(await api.post(path, { name: 'Us', participants: [USER, ADA.id], description: 'All.' }), 201);
      expectOnly(channel, data);
      expect(data).toMatchObject({ name: 'Us', type: 'GROUP', serverId: ZERO_UUID, description: 'All.' });
      expect(data.metadata.participantCentralUserIds.sort()).toEqual([USER, ADA.id].sort());
    });

    it.each(['serverId', 'messageServerId', 'server_id', 'message_server_id'])(
      'uses the server in %s, in any case of the id',
      async (field) => {
        const { id } = expectData(await api.post('/api/messaging/message-servers', { name: 'Club' }), 201);
        for (const server of [id, id.toUpperCase()]) {
          expect(expectData(await api.post(path, { name: 'x', [field]: server }), 201)).toMatchObject({
            serverId: id,
            messageServerId: id,
          });
        }
      },
    );

    it('is 404 for an unknown server', async () => {
      expectError(await api.post(path, { name: 'x', message_server_id: NOBODY }), 404, 'MESSAGE_SERVER_NOT_FOUND');
    });
  });

  it.each(TYPES)('of type %s keep the type name of their creation [channels.type]', async (type) => {
    expect(await app.newChannel({ type })).toMatchObject({ type });
  });

  it.each([['pigeon'], [''], ['toString'], [7], [null]])('of type %j are refused with 400', async (type) => {
    expectError(await api.post(CHANNELS, { name: 'x', type }), 400, 'VALIDATION_ERROR');
  });

  describe('GET users/{userId}/channels', () => {
    const user = newId();
    const path = (query = ''): string => `/api/users/${user}/channels${query}`;

    it("returns the user's channels with their agents, newest first, by page", async () => {
      await app.newChannel({ participants: [USER, ADA.id] });
      const ids: string[] = [];
      for (const participants of [[user, ADA.id], [user.toUpperCase(), ADA.id, BOB.id], [user]]) {
        ids.unshift((await app.newChannel({ participants })).id);
        app.clock.advance(1);
      }
      const all = expectData(await api.get(path()));
      expect(all).toMatchObject({ hasMore: false, nextCursor: null });
      expect(all.channels.map(({ id, agents }: { id: string; agents: string[] }) => [id, agents.length])).toEqual([
        [ids[0], 0],
        [ids[1], 2],
        [ids[2], 1],
      ]);
      const first = expectData(await api.get(path('?limit=2')));
      expect(first.hasMore).toBe(true);
      const next = expectData(await api.get(path(`?limit=2&cursor=${String(first.nextCursor)}`)));
      expect([...first.channels, ...next.channels]).toEqual(all.channels);
      expect(next.hasMore).toBe(false);
    });

    it.each([['?limit=0'], ['?limit=101'], ['?cursor=x']])('is refused with 400: %s', async (query) => {
      expectError(await api.get(path(query)), 400, 'VALIDATION_ERROR');
    });
  });

  describe('GET participants', () => {
    const path = (id: string, query = ''): string => `${CHANNELS}/${id}/participants${query}`;
    describePathId('channelId', { send: (id) => api.get(path(id)), unknown: 'CHANNEL_NOT_FOUND' });

    it('returns an array of ids; objects with `expand`; an object with a list in the dialect of the original', async () => {
      const { id } = await app.newChannel();
      const ids = [ADA.id, USER].sort();
      expect(expectData(await api.get(path(id))).sort()).toEqual(ids);
      const expanded = expectData(await api.get(path(id, '?expand=true')));
      expect(expanded.find(({ role }: { role: string }) => role === 'agent')).toEqual({
        id: ADA.id,
        channelId: id,
        userId: ADA.id,
        name: 'Ada',
        role: 'agent',
        joinedAt: new Date(app.clock.now()).toISOString(),
      });
      expectOnly(expectData(await api.get(path(id), { headers: { 'x-api-dialect': 'eliza' } })), { participants: expanded });
      expectError(await api.get(path(id, '?expand=yes')), 400, 'VALIDATION_ERROR');
    });
  });

  describe('agents', () => {
    const path = (id: string): string => `${CHANNELS}/${id}/agents`;
    describePathId('channelId', { send: (id) => api.get(path(id)), unknown: 'CHANNEL_NOT_FOUND' });
    describePathId('channelId', { send: (id) => api.post(path(id), { agentId: ADA.id }), unknown: 'CHANNEL_NOT_FOUND' });
    describePathId('channelId', { send: (id) => api.delete(`${path(id)}/${ADA.id}`), unknown: 'CHANNEL_NOT_FOUND' });
    describeBody({
      fields: [['agentId', { ...uuid, right: [['is an agent in upper case', ADA.id.toUpperCase()]] }, 'required']],
      good: () => ({ agentId: ADA.id }),
      send: async (body) => api.post(path((await app.newChannel()).id), body, json),
      data: (answer) => expectData(answer, 201),
      shape: { success: true, agentId: ADA.id },
      shownAt: { agentId: undefined },
    });

    it('join, are listed, and leave; connected clients get each change', async () => {
      const { id } = await app.newChannel({ participants: [USER] });
      expectOnly(expectData(await api.post(path(id), { agentId: BOB.id.toUpperCase() }), 201), {
        success: true,
        channelId: id,
        agentId: BOB.id,
        message: expect.any(String),
      });
      const listed = expectData(await api.get(path(id)));
      expectOnly(
        { ...listed, participants: listed.participants.sort() },
        { channelId: id, participants: [USER, BOB.id].sort(), agents: [BOB.id] },
      );
      expectData(await api.delete(`${path(id)}/${BOB.id}`));
      expectError(await api.delete(`${path(id)}/${BOB.id}`), 404, 'PARTICIPANT_NOT_FOUND');
      const told = (await app.entries(id)).flatMap((entry) => (entry.type === 'channel.updated' ? [entry.payload.participantIds] : []));
      expect(told.map((ids) => ids?.includes(BOB.id))).toEqual([true, false]);
    });

    it('that join concurrently are all members afterwards [channels.agents]', async () => {
      const { id } = await app.newChannel({ participants: [USER] });
      await Promise.all([ADA.id, BOB.id].map((agentId) => api.post(path(id), { agentId })));
      expect(expectData(await api.get(path(id))).agents.sort()).toEqual([ADA.id, BOB.id].sort());
    });

    it('that do not exist cannot join', async () => {
      expectError(await api.post(path((await app.newChannel()).id), { agentId: NOBODY }), 404, 'AGENT_NOT_FOUND');
    });
  });

  describe('GET dm-channel [channels.direct]', () => {
    const find = (query: Record<string, string>): Promise<ApiResponse> =>
      api.get(`/api/messaging/dm-channel?${new URLSearchParams(query).toString()}`);

    it('creates the channel once, from either side and under any of its names', async () => {
      const [one, other] = [newId(), newId()].sort() as [string, string];
      const answers = await Promise.all([
        find({ currentUserId: one, targetUserId: other }),
        find({ currentUserId: other, targetUserId: one }),
        find({ userId1: one.toUpperCase(), userId2: other }),
        find({ currentUserId: one, targetUserId: other, dmServerId: ZERO_UUID }),
      ]);
      const [first, ...rest] = answers.map((answer) => expectData(answer));
      for (const again of rest) expect(again).toEqual(first);
      expectShape(first, CHANNEL);
      expect(first).toMatchObject({
        type: 'DM',
        name: `DM-${one}-${other}`,
        serverId: ZERO_UUID,
        metadata: { user1: one, user2: other, participantCentralUserIds: [one, other] },
        channel: { id: first.id },
      });
      expect((await app.entries(first.id)).map(({ type }) => type)).toEqual(['channel.created']);
    });

    it('creates another channel of the two for each name', async () => {
      const pair = { currentUserId: newId(), targetUserId: newId() };
      const answers = await Promise.all([find(pair), ...['work', 'home', 'work'].map((name) => find({ ...pair, name }))]);
      const [unnamed, work, home, again] = answers.map((answer) => expectData(answer));
      expect(again).toEqual(work);
      expect(work).toMatchObject({ name: 'work', type: 'DM' });
      expect(new Set([unnamed?.id, work?.id, home?.id]).size).toBe(3);
      expectError(await find({ ...pair, name: ' ' }), 400, 'VALIDATION_ERROR');
    });

    it('returns a channel in which an agent replies', async () => {
      app.test.model.always(() => 'Yes.');
      const { id } = expectData(await find({ currentUserId: newId(), targetUserId: ADA.id }));
      const { agentResponse } = expectData(
        await api.post(`${CHANNELS}/${id}/messages`, { author_id: USER, content: 'There?', transport: 'http' }),
        201,
      );
      expect(agentResponse).toMatchObject({ text: 'Yes.', agentId: ADA.id });
    });

    it.each([
      ['currentUserId is missing', { targetUserId: USER }, 400, 'VALIDATION_ERROR'],
      ['targetUserId is missing', { currentUserId: USER }, 400, 'VALIDATION_ERROR'],
      ['currentUserId is no UUID', { currentUserId: 'x', targetUserId: USER }, 400, 'VALIDATION_ERROR'],
      ['targetUserId is no UUID', { currentUserId: USER, targetUserId: '' }, 400, 'VALIDATION_ERROR'],
      ['dmServerId is no UUID', { currentUserId: USER, targetUserId: ADA.id, dmServerId: 'x' }, 400, 'VALIDATION_ERROR'],
      ['both are the same', { currentUserId: ADA.id, targetUserId: ADA.id.toUpperCase() }, 400, 'VALIDATION_ERROR'],
      ['there is no such server', { currentUserId: USER, targetUserId: ADA.id, dmServerId: NOBODY }, 404, 'MESSAGE_SERVER_NOT_FOUND'],
    ] as const)('is refused when %s', async (_name, query, status, code) => {
      expectError(await find(query), status, code);
    });
  });

  it.each(['', '/details', '/participants', '/agents', '/messages'])(
    'respond alike at central-channels/{id}%s, and report the deprecation',
    async (rest) => {
      const { id } = await app.newChannel();
      const older = await api.get(`/api/messaging/central-channels/${id}${rest}`);
      expect(expectData(older)).toEqual(expectData(await api.get(`${CHANNELS}/${id}${rest}`)));
      expect(older.headers.get('deprecation')).toMatch(/^@\d+$/);
    },
  );
});
