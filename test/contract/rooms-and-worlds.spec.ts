// GET /api/agents/worlds, PATCH …/worlds/{worldId}, GET, PATCH and DELETE of rooms, /api/memory/groups/{messageServerId}
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SERVER_ID, idForAgent, newId } from '../../src/core/ids/index.js';
import { AgentMemory } from '../../src/modules/memory/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError, expectHybrid } from '../support/expect-envelope.js';
import { CHANNELS, contractApp, NOBODY, SESSIONS, USER } from './support/contract-app.js';
import { describeBody, describePathId } from './support/describe-operation.js';
import { listOf, object, text, uuid, type Field } from './support/kinds.js';
import { expectShape, ROOM, WORLD } from './support/shapes.js';

const app = contractApp();
const { api } = app;
const newRoom = async (body: object = {}, agentId: string = ADA.id): Promise<{ id: string }> =>
  expectData(await api.post(`/api/agents/${agentId}/rooms`, { name: 'Tea room', ...body }), 201);
const newWorld = async (body: object = {}): Promise<{ id: string }> =>
  expectData(await api.post(`/api/agents/${ADA.id}/worlds`, { name: 'Tea house', ...body }), 201).world;
const json = { headers: { 'content-type': 'application/json' } };

/** Pages through a list. */
async function pages(path: string, key: 'rooms' | 'worlds'): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const { [key]: page, nextCursor } = expectData(await api.get(`${path}limit=2${after}`));
    ids.push(...page.map(({ id }: { id: string }) => id));
    if (nextCursor === null) return ids;
    after = `&after=${nextCursor}`;
  }
}

describe('GET /api/agents/worlds', () => {
  it('is not a look-up of an agent, and lists the worlds of all agents, or of one [worlds.list]', async () => {
    const { id } = await newWorld();
    const { worlds } = expectData(await api.get('/api/agents/worlds'));
    for (const world of worlds) expectShape(world, WORLD);
    expect(worlds.map((world: { id: string }) => world.id)).toEqual(expect.arrayContaining([id, ADA.id, BOB.id]));
    const bobs = expectData(await api.get(`/api/agents/worlds?agentId=${BOB.id.toUpperCase()}`)).worlds;
    expect(new Set(bobs.map((world: { agentId: string }) => world.agentId))).toEqual(new Set([BOB.id]));
    expect(await pages('/api/agents/worlds?', 'worlds')).toEqual(worlds.map((world: { id: string }) => world.id));
  });

  it.each(['agentId=x', 'limit=0', 'limit=1001', 'limit=x', 'after=x', 'after=123'])('refuses ?%s', async (query) => {
    expectError(await api.get(`/api/agents/worlds?${query}`), 400, 'VALIDATION_ERROR');
  });
});

describe('PATCH /api/agents/{agentId}/worlds/{worldId}', () => {
  const update = (body: unknown, worldId: string, agentId: string = ADA.id): ReturnType<typeof api.patch> =>
    api.patch(`/api/agents/${agentId}/worlds/${worldId}`, body, json);
  const FIELDS: Field[] = [
    ['name', text(255), 'optional'],
    ['metadata', object(), 'optional'],
    ['settings', object(), 'optional'],
  ];
  let worldId = '';

  describeBody({
    fields: FIELDS,
    good: () => ({}),
    send: async (body) => {
      worldId = (await newWorld()).id;
      return update(body, worldId);
    },
    data: expectData,
    shape: { world: WORLD, worldId: expect.any(String), settings: expect.any(Object) },
    shownAt: { name: 'world.name', metadata: 'world.metadata' },
  });
  describePathId('agentId', { send: (id) => update({}, ADA.id, id), unknown: 'AGENT_NOT_FOUND' });
  describePathId('worldId', { send: (id) => update({}, id), unknown: 'WORLD_NOT_FOUND' });

  it('merges metadata and settings into the current ones', async () => {
    const { id } = await newWorld({ metadata: { a: 1, b: 1, settings: { x: 1 } } });
    expect(expectData(await update({ metadata: { b: 2 }, settings: { y: 2 } }, id))).toMatchObject({
      world: { metadata: { a: 1, b: 2, settings: { x: 1, y: 2 } } },
      worldId: id,
      settings: { x: 1, y: 2 },
    });
  });

  it('ignores settings and roles in metadata that are not objects', async () => {
    const { id } = await newWorld({ metadata: { settings: 'none', roles: ['x'] } });
    expect(expectData(await update({}, id)).settings).toEqual({});
    expect(expectData(await update({ settings: { y: 2 } }, id))).toMatchObject({
      world: { metadata: { settings: { y: 2 } } },
      settings: { y: 2 },
    });
    const joined = expectData(await api.post(`/api/agents/${BOB.id}/worlds`, { worldId: id }));
    expect(joined.world.metadata.roles).toEqual({ [BOB.id]: 'NONE' });
  });

  it('changes no world of another agent unless the agent joined it', async () => {
    const { id } = await newWorld();
    expectError(await update({ name: 'Mine' }, id, BOB.id), 404, 'WORLD_NOT_FOUND');
    expectData(await api.post(`/api/agents/${BOB.id}/worlds`, { worldId: id }));
    expect(expectData(await update({ name: 'Ours' }, id, BOB.id)).world.name).toBe('Ours');
  });
});

describe.each(['/api/agents', '/api/memory'])('rooms under %s', (base) => {
  const path = (roomId = '', agentId: string = ADA.id): string => `${base}/${agentId}/rooms${roomId && `/${roomId}`}`;

  describe('GET', () => {
    describePathId('agentId', { send: (id) => api.get(path('', id)), unknown: 'AGENT_NOT_FOUND' });

    it("lists the agent's rooms with their entities, also by world", async () => {
      const worldId = newId();
      const rooms = [await newRoom({ worldId, entityId: USER }), await newRoom({ worldId })];
      const listed = expectData(await api.get(path())).rooms;
      for (const room of listed) expectShape(room, { ...ROOM, updatedAt: expect.any(Number) });
      expect(expectData(await api.get(`${path()}?worldId=${worldId}`)).rooms).toMatchObject(
        rooms.map(({ id }) => ({ id })).sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
      const [room] = listed.filter(({ id }: { id: string }) => id === rooms[0]?.id);
      expect(room.entities).toEqual([ADA, { id: USER, name: `User-${USER.slice(0, 8)}` }]);
      expect(await pages(`${path()}?`, 'rooms')).toEqual(listed.map(({ id }: { id: string }) => id));
    });

    it.each(['worldId=x', 'channelId=x', 'limit=0', 'limit=x', 'after=x'])('refuses ?%s', async (query) => {
      expectError(await api.get(`${path()}?${query}`), 400, 'VALIDATION_ERROR');
    });
  });

  describe('GET {roomId}', () => {
    describePathId('roomId', { send: (id) => api.get(path(id)), unknown: 'ROOM_NOT_FOUND' });

    it("returns a room with the name of its world, and hides other agents' rooms", async () => {
      const { id } = await newRoom();
      expectShape(expectData(await api.get(path(id))), { ...ROOM, worldName: "Ada's World" });
      expectError(await api.get(path(id, BOB.id)), 404, 'ROOM_NOT_FOUND');
    });
  });

  describe('PATCH {roomId}', () => {
    describeBody({
      fields: [
        ['name', text(255), 'optional'],
        ['metadata', object(), 'optional'],
      ],
      good: () => ({}),
      send: async (body) => api.patch(path((await newRoom()).id), body, json),
      data: expectData,
      shape: ROOM,
    });
    describePathId('roomId', { send: (id) => api.patch(path(id), {}), unknown: 'ROOM_NOT_FOUND' });

    it('says when', async () => {
      const { id } = await newRoom({ metadata: { a: 1 } });
      app.clock.advance(5);
      const { createdAt, updatedAt, name, metadata } = expectData(await api.patch(path(id), { name: 'Den', metadata: { b: 2 } }));
      expect({ age: updatedAt - createdAt, name, metadata }).toEqual({ age: 5, name: 'Den', metadata: { a: 1, b: 2 } });
    });
  });

  describe('DELETE {roomId}', () => {
    describePathId('roomId', { send: (id) => api.delete(path(id)), unknown: 'ROOM_NOT_FOUND' });

    it('deletes the memories of the room with it', async () => {
      const { id } = await newRoom();
      await app.test.app.get(AgentMemory).create(ADA.id, { type: 'facts', roomId: id, content: { text: 'Tea.' }, metadata: {} });
      const answer = await api.delete(path(id), json);
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: '' });
      expectError(await api.get(path(id)), 404, 'ROOM_NOT_FOUND');
      expect(expectData(await api.get(`/api/memory/${ADA.id}/memories?type=facts&roomId=${id}`)).memories).toEqual([]);
    });
  });

  it('a room of a channel is found by the channel too, cannot be deleted, and is deleted with the channel [rooms.of-channels]', async () => {
    app.test.model.reply('Hello.');
    const { sessionId, channelId } = await app.newSession();
    await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Hello!', transport: 'http' });
    const roomId = idForAgent(ADA.id, channelId);
    expect(expectData(await api.get(path(channelId)))).toMatchObject({ id: roomId, channelId });
    expect(expectData(await api.get(`${path()}?channelId=${channelId}`)).rooms).toMatchObject([{ id: roomId }]);
    for (const id of [roomId, channelId]) {
      expect(expectData(await api.get(`${path(id)}/memories`)).memories.map(({ roomId: of }: { roomId: string }) => of)).toEqual([
        roomId,
        roomId,
      ]);
    }
    expectError(await api.delete(path(roomId)), 409, 'CONFLICT');
    expect((await api.delete(`${CHANNELS}/${channelId}`)).status).toBe(204);
    expectError(await api.get(path(roomId)), 404, 'ROOM_NOT_FOUND');
  });

  describe('GET {roomId}/memories', () => {
    describePathId('roomId', { send: (id) => api.get(`${path(id)}/memories`), unknown: 'ROOM_NOT_FOUND' });

    it('pages by 20 by default, and refuses the same parameters as the list of memories', async () => {
      const { id } = await newRoom();
      const memory = app.test.app.get(AgentMemory);
      for (let number = 0; number < 21; number++) {
        await memory.create(ADA.id, { type: 'messages', roomId: id, content: { text: `${number}` }, metadata: {} });
      }
      const page = expectData(await api.get(`${path(id)}/memories`));
      expect(page).toMatchObject({ hasMore: true, memories: { length: 20 } });
      expect(expectData(await api.get(`${path(id)}/memories?before=${page.nextCursor}`))).toMatchObject({
        hasMore: false,
        memories: { length: 1 },
      });
      expectError(await api.get(`${path(id)}/memories?limit=0`), 400, 'VALIDATION_ERROR');
    });
  });
});

describe('/api/memory/groups/{messageServerId}', () => {
  const path = (id: string = DEFAULT_SERVER_ID): string => `/api/memory/groups/${id}`;
  const GROUP_ROOM = {
    id: expect.any(String),
    name: expect.any(String),
    source: expect.any(String),
    worldId: expect.any(String),
    type: 'API',
  };

  describe('POST', () => {
    describeBody({
      fields: [
        ['agentIds', { ...listOf(['x', 7, null, {}], [ADA.id]), right: [['is a list of agents', [ADA.id, BOB.id]]] }, 'optional'],
        ['name', text(255), 'optional'],
        ['worldId', uuid, 'optional'],
        ['source', text(255), 'optional'],
        ['metadata', object(), 'optional'],
      ],
      good: () => ({}),
      send: (body) => api.post(path(newId()), body, json),
      data: (answer) => {
        const data = expectData(answer, 201);
        return Array.isArray(data) ? { rooms: data } : data;
      },
      shape: { rooms: expect.any(Array) },
      shownAt: { agentIds: undefined, name: undefined, worldId: undefined, source: undefined, metadata: undefined },
    });
    describePathId('messageServerId', { send: async (id) => await api.post(path(id), { agentIds: [NOBODY] }), unknown: 'AGENT_NOT_FOUND' });

    it('returns a list for named agents, and { worldId, rooms } for all; a repetition returns the same', async () => {
      const server = newId();
      const rooms = expectData(await api.post(path(server), { agentIds: [ADA.id, BOB.id.toUpperCase()], name: 'Team' }), 201);
      expect(rooms).toMatchObject([
        { ...GROUP_ROOM, agentId: ADA.id, name: 'Team' },
        { ...GROUP_ROOM, agentId: BOB.id, name: 'Team' },
      ]);
      const group = expectData(await api.post(path(server), { messageServerId: server, name: 'Team', description: 'All of us' }), 201);
      expect(group.worldId).toBe(server);
      expect(new Set(group.rooms.map(({ id }: { id: string }) => id))).toEqual(new Set(rooms.map(({ id }: { id: string }) => id)));
    });

    it('returns an existing room unchanged, and creates no world for it', async () => {
      const [server, worldId] = [newId(), newId()];
      const [room] = expectData(await api.post(path(server), { agentIds: [ADA.id], name: 'First', source: 'discord' }), 201);
      const again = await api.post(path(server), { agentIds: [ADA.id], name: 'Second', worldId });
      expect(expectData(again, 201)).toEqual([room]);
      expect(expectData(await api.get(`/api/agents/${ADA.id}/rooms/${room.id}`))).toMatchObject(room);
      expect(JSON.stringify(expectData(await api.get('/api/agents/worlds')))).not.toContain(worldId);
    });

    it('creates nothing when an agent is unknown [groups.whole]', async () => {
      const server = newId();
      const answer = await api.post(path(server), { agentIds: [ADA.id, NOBODY] });
      expectError(answer, 404, 'AGENT_NOT_FOUND');
      expect(answer.body.error.message).toContain(NOBODY);
      expectError(await api.get(`/api/agents/${ADA.id}/rooms/${idForAgent(ADA.id, server)}`), 404, 'ROOM_NOT_FOUND');
    });
  });

  it('DELETE memories deletes the memories of the group, and DELETE its rooms too', async () => {
    const server = newId();
    const [room] = expectData(await api.post(path(server), { agentIds: [ADA.id] }), 201);
    const memory = app.test.app.get(AgentMemory);
    const remember = (): Promise<string> =>
      memory.create(ADA.id, { type: 'messages', roomId: room.id, content: { text: 'Hi.' }, metadata: {} });
    await remember();
    expect(expectHybrid(await api.delete(`${path(server)}/memories`, json))).toEqual({ success: true, deleted: 1 });
    await remember();
    expect((await api.delete(path(server), json)).status).toBe(204);
    expectError(await api.get(`/api/agents/${ADA.id}/rooms/${room.id}`), 404, 'ROOM_NOT_FOUND');
    expect(await memory.list(ADA.id, { roomId: room.id })).toEqual([]);
    for (const bad of [path('x'), `${path('x')}/memories`]) expectError(await api.delete(bad), 400, 'INVALID_ID');
    expect((await api.delete(path(NOBODY))).status).toBe(204);
  });
});
