import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { newId } from '../../../src/core/ids/index.js';
import { AgentMemory, ConversationMemory } from '../../../src/modules/memory/index.js';
import { ADA, BOB, createMemoryApp, type MemoryApp } from '../memory-app.js';
import { FakeEmbedding } from '../fake-embedding.js';

const NOBODY = '11111111-2222-3333-4444-555555555555';
const error = (status: number, code: string): object =>
  expect.objectContaining({ status, body: expect.objectContaining({ success: false, error: expect.objectContaining({ code }) }) });

/** Worlds, rooms and the editing of memories, as HTTP callers see them. */
export function describeMemoryOperations(engine: Engine): void {
  describe(`memory operations on ${engine}`, () => {
    let test: MemoryApp;
    beforeAll(async () => {
      test = await createMemoryApp(engine, new FakeEmbedding());
    });
    afterAll(() => test.close());

    describe("an agent's initial world, room and entity", () => {
      const home = (): Promise<Record<string, unknown>[]> =>
        test.rows(`SELECT w.name, w.agent_id, r.type, r.world_id, e.names FROM worlds w JOIN rooms r ON r.id = w.id JOIN entities e ON e.id = w.id
          JOIN participants p ON p.room_id = r.id AND p.entity_id = e.id ORDER BY w.name`);
      const expected = [ADA, BOB].map(({ id, name }) => ({
        name: `${name}'s World`,
        agent_id: id,
        type: 'SELF',
        world_id: id,
        names: JSON.stringify([name]),
      }));

      it('have its id', async () => {
        expect(await home()).toEqual(expected);
      });

      it('are not duplicated by another start', async () => {
        await test.restart(new FakeEmbedding());
        expect(await home()).toEqual(expected);
      });
    });

    describe('POST /api/agents/:agentId/worlds', () => {
      const worlds = (agentId = ADA.id): string => `/api/agents/${agentId}/worlds`;

      it('creates a world with all given fields', async () => {
        const body = {
          name: 'Lobby',
          sourceType: 'discord',
          sourceId: 'guild-1',
          metadata: { theme: 'dark' },
          serverId: NOBODY.toUpperCase(),
        };
        const answer = await test.api.post(worlds(ADA.id.toUpperCase()), body);
        expect(answer.status).toBe(201);
        const { id } = answer.body.data.world;
        expect(answer.body).toEqual({
          success: true,
          data: {
            world: {
              ...{ id, name: 'Lobby', agentId: ADA.id, sourceType: 'discord', sourceId: 'guild-1', metadata: { theme: 'dark' } },
              ...{ messageServerId: NOBODY, serverId: NOBODY, createdAt: test.clock.now() },
            },
          },
        });
        expect(await test.rows(`SELECT name FROM worlds WHERE id = '${id}'`)).toEqual([{ name: 'Lobby' }]);
      });

      it('lets an agent join an existing world, once [worlds.join]', async () => {
        const { id } = (await test.api.post(worlds(), { name: 'Shared', metadata: { a: 1 } })).body.data.world;
        const joined = await test.api.post(worlds(BOB.id), { worldId: id.toUpperCase() });
        expect(joined.status).toBe(200);
        expect(joined.body).toMatchObject({ success: true, data: { success: true, world: { id, agentId: ADA.id } } });
        expect(joined.body.data.world.metadata).toEqual({ a: 1, roles: { [BOB.id]: 'NONE' } });
        expect((await test.api.post(worlds(BOB.id), { worldId: id })).body).toEqual(joined.body);
        expect((await test.api.post(worlds(), { worldId: id })).body).toEqual(joined.body);
      });
    });

    describe('POST /api/agents/:agentId/rooms', () => {
      const rooms = (agentId = ADA.id): string => `/api/agents/${agentId}/rooms`;

      it('creates room, world and entity with the given ids', async () => {
        const [roomId, worldId, entityId] = [newId(), newId(), newId()];
        const answer = await test.api.post(rooms(), { name: 'Support', roomId: roomId.toUpperCase(), worldId, entityId });
        expect(answer.status).toBe(201);
        expect(answer.body).toEqual({
          success: true,
          data: {
            ...{ id: roomId, name: 'Support', source: 'client', worldId },
            entities: [ADA, { id: entityId, name: `User-${entityId.slice(0, 8)}` }],
            ...{
              agentId: ADA.id,
              type: 'DM',
              channelId: null,
              messageServerId: null,
              serverId: null,
              metadata: {},
              createdAt: test.clock.now(),
              updatedAt: test.clock.now(),
            },
          },
        });
        expect(await test.rows(`SELECT name, agent_id FROM worlds WHERE id = '${worldId}'`)).toEqual([
          { name: 'World for Support', agent_id: ADA.id },
        ]);
        expect(await test.rows(`SELECT entity_id, state FROM participants WHERE room_id = '${roomId}' ORDER BY state`)).toEqual(
          expect.arrayContaining([
            { entity_id: ADA.id, state: 'FOLLOWED' },
            { entity_id: entityId, state: null },
          ]),
        );
      });

      it('returns an existing room unchanged, and lets another entity join [rooms.existing]', async () => {
        const [roomId, ann, ben] = [newId(), newId(), newId()];
        const first = await test.api.post(rooms(), { name: 'First', roomId, entityId: ann });
        test.clock.advance(1000);
        const second = await test.api.post(rooms(), { name: 'Second', roomId, entityId: ben, worldId: newId() });
        expect(second.status).toBe(201);
        expect(second.body.data).toEqual({
          ...first.body.data,
          entities: [...first.body.data.entities, { id: ben, name: `User-${ben.slice(0, 8)}` }],
        });
        expect((await test.api.post(rooms(), { name: 'Third', roomId })).body.data).toEqual(second.body.data);
      });

      it("does not return another agent's room, and leaves nothing behind", async () => {
        const [roomId, worldId] = [newId(), newId()];
        await test.api.post(rooms(), { name: 'Mine', roomId });
        expect(await test.api.post(rooms(BOB.id), { name: 'Yours', roomId, worldId })).toEqual(error(409, 'ROOM_EXISTS'));
        expect(await test.rows(`SELECT id FROM worlds WHERE id = '${worldId}'`)).toEqual([]);
      });

      it('creates one room for concurrent requests', async () => {
        const roomId = newId();
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            test.api.post(rooms(index % 2 === 0 ? ADA.id : BOB.id), { name: `Race ${index}`, roomId }),
          ),
        );
        const created = answers.filter(({ status }) => status === 201);
        expect(created).toHaveLength(10);
        expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
        expect(new Set(created.map(({ body }) => body.data.agentId + body.data.name)).size).toBe(1);
      });
    });

    describe('lists and deletions', () => {
      const memories = (rest = ''): string => `/api/memory/${ADA.id}/memories${rest}`;
      const remember = (text: string, more: object = {}): Promise<string> =>
        test.app.get(AgentMemory, { strict: false }).create(ADA.id, { type: 'facts', content: { text }, metadata: {}, ...more });

      it('page by cursor with every filter, and delete only matching ones', async () => {
        const before = test.clock.now();
        const [first, second] = [await remember('Tea is 100% hot.'), await remember('Milk is cold.')];
        const query = `type=facts&roomId=${ADA.id}&entityId=${ADA.id}&from=${before}&to=${before}&unique=true&includeEmbedding=true`;
        const page = (await test.api.get(memories(`?${query}&limit=1`))).body.data;
        const rest = (await test.api.get(memories(`?${query}&limit=1&before=${page.nextCursor}`))).body.data;
        expect([...page.memories, ...rest.memories].map(({ id }: { id: string }) => id).sort()).toEqual([first, second].sort());
        expect((await test.api.get(memories(`?${query}&search=${encodeURIComponent('100% HOT')}`))).body.data.memories).toMatchObject([
          { id: first },
        ]);
        const document = await remember('Tea', { type: 'documents' });
        await remember('Tea', { type: 'fragments', metadata: { documentId: document } });
        for (const id of [first, document]) expect((await test.api.delete(memories(`/${id}`))).status).toBe(200);
        expect((await test.api.delete(memories(`/all/${ADA.id}`))).body.data.deleted).toBe(1);
        expect((await test.api.delete(memories())).status).toBe(200);
        expect(await test.rows(`SELECT id FROM memories WHERE agent_id = '${ADA.id}'`)).toEqual([]);
      });

      it('of rooms and worlds are ordered, and both can be changed', async () => {
        const { id: worldId } = (await test.api.post(`/api/agents/${ADA.id}/worlds`, { name: 'World' })).body.data.world;
        const { id } = (await test.api.post(`/api/agents/${ADA.id}/rooms`, { name: 'Room', worldId })).body.data;
        expect((await test.api.get(`/api/agents/${ADA.id}/rooms?worldId=${worldId}&limit=1`)).body.data.rooms).toMatchObject([{ id }]);
        expect((await test.api.patch(`/api/agents/${ADA.id}/rooms/${id}`, { name: 'Den' })).body.data.name).toBe('Den');
        expect((await test.api.patch(`/api/agents/${ADA.id}/worlds/${worldId}`, { settings: { a: 1 } })).body.data.settings).toEqual({
          a: 1,
        });
        expect((await test.api.get(`/api/agents/${ADA.id}/rooms/${id}`)).body.data.worldName).toBe('World');
        expect((await test.api.delete(`/api/agents/${ADA.id}/rooms/${id}`)).status).toBe(204);
        const [group] = (await test.api.post(`/api/memory/groups/${NOBODY}`, { agentIds: [ADA.id] })).body.data;
        expect(group).toMatchObject({ type: 'API', agentId: ADA.id });
        expect((await test.api.delete(`/api/memory/groups/${NOBODY}`)).status).toBe(204);
      });
    });

    describe('PATCH /api/memory/:agentId/memories/:memoryId', () => {
      const path = (memoryId: string, agentId = ADA.id): string => `/api/memory/${agentId}/memories/${memoryId}`;
      const channel = { id: newId(), serverId: NOBODY, name: 'Chat', channelType: 'DM' };
      const conversation = (): ConversationMemory => test.app.get(ConversationMemory, { strict: false });
      let seq = 0;

      async function remember(content: string): Promise<string> {
        seq += 1;
        const author = { authorId: NOBODY, authorKind: 'user', authorName: 'Ann', vouched: true } as const;
        const message = { id: newId(), seq, content, metadata: {}, createdAt: test.clock.now() + seq, inReplyTo: null, ...author };
        await test.unitOfWork().commit(conversation().record(ADA, channel, [message]));
        const { messages } = await conversation().conversation(ADA.id, channel.id, 1);
        return messages[0]?.memoryId ?? '';
      }

      it('replaces the content, and the agent remembers the new one', async () => {
        const id = await remember('I like tea');
        const answer = await test.api.patch(path(id.toUpperCase(), ADA.id.toUpperCase()), {
          content: { text: 'I like coffee', mood: 'good' },
        });
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({ success: true, data: { id, message: 'Memory updated successfully' } });
        expect(answer.body.data.memory).toEqual({
          ...{ id, type: 'messages', agentId: ADA.id, entityId: NOBODY, unique: true, content: { text: 'I like coffee', mood: 'good' } },
          ...{ roomId: expect.any(String), worldId: expect.any(String), createdAt: expect.any(Number) },
          metadata: expect.objectContaining({ type: 'message', channelId: channel.id, authorName: 'Ann' }),
        });
        expect((await conversation().conversation(ADA.id, channel.id, 1)).messages).toMatchObject([
          { memoryId: id, text: 'I like coffee' },
        ]);
      });

      it('replaces the metadata, except the link to the message [memories.fields]', async () => {
        const id = await remember('one');
        const before = (await test.api.patch(path(id), {})).body.data.memory;
        const { metadata, content } = (await test.api.patch(path(id), { metadata: { type: 'custom', tags: ['x'], messageId: 'y' } })).body
          .data.memory;
        const { messageId, channelId, authorId, authorName, authorKind } = before.metadata;
        expect(metadata).toEqual({ type: 'custom', tags: ['x'], messageId, channelId, authorId, authorName, authorKind });
        expect(content).toEqual(before.content);
      });

      it('changes nothing for an empty request [memories.fields]', async () => {
        const id = await remember('one');
        const row = (): Promise<unknown[]> => test.rows(`SELECT * FROM memories WHERE id = '${id}'`);
        const before = await row();
        expect((await test.api.patch(path(id), {})).status).toBe(200);
        expect((await test.api.patch(path(id), { unknown: 1, agentId: BOB.id, id: NOBODY })).status).toBe(200);
        expect(await row()).toEqual(before);
      });

      it('stores a vector of the right length', async () => {
        const id = await remember('one');
        const embedding = Array.from({ length: 128 }, (_, index) => (index === 0 ? 3 : index === 1 ? 4 : 0));
        expect((await test.api.patch(path(id), { embedding })).status).toBe(200);
        const [row] = await test.rows<{ vector: string; model: string; embedded_by: string }>(
          `SELECT e.vector, e.model, m.embedded_by FROM memory_vectors e JOIN memories m ON m.id = e.memory_id WHERE m.id = '${id}'`,
        );
        expect(row).toMatchObject({ model: 'fake-1', embedded_by: 'fake-1' });
        const bytes = Buffer.from(row?.vector ?? '', 'base64');
        expect([bytes.length, bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([512, Math.fround(0.6), Math.fround(0.8)]);
      });
    });
  });
}
