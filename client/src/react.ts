// React hooks. React itself is the app's.
import { useCallback, useEffect, useReducer } from 'react';
import type { Chat, SendOptions } from './chat.js';
import type { ChannelEvent, ChannelMessage, Failure } from './events.js';

/** An answer that is being made. */
export interface WrittenAnswer {
  readonly replyId: string;
  /** Id of the message that is answered. */
  readonly inReplyTo: string;
  readonly agentName: string;
  /** The text so far. */
  readonly text: string;
}

export interface ChatState {
  /** `loading` until the newest messages are there; `failed` with `error`. */
  readonly status: 'loading' | 'ready' | 'failed';
  /** Oldest first. */
  readonly messages: readonly ChannelMessage[];
  /** Answers that are being made. */
  readonly writing: readonly WrittenAnswer[];
  /** Why the last answer failed; undefined after the next message. */
  readonly failure: Failure | undefined;
  /** Why the conversation cannot be read. */
  readonly error: unknown;
}

export interface ChatHook extends ChatState {
  /** Sends a message; it and its answer appear in the state. @throws ParleyError when it is refused */
  readonly send: (text: string, options?: SendOptions) => Promise<void>;
  /** Stops the answers that are being made. @throws ParleyError */
  readonly stop: () => Promise<void>;
}

const EMPTY: ChatState = { status: 'loading', messages: [], writing: [], failure: undefined, error: undefined };

type Change =
  | { readonly type: 'opened' }
  | { readonly type: 'loaded'; readonly messages: readonly ChannelMessage[] }
  | { readonly type: 'lost'; readonly error: unknown }
  | ChannelEvent;

/**
 * Follows a conversation: its newest 50 messages, and everything that happens in it from then on, also over cuts and restarts of the server.
 *
 * @param chat of `parley.conversation()` or `parley.session()`; undefined while it is being opened
 */
export function useChat(chat: Chat | undefined): ChatHook {
  const [state, change] = useReducer(apply, EMPTY);
  useEffect(() => {
    change({ type: 'opened' });
    if (!chat) return undefined;
    const closing = new AbortController();
    follow(chat, closing.signal, change).catch((error: unknown) => {
      if (!closing.signal.aborted) change({ type: 'lost', error });
    });
    return () => closing.abort();
  }, [chat]);
  const send = useCallback(
    async (text: string, options?: SendOptions) => {
      if (!chat) throw new Error('The conversation is not open yet.');
      const events = chat.send(text, options);
      const { value: stored } = await events.next();
      // The events come from `follow`.
      await events.return();
      if (stored) change(stored);
    },
    [chat],
  );
  const asked = [...new Set(state.writing.map(({ inReplyTo }) => inReplyTo))].join();
  const stop = useCallback(async () => {
    if (chat && asked !== '') await Promise.all(asked.split(',').map((id) => chat.stop(id)));
  }, [chat, asked]);
  return { ...state, send, stop };
}

async function follow(chat: Chat, signal: AbortSignal, change: (change: Change) => void): Promise<void> {
  for (;;) {
    const { messages, cursor } = await chat.history({ signal });
    change({ type: 'loaded', messages });
    for await (const event of chat.events({ after: cursor, signal })) {
      if (event.type === 'gap') break;
      change(event);
    }
  }
}

function apply(state: ChatState, change: Change): ChatState {
  switch (change.type) {
    case 'opened':
    case 'channel.cleared':
      return change.type === 'opened' ? EMPTY : { ...state, messages: [], writing: [] };
    case 'loaded':
      return { ...state, status: 'ready', messages: change.messages, writing: [], error: undefined };
    case 'lost':
      return { ...state, status: 'failed', error: change.error };
    case 'message.created':
    case 'message.updated': {
      const { message } = change;
      const isNew = !state.messages.some(({ id }) => id === message.id);
      if (isNew && change.type === 'message.updated') return state;
      const messages = isNew ? [...state.messages, message] : state.messages.map((one) => (one.id === message.id ? message : one));
      const failure = isNew && !message.isAgent ? undefined : state.failure;
      return { ...state, messages, failure, writing: without(state.writing, message.id) };
    }
    case 'message.deleted':
      return { ...state, messages: state.messages.filter(({ id }) => id !== change.messageId) };
    case 'turn.started':
    case 'message.chunk': {
      const { replyId, inReplyTo, agentName } = change;
      if (state.messages.some(({ id }) => id === replyId)) return state;
      const before = change.type === 'message.chunk' && !change.reset ? textOf(state.writing, replyId) : '';
      const text = change.type === 'message.chunk' ? before + change.text : '';
      return { ...state, writing: [...without(state.writing, replyId), { replyId, inReplyTo, agentName, text }] };
    }
    case 'turn.finished':
      return { ...state, writing: without(state.writing, change.replyId) };
    case 'turn.failed':
    case 'turn.cancelled': {
      const failure = change.type === 'turn.failed' ? change.error : state.failure;
      return { ...state, failure, writing: without(state.writing, change.replyId) };
    }
    default:
      return state;
  }
}

function textOf(writing: readonly WrittenAnswer[], replyId: string): string {
  return writing.find((answer) => answer.replyId === replyId)?.text ?? '';
}

function without(writing: readonly WrittenAnswer[], replyId: string): readonly WrittenAnswer[] {
  return writing.filter((answer) => answer.replyId !== replyId);
}
