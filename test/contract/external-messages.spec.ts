// What programs between Parley and other platforms call: ingest, external messages, complete; and titles (contract 1.7, 1.9)
import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/core/errors/index.js';
import { DEFAULT_SERVER_ID, newId } from '../../src/core/ids/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { SocketClient } from '../support/socket-client.js';
import { CHANNELS, contractApp, NOBODY, USER } from './support/contract-app.js';
import { describeBody, describePathId } from './support/describe-operation.js';
import { anyText, badFields, knownUuid, listOf, object, oneOf, text, uuid, withField, type Field } from './support/kinds.js';
import { expectOnly } from './support/shapes.js';

const INGEST = '/api/messaging/ingest-external';
const ASK = '/api/messaging/external-messages';
const COMPLETE = '/api/messaging/complete';

const INGEST_FIELDS: Field[] = [
  ['channel_id', knownUuid, 'required'],
  ['message_server_id', knownUuid, 'optional'],
  ['server_id', knownUuid, 'optional'],
  ['author_id', uuid, 'required'],
  ['content', text(100_000), 'required'],
  ['author_display_name', anyText(255), 'optional or null'],
  ['raw_message', object(), 'optional or null'],
  ['source_id', text(255), 'optional or null'],
  ['source_type', text(255), 'optional'],
  ['in_reply_to_message_id', uuid, 'optional or null'],
  ['metadata', object(), 'optional or null'],
  ['agentId', knownUuid, 'optional'],
];
const ASK_FIELDS: Field[] = [
  ['platform', text(255), 'required'],
  ['messageId', text(255), 'required'],
  ['channelId', text(255), 'required'],
  ['userId', text(255), 'required'],
  ['content', text(100_000), 'required'],
  ['agentId', knownUuid, 'optional'],
  ['metadata', object(), 'optional or null'],
];
const BATCH_FIELDS: Field[] = [
  ['platform', text(255), 'required'],
  ['channelId', text(255), 'required'],
  ['messages', listOf([null, 7, 'x', {}, { id: '1', authorId: '2' }, { id: 1, authorId: '2', content: 'x' }], []), 'required'],
];
const COMPLETE_FIELDS: Field[] = [
  ['messageId', knownUuid, 'required'],
  ['status', oneOf('completed', 'failed'), 'optional'],
  ['error', anyText(10_000), 'optional or null'],
];
const nowhere = (fields: readonly Field[]): Record<string, undefined> => Object.fromEntries(fields.map(([path]) => [path, undefined]));

describe('external messages', () => {
  const app = contractApp();
  const { api } = app;
  const json = { headers: { 'content-type': 'application/json' } };

  beforeEach(() => {
    app.test.model.always((request) => `to ${String(request.messages.at(-1)?.content)}`);
  });

  describe('POST ingest-external', () => {
    const INGESTED = { messageId: expect.any(String), messageIds: expect.any(Array), processed: 1 };
    describeBody({
      fields: INGEST_FIELDS,
      good: () => ({ channel_id: newId(), author_id: USER, content: 'Hello.' }),
      send: (body) => api.post(INGEST, body, json),
      data: (answer) => expectData(answer, 202),
      shape: INGESTED,
      shownAt: nowhere(INGEST_FIELDS),
    });

    describe('with a batch', () => {
      it.each(badFields(BATCH_FIELDS).filter(([name]) => name !== 'messages is missing'))(
        'is refused with 400 when %s',
        async (_name, path, value) => {
          const answer = await api.post(INGEST, withField({ platform: 'discord', channelId: newId(), messages: [] }, path, value), json);
          expectError(answer, 400, 'VALIDATION_ERROR');
          expect(answer.body.error.message).toContain(path);
        },
      );
    });

    it('stores a message in the channel, which is created if missing, and the named agent replies', async () => {
      const channelId = newId();
      const { messageId } = expectData(
        await api.post(INGEST, { channel_id: channelId, author_id: USER, content: 'Hi.', agentId: ADA.id, source_type: 'discord' }),
        202,
      );
      await app.entry(channelId, 'turn.finished');
      expect(await app.messages(channelId)).toMatchObject([
        { content: 'to Hi.', authorId: ADA.id, inReplyToRootMessageId: messageId },
        { id: messageId, content: 'Hi.', sourceType: 'discord', serverId: DEFAULT_SERVER_ID },
      ]);
    });

    it('accepts the field names of other clients', async () => {
      const { messageId } = expectData(
        await api.post(INGEST, { agentId: ADA.id, roomId: 'room 7', userId: 'ann', text: 'Hi.', sourceType: 'telegram', sourceId: '1' }),
        202,
      );
      expect(expectData(await api.get(`/api/messaging/messages/${messageId}`))).toMatchObject({
        content: 'Hi.',
        sourceType: 'telegram',
        sourceId: '1',
      });
    });

    it('stores a batch of an external channel in order, and each message only once [external.ids]', async () => {
      const body = {
        platform: 'slack',
        channelId: 'C024BE91L',
        messages: [1, 2, 3].map((index) => ({ id: `m${index}`, authorId: 'U1', content: `message ${index}`, timestamp: 1000 + index })),
      };
      const [first, again] = [expectData(await api.post(INGEST, body), 202), expectData(await api.post(INGEST, body), 202)];
      expectOnly(again, first);
      expect(first.processed).toBe(3);
      const { channelId } = expectData(await api.get(`/api/messaging/messages/${first.messageId}`));
      expect((await app.messages(channelId)).map(({ content, metadata }) => [content, metadata.timestamp])).toEqual([
        ['message 3', 1003],
        ['message 2', 1002],
        ['message 1', 1001],
      ]);
      expectError(await api.post(INGEST, { ...body, messages: [{ ...body.messages[0], content: 'other' }] }), 409, 'MESSAGE_EXISTS');
    });

    it.each([
      ['an agent that is nobody', { agentId: NOBODY }, 'AGENT_NOT_FOUND'],
      ['a server that there is not', { message_server_id: NOBODY }, 'MESSAGE_SERVER_NOT_FOUND'],
    ] as const)('is refused with 404 for %s', async (_name, body, code) => {
      expectError(await api.post(INGEST, { channel_id: newId(), author_id: USER, content: 'x', ...body }), 404, code);
    });
  });

  describe('POST external-messages', () => {
    describeBody({
      fields: ASK_FIELDS,
      good: () => ({ platform: 'x', messageId: newId(), channelId: newId(), userId: 'ann', content: 'Hello.' }),
      send: (body) => api.post(ASK, body, json),
      data: expectData,
      shape: { messageId: expect.any(String), response: expect.any(String) },
      shownAt: nowhere(ASK_FIELDS),
    });

    it("returns the agent's reply, and the same one for a repeated request", async () => {
      const body = { platform: 'sms', messageId: '1', channelId: '+49', userId: '+49', content: 'Hi.', agentId: BOB.id };
      const first = expectData(await api.post(ASK, body));
      expectOnly(first, { messageId: first.messageId, inReplyTo: first.messageId, replyId: expect.any(String), response: 'to Hi.' });
      expectOnly(expectData(await api.post(ASK, body)), first);
    });

    it('returns null when the agent stays silent, and the error when it fails', async () => {
      app.test.model.always(() => '');
      const body = { platform: 'sms', messageId: '2', channelId: 'silent', userId: '+49', content: 'Hi.' };
      expect(expectData(await api.post(ASK, body)).response).toBeNull();
      app.test.model.fail(new AppError('MODEL_UNAVAILABLE', 'Away.'));
      expectError(await api.post(ASK, { ...body, messageId: '3' }), 503, 'MODEL_UNAVAILABLE');
      expectError(await api.post(ASK, { ...body, messageId: '4', agentId: NOBODY }), 404, 'AGENT_NOT_FOUND');
    });
  });

  describe('POST complete', () => {
    let known: string;
    beforeEach(async () => {
      known = (await app.say((await app.newChannel({ participants: [USER] })).id, 'Question.')).id;
    });

    describeBody({
      fields: COMPLETE_FIELDS,
      good: () => ({ messageId: known }),
      send: (body) => api.post(COMPLETE, body, json),
      data: expectData,
      shape: { success: true },
      shownAt: nowhere(COMPLETE_FIELDS),
    });

    it('notifies clients in the channel', async () => {
      const { id } = await app.newChannel({ participants: [USER] });
      const { id: messageId } = await app.say(id, 'Question.');
      const client = await SocketClient.connect(app.test.url);
      try {
        await client.ask('join', { channelId: id });
        expectOnly(expectData(await api.post(COMPLETE, { messageId, status: 'failed', error: 'No luck.' })), { success: true });
        expect(await client.waitFor('messageComplete')).toMatchObject({
          channelId: id,
          serverId: DEFAULT_SERVER_ID,
          messageId,
          status: 'failed',
          error: 'No luck.',
        });
        expectData(await api.post(COMPLETE, { channel_id: id, message_server_id: DEFAULT_SERVER_ID }));
        await app.entry(id, 'message.completed', ({ payload }) => 'messageId' in payload && payload.messageId === null);
      } finally {
        client.close();
      }
    });

    it('calls the agent with a prompt', async () => {
      const ask = (body: object): Promise<ApiResponse> => api.post(COMPLETE, { agentId: ADA.id, userId: 'ann', prompt: 'Hm?', ...body });
      expectOnly(expectData(await ask({})), { success: true, response: 'to Hm?' });
      expectOnly(expectData(await ask({ roomId: 'my room' })), { success: true, response: 'to Hm?' });
      expectError(await ask({ agentId: NOBODY }), 404, 'AGENT_NOT_FOUND');
      expectError(await ask({ userId: undefined }), 400, 'VALIDATION_ERROR');
    });

    it.each([
      ['a message that there is not', { messageId: NOBODY }, 'MESSAGE_NOT_FOUND'],
      ['a channel that there is not', { channel_id: NOBODY }, 'CHANNEL_NOT_FOUND'],
    ] as const)('is 404 for %s', async (_name, body, code) => {
      expectError(await api.post(COMPLETE, body), 404, code);
    });
  });

  describe('POST generate-title', () => {
    const path = (id: string): string => `${CHANNELS}/${id}/generate-title`;
    const title = (id: string, query = ''): Promise<ApiResponse> => api.post(`${path(id)}${query}`, { agentId: ADA.id });
    const conversation = async (): Promise<string> => {
      const { id } = await app.newChannel({ participants: [USER] });
      for (const content of ['Hello!', 'How do I bake bread?', 'With rye.', 'Thank you.']) await app.say(id, content);
      return id;
    };

    describePathId('channelId', { send: title, unknown: 'CHANNEL_NOT_FOUND' });
    describeBody({
      fields: [['agentId', { ...knownUuid, right: [['is an agent in upper case', ADA.id.toUpperCase()]] }, 'required']],
      good: () => ({ agentId: ADA.id }),
      send: async (body) => api.post(path((await app.newChannel()).id), body, json),
      data: expectData,
      shape: { title: null, reason: expect.any(String) },
      shownAt: { agentId: undefined },
    });

    it("returns the model's title without quotes", async () => {
      app.test.model.always(() => '"Baking bread with rye."\n');
      const channelId = await conversation();
      expectOnly(expectData(await title(channelId)), { title: 'Baking bread with rye', channelId });
      const { messages, temperature } = app.test.model.requests.at(-1) ?? {};
      expect(messages?.at(-1)?.content).toBe('User: Hello!\nUser: How do I bake bread?\nUser: With rye.\nUser: Thank you.');
      expect(temperature).toBe(0.3);
    });

    it('returns null with a reason for fewer than four messages', async () => {
      const channelId = await conversation();
      expectOnly(expectData(await title(channelId, '?limit=3')), { title: null, channelId, reason: expect.stringContaining('4') });
    });

    it('makes a title from the messages when the model returns nothing [channels.title]', async () => {
      app.test.model.always(() => '');
      expect(expectData(await title(await conversation())).title).toBe('How do I bake bread');
    });

    it("returns the model's error, and 404 for an unknown agent", async () => {
      app.test.model.fail(new AppError('MODEL_UNAVAILABLE', 'Away.'));
      const id = await conversation();
      expectError(await title(id), 503, 'MODEL_UNAVAILABLE');
      expectError(await api.post(path(id), { agentId: NOBODY }), 404, 'AGENT_NOT_FOUND');
    });
  });
});
