// React hooks. React itself is the app's.
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { StreamState } from './api-client.js';
import type { Chat, SendOptions } from './chat.js';
import { ConversationReader, EMPTY_READER, sourceOf, type ReaderState } from './conversation-reader.js';
import { failedReply, runningReplies, withMessages, type FailedReply, type PendingReply } from './conversation-state.js';
import type { ConversationOptions } from './conversation.js';
import { AnswerError, ConflictError, ParleyError } from './errors.js';
import type { ChannelMessage } from './events.js';
import { randomId } from './ids.js';
import type { Parley } from './parley.js';

export interface ChatState {
  /** `loading` until the newest messages are there; `failed` with `error`. */
  readonly status: 'loading' | 'ready' | 'failed';
  /** `reconnecting` while the server can't be reached; nothing is lost, and it goes on by itself. */
  readonly connection: StreamState;
  /** Oldest first. */
  readonly messages: readonly ChannelMessage[];
  /** Replies that are being made. */
  readonly writing: readonly PendingReply[];
  /**
   * What went wrong, with `message` and `details` for people: the conversation can't be opened or read, a message was not sent, or an agent
   * could not reply to the newest message (`AnswerError`), in this order. Undefined after the next message or a successful `retry`.
   */
  readonly error: ParleyError | undefined;
}

export interface ChatHook extends ChatState {
  /** Sends a message; it and its reply appear in the state. @returns false when it was not sent, with the reason in `error` */
  readonly send: (text: string, options?: SendOptions) => Promise<boolean>;
  /** Stops the replies that are being made. @returns false when they were not stopped, with the reason in `error` */
  readonly stop: () => Promise<boolean>;
  /**
   * Does again what `error` is about: opens the conversation, sends the message, or asks the question again.
   *
   * @returns false when it failed again, or the question is no longer there
   */
  readonly retry: () => Promise<boolean>;
}

/** A request that has failed. */
type RequestFault =
  | { readonly kind: 'stop'; readonly error: ParleyError }
  | { readonly kind: 'send'; readonly error: ParleyError; readonly text: string; readonly options: SendOptions };

/** What `error` is about. */
type Fault = RequestFault | { readonly kind: 'open'; readonly error: unknown } | ({ readonly kind: 'reply' } & FailedReply);

interface Opened {
  readonly reader: ConversationReader;
  /** Undefined until it is open. */
  chat?: Chat;
}

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
  const [attempt, setAttempt] = useState(0);
  const [reading, opened] = useReader(open, attempt);
  const [requestFault, setRequestFault] = useState<RequestFault>();
  // A failed reply whose question is being asked again.
  const [retried, setRetried] = useState<string>();
  useEffect(() => setRequestFault(undefined), [open, attempt]);
  const { status, connection, conversation } = reading;
  const fault = faultIn(reading, requestFault, retried);
  const error = useErrorOf(fault);
  const writing = useMemo(() => runningReplies(conversation), [conversation.replies]);
  const send = useCallback(async (text: string, options: SendOptions = {}) => {
    // The same id when it is sent again: what was stored, though the response was lost, is not stored twice.
    const named = { ...options, clientMessageId: options.clientMessageId ?? randomId() };
    try {
      const message = await stored(chatOf(opened), text, named);
      opened.current?.reader.change((state) => withMessages(state, [message]));
      setRequestFault(undefined);
      return true;
    } catch (reason) {
      setRequestFault({ kind: 'send', error: asParleyError(reason), text, options: named });
      return false;
    }
  }, []);
  const stop = useCallback(async () => {
    try {
      const running = runningReplies(opened.current?.reader.state.conversation ?? EMPTY_READER.conversation);
      await Promise.all([...new Set(running.map(({ inReplyTo }) => inReplyTo))].map((id) => chatOf(opened).stop(id)));
      return true;
    } catch (reason) {
      setRequestFault({ kind: 'stop', error: asParleyError(reason) });
      return false;
    }
  }, []);
  const retry = async (): Promise<boolean> => {
    if (!fault) return true;
    if (fault.kind === 'send' || fault.kind === 'stop') {
      setRequestFault(undefined);
      return fault.kind === 'send' ? send(fault.text, fault.options) : stop();
    }
    if (fault.kind === 'open') {
      setAttempt(attempt + 1);
      return true;
    }
    const question = conversation.messages.find(({ id }) => id === fault.question);
    if (!question) return false;
    setRetried(fault.replyId);
    return send(question.text, { attachments: question.attachments });
  };
  return { status, connection, messages: conversation.messages, writing, error, send, stop, retry };
}

/** The state of a conversation while a component shows it. */
function useReader(open: (() => Promise<Chat>) | undefined, attempt: number): [ReaderState, RefObject<Opened | undefined>] {
  const [state, setState] = useState(EMPTY_READER);
  const opened = useRef<Opened>(undefined);
  useEffect(() => {
    setState(EMPTY_READER);
    opened.current = undefined;
    if (!open) return undefined;
    const opening = open();
    const reader = new ConversationReader(sourceOf(opening), setState);
    const own: Opened = { reader };
    opened.current = own;
    opening.then(
      (chat) => (own.chat = chat),
      // The reader tells of it.
      () => undefined,
    );
    void reader.open();
    return () => reader.close();
  }, [open, attempt]);
  return [state, opened];
}

function faultIn({ status, error, conversation }: ReaderState, request: RequestFault | undefined, retried?: string): Fault | undefined {
  if (status === 'failed') return { kind: 'open', error };
  if (request) return request;
  const failed = failedReply(conversation);
  return failed && failed.replyId !== retried ? { kind: 'reply', ...failed } : undefined;
}

/** The error of a fault: the same object as long as it is about the same. */
function useErrorOf(fault: Fault | undefined): ParleyError | undefined {
  const about = fault?.kind === 'reply' ? fault.replyId : fault?.error;
  return useMemo(() => {
    if (!fault) return undefined;
    return fault.kind === 'reply' ? new AnswerError({ ...fault.error, status: 0 }) : asParleyError(fault.error);
  }, [fault?.kind, about]);
}

/** Sends a message. @returns the stored message; its replies come by the reader */
async function stored(chat: Chat, text: string, options: SendOptions): Promise<ChannelMessage> {
  const events = chat.send(text, options);
  const { value } = await events.next();
  await events.return();
  if (value?.type !== 'message.created') throw new TypeError('the first event of a sent message is the message');
  return value.message;
}

function chatOf({ current }: RefObject<Opened | undefined>): Chat {
  if (current?.chat) return current.chat;
  throw new ConflictError({
    code: 'NOT_OPEN',
    message: 'The conversation is not open yet.',
    details: 'Wait until status is ready.',
    status: 0,
  });
}

function asParleyError(error: unknown): ParleyError {
  if (error instanceof ParleyError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ParleyError({ code: 'CLIENT_ERROR', message, details: '', status: 0 }, { cause: error });
}
