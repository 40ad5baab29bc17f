// Operation 7: PATCH /api/memory/{agentId}/memories/{memoryId}
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConversationMemory } from '../../src/modules/memory/index.js';
import { ModelRegistry } from '../../src/providers/models/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { FakeEmbedding } from '../support/fake-embedding.js';
import { contractApp, NOBODY, SESSIONS } from './support/contract-app.js';
import { describeBody, describePathId } from './support/describe-operation.js';
import { listOf, object, type Field, type Kind } from './support/kinds.js';
import { expectOnly, expectShape, MEMORY_UPDATE } from './support/shapes.js';

const DIMENSION = new FakeEmbedding().dimension;
const vector = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);

/** Text, or an object whose `text` is text. */
const content: Kind = {
  wrong: [
    ...object().wrong.filter(([, value]) => typeof value !== 'string'),
    ['has a number for its text', { text: 7 }],
    ['has null for its text', { text: null }],
    ['has a list for its text', { text: ['x'] }],
  ],
  right: [
    ['is text', 'Tea.'],
    ['is empty text', ''],
    ['is an object', { text: 'Tea.', mood: 'calm' }],
    ['is an object without text', { actions: ['BREW'] }],
  ],
};

/** A vector of the length that the embedding model makes. */
const embedding: Kind = {
  wrong: [
    ...listOf([null, '1', true, [1]], []).wrong,
    ['is an empty list', []],
    ['has a number too few', vector(DIMENSION - 1)],
    ['has a number too many', vector(DIMENSION + 1)],
    ['has no direction', vector(DIMENSION).map(() => 0)],
  ],
  right: [[`is a list of ${DIMENSION} numbers`, vector(DIMENSION)]],
};

const FIELDS: Field[] = [
  ['content', content, 'optional'],
  ['metadata', object(), 'optional'],
  ['embedding', embedding, 'optional'],
];

const CHANGES: [name: string, body: object, content: object | 'as before'][] = [
  ['nothing', {}, 'as before'],
  ['the content by a text', { content: 'I like coffee.' }, { text: 'I like coffee.' }],
  ['the content by an object', { content: { text: 'I like coffee.', mood: 'calm' } }, { text: 'I like coffee.', mood: 'calm' }],
  ['no content when only metadata is sent', { metadata: { tags: ['drink'] } }, 'as before'],
  ['nothing that is unknown', { id: NOBODY, agentId: NOBODY, roomId: NOBODY, type: 'x', color: 'red' }, 'as before'],
];

describe('PATCH /api/memory/{agentId}/memories/{memoryId}', () => {
  const app = contractApp();
  const { api } = app;
  let memoryId: string;
  const update = (body: unknown, id = memoryId, agentId = ADA.id): ReturnType<typeof api.patch> =>
    api.patch(`/api/memory/${agentId}/memories/${id}`, body, { headers: { 'content-type': 'application/json' } });

  beforeEach(async () => {
    jest.spyOn(app.test.app.get(ModelRegistry), 'embeddings').mockReturnValue(new FakeEmbedding());
    app.test.model.reply('');
    const { sessionId, channelId } = await app.newSession();
    await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'I like tea.', transport: 'http' });
    const { messages } = await app.test.app.get(ConversationMemory).conversation(ADA.id, channelId, 1);
    memoryId = messages[0]?.memoryId ?? '';
  });

  describeBody({
    fields: FIELDS,
    good: () => ({}),
    send: (body) => update(body),
    data: expectData,
    shape: MEMORY_UPDATE,
    shownAt: { content: undefined, metadata: 'memory.metadata', embedding: undefined },
  });

  describePathId('agentId', { send: (id) => update({}, memoryId, id), unknown: 'AGENT_NOT_FOUND' });
  describePathId('memoryId', { send: (id) => update({}, id), unknown: 'MEMORY_NOT_FOUND' });

  it('responds 200 with id and message [memories.update]', async () => {
    const data = expectData(await update({ content: { text: 'I like coffee.' } }));
    expectShape(data, MEMORY_UPDATE);
    expect(data).toMatchObject({ id: memoryId, message: 'Memory updated successfully' });
  });

  describe('changes', () => {
    it.each(CHANGES)('%s', async (_name, body, after) => {
      const before = expectData(await update({})).memory;
      const { memory } = expectData(await update(body));
      expect(memory).toMatchObject({ id: memoryId, agentId: ADA.id, type: 'messages' });
      expectOnly(memory.content, after === 'as before' ? before.content : after);
      expectOnly(expectData(await update({})).memory, memory);
    });
  });

  it('accepts the ids of agent and memory in upper case', async () => {
    expect(expectData(await update({}, memoryId.toUpperCase(), ADA.id.toUpperCase())).id).toBe(memoryId);
  });

  it('finds no memory of another agent', async () => {
    expectError(await update({}, memoryId, BOB.id), 404, 'MEMORY_NOT_FOUND');
  });

  it.each([
    ['the path before the agent and the body', 'x', 'x', [], 400, 'INVALID_ID'],
    ['both ids before the agent', 'x', NOBODY, {}, 400, 'INVALID_ID'],
    ['the body before the memory', NOBODY, ADA.id, { metadata: 7 }, 400, 'VALIDATION_ERROR'],
    ['the memory last', NOBODY, ADA.id, {}, 404, 'MEMORY_NOT_FOUND'],
  ] as const)('checks %s [memory.order]', async (_name, id, agentId, body, status, code) => {
    expectError(await update(body, id, agentId), status, code);
  });

  it('hides the cause of an internal error behind a 500', async () => {
    app.breakStorage();
    expectError(await update({ content: 'I like coffee.' }), 500, 'INTERNAL_ERROR');
  });
});
