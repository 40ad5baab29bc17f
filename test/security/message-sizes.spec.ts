// The sizes of a message are the same through every interface.
import { expect, it } from '@jest/globals';
import { MessagesService } from '../../src/modules/messaging/index.js';
import { ADA } from '../support/create-test-app.js';
import { guardedApp, USER } from './support/guarded-app.js';

const app = guardedApp();
const { api } = app;

const LONG = 'x'.repeat(100_001);
const CASES: [title: string, fields: Record<string, unknown>, field: string][] = [
  ['metadata of 900 kB', { metadata: { padding: 'x'.repeat(900_000) } }, 'metadata'],
  ['metadata just too long', { metadata: { padding: LONG } }, 'metadata'],
  ['metadata of many keys', { metadata: Object.fromEntries(Array.from({ length: 20_000 }, (_, key) => [`k${key}`, 0])) }, 'metadata'],
  ['a list as metadata', { metadata: ['x'] }, 'metadata'],
  ['attachments that are no objects', { attachments: [null] }, 'attachments'],
  ['too many attachments', { attachments: Array.from({ length: 101 }, () => ({})) }, 'attachments'],
];

it.each(CASES)('%s is refused over HTTP and over a socket, with the same code', async (_title, fields, field) => {
  const { channelId } = await app.session();
  const path = `/api/messaging/channels/${channelId}/messages`;
  const posted = await api.post(path, { author_id: USER, content: 'Hello', ...fields }, app.as());
  const socket = await app.socket(app.as().headers['x-api-key']!, { entityId: USER });
  const refused = (await socket.ask('2', { channelId, senderId: USER, message: 'Hello', ...fields })).error;
  expect([posted.status, posted.body.error.code, refused.code]).toEqual([400, 'VALIDATION_ERROR', 'VALIDATION_ERROR']);
  expect([posted.body.error.message, refused.details]).toEqual([expect.stringContaining(field), expect.stringContaining(field)]);
  expect((await api.get(path, app.as())).body.data.messages).toEqual([]);
});

it.each([
  ['a text', { message: LONG }, 'message'],
  ['an id', { messageId: 'x'.repeat(256) }, 'messageId'],
  ['any other field', { padding: LONG }, 'payload'],
])('a socket refuses %s beyond the limit', async (_title, fields, field) => {
  const { channelId } = await app.session();
  const socket = await app.socket(app.as().headers['x-api-key']!, { entityId: USER });
  const refused = (await socket.ask('2', { channelId, senderId: USER, message: 'Hello', ...fields })).error;
  expect(refused).toMatchObject({ code: 'VALIDATION_ERROR', details: expect.stringContaining(field) });
});

it('attachments of a session and of another platform have the same limit', async () => {
  const { sessionId } = await app.session();
  const attachments = [{ url: 'x'.repeat(1_000_000) }];
  const sent = await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hello', attachments }, app.as());
  const external = { platform: 'chat', messageId: 'm', channelId: 'c', userId: 'u', content: 'Hello', agentId: ADA.id, attachments };
  const asked = await api.post('/api/messaging/external-messages', external, app.as());
  for (const { status, body } of [sent, asked]) {
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toContain('ttachments');
  }
});

it.each([
  ['content', { content: LONG }],
  ['metadata', { metadata: { padding: 'x'.repeat(1_100_000) } }],
  ['raw_message', { rawMessage: { padding: 'x'.repeat(1_100_000) } }],
  ['sourceId', { sourceId: 'x'.repeat(256) }],
])('the service itself refuses %s beyond the limit, for every caller', async (field, fields) => {
  const { channelId } = await app.session();
  const command = { channelId, authorId: ADA.id, authorKind: 'agent', content: 'Hello', sourceType: 'plugin', vouched: false } as const;
  await expect(app.test.app.get(MessagesService).post({ ...command, ...fields })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining(field),
  });
});
