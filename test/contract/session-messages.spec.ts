// POST and GET /api/messaging/sessions/{sessionId}/messages (contract 2.8 to 2.10)
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../support/api-client.js';
import { ADA } from '../support/create-test-app.js';
import { expectError, expectHybrid } from '../support/expect-envelope.js';
import { allEvents } from '../support/sse-client.js';
import { contractApp, MINUTE, NOBODY, SESSIONS, USER } from './support/contract-app.js';
import { describeBody } from './support/describe-operation.js';
import { listOf, object, text, type Field } from './support/kinds.js';
import { AGENT_RESPONSE, expectOnly, expectShape, MESSAGE, SESSION_STATUS } from './support/shapes.js';
import { BAD_TRANSPORTS, TRANSPORTS } from './support/transports.js';

const FIELDS: Field[] = [
  ['content', text(4000), 'required'],
  ['metadata', object(10_240), 'optional or null'],
  ['attachments', listOf([null, 7, 'x', [{}]], [{ type: 'image', url: '/a.png', name: 'a' }]), 'optional or null'],
  ['clientMessageId', text(255), 'optional'],
];

const NO_TRANSPORT = /^transport must be one of http, sync, sse, stream, websocket$/;

/** The message of each fault; the first in this order is the one that is told (contract 2.8). */
const ORDER: [
  name: string,
  session: 'unknown' | 'expired' | 'live',
  body: object | undefined,
  status: number,
  code: Parameters<typeof expectError>[2],
  told: RegExp,
][] = [
  ['that there is a body, before the session', 'unknown', undefined, 400, 'VALIDATION_ERROR', /body/],
  ['transport, before content', 'live', { transport: 'pigeon', content: 7 }, 400, 'VALIDATION_ERROR', NO_TRANSPORT],
  ['transport, before the session', 'unknown', { transport: 'pigeon', content: 'Hello.' }, 400, 'VALIDATION_ERROR', NO_TRANSPORT],
  ...[['text', 'unknown', { content: 7 }] as const, ['there', 'expired', {}] as const].map(
    ([what, session, body]): (typeof ORDER)[number] => [
      `that content is ${what}, before the session`,
      session,
      body,
      400,
      'VALIDATION_ERROR',
      /^Missing required fields: content$/,
    ],
  ),
  [
    'the session, before the length of content',
    'unknown',
    { content: '' },
    404,
    'SESSION_NOT_FOUND',
    new RegExp(`^Session with ID '${NOBODY}' not found$`),
  ],
  ['the expiry, before the length of content', 'expired', { content: '' }, 410, 'SESSION_EXPIRED', /^Session '.+' expired at .+Z$/],
  ...(
    [
      ['the length of content, before metadata', { content: '', metadata: 7 }, /^Invalid content: Content cannot be empty$/],
      [
        'the upper length of content',
        { content: 'x'.repeat(4001) },
        /^Invalid content: Content exceeds maximum length of 4000 characters$/,
      ],
      ['that metadata is an object', { content: 'x', metadata: [] }, /^Invalid metadata: Metadata must be an object$/],
      [
        'the length of metadata',
        { content: 'x', metadata: { text: 'x'.repeat(10_230) } },
        /^Invalid metadata: Metadata exceeds maximum length of 10240 characters$/,
      ],
      ['attachments', { content: 'x', attachments: {} }, /^Invalid attachments: Attachments must be a list of objects$/],
      [
        'clientMessageId',
        { content: 'x', clientMessageId: 'x'.repeat(256) },
        /^Invalid clientMessageId: It must be text of 1 to 255 characters$/,
      ],
    ] as const
  ).map(([name, body, told]): (typeof ORDER)[number] => [name, 'live', body, 400, 'VALIDATION_ERROR', told]),
];

/** What a message does to a session that is 10 minutes old; minutes count from the creation. */
const STATUS: [name: string, config: object, expiresAfter: number, renewalCount: number, wasRenewed: boolean][] = [
  ['renews it', {}, 40, 1, true],
  ['renews it up to its maximum', { maxDurationMinutes: 35 }, 35, 1, true],
  ['does not renew it at its maximum', { maxDurationMinutes: 30 }, 30, 0, false],
  ['does not renew one that does not renew itself', { autoRenew: false }, 30, 0, false],
];

describe('messages of a session', () => {
  const app = contractApp();
  const { api, clock } = app;
  const path = (id: string): string => `${SESSIONS}/${id}/messages`;
  const post = (id: string, body: unknown): Promise<ApiResponse> =>
    api.post(path(id), body, { headers: { 'content-type': 'application/json' } });
  const stream = (id: string, body: object): Promise<Response> =>
    fetch(app.test.url + path(id), { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  beforeEach(() => {
    app.test.model.always(() => 'Yes.');
  });

  describe('POST', () => {
    describeBody({
      fields: FIELDS,
      good: () => ({ content: 'Hello.' }),
      send: async (body) => post((await app.newSession()).sessionId, body),
      data: (answer) => expectHybrid(answer, 201).userMessage,
      shape: MESSAGE,
      shownAt: { attachments: 'metadata.attachments' },
    });

    it("responds 201 with the stored message and the session's status, under data and at the top level", async () => {
      const { sessionId, channelId } = await app.newSession();
      const data = expectHybrid(await post(sessionId, { content: 'Hello.', metadata: { tag: 'a' } }), 201);
      expectOnly(data, {
        success: true,
        id: data.userMessage.id,
        content: 'Hello.',
        authorId: USER,
        createdAt: new Date(clock.now()).toISOString(),
        metadata: { tag: 'a', sessionId },
        replyId: expect.any(String),
        inReplyTo: data.userMessage.id,
        replies: [{ agentId: ADA.id, replyId: data.replyId, inReplyTo: data.userMessage.id }],
        userMessage: expect.anything(),
        sessionStatus: expect.anything(),
      });
      expectShape(data.userMessage, MESSAGE);
      expectOnly(data.sessionStatus, SESSION_STATUS);
      expect(data.userMessage).toMatchObject({
        channelId,
        authorId: USER,
        sourceType: 'user',
        isAgent: false,
        rawMessage: { content: 'Hello.' },
      });
    });

    it('shows the name of the user if it is text', async () => {
      const { sessionId } = await app.newSession({ metadata: { username: 'Ann\0' } });
      expect(expectHybrid(await post(sessionId, { content: 'Hello.' }), 201).userMessage.authorName).toBe('Ann');
    });

    it.each(TRANSPORTS.flatMap(([word, heard]) => [[word, 'transport', heard] as const, [word, 'mode', heard] as const]))(
      'with %s as %s, returns the reply %s',
      async (word, key, heard) => {
        const { sessionId } = await app.newSession();
        const body = { content: 'Are you there?', [key]: word };
        if (heard === 'as events') {
          const response = await stream(sessionId, body);
          expect(response.status).toBe(200);
          expect(response.headers.get('content-type')).toMatch(/^text\/event-stream\b/);
          const events = await allEvents(response);
          expect(events.map(({ event }) => event)).toEqual(['user_message', 'chunk', 'done']);
          return;
        }
        const data = expectHybrid(await post(sessionId, body), 201);
        expect(Object.hasOwn(data, 'agentResponse')).toBe(heard === 'in the answer');
        if (heard === 'in the answer') expectShape(data.agentResponse, AGENT_RESPONSE);
      },
    );

    it.each(BAD_TRANSPORTS.flatMap(([name, word]) => [[name, 'transport', word] as const, [name, 'mode', word] as const]))(
      'with %s as %s, responds 400 with the allowed values',
      async (_name, key, word) => {
        const answer = await post((await app.newSession()).sessionId, { content: 'Hello.', [key]: word });
        expectError(answer, 400, 'VALIDATION_ERROR');
        for (const known of ['http', 'sse', 'websocket', 'sync', 'stream']) expect(answer.body.error.message).toContain(known);
      },
    );

    it('prefers transport to mode', async () => {
      const { sessionId } = await app.newSession();
      expect((await post(sessionId, { content: 'Hello.', transport: 'http', mode: 'websocket' })).body.agentResponse.text).toBe('Yes.');
    });

    it('streams events with the keys that clients expect', async () => {
      const { sessionId, channelId } = await app.newSession();
      const [userMessage, chunk, done] = await allEvents(await stream(sessionId, { content: 'Hello.', transport: 'sse' }));
      expectShape(userMessage?.data, MESSAGE);
      const messageId = done?.data.messageId as string;
      expect(chunk?.data).toMatchObject({ type: 'chunk', messageId, chunk: 'Yes.', text: 'Yes.', index: 0, agentId: ADA.id });
      expectShape(done?.data, AGENT_RESPONSE);
      expect(done?.data).toMatchObject({ type: 'complete', text: 'Yes.', didRespond: true, inReplyTo: userMessage?.data.id });
      expectOnly(done?.data.sessionStatus, SESSION_STATUS);
      expect((await app.messages(channelId))[0]).toMatchObject({ id: messageId, content: 'Yes.', isAgent: true });
    });

    it('explains a missing reply when the model returns nothing', async () => {
      app.test.model.always(() => '');
      const { sessionId } = await app.newSession();
      expectError(await post(sessionId, { content: 'Hello.', transport: 'http' }), 503, 'EMPTY_REPLY');
    });

    it.each(ORDER)('checks %s', async (_name, state, body, status, code, told) => {
      const { sessionId, expiresAt } = await app.newSession();
      if (state === 'expired') clock.set(Date.parse(expiresAt));
      const answer = await post(state === 'unknown' ? NOBODY : sessionId, body);
      expectError(answer, status, code);
      expect(answer.body.error.message).toMatch(told);
    });

    it.each(STATUS)('%s', async (_name, config, expiresAfter, renewalCount, wasRenewed) => {
      const { sessionId, createdAt } = await app.newSession({ timeoutConfig: config });
      clock.advance(10 * MINUTE);
      const expiresAt = new Date(Date.parse(createdAt) + expiresAfter * MINUTE).toISOString();
      const answer = await post(sessionId, { content: 'Hello.' });
      expectOnly(answer.body.data.sessionStatus, { expiresAt, renewalCount, wasRenewed, isNearExpiration: false });
      expect(answer.headers.get('x-session-expires-at')).toBe(expiresAt);
      const lastActivity = new Date(clock.now()).toISOString();
      expect((await api.get(`${SESSIONS}/${sessionId}`)).body).toMatchObject({ expiresAt, renewalCount, lastActivity });
    });

    it('reports in sessionStatus that a session without automatic renewal expires soon', async () => {
      const { sessionId } = await app.newSession({ timeoutConfig: { autoRenew: false } });
      clock.advance(26 * MINUTE);
      expect((await post(sessionId, { content: 'Hello.' })).body.sessionStatus.isNearExpiration).toBe(true);
    });

    it('renews once for a message that is sent twice [sessions.refused]', async () => {
      const { sessionId } = await app.newSession();
      const body = { content: 'Hello.', clientMessageId: 'mine' };
      const first = await post(sessionId, body);
      const again = await post(sessionId, body);
      expect(again.body).toMatchObject({ id: first.body.id, sessionStatus: { wasRenewed: false, renewalCount: 1 } });
      expect((await api.get(`${SESSIONS}/${sessionId}`)).body.renewalCount).toBe(1);
    });

    it('stores and renews nothing when it refuses [sessions.refused]', async () => {
      const { sessionId, channelId } = await app.newSession();
      const before = await api.get(`${SESSIONS}/${sessionId}`);
      clock.advance(MINUTE);
      for (const body of [
        {},
        { content: '' },
        { content: 'x'.repeat(4001) },
        { content: 'x', metadata: 7 },
        { content: 'x', transport: 7 },
      ]) {
        expectError(await post(sessionId, body), 400, 'VALIDATION_ERROR');
      }
      expect((await api.get(`${SESSIONS}/${sessionId}`)).body).toMatchObject({ expiresAt: before.body.expiresAt, renewalCount: 0 });
      expect(await app.messages(channelId)).toEqual([]);
    });

    it('stores the content exactly as sent', async () => {
      const content = ' \t“Grüße” \u0007 \u2028 👋🏽 <b>&amp;</b>\n\n ';
      expect((await post((await app.newSession()).sessionId, { content })).body.content).toBe(content);
    });

    it('ignores an author, channel or session in the body', async () => {
      const { sessionId, channelId } = await app.newSession();
      const forged = { author_id: NOBODY, authorId: NOBODY, channelId: NOBODY, id: NOBODY, metadata: { sessionId: NOBODY } };
      const { userMessage } = (await post(sessionId, { content: 'Hello.', ...forged })).body;
      expect(userMessage).toMatchObject({ authorId: USER, channelId, metadata: { sessionId } });
      expect(userMessage.id).not.toBe(NOBODY);
    });
  });

  describe('GET', () => {
    it('returns an empty page without cursors for an empty session', async () => {
      const { sessionId } = await app.newSession();
      expectOnly(expectHybrid(await api.get(path(sessionId))), { messages: [], hasMore: false });
    });

    it('returns both sides of the conversation, newest first', async () => {
      const { sessionId } = await app.newSession();
      await post(sessionId, { content: 'First?', transport: 'http' });
      clock.advance(1);
      await post(sessionId, { content: 'Second?', transport: 'http' });
      const page = expectHybrid(await api.get(path(sessionId)));
      expect(page).toMatchObject({ hasMore: false, cursors: { before: clock.now() - 1, after: clock.now() } });
      for (const message of page.messages) expectShape(message, MESSAGE);
      const said = page.messages.map(({ content, isAgent, authorId }: Record<string, unknown>) => [content, isAgent, authorId]);
      expect(said).toEqual([
        ['Yes.', true, ADA.id],
        ['Second?', false, USER],
        ['Yes.', true, ADA.id],
        ['First?', false, USER],
      ]);
    });

    it('shows the attachments of a message in its metadata', async () => {
      const { sessionId } = await app.newSession();
      const attachments = [{ type: 'image', url: '/a.png', name: 'a' }];
      await post(sessionId, { content: 'Look.', attachments });
      const { messages } = (await api.get(path(sessionId))).body;
      expect(messages.at(-1)).toMatchObject({ content: 'Look.', metadata: { attachments }, rawMessage: { content: 'Look.', attachments } });
    });

    it('does not renew the session', async () => {
      const { sessionId, expiresAt } = await app.newSession();
      clock.advance(MINUTE);
      await api.get(path(sessionId));
      expect((await api.get(`${SESSIONS}/${sessionId}`)).body).toMatchObject({ expiresAt, renewalCount: 0 });
    });
  });
});
