// Operation 11: POST /api/messaging/submit
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SERVER_ID, newId } from '../../src/core/ids/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { contractApp, NOBODY, SESSIONS, SUBMIT, USER } from './support/contract-app.js';
import { describeBody } from './support/describe-operation.js';
import { anyText, knownUuid, listOf, object, text, uuid, ZERO_UUID, type Field } from './support/kinds.js';
import { expectShape, MESSAGE } from './support/shapes.js';

const LONGEST = 100_000;

const FIELDS: Field[] = [
  ['channel_id', knownUuid, 'required'],
  ['author_id', uuid, 'required'],
  ['content', text(LONGEST), 'required'],
  ['server_id', { ...uuid, right: [['is the default server', DEFAULT_SERVER_ID]] }, 'optional'],
  ['source_type', text(255), 'optional'],
  ['raw_message', object(), 'optional'],
  ['raw_message.text', anyText(LONGEST), 'optional'],
  ['raw_message.thought', anyText(LONGEST), 'optional or null'],
  ['raw_message.actions', listOf([null, 7, {}, ['x']], ['REPLY', 'IGNORE']), 'optional or null'],
  ['metadata', object(), 'optional or null'],
  ['messageId', { ...uuid, right: [] }, 'optional'],
  ['in_reply_to_message_id', uuid, 'optional or null'],
];

const ATTACHMENTS = [{ filename: 'a.pdf', size: 12, mimeType: 'application/pdf' }];

/** Fields sent with channel, author and content, and fields of the stored message. */
const FORMS: [name: string, body: object, message: object][] = [
  [
    'nothing more, and gets the defaults',
    {},
    { server_id: DEFAULT_SERVER_ID, source_type: 'agent_response', raw_message: { text: 'Done.', actions: [] }, metadata: { actions: [] } },
  ],
  [
    'every field of the specification',
    {
      server_id: ZERO_UUID,
      source_type: 'agent_response',
      raw_message: { text: 'Done.', thought: 'That was easy.', actions: ['REPLY'] },
      metadata: { agent_id: ADA.id, agentName: 'Ada', attachments: ATTACHMENTS },
    },
    {
      server_id: ZERO_UUID,
      source_type: 'agent_response',
      raw_message: { text: 'Done.', thought: 'That was easy.', actions: ['REPLY'] },
      metadata: { agent_id: ADA.id, agentName: 'Ada', attachments: ATTACHMENTS, thought: 'That was easy.', actions: ['REPLY'] },
    },
  ],
  ["the specification's upload example", { metadata: { attachments: ATTACHMENTS } }, { metadata: { attachments: ATTACHMENTS } }],
  ['an empty list of actions', { raw_message: { text: 'Done.', actions: [] } }, { raw_message: { text: 'Done.', actions: [] } }],
  [
    'a raw message with keys of its own',
    { raw_message: { text: 'Done.', ui: { card: 1 } } },
    { raw_message: { text: 'Done.', ui: { card: 1 } } },
  ],
  ['another source', { source_type: 'webhook' }, { source_type: 'webhook' }],
  ['the message it answers', { in_reply_to_message_id: NOBODY }, { inReplyToRootMessageId: NOBODY, in_reply_to_message_id: NOBODY }],
  ['message_server_id in place of server_id', { message_server_id: ZERO_UUID }, { server_id: ZERO_UUID }],
  [
    'camel-case names',
    { author_id: undefined, authorId: BOB.id, serverId: ZERO_UUID, sourceType: 'webhook', rawMessage: { text: 'Done.', ui: 1 } },
    { author_id: BOB.id, server_id: ZERO_UUID, source_type: 'webhook', raw_message: { text: 'Done.', ui: 1 } },
  ],
  ['an author who is another agent', { author_id: BOB.id }, { author_id: BOB.id, authorName: 'Bob' }],
  ['an author who is nobody', { author_id: NOBODY }, { author_id: NOBODY }],
  ['an author in upper case', { author_id: ADA.id.toUpperCase() }, { author_id: ADA.id, authorName: 'Ada' }],
];

const REFUSALS: [name: string, body: object, status: 400 | 404, code: 'VALIDATION_ERROR' | 'CHANNEL_NOT_FOUND', told: string][] = [
  ['the channel is unknown', { channel_id: NOBODY }, 404, 'CHANNEL_NOT_FOUND', NOBODY],
  ['channel and author are wrong: the channel comes first', { channel_id: 'x', author_id: 'x' }, 400, 'VALIDATION_ERROR', 'channel_id'],
  ['author and content are wrong: the author comes first', { author_id: 'x', content: '' }, 400, 'VALIDATION_ERROR', 'author_id'],
  ['the content is wrong and the channel unknown', { channel_id: NOBODY, content: '' }, 400, 'VALIDATION_ERROR', 'content'],
  ['the raw message is wrong and the channel unknown', { channel_id: NOBODY, raw_message: 7 }, 400, 'VALIDATION_ERROR', 'raw_message'],
  ['the server is not that of the channel', { server_id: NOBODY }, 400, 'VALIDATION_ERROR', 'server_id'],
  ['nor in camel case', { messageServerId: NOBODY }, 400, 'VALIDATION_ERROR', 'server_id'],
];

/** A message that is sent again under the same id. */
const AGAIN: [name: string, change: object, status: 201 | 409][] = [
  ['exactly as it was: it is answered as it is stored', {}, 201],
  ['with its id in upper case', { upperCase: true }, 201],
  ['with another content', { content: 'Undone.' }, 409],
  ['with another author', { author_id: BOB.id }, 409],
  ['with another raw message', { raw_message: { text: 'Undone.' } }, 409],
];

describe('POST /api/messaging/submit', () => {
  const app = contractApp();
  const { api } = app;
  const submit = (body: unknown): ReturnType<typeof api.post> =>
    api.post(SUBMIT, body, { headers: { 'content-type': 'application/json' } });
  const good = async (): Promise<Record<string, unknown>> => ({
    channel_id: (await app.newChannel()).id,
    author_id: ADA.id,
    content: 'Done.',
  });

  describeBody({
    fields: FIELDS,
    good,
    send: submit,
    data: (answer) => expectData(answer, 201),
    shape: MESSAGE,
    shownAt: { in_reply_to_message_id: 'inReplyToRootMessageId', server_id: 'server_id' },
  });

  it('responds 201 with the stored message, whose id is data.id [submit.stores]', async () => {
    const body = await good();
    const message = expectData(await submit(body), 201);
    expectShape(message, MESSAGE);
    expect(message).toMatchObject({ ...body, channelId: body['channel_id'], authorId: ADA.id, isAgent: true, created_at: app.clock.now() });
    expect(await app.messages(message.channelId)).toEqual([message]);
  });

  it('returns a lone surrogate as it is stored, so that a repeated message is equal', async () => {
    const body = { ...(await good()), content: 'Cut \ud83d', messageId: newId() };
    const message = expectData(await submit(body), 201);
    expect(message.content).toBe('Cut \ufffd');
    expect(expectData(await submit(body), 201)).toEqual(message);
    const edited = await api.patch(`/api/messaging/messages/${message.id}`, { content: '\ude00 off' });
    expect(expectData(edited).content).toBe('\ufffd off');
    expect(await app.messages(message.channelId)).toEqual([expectData(edited)]);
  });

  describe('stores a message with [submit.defaults]', () => {
    it.each(FORMS)('%s', async (_name, extra, stored) => {
      const message = expectData(await submit({ ...(await good()), ...extra }), 201);
      expectShape(message, MESSAGE);
      expect(message).toMatchObject({ content: 'Done.', ...stored });
      expect(await app.messages(message.channelId)).toEqual([message]);
    });

    it('the field names of the original client', async () => {
      const channelId = (await app.newChannel()).id;
      const message = expectData(
        await submit({ agentId: ADA.id, channelId, content: 'Done.', inReplyToMessageId: NOBODY, metadata: { a: 1 } }),
        201,
      );
      expect(message).toMatchObject({ channelId, authorId: ADA.id, inReplyToRootMessageId: NOBODY, metadata: { a: 1 } });
    });

    it("the caller's id", async () => {
      const messageId = newId();
      expect(expectData(await submit({ ...(await good()), messageId }), 201).id).toBe(messageId);
    });

    it('the content exactly as sent', async () => {
      const content = ' \t“Grüße” \u0007 \u2028 👋🏽 <b>&amp;</b>\n\n ';
      expect(expectData(await submit({ ...(await good()), content }), 201).content).toBe(content);
    });
  });

  describe('refuses when', () => {
    it.each(REFUSALS)('%s', async (_name, change, status, code, told) => {
      const answer = await submit({ ...(await good()), ...change });
      expectError(answer, status, code);
      expect(answer.body.error.message).toContain(told);
    });
  });

  describe('accepts a repeated message [messages.once]', () => {
    it.each(AGAIN)('%s', async (_name, { upperCase, ...change }: { upperCase?: boolean }, status) => {
      const messageId = 'abcdef00-0000-4000-8000-'.concat(newId().slice(-12));
      const body = { ...(await good()), messageId };
      const first = expectData(await submit(body), 201);
      app.clock.advance(1);
      const again = await submit({ ...body, ...(upperCase ? { messageId: messageId.toUpperCase() } : {}), ...change });
      if (status === 201) expect(expectData(again, 201)).toEqual(first);
      else expectError(again, 409, 'MESSAGE_EXISTS');
      expect(await app.messages(first.channelId)).toEqual([first]);
    });
  });

  it("accepts the channel's id in upper case", async () => {
    const body = await good();
    const message = expectData(await submit({ ...body, channel_id: (body['channel_id'] as string).toUpperCase() }), 201);
    expect(message.channelId).toBe(body['channel_id']);
  });

  it("shows the message in the channel's session, as an agent's", async () => {
    const { sessionId, channelId } = await app.newSession();
    const { id } = expectData(await submit({ ...(await good()), channel_id: channelId }), 201);
    const { messages } = (await api.get(`${SESSIONS}/${sessionId}/messages`)).body.data;
    expect(messages).toMatchObject([{ id, content: 'Done.', isAgent: true, authorId: ADA.id }]);
  });

  it('notifies the readers of the channel, and requests no reply', async () => {
    const channelId = (await app.newChannel({ participants: [ADA.id, BOB.id, USER] })).id;
    const { id } = expectData(await submit({ channel_id: channelId, author_id: ADA.id, content: 'Bob, are you there?' }), 201);
    const entries = (await app.entries(channelId)).slice(1);
    expect(entries).toMatchObject([{ type: 'message.created', payload: { id, authorKind: 'agent', awaiting: [] } }]);
  });

  it('stores nothing when it refuses', async () => {
    const channelId = (await app.newChannel()).id;
    for (const change of [{ content: '' }, { server_id: NOBODY }, { raw_message: { actions: 'REPLY' } }]) {
      expectError(await submit({ channel_id: channelId, author_id: ADA.id, content: 'Done.', ...change }), 400, 'VALIDATION_ERROR');
    }
    expect(await app.messages(channelId)).toEqual([]);
  });

  it('hides the cause of an internal error behind a 500', async () => {
    const body = await good();
    app.breakStorage();
    expectError(await submit(body), 500, 'INTERNAL_ERROR');
  });
});
