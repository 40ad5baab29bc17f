// React hooks. React itself is the app's.
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { StreamState } from './api-client.js';
import type { Chat, SendOptions } from './chat.js';
import type { ConversationOptions } from './conversation.js';
import { AnswerError, ConflictError, ParleyError } from './errors.js';
import type { ChannelEvent, ChannelMessage } from './events.js';
import { randomId } from './ids.js';
import type { Parley } from './parley.js';

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
  /** `reconnecting` while the server can't be reached; nothing is lost, and it goes on by itself. */
  readonly connection: StreamState;
  /** Oldest first. */
  readonly messages: readonly ChannelMessage[];
  /** Answers that are being made. */
  readonly writing: readonly WrittenAnswer[];
  /**
   * What went wrong last, with `message` and `details` for people: the conversation can't be opened or read, a message was not sent, or an
   * agent could not answer (`AnswerError`). A message that was not sent is told before the rest. Undefined after the next message or a
   * successful `retry`.
   */
  readonly error: ParleyError | undefined;
}

export interface ChatHook extends ChatState {
  /** Sends a message; it and its answer appear in the state. @returns false when it was not sent, with the reason in `error` */
  readonly send: (text: string, options?: SendOptions) => Promise<boolean>;
  /** Stops the answers that are being made. @returns false when they were not stopped, with the reason in `error` */
  readonly stop: () => Promise<boolean>;
  /**
   * Does again what `error` is about: opens the conversation, sends the message, or asks the question again.
   *
   * @returns false when it failed again, or the question is no longer there
   */
  readonly retry: () => Promise<boolean>;
}

/** What `error` is about. */
type Failed =
  | { readonly kind: 'opening' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'send'; readonly text: string; readonly options: SendOptions }
  | { readonly kind: 'answer'; readonly question: string };

interface State extends ChatState {
  readonly failed: Failed | undefined;
}

const EMPTY: State = {
  status: 'loading',
  connection: 'connecting',
  messages: [],
  writing: [],
  error: undefined,
  failed: undefined,
};

type Change =
  | { readonly type: 'opened' | 'retried' }
  | { readonly type: 'loaded'; readonly messages: readonly ChannelMessage[] }
  | { readonly type: 'connection'; readonly connection: StreamState }
  | { readonly type: 'failed'; readonly error: unknown; readonly failed: Failed }
  | { readonly type: 'sent'; readonly message: ChannelMessage }
  | ChannelEvent;

/**
 * Opens the lasting conversation of a user with an agent and follows it, as `useChat` does.
 *
 * @param options undefined while they are not known, for example until the user is signed in
 */
export function useConversation(parley: Parley, options: ConversationOptions | undefined): ChatHook {
  const key = options && JSON.stringify(options, (name, value: unknown) => (name !== '' && value === undefined ? null : value));
  const open = useCallback(
    () => parley.conversation(options as ConversationOptions),
    // Apps write the options as an object, which is another one each time.
    [parley, key],
  );
  return useOpened(options === undefined ? undefined : open);
}

/**
 * Follows a conversation: its newest 50 messages, and everything that happens in it from then on, also over cuts and restarts of the server.
 *
 * @param chat of `parley.conversation()` or `parley.session()`; undefined while it is being opened
 */
export function useChat(chat: Chat | undefined): ChatHook {
  const open = useCallback(() => Promise.resolve(chat as Chat), [chat]);
  return useOpened(chat === undefined ? undefined : open);
}

function useOpened(open: (() => Promise<Chat>) | undefined): ChatHook {
  const [{ failed, ...state }, change] = useReducer(apply, EMPTY);
  const [attempt, setAttempt] = useState(0);
  const opened = useRef<Chat>(undefined);
  useEffect(() => {
    change({ type: 'opened' });
    opened.current = undefined;
    if (!open) return undefined;
    const closing = new AbortController();
    open()
      .then((chat) => {
        closing.signal.throwIfAborted();
        opened.current = chat;
        return follow(chat, closing.signal, change);
      })
      .catch((error: unknown) => {
        if (!closing.signal.aborted) change({ type: 'failed', error, failed: { kind: 'opening' } });
      });
    return () => closing.abort();
  }, [open, attempt]);
  const send = useCallback(async (text: string, options: SendOptions = {}) => {
    // The same id when it is sent again: what was stored, though the answer was lost, is not stored twice.
    const named = { ...options, clientMessageId: options.clientMessageId ?? randomId() };
    try {
      const events = chatOf(opened.current).send(text, named);
      const { value: stored } = await events.next();
      // The events come from `follow`.
      await events.return();
      if (stored?.type === 'message.created') change({ type: 'sent', message: stored.message });
      return true;
    } catch (error) {
      change({ type: 'failed', error, failed: { kind: 'send', text, options: named } });
      return false;
    }
  }, []);
  const asked = [...new Set(state.writing.map(({ inReplyTo }) => inReplyTo))].join();
  const stop = useCallback(async () => {
    try {
      if (asked !== '') await Promise.all(asked.split(',').map((id) => chatOf(opened.current).stop(id)));
      return true;
    } catch (error) {
      change({ type: 'failed', error, failed: { kind: 'stop' } });
      return false;
    }
  }, [asked]);
  const retry = async (): Promise<boolean> => {
    if (!failed) return true;
    const question = failed.kind === 'answer' ? state.messages.find(({ id }) => id === failed.question) : undefined;
    if (failed.kind === 'answer' && !question) return false;
    change({ type: 'retried' });
    if (failed.kind === 'send') return send(failed.text, failed.options);
    if (failed.kind === 'stop') return stop();
    if (question) return send(question.text, { attachments: question.attachments });
    setAttempt(attempt + 1);
    return true;
  };
  return { ...state, send, stop, retry };
}

function chatOf(chat: Chat | undefined): Chat {
  if (chat) return chat;
  throw new ConflictError({
    code: 'NOT_OPEN',
    message: 'The conversation is not open yet.',
    details: 'Wait until status is ready.',
    status: 0,
  });
}

async function follow(chat: Chat, signal: AbortSignal, change: (change: Change) => void): Promise<void> {
  for (;;) {
    const { messages, cursor } = await chat.history({ signal });
    change({ type: 'loaded', messages });
    const onState = (connection: StreamState): void => change({ type: 'connection', connection });
    for await (const event of chat.events({ after: cursor, signal, onState })) {
      if (event.type === 'gap') break;
      change(event);
    }
  }
}

function apply(state: State, change: Change): State {
  switch (change.type) {
    case 'opened':
    case 'channel.cleared':
      return change.type === 'opened' ? EMPTY : { ...state, messages: [], writing: [] };
    case 'loaded':
      return { ...state, ...(state.failed?.kind === 'opening' && NO_FAULT), status: 'ready', messages: change.messages, writing: [] };
    case 'connection':
      return { ...state, connection: change.connection };
    case 'failed': {
      const status = change.failed.kind === 'opening' ? 'failed' : state.status;
      return { ...state, status, error: faultOf(change.error), failed: change.failed };
    }
    case 'retried':
      return { ...state, ...NO_FAULT };
    case 'sent': {
      // The stream may have told of the message before, and of a failure of its answer.
      const isTold = state.failed?.kind === 'answer' && state.messages.some(({ id }) => id === change.message.id);
      return { ...withMessage(state, change.message), ...(!isTold && NO_FAULT) };
    }
    case 'message.created': {
      // Also when the message has been loaded: the failures before it come again with it.
      const solved = !change.message.isAgent && state.failed?.kind === 'answer' && NO_FAULT;
      return { ...withMessage(state, change.message), ...solved };
    }
    case 'message.updated':
      return state.messages.some(({ id }) => id === change.message.id) ? withMessage(state, change.message) : state;
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
      const { error, inReplyTo: question } = change;
      // A message that was not sent is nowhere else.
      const fault = change.type === 'turn.failed' &&
        state.failed?.kind !== 'send' && {
          error: new AnswerError({ ...error, status: 0 }),
          failed: { kind: 'answer', question } as const,
        };
      return { ...state, ...fault, writing: without(state.writing, change.replyId) };
    }
    default:
      return state;
  }
}

function withMessage(state: State, message: ChannelMessage): State {
  const isNew = !state.messages.some(({ id }) => id === message.id);
  const messages = isNew ? [...state.messages, message] : state.messages.map((one) => (one.id === message.id ? message : one));
  return { ...state, messages, writing: without(state.writing, message.id) };
}

const NO_FAULT = { error: undefined, failed: undefined };

function faultOf(error: unknown): ParleyError {
  if (error instanceof ParleyError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ParleyError({ code: 'CLIENT_ERROR', message, details: '', status: 0 }, { cause: error });
}

function textOf(writing: readonly WrittenAnswer[], replyId: string): string {
  return writing.find((answer) => answer.replyId === replyId)?.text ?? '';
}

function without(writing: readonly WrittenAnswer[], replyId: string): readonly WrittenAnswer[] {
  return writing.filter((answer) => answer.replyId !== replyId);
}
