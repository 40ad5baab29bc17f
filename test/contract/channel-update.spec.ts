// Operation 5: PATCH /api/messaging/channels/{channelId}
import { describe, expect, it } from '@jest/globals';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { CHANNELS, contractApp, NOBODY, USER } from './support/contract-app.js';
import { describeBody, describePathId } from './support/describe-operation.js';
import { anyText, listOf, object, oneOf, text, UUID_V0, ZERO_UUID, type Field } from './support/kinds.js';
import { CHANNEL, expectOnly, expectShape } from './support/shapes.js';

const FIELDS: Field[] = [
  ['name', text(255), 'optional'],
  ['metadata', object(), 'optional'],
  ['description', anyText(10_000), 'optional or null'],
  ['topic', anyText(10_000), 'optional or null'],
  ['participantCentralUserIds', listOf([null, 7, 'x', '', [USER]], [ZERO_UUID, UUID_V0, USER.toUpperCase(), ADA.id]), 'optional'],
  ['turnPolicy', oneOf('enqueue', 'reject', 'interrupt'), 'optional'],
];

const BEFORE = { name: 'Before', description: 'What it was.', metadata: { kept: 1, nested: { a: 1, b: 2 } } };

/** Updates of the channel above, and the fields that they change. */
const CHANGES: [name: string, query: string, body: object, after: object][] = [
  ['nothing', '', {}, {}],
  ['a name', '', { name: 'After' }, { name: 'After' }],
  ['metadata, as a whole', '', { metadata: { fresh: 2 } }, { metadata: { fresh: 2 } }],
  ['metadata, to nothing', '', { metadata: {} }, { metadata: {} }],
  ['name and metadata', '', { name: 'After', metadata: { fresh: 2 } }, { name: 'After', metadata: { fresh: 2 } }],
  [
    'metadata, laid over the old',
    '?metadata=merge',
    { metadata: { fresh: 2, nested: { c: 3 } } },
    { metadata: { kept: 1, fresh: 2, nested: { c: 3 } } },
  ],
  ['a description', '', { description: 'What it is.' }, { description: 'What it is.', topic: 'What it is.' }],
  ['a topic, which is the description', '', { topic: 'What it is.' }, { description: 'What it is.', topic: 'What it is.' }],
  ['the description, to nothing', '', { description: null }, { description: '', topic: '' }],
  ['nothing that is unknown', '', { color: 'red', id: NOBODY, serverId: NOBODY, type: 'voice', createdAt: 0 }, {}],
];

const PARTICIPANTS: [name: string, list: string[], after: string[]][] = [
  ['nobody', [], []],
  ['one', [USER], [USER]],
  ['a user and agents', [USER, ADA.id, BOB.id], [USER, ADA.id, BOB.id]],
  ['ids in upper case', [ADA.id.toUpperCase()], [ADA.id]],
  ['the same id twice', [USER, USER], [USER]],
  ['the all-zero UUID and one of version 0', [ZERO_UUID, UUID_V0], [ZERO_UUID, UUID_V0]],
];

describe('PATCH /api/messaging/channels/{channelId}', () => {
  const app = contractApp();
  const { api } = app;
  const update = (id: string, body: unknown): ReturnType<typeof api.patch> =>
    api.patch(`${CHANNELS}/${id}`, body, { headers: { 'content-type': 'application/json' } });
  const read = async (id: string): Promise<ReturnType<typeof expectData>> => {
    const { channel, ...details } = expectData(await api.get(`${CHANNELS}/${id}`));
    expectOnly(details, channel);
    return details;
  };

  describeBody({
    fields: FIELDS,
    good: () => ({}),
    send: async (body) => update((await app.newChannel()).id, body),
    data: expectData,
    shape: CHANNEL,
    shownAt: { topic: 'description', participantCentralUserIds: undefined },
  });

  describePathId('channelId', { send: (id) => update(id, { name: 'After' }), unknown: 'CHANNEL_NOT_FOUND' });

  it('responds 200 with id, name, serverId, description and metadata of the channel [channels.update]', async () => {
    const { id } = await app.newChannel();
    const channel = expectData(await update(id, { name: 'After', metadata: { fresh: 2 } }));
    expectShape(channel, CHANNEL);
    expect(channel).toMatchObject({ id, name: 'After', serverId: ZERO_UUID, description: '', metadata: { fresh: 2 } });
  });

  describe('changes [channels.update-more]', () => {
    it.each(CHANGES)('%s, and nothing else', async (_name, query, body, after) => {
      const { id } = await app.newChannel(BEFORE);
      app.clock.advance(1);
      const { updatedAt: _then, metadata: before, ...unchanged } = await read(id);
      const { updatedAt, ...channel } = expectData(await update(`${id}${query}`, body));
      const { participantCentralUserIds: participants, ...metadata } = before;
      expectOnly(channel, { ...unchanged, metadata, ...after });
      expect(updatedAt).toBe(new Date(app.clock.now()).toISOString());
      const stored = await read(id);
      expect({ ...stored, metadata: undefined }).toEqual({ ...channel, updatedAt, metadata: undefined });
      expect(stored.metadata).toEqual({ ...channel.metadata, participantCentralUserIds: participants });
    });

    it.each(PARTICIPANTS)('the participants to %s', async (_name, list, after) => {
      const { id } = await app.newChannel();
      expectShape(expectData(await update(id, { participantCentralUserIds: list })), CHANNEL);
      expect((await read(id)).metadata.participantCentralUserIds.sort()).toEqual([...after].sort());
    });
  });

  it.each([
    ['created', [BOB.id, ADA.id, USER], undefined],
    ['updated', [], [BOB.id, ADA.id, USER]],
    ['joined by others later', [BOB.id, USER], [BOB.id, ADA.id, USER]],
  ] as const)('lists participants in the same order, whether just %s or read again after a restart', async (_name, first, then) => {
    const { id } = await app.newChannel({ participants: [...first] });
    app.clock.advance(1);
    if (then) await update(id, { participantCentralUserIds: then });
    const before = (await read(id)).metadata.participantCentralUserIds;
    await app.test.restart();
    expect((await read(id)).metadata.participantCentralUserIds).toEqual(before);
  });

  it("accepts the channel's id in upper case", async () => {
    const { id } = await app.newChannel();
    expect(expectData(await update(id.toUpperCase(), { name: 'After' }))).toMatchObject({ id, name: 'After' });
  });

  it('notifies the readers of the channel', async () => {
    const { id } = await app.newChannel();
    await update(id, { name: 'After', metadata: { fresh: 2 } });
    expect((await app.entries(id)).at(-1)).toMatchObject({
      type: 'channel.updated',
      payload: { id, name: 'After', metadata: { fresh: 2 } },
    });
  });

  it('keeps the metadata when the merge mode is invalid', async () => {
    const { id } = await app.newChannel({ metadata: { kept: 1 } });
    expectError(await update(`${id}?metadata=Merge`, { metadata: { fresh: 2 } }), 400, 'VALIDATION_ERROR');
    expect((await read(id)).metadata).toMatchObject({ kept: 1 });
  });

  it('changes nothing and sends no event when it refuses', async () => {
    const { id } = await app.newChannel(BEFORE);
    const before = [await read(id), await app.entries(id)];
    for (const body of [{ name: '' }, { name: 'After', metadata: [] }, { name: 'After', participantCentralUserIds: ['x'] }]) {
      expectError(await update(id, body), 400, 'VALIDATION_ERROR');
    }
    expect([await read(id), await app.entries(id)]).toEqual(before);
  });

  it.each([
    ['the path before the body', 'x', { name: '' }, 400, 'INVALID_ID'],
    ['the body before the channel', NOBODY, { name: '' }, 400, 'VALIDATION_ERROR'],
    ['the channel last', NOBODY, { name: 'After' }, 404, 'CHANNEL_NOT_FOUND'],
  ] as const)('checks %s', async (_name, id, body, status, code) => {
    expectError(await update(id, body), status, code);
  });

  it('hides the cause of an internal error behind a 500', async () => {
    const { id } = await app.newChannel();
    app.breakStorage();
    expectError(await update(id, { name: 'After' }), 500, 'INTERNAL_ERROR');
  });
});
