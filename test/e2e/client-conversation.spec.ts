// What a page shows of a conversation: ConversationState as a function of events, and ConversationReader against the whole application.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  applyEvent,
  conversationItems,
  ConversationReader,
  EMPTY_CONVERSATION,
  failedReply,
  Parley,
  runningReplies,
  sourceOf,
  toMessage,
  withMessages,
  withOutgoing,
  type ChannelEvent,
  type ChannelMessage,
  type Conversation,
  type ConversationSource,
  type ConversationState,
  type ReaderState,
} from 'parley-client';
import { withNewestPage } from '../../client/src/conversation-state.js';
import { JournalRetention } from '../../src/core/journal/index.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { Gate } from '../support/scripted-model.js';

const MINUTE = 60_000;

const message = (id: string, fields: Partial<ChannelMessage> = {}): ChannelMessage => ({
  ...toMessage({ id, channelId: 'c', authorId: 'u', text: `text of ${id}`, createdAt: 1, updatedAt: 1 }),
  ...fields,
});
const reply = (id: string, inReplyTo: string, fields: Partial<ChannelMessage> = {}): ChannelMessage =>
  message(id, { isAgent: true, authorId: `agent of ${id}`, replyId: id, inReplyTo, ...fields });

type Parts<T> = T extends ChannelEvent ? Omit<T, 'cursor' | 'offset' | 'seq'> : never;
const after = (state: ConversationState, ...events: Parts<ChannelEvent>[]): ConversationState =>
  events.reduce((before, event) => applyEvent(before, { ...event, cursor: '1', offset: 1, seq: 1 }), state);
const created = (one: ChannelMessage): Parts<ChannelEvent> => ({ type: 'message.created', message: one });
const ofReply = (replyId: string, inReplyTo = 'q') => ({
  replyId,
  inReplyTo,
  agentId: `agent of ${replyId}`,
  agentName: 'Iris',
  channelId: 'c',
});
const chunk = (replyId: string, text: string, { start = 0, reset = false } = {}): Parts<ChannelEvent> => ({
  type: 'message.chunk',
  ...ofReply(replyId),
  text,
  index: 0,
  attempt: 1,
  start,
  reset,
});
const ERROR = { code: 'TURN_FAILED', message: 'The model is away.', details: 'Try again.' };
const failed = (replyId: string, inReplyTo = 'q'): Parts<ChannelEvent> => ({
  type: 'turn.failed',
  ...ofReply(replyId, inReplyTo),
  status: 'failed',
  error: ERROR,
});
const textsOf = (state: ConversationState): string[] =>
  conversationItems(state).map((item) => (item.kind === 'message' ? item.key : `${item.kind} ${item.key}`));

describe('applyEvent', () => {
  const asked = after(EMPTY_CONVERSATION, created(message('q')));

  it('keeps replies of several agents in their places while both stream', () => {
    const state = after(asked, chunk('r1', 'Se'), chunk('r2', 'As'), chunk('r1', 'ncha', { start: 2 }), chunk('r2', 'sam', { start: 2 }));
    expect(runningReplies(state).map(({ replyId, text }) => [replyId, text])).toEqual([
      ['r1', 'Sencha'],
      ['r2', 'Assam'],
    ]);
  });

  it('drops what comes again of a text, and keeps its rest', () => {
    const begun = after(asked, chunk('r1', 'Senc'));
    const texts = [chunk('r1', 'Se'), chunk('r1', 'ncha', { start: 2 })].map((part) => runningReplies(after(begun, part))[0]?.text);
    expect(texts).toEqual(['Senc', 'Sencha']);
  });

  it('restarts the text at `reset`', () => {
    expect(runningReplies(after(asked, chunk('r1', 'Oolong'), chunk('r1', 'Sencha', { reset: true })))[0]?.text).toBe('Sencha');
  });

  it('puts a failed reply after its question, and running replies at the end', () => {
    const state = after(asked, chunk('r1', 'Se'), failed('r1'), created(message('q2')), chunk('r2', 'As'));
    const sending = { clientMessageId: 'sent', text: 'And?', attachments: [], createdAt: 2 };
    expect(textsOf(withOutgoing(state, 'sent', sending))).toEqual(['q', 'reply r1', 'q2', 'outgoing sent', 'reply r2']);
  });

  it('shows a message that is being sent until its event arrives', () => {
    const sending = { clientMessageId: 'sent', text: 'And?', attachments: [], createdAt: 2 };
    const state = after(withOutgoing(asked, 'sent', sending), created(message('q2', { clientMessageId: 'sent' })));
    expect(textsOf(state)).toEqual(['q', 'q2']);
  });

  it('keeps a stored reply unchanged when its events repeat', () => {
    const stored = after(asked, chunk('r1', 'Sencha'), created(reply('r1', 'q')));
    const again = after(
      stored,
      { type: 'turn.started', ...ofReply('r1') },
      chunk('r1', 'Sen'),
      { type: 'action.started', ...ofReply('r1'), action: 'LOOK_UP', step: 1 },
      { type: 'action.completed', ...ofReply('r1'), action: 'LOOK_UP', step: 1, success: true, durationMs: 5 },
      { type: 'turn.finished', ...ofReply('r1'), status: 'completed', didRespond: true },
    );
    expect(textsOf(again)).toEqual(['q', 'r1']);
    expect(again.actions.get('r1')).toEqual([{ step: 1, action: 'LOOK_UP', success: true, durationMs: 5 }]);
  });

  it("keeps an edit when the message's event repeats", () => {
    const edited = after(EMPTY_CONVERSATION, created(message('q', { text: 'edited', updatedAt: 2 })), created(message('q')));
    expect(edited.messages.map(({ text }) => text)).toEqual(['edited']);
  });

  it('leaves out an edited message whose page is not loaded', () => {
    expect(textsOf(after(asked, { type: 'message.updated', message: message('older', { updatedAt: 3 }) }))).toEqual(['q']);
  });

  it('ignores event types unknown to this version', () => {
    expect(after(asked, { type: 'memory.forgotten' } as never)).toBe(asked);
  });
});

describe('failedReply', () => {
  const asked = after(EMPTY_CONVERSATION, created(message('q')), failed('r1'));

  it('returns the failure of the newest question', () => {
    expect(failedReply(asked)).toEqual({ replyId: 'r1', question: 'q', error: ERROR });
    expect(failedReply(after(asked, created(message('q2'))))).toBeUndefined();
  });

  it('reads the failure from the message of an interrupted reply', () => {
    const broken = reply('r1', 'q', { metadata: { finishReason: 'error', failure: ERROR } });
    const state = after(EMPTY_CONVERSATION, created(message('q')), chunk('r1', 'Se'), created(broken), failed('r1'));
    expect(textsOf(state)).toEqual(['q', 'r1']);
    expect(failedReply(state)).toEqual({ replyId: 'r1', question: 'q', error: ERROR });
  });
});

describe('withNewestPage', () => {
  const known = withMessages(EMPTY_CONVERSATION, [message('a'), message('b'), message('c'), message('d')]);

  it('keeps older loaded messages, and drops deleted ones', () => {
    const page = [message('b'), message('d'), message('e')];
    expect(withNewestPage(known, page, false).messages.map(({ id }) => id)).toEqual(['a', 'b', 'd', 'e']);
  });

  it('drops older messages when messages in between are missing', () => {
    expect(withNewestPage(known, [message('x'), message('y')], false).messages.map(({ id }) => id)).toEqual(['x', 'y']);
    expect(withNewestPage(known, [], true).messages).toEqual([]);
  });

  it('drops running replies, which events restore', () => {
    const state = after(known, chunk('r1', 'Se'), failed('r2', 'd'));
    expect(withNewestPage(state, [message('d')], false).replies.map(({ replyId }) => replyId)).toEqual(['r2']);
  });
});

describe('ConversationReader', () => {
  let test: TestApp;
  let parley: Parley;
  const readers: ConversationReader[] = [];

  beforeAll(async () => {
    test = await createTestApp();
    parley = new Parley({ url: test.url });
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
    test.model.assertDone();
  });
  afterAll(() => test.close());

  let people = 0;
  const conversation = (of = parley): Promise<Conversation> => of.conversation({ agent: ADA.id, user: `person-${(people += 1)}` });

  /** Reads a conversation, and waits for what it shows. */
  function read(source: ConversationSource): {
    reader: ConversationReader;
    until: (shown: (state: ReaderState) => boolean) => Promise<ReaderState>;
  } {
    const waiting = new Set<() => void>();
    const reader = new ConversationReader(source, () => [...waiting].forEach((look) => look()));
    readers.push(reader);
    void reader.open();
    const until = (shown: (state: ReaderState) => boolean): Promise<ReaderState> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!shown(reader.state)) return;
          waiting.delete(look);
          resolve(reader.state);
        };
        waiting.add(look);
        look();
      });
    return { reader, until };
  }

  const idsIn = ({ conversation: { messages } }: ReaderState): string[] => messages.map(({ id }) => id);

  it('shows the newest messages, new events, and older messages by page', async () => {
    const chat = await conversation();
    await parley.agents.stop(ADA.id);
    const ids: string[] = [];
    for (let index = 0; index < 60; index++) {
      ids.push((await parley.messages.post(chat.channelId, `reader ${chat.channelId}`, `message ${index}`)).userMessage.id);
    }
    const { reader, until } = read(sourceOf(chat));
    const ready = await until(({ status }) => status === 'ready');
    expect([ready.hasOlder, idsIn(ready)]).toEqual([true, ids.slice(10)]);
    await Promise.all([reader.loadOlder(), reader.loadOlder()]);
    expect([reader.state.hasOlder, idsIn(reader.state)]).toEqual([false, ids]);
    await parley.agents.start(ADA.id);
    const gate = new Gate();
    test.model.deltas(['Green ', 'tea.'], { gate });
    const answer = chat.ask('Which tea?');
    gate.release();
    const made = await until(({ conversation: { replies } }) => replies.some(({ text }) => text === 'Green '));
    expect(made.conversation.messages.at(-1)?.text).toBe('Which tea?');
    gate.open();
    const { messages } = await answer;
    const done = await until((state) => idsIn(state).includes(messages[0]!.id));
    expect(runningReplies(done.conversation)).toEqual([]);
  });

  it('reads the messages again, once, when events have been deleted', async () => {
    const clock = new FakeClock();
    const own = await createTestApp({ clock, env: { JOURNAL_RETENTION_HOURS: '1' } });
    try {
      const client = new Parley({ url: own.url });
      const chat = await conversation(client);
      await client.agents.stop(ADA.id);
      const post = async (text: string): Promise<string> => (await client.messages.post(chat.channelId, 'gap', text)).userMessage.id;
      const [first, second] = [await post('one'), await post('two')];
      clock.advance(61 * MINUTE);
      const third = await post('three');
      await own.app.get(JournalRetention).sweep();
      const source = sourceOf(chat);
      let pages = 0;
      const { until } = read({
        history: (options) => {
          pages += 1;
          return source.history(options);
        },
        follow: (listener) => source.follow(listener),
      });
      await until(({ connection }) => pages === 2 && connection === 'open');
      const fourth = await post('four');
      const state = await until((shown) => idsIn(shown).includes(fourth));
      expect(idsIn(state)).toEqual([first, second, third, fourth]);
      expect(pages).toBe(2);
    } finally {
      for (const reader of readers.splice(0)) reader.close();
      await own.close();
    }
  });

  it('reports why a conversation could not be read, and reads it when reopened', async () => {
    const chat = await conversation();
    const source = sourceOf(chat);
    let isAway = true;
    const { reader, until } = read({
      history: (options) => (isAway ? Promise.reject(new Error('away')) : source.history(options)),
      follow: (listener) => source.follow(listener),
    });
    expect((await until(({ status }) => status === 'failed')).error).toEqual(new Error('away'));
    isAway = false;
    await reader.open();
    expect([reader.state.status, reader.state.error]).toEqual(['ready', undefined]);
  });
});
