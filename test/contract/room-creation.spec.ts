// Operation 2: POST /api/agents/{agentId}/rooms
import { describe, expect, it } from '@jest/globals';
import { newId } from '../../src/core/ids/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { contractApp, NOBODY } from './support/contract-app.js';
import { describeBody, describePathId } from './support/describe-operation.js';
import { object, text, uuid, UUID_V0, ZERO_UUID, type Field } from './support/kinds.js';
import { expectShape, ROOM } from './support/shapes.js';

/** A room of the same id is answered as it is, so a chosen roomId is shown wherever it is free. */
const FIELDS: Field[] = [
  ['name', text(255), 'required'],
  ['worldId', uuid, 'optional'],
  ['roomId', uuid, 'optional'],
  ['entityId', uuid, 'optional'],
  ['metadata', object(), 'optional'],
  ['source', text(255), 'optional'],
  ['messageServerId', uuid, 'optional or null'],
  ['serverId', uuid, 'optional or null'],
];

const ENTITIES: [name: string, entityId: string | undefined, also: string[]][] = [
  ['nobody else', undefined, []],
  ['a user', NOBODY, [NOBODY]],
  ['a user, in upper case', 'ABCDEFAB-0000-0000-0000-000000000000', ['abcdefab-0000-0000-0000-000000000000']],
  ['the all-zero UUID', ZERO_UUID, [ZERO_UUID]],
  ['a UUID of version 0', UUID_V0, [UUID_V0]],
  ['another agent', BOB.id, [BOB.id]],
  ['the agent itself, once', ADA.id, []],
];

describe('POST /api/agents/{agentId}/rooms', () => {
  const app = contractApp();
  const { api } = app;
  const create = (body: unknown, agentId = ADA.id): ReturnType<typeof api.post> =>
    api.post(`/api/agents/${agentId}/rooms`, body, { headers: { 'content-type': 'application/json' } });

  describeBody({
    fields: FIELDS,
    good: () => ({ name: 'Support' }),
    send: create,
    data: (answer) => expectData(answer, 201),
    shape: ROOM,
    shownAt: { roomId: 'id', entityId: undefined },
  });

  describePathId('agentId', { send: (id) => create({ name: 'Support' }, id), unknown: 'AGENT_NOT_FOUND' });

  it('responds 201 with a Room that has all given fields [rooms.create]', async () => {
    const [roomId, worldId, entityId] = [newId(), newId(), newId()];
    const room = expectData(await create({ name: 'Support', roomId, worldId, entityId }), 201);
    expectShape(room, ROOM);
    expect(room).toMatchObject({ id: roomId, name: 'Support', worldId, agentId: ADA.id });
  });

  it("accepts the agent's id in upper case", async () => {
    expect(expectData(await create({ name: 'Support' }, ADA.id.toUpperCase()), 201).agentId).toBe(ADA.id);
  });

  describe('returns the agent among the entities, and', () => {
    it.each(ENTITIES)('%s', async (_name, entityId, also) => {
      const { entities } = expectData(await create({ name: 'Support', entityId }), 201);
      expect(entities.map(({ id }: { id: string }) => id)).toEqual([ADA.id, ...also]);
      expect(entities[0]).toEqual(ADA);
    });
  });

  it('gives a room an id of its own, and the world of its agent, when none was chosen [rooms.world]', async () => {
    const [one, other] = [expectData(await create({ name: 'Same' }), 201), expectData(await create({ name: 'Same' }), 201)];
    expect(one.id).not.toBe(other.id);
    expect(one.worldId).toBe(ADA.id);
  });

  it('takes type, source, server and metadata, and refuses an unknown type', async () => {
    const given = { name: 'Full', type: 'text', source: 'discord', messageServerId: NOBODY, metadata: { a: [1] } };
    expect(expectData(await create(given), 201)).toMatchObject({ ...given, type: 'GROUP', serverId: NOBODY });
    expectError(await create({ ...given, type: 'chamber' }), 400, 'VALIDATION_ERROR');
  });

  it('accepts an unknown world, and keeps a known one [rooms.world]', async () => {
    const worldId = newId();
    for (const name of ['first', 'second']) expect(expectData(await create({ name, worldId }), 201).worldId).toBe(worldId);
  });

  it('returns an existing room unchanged', async () => {
    const roomId = newId();
    const first = expectData(await create({ name: 'First', roomId }), 201);
    expect(expectData(await create({ name: 'Second', roomId }), 201)).toEqual(first);
  });

  it('creates no world for an existing room', async () => {
    const [roomId, worldId] = [newId(), newId()];
    await create({ name: 'First', roomId });
    await create({ name: 'Second', roomId, worldId });
    expect(JSON.stringify(expectData(await api.get('/api/agents/worlds')))).not.toContain(worldId);
  });

  it('uses the current names of agents', async () => {
    const { id, entities } = expectData(await create({ name: 'Support', entityId: BOB.id }), 201);
    expect(entities).toEqual([ADA, BOB]);
    for (const agent of [ADA, BOB]) await api.patch(`/api/agents/${agent.id}`, { name: `New ${agent.name}` });
    const renamed = [ADA, BOB].map((agent) => ({ ...agent, name: `New ${agent.name}` }));
    expect(expectData(await api.get(`/api/agents/${ADA.id}/rooms/${id}`)).entities).toEqual(renamed);
    expect(expectData(await create({ name: 'Support', entityId: BOB.id }), 201).entities).toEqual(renamed);
    for (const { id: agentId, name } of [ADA, BOB]) await api.patch(`/api/agents/${agentId}`, { name });
  });

  it.each([
    ['the path before the agent and the body', 'x', {}, 400, 'INVALID_ID'],
    ['the agent before the body', NOBODY, {}, 404, 'AGENT_NOT_FOUND'],
    ['the body last', ADA.id, {}, 400, 'VALIDATION_ERROR'],
  ] as const)('checks %s [memory.order]', async (_name, agentId, body, status, code) => {
    expectError(await create(body, agentId), status, code);
  });

  it("does not return another agent's room", async () => {
    const roomId = newId();
    await create({ name: 'Mine', roomId });
    expectError(await create({ name: 'Yours', roomId }, BOB.id), 409, 'ROOM_EXISTS');
  });

  it('hides the cause of an internal error behind a 500', async () => {
    app.breakStorage();
    expectError(await create({ name: 'Support' }), 500, 'INTERNAL_ERROR');
  });
});
