// Operation 3: POST /api/agents/{agentId}/worlds
import { describe, expect, it } from '@jest/globals';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { contractApp, NOBODY } from './support/contract-app.js';
import { describeBody, describePathId } from './support/describe-operation.js';
import { anyText, knownUuid, object, text, uuid, type Field } from './support/kinds.js';
import { expectOnly, expectShape, WORLD } from './support/shapes.js';

const FULL = { name: 'Lobby', sourceType: 'discord', sourceId: 'guild-1', metadata: { theme: 'dark' } };

const FIELDS: Field[] = [
  ['name', text(255), 'required'],
  ['sourceType', anyText(255), 'optional or null'],
  ['sourceId', anyText(255), 'optional or null'],
  ['metadata', object(), 'optional'],
  ['messageServerId', uuid, 'optional'],
  ['serverId', uuid, 'optional'],
];

describe('POST /api/agents/{agentId}/worlds', () => {
  const app = contractApp();
  const { api } = app;
  const create = (body: unknown, agentId = ADA.id): ReturnType<typeof api.post> =>
    api.post(`/api/agents/${agentId}/worlds`, body, { headers: { 'content-type': 'application/json' } });

  describeBody({
    fields: FIELDS,
    good: () => ({ name: 'Lobby' }),
    send: create,
    data: (answer) => expectData(answer, 201).world,
    shape: WORLD,
  });

  describePathId('agentId', { send: (id) => create(FULL, id), unknown: 'AGENT_NOT_FOUND' });

  it('responds 201 with { world } and nothing else [worlds.create]', async () => {
    const data = expectData(await create(FULL), 201);
    expectOnly(data, { world: expect.anything() });
    expectShape(data.world, WORLD);
    expect(data.world).toMatchObject({ ...FULL, agentId: ADA.id });
  });

  it('returns text and an object for omitted fields too', async () => {
    expect(expectData(await create({ name: 'Plain' }), 201).world).toMatchObject({ sourceType: '', sourceId: '', metadata: {} });
  });

  it("accepts the agent's id in upper case", async () => {
    expect(expectData(await create(FULL, ADA.id.toUpperCase()), 201).world.agentId).toBe(ADA.id);
  });

  it('creates a new world each time', async () => {
    const [one, other] = [expectData(await create(FULL), 201), expectData(await create(FULL), 201)];
    expect(one.world.id).not.toBe(other.world.id);
  });

  it.each([
    ['the path before the agent and the body', 'x', {}, 400, 'INVALID_ID'],
    ['the agent before the body', NOBODY, {}, 404, 'AGENT_NOT_FOUND'],
    ['the body last', ADA.id, {}, 400, 'VALIDATION_ERROR'],
  ] as const)('checks %s [memory.order]', async (_name, agentId, body, status, code) => {
    expectError(await create(body, agentId), status, code);
  });

  it('hides the cause of an internal error behind a 500', async () => {
    app.breakStorage();
    expectError(await create(FULL), 500, 'INTERNAL_ERROR');
  });

  describe('with a worldId instead of a name', () => {
    it.each(knownUuid.wrong)('that %s responds 400', async (_words, worldId) => {
      const answer = await create({ worldId });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain('worldId');
    });

    it('adds the agent to that world and responds 200', async () => {
      const { world } = expectData(await create(FULL), 201);
      const joined = expectData(await create({ worldId: world.id.toUpperCase() }, BOB.id), 200);
      expect(joined).toMatchObject({ success: true, world: { id: world.id, name: 'Lobby', agentId: ADA.id } });
    });

    it('responds 404 for an unknown world', async () => {
      expectError(await create({ worldId: NOBODY }), 404, 'WORLD_NOT_FOUND');
    });
  });
});
