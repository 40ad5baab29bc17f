// POST and GET /api/messaging/channels/{channelId}/messages (contract 1.9)
import { beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_SERVER_ID, newId } from '../../src/core/ids/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { allEvents } from '../support/sse-client.js';
import { CHANNELS, contractApp, NOBODY, USER } from './support/contract-app.js';
import { describeBody, describePathId } from './support/describe-operation.js';
import { anyText, listOf, object, text, uuid, ZERO_UUID, type Field } from './support/kinds.js';
import { AGENT_RESPONSE, expectOnly, expectShape, MESSAGE } from './support/shapes.js';
import { BAD_TRANSPORTS, TRANSPORTS } from './support/transports.js';

const FIELDS: Field[] = [
  ['content', text(100_000), 'required'],
  ['author_id', uuid, 'required'],
  ['message_server_id', uuid, 'optional'],
  ['server_id', uuid, 'optional'],
  ['in_reply_to_message_id', uuid, 'optional or null'],
  ['raw_message', object(), 'optional or null'],
  ['metadata', object(), 'optional or null'],
  ['source_type', text(255), 'optional'],
  ['author_display_name', anyText(255), 'optional'],
  ['attachments', listOf([null, 7, 'x'], [{ type: 'image', url: '/a.png' }]), 'optional or null'],
  ['clientMessageId', text(255), 'optional'],
];

const FORMS: [name: string, body: object, headers: Record<string, string>, message: object][] = [
  [
    'nothing but author and content',
    { author_id: USER },
    {},
    { sourceType: 'eliza_gui', rawMessage: null, metadata: {}, authorName: null },
  ],
  ['authorId in place of author_id', { authorId: USER }, {}, { authorId: USER }],
  ['the author in X-Entity-Id', {}, { 'x-entity-id': USER }, { authorId: USER }],
  ['an author in the body and another in X-Entity-Id: the body counts', { author_id: USER }, { 'x-entity-id': NOBODY }, { authorId: USER }],
  [
    'an author in upper case',
    { author_id: 'ABCDEFAB-0000-0000-0000-000000000000' },
    {},
    { authorId: 'abcdefab-0000-0000-0000-000000000000' },
  ],
  ['the name of the author', { author_id: USER, author_display_name: 'Ann' }, {}, { authorName: 'Ann' }],
  ['another source', { author_id: USER, source_type: 'discord' }, {}, { sourceType: 'discord', isAgent: false }],
  [
    'a raw message',
    { author_id: USER, raw_message: { text: 'x', thought: 'hm' } },
    {},
    { rawMessage: { text: 'x', thought: 'hm' }, metadata: { thought: 'hm' } },
  ],
  ['attachments', { author_id: USER, attachments: [{ url: '/a.png' }] }, {}, { metadata: { attachments: [{ url: '/a.png' }] } }],
  ['the message it answers', { author_id: USER, in_reply_to_message_id: NOBODY }, {}, { inReplyToRootMessageId: NOBODY }],
];

const BAD_AUTHORS: [name: string, body: object, headers: Record<string, string>][] = [
  ['is nowhere', {}, {}],
  ['is no UUID in X-Entity-Id', {}, { 'x-entity-id': 'ann' }],
  ['is no UUID in authorId', { authorId: 'ann' }, {}],
  ['is no UUID in the body, although one is in X-Entity-Id', { author_id: 'ann' }, { 'x-entity-id': USER }],
];

/** The first message to a channel that does not exist creates it when the server is named. */
const CREATED: [name: string, metadata: object, channel: { type: string; name: string }, participants: string[]][] = [
  ['nothing about it', {}, { type: 'GROUP', name: 'Chat' }, [USER]],
  ['isDm', { isDm: true }, { type: 'DM', name: 'DM' }, [USER]],
  ['channelType DM', { channelType: 'DM' }, { type: 'DM', name: 'DM' }, [USER]],
  ['channel_type DM', { channel_type: 'DM' }, { type: 'DM', name: 'DM' }, [USER]],
  ['channelType GROUP', { channelType: 'GROUP' }, { type: 'GROUP', name: 'Chat' }, [USER]],
  ['a type that is none', { channelType: 'nonsense' }, { type: 'GROUP', name: 'Chat' }, [USER]],
  ['targetUserId', { isDm: true, targetUserId: ADA.id }, { type: 'DM', name: 'DM' }, [USER, ADA.id]],
  ['recipientId', { isDm: true, recipientId: ADA.id }, { type: 'DM', name: 'DM' }, [USER, ADA.id]],
  ['targetAgentId', { targetAgentId: BOB.id.toUpperCase() }, { type: 'GROUP', name: 'Chat' }, [USER, BOB.id]],
];

const UNKNOWN: [name: string, body: object, code: Parameters<typeof expectError>[2]][] = [
  ['and no server is named', {}, 'CHANNEL_NOT_FOUND'],
  ['and the server is unknown', { message_server_id: NOBODY }, 'MESSAGE_SERVER_NOT_FOUND'],
  ['and no server is named to wait for an answer', { transport: 'http' }, 'CHANNEL_NOT_FOUND'],
  ['and no server is named to stream an answer', { transport: 'sse' }, 'CHANNEL_NOT_FOUND'],
];

describe('messages of a channel', () => {
  const app = contractApp();
  const { api } = app;
  const path = (id: string): string => `${CHANNELS}/${id}/messages`;
  const post = (id: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    api.post(path(id), body, { headers: { 'content-type': 'application/json', ...headers } });
  /** A channel without agents. */
  const quiet = async (): Promise<string> => (await app.newChannel({ participants: [USER] })).id;

  beforeEach(() => {
    app.test.model.always(() => 'Yes.');
  });

  describe('POST', () => {
    describeBody({
      fields: FIELDS,
      good: () => ({ author_id: USER, content: 'Hello.' }),
      send: async (body) => post(await quiet(), body),
      data: (answer) => expectData(answer, 201),
      shape: MESSAGE,
      shownAt: {
        message_server_id: undefined,
        server_id: undefined,
        in_reply_to_message_id: 'inReplyToRootMessageId',
        author_display_name: 'authorName',
        attachments: 'metadata.attachments',
      },
    });

    describePathId('channelId', { send: (id) => post(id, { author_id: USER, content: 'Hello.' }), unknown: 'CHANNEL_NOT_FOUND' });

    it('responds 201 with the stored message, also as userMessage', async () => {
      const channelId = await quiet();
      const { userMessage, replies, ...data } = expectData(await post(channelId, { author_id: USER, content: 'Hello.' }), 201);
      expectShape(data, MESSAGE);
      // Beside the message, what becomes of it.
      expectOnly(data, { ...userMessage, inReplyTo: data.id });
      expectOnly(replies, []);
      expect(data).toMatchObject({ channelId, server_id: DEFAULT_SERVER_ID, authorId: USER, content: 'Hello.', isAgent: false });
      expect(await app.messages(channelId)).toEqual([userMessage]);
    });

    it.each(FORMS)('stores a message with %s [clients.author]', async (_name, body, headers, message) => {
      const channelId = await quiet();
      expect(expectData(await post(channelId, { content: 'Hello.', ...body }, headers), 201)).toMatchObject(message);
      expect(await app.messages(channelId)).toMatchObject([{ content: 'Hello.', ...message }]);
    });

    it.each(BAD_AUTHORS)('is refused with 400 when the author %s', async (_name, body, headers) => {
      expectError(await post(await quiet(), { content: 'Hello.', ...body }, headers), 400, 'VALIDATION_ERROR');
    });

    it.each([
      ['the path before the body', 'x', {}, 400, 'INVALID_ID'],
      ['the body before the channel', NOBODY, { author_id: USER }, 400, 'VALIDATION_ERROR'],
      ['transport before the channel', NOBODY, { author_id: USER, content: 'Hello.', transport: 'pigeon' }, 400, 'VALIDATION_ERROR'],
      ['the channel last', NOBODY, { author_id: USER, content: 'Hello.' }, 404, 'CHANNEL_NOT_FOUND'],
    ] as const)('checks %s', async (_name, id, body, status, code) => {
      expectError(await post(id, body), status, code);
    });

    it("accepts the channel's id in upper case", async () => {
      const channelId = await quiet();
      expect(expectData(await post(channelId.toUpperCase(), { author_id: USER, content: 'Hello.' }), 201).channelId).toBe(channelId);
    });

    describe('in an unknown channel', () => {
      it.each(UNKNOWN)('%s, is 404', async (_name, body, code) => {
        expectError(await post(newId(), { author_id: USER, content: 'Hello.', ...body }), 404, code);
      });

      it.each(CREATED)(
        'creates the channel when the server is named and metadata says %s',
        async (_name, metadata, channel, participants) => {
          const id = newId();
          expectData(await post(id, { author_id: USER, content: 'Hello.', message_server_id: ZERO_UUID, metadata }), 201);
          const created = expectData(await api.get(`${CHANNELS}/${id}`));
          expect(created).toMatchObject({ id, serverId: ZERO_UUID, type: channel.type, name: `${channel.name} ${id.slice(0, 8)}` });
          expect(created.metadata.participantCentralUserIds.sort()).toEqual([...participants].sort());
        },
      );
    });

    describe('with transport', () => {
      it.each(TRANSPORTS)('%s gives the reply %s', async (transport, heard) => {
        const { id } = await app.newChannel();
        const body = { author_id: USER, content: 'Are you there?', transport };
        if (heard === 'as events') {
          const response = await fetch(app.test.url + path(id), {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
          expect(response.status).toBe(200);
          const events = await allEvents(response);
          expect(events.map(({ event }) => event)).toEqual(['user_message', 'chunk', 'done']);
          expectShape(events.at(-1)?.data, AGENT_RESPONSE);
          return;
        }
        const data = expectData(await post(id, body), 201);
        expect(Object.hasOwn(data, 'agentResponse')).toBe(heard === 'in the answer');
        if (heard === 'in the answer') expectShape(data.agentResponse, AGENT_RESPONSE);
      });

      it.each(BAD_TRANSPORTS)('%s is refused with 400', async (_name, transport) => {
        const answer = await post(await quiet(), { author_id: USER, content: 'Hello.', transport });
        expectError(answer, 400, 'VALIDATION_ERROR');
        for (const known of ['http', 'sse', 'websocket', 'sync', 'stream']) expect(answer.body.error.message).toContain(known);
      });

      it.each([['http'], ['sse']])('%s is 404 without an agent in the channel, and stores nothing', async (transport) => {
        const id = await quiet();
        expectError(await post(id, { author_id: USER, content: 'Hello?', transport }), 404, 'AGENT_NOT_FOUND');
        expect(await app.messages(id)).toEqual([]);
      });
    });

    describe('with a used clientMessageId', () => {
      it.each([
        ['the same content is answered with the stored message', {}, 201],
        ['another content is refused with 409', { content: 'Bye.' }, 409],
      ] as const)('and %s', async (_name, change, status) => {
        const id = await quiet();
        const body = { author_id: USER, content: 'Hello.', clientMessageId: 'mine' };
        const first = await post(id, body);
        const again = await post(id, { ...body, ...change });
        if (status === 409) expectError(again, 409, 'MESSAGE_EXISTS');
        else {
          expect(expectData(again, 201)).toEqual(expectData(first, 201));
          expect(again.headers.get('x-parley-position')).toBe(first.headers.get('x-parley-position'));
        }
        expect(await app.messages(id)).toHaveLength(1);
      });

      it('by another author or in another channel is another message', async () => {
        const [id, other] = [await quiet(), await quiet()];
        const body = { author_id: USER, content: 'Hello.', clientMessageId: 'mine' };
        const answers = [await post(id, body), await post(id, { ...body, author_id: NOBODY }), await post(other, body)];
        expect(new Set(answers.map((answer) => expectData(answer, 201).id)).size).toBe(3);
      });
    });

    it('hides the cause of an internal error behind a 500', async () => {
      const id = await quiet();
      app.breakStorage();
      expectError(await post(id, { author_id: USER, content: 'Hello.' }), 500, 'INTERNAL_ERROR');
    });
  });

  describe('GET', () => {
    describePathId('channelId', { send: (id) => api.get(path(id)), unknown: 'CHANNEL_NOT_FOUND' });

    it('returns an empty page without cursors for an empty channel', async () => {
      expectOnly(expectData(await api.get(path(await quiet()))), { messages: [], hasMore: false });
    });

    it('returns { messages, hasMore } with every message, newest first', async () => {
      const { id } = await app.newChannel();
      await post(id, { author_id: USER, content: 'Hello?', transport: 'http' });
      await app.api.post('/api/messaging/submit', { channel_id: id, author_id: BOB.id, content: 'I am here too.' });
      const page = expectData(await api.get(path(id.toUpperCase())));
      expect(page).toMatchObject({ hasMore: false, cursors: { before: app.clock.now(), after: app.clock.now() } });
      for (const message of page.messages) expectShape(message, MESSAGE);
      expect(page.messages).toMatchObject([
        { content: 'I am here too.', authorId: BOB.id, isAgent: true },
        { content: 'Yes.', authorId: ADA.id, isAgent: true, sourceType: 'agent_response' },
        { content: 'Hello?', authorId: USER, isAgent: false },
      ]);
    });

    it("shows a message's thought, actions and attachments in its metadata", async () => {
      const id = await quiet();
      const raw = { text: 'x', thought: 'hm', actions: ['REPLY'], attachments: [{ url: '/a.png' }] };
      await app.say(id, 'Hello.', { raw_message: raw });
      const { text: _text, ...shown } = raw;
      expect((await app.messages(id))[0].metadata).toEqual(shown);
    });
  });
});
