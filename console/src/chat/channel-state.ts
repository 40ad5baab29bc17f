// What a channel shows, as a function of its messages and the events of its journal.
import type { ChannelEvent, ChannelMessage, Failure } from 'parley-client';

/** A message that this tab sends and that the server has not confirmed. */
export interface OutgoingMessage {
  readonly clientMessageId: string;
  readonly text: string;
  readonly attachments: ChannelMessage['attachments'];
  readonly createdAt: number;
  /** Why it could not be sent. */
  readonly fault?: unknown;
}

export interface ActionCall {
  readonly step: number;
  readonly action: string;
  readonly success?: boolean;
  readonly durationMs?: number;
}

/** An answer that is not stored: it is being made, or it has failed or was stopped. */
export interface PendingReply {
  readonly replyId: string;
  readonly inReplyTo: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly text: string;
  readonly actions: readonly ActionCall[];
  readonly status: 'running' | 'failed' | 'cancelled';
  readonly error?: Failure;
}

export interface ChannelState {
  /** Oldest first. */
  readonly messages: readonly ChannelMessage[];
  readonly outgoing: readonly OutgoingMessage[];
  readonly replies: readonly PendingReply[];
  /** Calls of tools of answers that were followed while they were made, by reply. */
  readonly actions: ReadonlyMap<string, readonly ActionCall[]>;
}

export const EMPTY: ChannelState = { messages: [], outgoing: [], replies: [], actions: new Map() };

/** What stands in the list of a channel. */
export type ChannelItem =
  | { readonly kind: 'message'; readonly key: string; readonly message: ChannelMessage }
  | { readonly kind: 'outgoing'; readonly key: string; readonly outgoing: OutgoingMessage }
  | { readonly kind: 'reply'; readonly key: string; readonly reply: PendingReply };

/** All of a channel in order: an answer that was not given stands behind its question, one that is being made at the end. */
export function itemsOf({ messages, outgoing, replies }: ChannelState): readonly ChannelItem[] {
  const ended = new Map<string, readonly PendingReply[]>();
  for (const reply of replies) {
    if (reply.status !== 'running') ended.set(reply.inReplyTo, [...(ended.get(reply.inReplyTo) ?? []), reply]);
  }
  const running = replies.filter(({ status }) => status === 'running');
  const ofReply = (reply: PendingReply): ChannelItem => ({ kind: 'reply', key: reply.replyId, reply });
  return [
    ...messages.flatMap((message): ChannelItem[] => [
      { kind: 'message', key: message.id, message },
      ...(ended.get(message.id) ?? []).map(ofReply),
    ]),
    ...outgoing.map((one): ChannelItem => ({ kind: 'outgoing', key: one.clientMessageId, outgoing: one })),
    ...running.map(ofReply),
  ];
}

/** Whether the question of an answer that was not given was asked again later, and the same agent answered it. */
export function isAnsweredLater({ messages }: ChannelState, { agentId, inReplyTo }: Pick<PendingReply, 'agentId' | 'inReplyTo'>): boolean {
  const index = messages.findIndex(({ id }) => id === inReplyTo);
  const question = messages[index];
  if (!question) return false;
  const later = messages.slice(index + 1);
  const repeated = later.filter(({ authorId, text }) => authorId === question.authorId && text === question.text);
  return repeated.some(({ id }) => later.some((message) => message.authorId === agentId && message.inReplyTo === id));
}

/** Adds answers that were not given, as runs tell of them; what the journal has told is newer. */
export function withEndedReplies(state: ChannelState, ended: readonly PendingReply[]): ChannelState {
  const known = new Set([...state.replies.map(({ replyId }) => replyId), ...state.messages.map(({ id }) => id)]);
  return { ...state, replies: [...ended.filter(({ replyId }) => !known.has(replyId)), ...state.replies] };
}

/** The state after an event. Events may repeat what the messages already show. */
export function apply(state: ChannelState, event: ChannelEvent): ChannelState {
  switch (event.type) {
    case 'message.created':
    case 'message.updated':
      return withMessage(state, event.message);
    case 'message.deleted':
      return { ...state, messages: state.messages.filter(({ id }) => id !== event.messageId) };
    case 'channel.cleared':
      return EMPTY;
    case 'turn.started':
      // A reply that is shown has been stored before: the event comes again.
      if (state.messages.some(({ id }) => id === event.replyId)) return state;
      return changeReply(state, event, (reply) => ({ ...reply, status: 'running' }));
    case 'message.chunk':
      if (state.messages.some(({ id }) => id === event.replyId)) return state;
      return changeReply(state, event, (reply) => ({ ...reply, text: event.reset ? event.text : reply.text + event.text }));
    case 'action.started':
      return changeAction(state, event, { step: event.step, action: event.action });
    case 'action.completed': {
      const { step, action, success, durationMs } = event;
      return changeAction(state, event, { step, action, success, durationMs });
    }
    case 'turn.finished':
      return withoutReply(state, event.replyId);
    case 'turn.failed':
    case 'turn.cancelled':
      // What an answer said before it broke off is a message, which tells of the failure.
      if (state.messages.some(({ id }) => id === event.replyId)) return withoutReply(state, event.replyId);
      return changeReply(state, event, (reply) => ({
        ...reply,
        status: event.type === 'turn.failed' ? 'failed' : 'cancelled',
        error: event.error,
      }));
    default:
      return state;
  }
}

/** Adds a page of older messages, or what a page has newly read of the newest; the oldest first. */
export function withMessages(state: ChannelState, messages: readonly ChannelMessage[]): ChannelState {
  // Those of one instant stay in the order in which they stand here: pages are mostly older than what is shown, and newly read.
  const known = new Map([...messages, ...state.messages, ...messages].map((message) => [message.id, message]));
  const sorted = [...known.values()].sort((a, b) => a.createdAt - b.createdAt);
  return { ...state, messages: sorted, replies: state.replies.filter(({ replyId }) => !known.has(replyId)) };
}

function withMessage(state: ChannelState, message: ChannelMessage): ChannelState {
  const index = state.messages.findLastIndex(({ id }) => id === message.id);
  const messages = index < 0 ? [...state.messages, message] : state.messages.with(index, message);
  const outgoing = state.outgoing.filter(({ clientMessageId }) => clientMessageId !== message.clientMessageId);
  return withoutReply({ ...state, messages, outgoing }, message.id);
}

function withoutReply(state: ChannelState, replyId: string): ChannelState {
  const reply = state.replies.find((one) => one.replyId === replyId);
  if (!reply) return state;
  const actions = reply.actions.length > 0 ? new Map(state.actions).set(replyId, reply.actions) : state.actions;
  return { ...state, replies: state.replies.filter((one) => one !== reply), actions };
}

type OfReply = Pick<PendingReply, 'replyId' | 'inReplyTo' | 'agentId' | 'agentName'>;

function changeReply(state: ChannelState, of: OfReply, change: (reply: PendingReply) => PendingReply): ChannelState {
  const { replyId, inReplyTo, agentId, agentName } = of;
  const before = state.replies.find((reply) => reply.replyId === replyId);
  const changed = change(before ?? { replyId, inReplyTo, agentId, agentName, text: '', actions: [], status: 'running' });
  return { ...state, replies: [...state.replies.filter((reply) => reply !== before), changed] };
}

function changeAction(state: ChannelState, of: OfReply, call: ActionCall): ChannelState {
  return changeReply(state, of, (reply) => ({
    ...reply,
    actions: [...reply.actions.filter(({ step }) => step !== call.step), call].sort((a, b) => a.step - b.step),
  }));
}
