// GET …/memories/{memoryId}/history and POST …/memories/{memoryId}/undo, under both prefixes.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../support/api-client.js';
import { AgentMemory } from '../../src/modules/memory/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { contractApp, NOBODY, USER } from './support/contract-app.js';
import { describeBody, describePathId } from './support/describe-operation.js';
import { integer } from './support/kinds.js';
import { expectShape, MEMORY_UPDATE } from './support/shapes.js';

const JSON_BODY = { headers: { 'content-type': 'application/json' } };

describe.each(['/api/memory', '/api/agents'])('history and undo under %s', (base) => {
  const app = contractApp();
  const { api } = app;
  let memoryId: string;
  const path = (rest: string, id = memoryId, agentId: string = ADA.id): string => `${base}/${agentId}/memories/${id}${rest}`;
  const undo = (body: unknown, id = memoryId, agentId: string = ADA.id): Promise<ApiResponse> =>
    api.post(path('/undo', id, agentId), body, JSON_BODY);
  const history = async (query = ''): Promise<ApiResponse['body']> => expectData(await api.get(path(`/history${query}`)));

  beforeEach(async () => {
    const content = { text: 'I like tea.' };
    memoryId = await app.test.app
      .get(AgentMemory)
      .create(ADA.id, { type: 'facts', entityId: USER, content, metadata: { type: 'fact', mood: 'calm' } });
    for (const text of ['I like coffee.', 'I like milk.']) await api.patch(path(''), { content: text });
  });

  describe('GET history', () => {
    describePathId('agentId', { send: (id) => api.get(path('/history', memoryId, id)), unknown: 'AGENT_NOT_FOUND' });
    describePathId('memoryId', { send: (id) => api.get(path('/history', id)), unknown: 'MEMORY_NOT_FOUND' });

    it('returns previous versions, newest first, with the author and time of each change', async () => {
      const common = { metadata: { type: 'fact', mood: 'calm' }, changedAt: app.clock.now(), changedBy: 'everybody' };
      expect(await history()).toEqual({
        version: 3,
        versions: [
          { version: 2, content: { text: 'I like coffee.' }, ...common },
          { version: 1, content: { text: 'I like tea.' }, ...common },
        ],
        hasMore: false,
        nextCursor: null,
      });
    });

    it('pages', async () => {
      const first = await history('?limit=1');
      expect([first.versions[0].version, first.hasMore]).toEqual([2, true]);
      const second = await history(`?limit=1&before=${first.nextCursor}`);
      expect([second.versions[0].version, second.hasMore, second.nextCursor]).toEqual([1, false, null]);
      expect((await history('?before=0')).versions).toEqual([]);
    });

    it.each(['limit=0', 'limit=101', 'limit=x', 'before=x', 'before=-1', 'before=1.5'])('refuses %s', async (query) => {
      const answer = await api.get(path(`/history?${query}`));
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain(query.split('=')[0]);
    });

    it("hides another agent's memory", async () => {
      expectError(await api.get(path('/history', memoryId, BOB.id)), 404, 'MEMORY_NOT_FOUND');
    });
  });

  describe('POST undo', () => {
    describePathId('agentId', { send: (id) => undo({}, memoryId, id), unknown: 'AGENT_NOT_FOUND' });
    describePathId('memoryId', { send: (id) => undo({}, id), unknown: 'MEMORY_NOT_FOUND' });
    describeBody({
      fields: [['version', integer(1), 'optional']],
      good: () => ({}),
      send: undo,
      data: expectData,
      shape: MEMORY_UPDATE,
      shownAt: { version: undefined },
    });

    it('restores the previous version, or an older one by number', async () => {
      const data = expectData(await undo({}));
      expectShape(data, MEMORY_UPDATE);
      expect(data).toMatchObject({
        id: memoryId,
        message: 'Memory restored successfully',
        memory: { content: { text: 'I like coffee.' } },
      });
      expect(expectData(await undo({ version: 1 })).content).toEqual({ text: 'I like tea.' });
      expect((await history()).version).toBe(5);
      expect(expectData(await api.get(path('')))).toMatchObject({ content: { text: 'I like tea.' } });
    });

    it('restores metadata', async () => {
      await api.patch(path(''), { metadata: { mood: 'merry' } });
      expect(expectData(await undo({})).metadata).toEqual({ type: 'fact', mood: 'calm' });
    });

    it('refuses an unknown version, and a memory that was never changed', async () => {
      for (const version of [3, 99, 2_147_483_647]) expectError(await undo({ version }), 404, 'MEMORY_VERSION_NOT_FOUND');
      const fresh = await app.test.app.get(AgentMemory).create(ADA.id, { type: 'facts', content: { text: 'x' }, metadata: {} });
      expectError(await undo({}, fresh), 404, 'MEMORY_VERSION_NOT_FOUND');
    });

    it('changes no memory of another agent', async () => {
      expectError(await undo({}, memoryId, BOB.id), 404, 'MEMORY_NOT_FOUND');
      expect((await history()).version).toBe(3);
    });

    it.each([
      ['the path before the agent and the body', 'x', 'x', [], 400, 'INVALID_ID'],
      ['the body before the memory', NOBODY, ADA.id, { version: 'x' }, 400, 'VALIDATION_ERROR'],
      ['the memory last', NOBODY, ADA.id, {}, 404, 'MEMORY_NOT_FOUND'],
    ] as const)('checks %s', async (_name, id, agentId, body, status, code) => {
      expectError(await undo(body, id, agentId), status, code);
    });

    it('takes effect once per Idempotency-Key', async () => {
      const headers = { 'idempotency-key': '3f0e7c52-7d2f-4a3b-9a38-0d5e5f3b1c11', 'content-type': 'application/json' };
      const [first, second] = [await api.post(path('/undo'), {}, { headers }), await api.post(path('/undo'), {}, { headers })];
      expect(second.body).toEqual(first.body);
      expect((await history()).version).toBe(4);
    });

    it('is deleted with the memory', async () => {
      await api.delete(path(''));
      expectError(await undo({}), 404, 'MEMORY_NOT_FOUND');
      expectError(await api.get(path('/history')), 404, 'MEMORY_NOT_FOUND');
    });
  });
});
