// What every stream, socket and answer calls the pieces of an answer (docs/reference/events.md): each road × each event, one schema.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../support/api-client.js';
import { ADA } from '../support/create-test-app.js';
import { idForAgent } from '../../src/core/ids/index.js';
import { allEvents, serverEvents, type ServerEvent } from '../support/sse-client.js';
import { SocketClient } from '../support/socket-client.js';
import { CHANNELS, contractApp, SESSIONS, SUBMIT, USER } from './support/contract-app.js';

const SECRET = 'hunter2';
const PLUGIN = `export default { name: 'clerk', actions: [
  { name: 'LOOK_UP', description: 'Looks up.', async handler(runtime, message, state, options, callback) {
      await callback({ text: 'Looking.' });
      return { success: true, text: 'found ${SECRET}' };
    } },
  { name: 'FAIL', description: 'Fails.', handler() { throw new Error('no ${SECRET}'); } },
] };`;

/** Roads on which the same conversation is heard. */
const ROADS = ['socket', 'channel stream', 'session stream', 'reply stream of a session', 'reply stream of a channel'] as const;
type Road = (typeof ROADS)[number];

type Heard = Pick<ServerEvent, 'event' | 'data'>;

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const filled = expect.stringMatching(/\S/);
const count = expect.any(Number);

/** An event, its name on sockets, in streams of channels and sessions and in streams of answers, and the fields that it has on each. */
const EVENTS: [event: string, names: [socket: string, journal: string, reply: string | null], fields: object][] = [
  ['a user’s message', ['messageBroadcast', 'message.created', 'user_message'], { isAgent: false, replyId: null, inReplyTo: null }],
  ['a chunk', ['messageStreamChunk', 'message.chunk', 'chunk'], { index: count, text: filled, chunk: filled }],
  ['an action that begins', ['action.started', 'action.started', 'action.started'], { action: filled, step: count }],
  [
    'an action that has ended',
    ['action.completed', 'action.completed', 'action.completed'],
    { action: filled, step: count, success: expect.any(Boolean), durationMs: count },
  ],
  ['a turn that begins', ['controlMessage', 'turn.started', null], {}],
  ['a turn that has ended', ['messageComplete', 'turn.finished', 'done'], { status: 'completed', didRespond: true }],
  ['a turn that failed', ['messageStreamError', 'turn.failed', 'error'], { status: 'failed', ...failure() }],
  ['a turn that was cancelled', ['messageComplete', 'turn.cancelled', 'error'], { status: 'cancelled', ...failure() }],
  ['a reply', ['messageBroadcast', 'message.created', null], { isAgent: true }],
];

function failure(): object {
  return { didRespond: false, code: filled, message: filled, details: filled };
}

const app = contractApp({}, { plugins: { 'clerk.mjs': PLUGIN } });
const { api } = app;
const open = async (path: string, headers: Record<string, string> = {}): Promise<Response> => fetch(app.test.url + path, { headers });

/** One conversation: an answer with actions, one that fails, and one that is cancelled. What each road told, and the ids. */
interface Conversation {
  readonly channelId: string;
  readonly sessionId: string;
  readonly questions: string[];
  readonly posted: ApiResponse['body'][];
  readonly heard: Record<Road, Heard[]>;
}

async function streamOf(path: string, ends: number): Promise<Heard[]> {
  const heard: Heard[] = [];
  for await (const event of serverEvents(await open(path))) {
    heard.push(event);
    if (
      /^turn\.(finished|failed|cancelled)$/.test(event.event) &&
      heard.filter(({ event: name }) => name.startsWith('turn.')).length === 2 * ends
    ) {
      break;
    }
  }
  return heard;
}

async function converse(): Promise<Conversation> {
  const { channelId, sessionId } = await app.newSession();
  const client = await SocketClient.connect(app.test.url);
  await client.ask('join', { channelId });
  const say = async (content: string): Promise<ApiResponse['body']> =>
    (await api.post(`${SESSIONS}/${sessionId}/messages`, { content, transport: 'websocket' })).body.data;
  app.test.model
    .calls(
      [
        { name: 'LOOK_UP', input: { password: SECRET } },
        { name: 'FAIL', input: {} },
      ],
      'Let me see. ',
    )
    .reply('Done.')
    .fail(new Error('the model is away'))
    .stall();
  const posted = [await say('Look!')];
  await client.waitFor('messageComplete', ({ status }) => status === 'completed');
  posted.push(await say('Again!'));
  await client.waitFor('messageComplete', ({ status }) => status === 'failed');
  posted.push(await say('Wait!'));
  await app.test.model.called(4);
  await api.patch(`${CHANNELS}/${channelId}`, { turnPolicy: 'interrupt' });
  app.test.model.reply('Stopped.');
  posted.push(await say('Stop!'));
  await client.waitForMany('messageComplete', 4);
  client.close();
  const questions = posted.map(({ id }) => id as string);
  const answers = async (base: string): Promise<Heard[]> =>
    (await Promise.all(questions.map(async (id) => allEvents(await open(`${base}/messages/${id}/events`))))).flat();
  return {
    channelId,
    sessionId,
    questions,
    posted,
    heard: {
      socket: client.received.map(({ name, payload }) => ({ event: name, data: payload })),
      'channel stream': await streamOf(`${CHANNELS}/${channelId}/events?lastEventId=0`, 4),
      'session stream': await streamOf(`${SESSIONS}/${sessionId}/events?lastEventId=0`, 4),
      'reply stream of a session': await answers(`${SESSIONS}/${sessionId}`),
      'reply stream of a channel': await answers(`${CHANNELS}/${channelId}`),
    },
  };
}

describe('a reply', () => {
  let talk: Conversation;
  let replies: string[];
  beforeAll(async () => {
    app.useScriptedModel();
    talk = await converse();
    replies = talk.questions.map((id) => idForAgent(ADA.id, `reply:${id}`));
  });
  afterAll(() => app.test.model.assertDone());

  const nameOn = (road: Road, [socket, journal, reply]: [string, string, string | null]): string | null =>
    road === 'socket' ? socket : road.startsWith('reply') ? reply : journal;
  const cells = ROADS.flatMap((road) =>
    EVENTS.flatMap(([event, names, fields]) => {
      const name = nameOn(road, names);
      return name === null ? [] : [{ road, event, name, fields }];
    }),
  );

  it.each(cells)('$event on the $road ($name)', ({ road, event, name, fields }) => {
    const about = (data: Record<string, unknown>): boolean => {
      if (event.includes('message') || event === 'a reply') {
        const isReply = !['agent_action', 'turn_failure'].includes((data['sourceType'] ?? data['source']) as string);
        return data['isAgent'] === (event === 'a reply') && isReply;
      }
      if (event.startsWith('a turn')) {
        return (fields as { status?: string }).status === undefined
          ? data['action'] !== 'enable_input'
          : data['status'] === (fields as { status?: string }).status;
      }
      return true;
    };
    const found = talk.heard[road].filter(({ event: one, data }) => one === name && about(data));
    expect(found.length).toBeGreaterThan(0);
    for (const { data } of found) {
      expect(data).toMatchObject({ channelId: talk.channelId, ...fields });
      if (event === 'a user’s message') {
        expect(talk.questions).toContain(data.id);
        expect(data).toMatchObject({ text: data.content, authorId: USER, senderId: USER, senderName: filled });
      } else {
        expect(data).toMatchObject({ replyId: uuid, inReplyTo: uuid });
        expect(replies[talk.questions.indexOf(data.inReplyTo)]).toBe(data.replyId);
        expect(data.agentId ?? data.authorId).toBe(ADA.id);
      }
      if (event === 'a reply') expect(data).toMatchObject({ id: data.replyId, text: data.content });
      if (event === 'a chunk') expect(data.chunk).toBe(data.text);
    }
  });

  it.each(ROADS)('is ordered with its actions on the %s, without their arguments and results', (road) => {
    const [question, reply] = [talk.questions[0], replies[0]];
    const names = new Map(EVENTS.map(([event, all]) => [nameOn(road, all), event]));
    const order = talk.heard[road]
      .filter(({ data }) => data.inReplyTo === question && data.replyId === reply)
      .map(({ event, data }) => ({
        event: names.get(event),
        text: data.text as string | undefined,
        action: data.action,
        success: data.success,
      }))
      .filter(({ event }) => event === 'a chunk' || event?.startsWith('an action') === true);
    expect(order).toEqual([
      { event: 'a chunk', text: 'Let me see. ' },
      { event: 'an action that begins', action: 'LOOK_UP' },
      { event: 'an action that has ended', action: 'LOOK_UP', success: true },
      { event: 'an action that begins', action: 'FAIL' },
      { event: 'an action that has ended', action: 'FAIL', success: false },
      { event: 'a chunk', text: 'Done.' },
    ]);
    expect(JSON.stringify(talk.heard[road])).not.toContain(SECRET);
  });

  it('shows a failure in chats as a message of the agent that is not a reply', () => {
    const notices = talk.heard.socket.filter(({ event, data }) => event === 'messageBroadcast' && data['source'] === 'turn_failure');
    expect(notices.map(({ data }) => data)).toEqual([
      expect.objectContaining({
        ...{ id: uuid, replyId: null, inReplyTo: uuid, status: 'failed', didRespond: false, isAgent: true, senderId: ADA.id },
        ...{ senderName: ADA.name, text: expect.stringMatching(/^I cannot answer: /), createdAt: app.clock.now() },
      }),
    ]);
    for (const road of ROADS.filter((each) => each !== 'socket')) {
      expect(JSON.stringify(talk.heard[road])).not.toContain('I cannot answer');
    }
  });

  it("marks an action's message as related to the question, but not as the reply", () => {
    const said = talk.heard['channel stream'].filter(({ event, data }) => event === 'message.created' && data.text === 'Looking.');
    expect(said.map(({ data }) => data)).toEqual([expect.objectContaining({ inReplyTo: talk.questions[0], replyId: null })]);
  });

  it('resumes after a cursor between two actions', async () => {
    const path = `${SESSIONS}/${talk.sessionId}/messages/${talk.questions[0] ?? ''}/events`;
    const whole = await allEvents(await open(path));
    const at = whole.findIndex(({ event }) => event === 'action.started');
    const rest = await allEvents(await open(path, { 'last-event-id': String(whole[at]?.id) }));
    expect(rest).toEqual(whole.slice(at + 1));
  });

  it('is not expected in a channel without agents', async () => {
    const { id: channelId } = await app.newChannel({ participants: [USER] });
    const message = await app.say(channelId, 'Anybody?');
    expect(message).toMatchObject({ inReplyTo: message.id, replyId: null, replies: [] });
  });
});

describe('an acknowledgement', () => {
  const owed = (id: string): object => {
    const replyId = idForAgent(ADA.id, `reply:${id}`);
    return { inReplyTo: id, replyId, replies: [{ agentId: ADA.id, replyId, inReplyTo: id }] };
  };

  it.each(['websocket', 'http', 'sync'])('of a session, %s, names the reply, and the reply names the question', async (transport) => {
    const { sessionId } = await app.newSession();
    app.test.model.reply('Yes.');
    const { data } = (await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Is it?', transport })).body;
    expect(data).toMatchObject(owed(data.id));
    if (transport !== 'websocket') {
      expect(data.agentResponse).toMatchObject({
        replyId: data.replyId,
        inReplyTo: data.id,
        messageId: data.replyId,
        responseId: data.replyId,
      });
    }
    const replies = (await api.get(`${SESSIONS}/${sessionId}/messages`)).body.data.messages;
    expect(replies.at(-1)).toMatchObject({ id: data.id, inReplyTo: null, replyId: null });
  });

  it.each(['websocket', 'http', 'sync'])('of a channel, %s, names the reply, and the reply names the question', async (transport) => {
    const { id: channelId } = await app.newChannel();
    app.test.model.reply('Yes.');
    const { data } = (await api.post(`${CHANNELS}/${channelId}/messages`, { author_id: USER, content: 'Is it?', transport })).body;
    expect(data).toMatchObject({ ...owed(data.id), userMessage: { id: data.id, inReplyTo: null, replyId: null } });
    if (transport !== 'websocket') expect(data.agentResponse).toMatchObject({ replyId: data.replyId, inReplyTo: data.id });
    await app.ended(channelId);
    expect(await app.messages(channelId)).toMatchObject([{ id: data.replyId, replyId: data.replyId, inReplyTo: data.id }, { id: data.id }]);
  });

  it('of a socket names the reply, also for a repeated message', async () => {
    const { id: channelId } = await app.newChannel();
    app.test.model.reply('Yes.');
    const client = await SocketClient.connect(app.test.url, { auth: { entityId: USER } });
    const payload = { channelId, senderId: USER, message: 'Is it?', messageId: 'mine' };
    const first = await client.ask('2', payload);
    expect(first).toMatchObject({ ok: true, ...owed(first.messageId) });
    await client.waitFor('messageComplete');
    expect(await client.ask('2', payload)).toEqual(first);
    client.close();
  });

  it('of a stream lists the pending replies', async () => {
    const { sessionId } = await app.newSession();
    app.test.model.reply('Yes?');
    const body = JSON.stringify({ content: 'Hm?', transport: 'sse' });
    const stream = await fetch(`${app.test.url}${SESSIONS}/${sessionId}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const events = await allEvents(stream);
    const [said, done] = [events[0], events.at(-1)];
    expect(said).toMatchObject({ event: 'user_message', data: { replies: [{ agentId: ADA.id, inReplyTo: said?.data.id }] } });
    const [{ replyId }] = said?.data.replies as [{ replyId: string }];
    expect(done).toMatchObject({ event: 'done', data: { status: 'completed', didRespond: true, replyId, inReplyTo: said?.data.id } });
  });

  it('of a job, and the job, name the reply and the question', async () => {
    app.test.model.reply('42');
    const { data: created } = (await api.post('/api/messaging/jobs', { userId: USER, agentId: ADA.id, content: '6 × 7?' })).body;
    expect(created).toMatchObject({ replyId: idForAgent(ADA.id, `reply:${created.inReplyTo}`) });
    const path = `/api/messaging/jobs/${created.jobId}`;
    await app.ended((await api.get(path)).body.data.channelId);
    const { replyId, inReplyTo } = created;
    expect((await api.get(path)).body.data).toMatchObject({
      status: 'completed',
      replyId,
      inReplyTo,
      result: { message: { id: replyId } },
    });
  });

  it('of a message that an agent submits names the message that it replies to', async () => {
    const { id: channelId } = await app.newChannel();
    app.test.model.reply('');
    const question = await app.say(channelId, 'Is it?');
    const body = { channel_id: channelId, author_id: ADA.id, content: 'It is.', in_reply_to_message_id: question.id };
    const { data } = (await api.post(SUBMIT, body)).body;
    expect(data).toMatchObject({ inReplyTo: question.id, replyId: data.id });
    await app.ended(channelId);
  });
});
