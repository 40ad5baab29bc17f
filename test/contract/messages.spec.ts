// Messages by their own ids: read, edit, search, action messages; clearing (contract 1.7, 1.9)
import { describe, expect, it } from '@jest/globals';
import { newId } from '../../src/core/ids/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { CHANNELS, contractApp, NOBODY, SUBMIT, USER } from './support/contract-app.js';
import { describeBody, describePathId } from './support/describe-operation.js';
import { integer, object, text, uuid, type Field, type Kind } from './support/kinds.js';
import { expectOnly, expectShape, MESSAGE } from './support/shapes.js';

const instant: Kind = {
  wrong: [
    ['is null', null],
    ['is no time', 'yesterday'],
    ['is a number as text', '1700000000000'],
    ['is a fraction', 1.5],
    ['is an object', {}],
    ['is a list', [0]],
  ],
  right: [
    ['is epoch milliseconds', 1_700_000_000_000],
    ['is an ISO instant', '2026-01-01T00:00:00Z'],
    ['is an ISO day', '2026-01-01'],
  ],
};
const query: Kind = {
  wrong: [
    ['is null', null],
    ['is a number', 7],
    ['is a list', ['x']],
    ['has 1001 characters', 'x'.repeat(1001)],
    ['has a NUL', 'a\0b'],
  ],
  right: [
    ['is empty', ''],
    ['has 1000 characters', 'x'.repeat(1000)],
    ['is all operators', '" AND NEAR( *'],
  ],
};

const SEARCH_FIELDS: Field[] = [
  ['query', query, 'optional'],
  ['channelId', uuid, 'optional'],
  ['authorId', uuid, 'optional'],
  ['from', instant, 'optional'],
  ['to', instant, 'optional'],
  ['limit', integer(1, 100), 'optional'],
  ['offset', integer(0, 10_000), 'optional'],
  ['page', integer(1, 10_000), 'optional'],
  [
    'cursor',
    {
      wrong: [
        ['is null', null],
        ['is empty', ''],
        ['is of another list', Buffer.from('m1').toString('base64url')],
        ['is a number', 1],
      ],
      right: [],
    },
    'optional',
  ],
];

const EDIT_FIELDS: Field[] = [
  ['content', text(100_000), 'optional'],
  ['metadata', object(), 'optional'],
];
const ACTION_FIELDS: Field[] = [
  ...EDIT_FIELDS,
  ['raw_message', object(), 'optional'],
  ['source_type', text(255), 'optional'],
  ['in_reply_to_message_id', uuid, 'optional'],
  ['author_id', uuid, 'optional'],
  ['server_message_id', text(255), 'optional'],
];

describe('messages', () => {
  const app = contractApp();
  const { api } = app;
  const json = { headers: { 'content-type': 'application/json' } };
  const eliza = { headers: { 'x-api-dialect': 'eliza' } };
  const newMessage = async (): Promise<string> => (await app.say((await app.newChannel({ participants: [USER] })).id, 'First.')).id;

  describe('GET messages/{messageId}', () => {
    describePathId('messageId', { send: (id) => api.get(`/api/messaging/messages/${id}`), unknown: 'MESSAGE_NOT_FOUND' });

    it('returns the message as in the list of its channel', async () => {
      const { id, channelId } = await app.say((await app.newChannel({ participants: [USER] })).id, 'Hello.');
      const message = expectData(await api.get(`/api/messaging/messages/${id.toUpperCase()}`));
      expectShape(message, MESSAGE);
      expect([message]).toEqual(await app.messages(channelId));
    });
  });

  describe.each([
    ['messages', EDIT_FIELDS],
    ['action', ACTION_FIELDS],
  ] as const)('PATCH %s/{messageId}', (name, fields) => {
    const path = (id: string): string => `/api/messaging/${name}/${id}`;
    describeBody({
      fields,
      good: () => ({}),
      send: async (body) => api.patch(path(await newMessage()), body, json),
      data: expectData,
      shape: MESSAGE,
      shownAt: { in_reply_to_message_id: 'inReplyToRootMessageId', server_message_id: 'sourceId' },
    });
    describePathId('messageId', { send: (id) => api.patch(path(id), { content: 'x' }), unknown: 'MESSAGE_NOT_FOUND' });

    it('changes the given fields only, and notifies clients', async () => {
      const id = await newMessage();
      const before = expectData(await api.get(`/api/messaging/messages/${id}`));
      app.clock.advance(1);
      const after = expectData(await api.patch(path(id), { content: 'Second.' }));
      expectOnly(after, { ...before, content: 'Second.', updatedAt: after.updatedAt, updated_at: before.updated_at + 1 });
      expect(await app.entry(before.channelId, 'message.updated')).toMatchObject({ payload: { id, content: 'Second.' } });
      expect(expectData(await api.get(`/api/messaging/messages/${id}`))).toEqual(after);
    });

    it('without an effect sends no event', async () => {
      const id = await newMessage();
      const { channelId } = expectData(await api.patch(path(id), {}));
      expect((await app.entries(channelId)).map(({ type }) => type)).not.toContain('message.updated');
    });
  });

  it('POST action stores what an agent does, as submit does [messages.of-author]', async () => {
    const { id } = await app.newChannel({ participants: [USER] });
    const body = {
      messageId: newId(),
      channel_id: id,
      author_id: ADA.id,
      content: 'Looking it up…',
      raw_message: { text: 'Looking it up…', actions: ['SEARCH'] },
    };
    const data = expectData(await api.post('/api/messaging/action', body), 201);
    expectShape(data, MESSAGE);
    expect(expectData(await api.post(SUBMIT, body), 201)).toEqual(data);
    expectError(await api.post('/api/messaging/action', { ...body, channel_id: NOBODY }), 404, 'CHANNEL_NOT_FOUND');
    expectError(await api.post('/api/messaging/action', {}), 400, 'VALIDATION_ERROR');
  });

  describe('POST messages/search', () => {
    describeBody({
      fields: SEARCH_FIELDS,
      good: () => ({}),
      send: (body) => api.post('/api/messaging/messages/search', body, json),
      data: expectData,
      shape: { messages: expect.any(Array), hasMore: expect.any(Boolean) },
      shownAt: Object.fromEntries(SEARCH_FIELDS.map(([path]) => [path, undefined])),
    });

    it('returns messages in the common form', async () => {
      const { id, channelId } = await app.say((await app.newChannel({ participants: [USER] })).id, 'A cormorant.');
      const { messages } = expectData(await api.post('/api/messaging/messages/search', { query: 'cormorant' }));
      expect(messages).toEqual(await app.messages(channelId));
      expect(messages[0].id).toBe(id);
    });
  });

  describe('DELETE messages [channels.deletion]', () => {
    it('responds 204; in the dialect of the original 200 with the number of messages', async () => {
      const { id } = await app.newChannel({ participants: [USER] });
      await app.say(id, 'One.');
      expect((await api.delete(`${CHANNELS}/${id}/messages`)).status).toBe(204);
      await app.say(id, 'Two.');
      await app.say(id, 'Three.');
      expectOnly(expectData(await api.delete(`${CHANNELS}/${id}/messages`, eliza)), { success: true, deleted: 2 });
      expect((await app.entries(id)).filter(({ type }) => type === 'channel.cleared')).toHaveLength(2);
    });
  });

  describe('DELETE messages/all', () => {
    const path = (id: string, rest = ''): string => `${CHANNELS}/${id}/messages/all${rest}`;
    describePathId('channelId', { send: (id) => api.delete(path(id)), unknown: 'CHANNEL_NOT_FOUND' });

    it('deletes all messages, or those of one author [messages.of-author]', async () => {
      const { id } = await app.newChannel({ participants: [USER] });
      await app.say(id, 'Mine.');
      await app.say(id, 'Yours.', { author_id: BOB.id });
      expectError(await api.delete(path(id, '?userId=x')), 400, 'VALIDATION_ERROR');
      expectOnly(expectData(await api.delete(path(id, `?userId=${BOB.id.toUpperCase()}`))), { success: true, deleted: 1 });
      expect((await app.messages(id)).map(({ content }) => content)).toEqual(['Mine.']);
      await app.entry(id, 'message.deleted');
      expectOnly(expectData(await api.delete(`/api/messaging/central-channels/${id}/messages/all`)), { success: true, deleted: 1 });
      expect(await app.messages(id)).toEqual([]);
    });
  });
});
