// What a conversation shows, as a function of its messages and the events of its channel.
import type { ChannelEvent, ChannelMessage, Failure, ReplyReference } from './events.js';

type ChunkEvent = Extract<ChannelEvent, { readonly type: 'message.chunk' }>;

/** A message that is being sent, or could not be sent. */
export interface OutgoingMessage {
  readonly clientMessageId: string;
  readonly text: string;
  readonly attachments: ChannelMessage['attachments'];
  /** Epoch ms. */
  readonly createdAt: number;
  /** Why it could not be sent. */
  readonly fault?: unknown;
}

/** A call of an action or tool. `success` is absent while it runs. */
export interface ActionCall {
  readonly step: number;
  readonly action: string;
  readonly success?: boolean;
  /** Duration, ms. */
  readonly durationMs?: number;
}

/** A reply without a message: it is being made, or it has failed or was cancelled. */
export interface PendingReply extends Omit<ReplyReference, 'channelId'> {
  /** The text so far. */
  readonly text: string;
  readonly actions: readonly ActionCall[];
  readonly status: 'running' | 'failed' | 'cancelled';
  readonly error?: Failure;
  /** Names of the tools of the caller whose results the reply waits for; absent while it waits for none. */
  readonly waitsFor?: readonly string[];
}

export interface ConversationState {
  /** Oldest first. */
  readonly messages: readonly ChannelMessage[];
  readonly outgoing: readonly OutgoingMessage[];
  readonly replies: readonly PendingReply[];
  /** Calls of actions and tools of the replies that were followed while they were made, by id of the reply. */
  readonly actions: ReadonlyMap<string, readonly ActionCall[]>;
}

export const EMPTY_CONVERSATION: ConversationState = { messages: [], outgoing: [], replies: [], actions: new Map() };

/** What a list of a conversation shows. `key` is unique within the list and stays. */
export type ConversationItem =
  | { readonly kind: 'message'; readonly key: string; readonly message: ChannelMessage }
  | { readonly kind: 'outgoing'; readonly key: string; readonly outgoing: OutgoingMessage }
  | { readonly kind: 'reply'; readonly key: string; readonly reply: PendingReply };

/** Everything in the order in which people read it: a reply that has failed follows its question, and one that is being made is at the end. */
export function conversationItems(state: ConversationState): readonly ConversationItem[] {
  const ended = new Map<string, readonly PendingReply[]>();
  for (const reply of state.replies) {
    if (reply.status !== 'running') ended.set(reply.inReplyTo, [...(ended.get(reply.inReplyTo) ?? []), reply]);
  }
  const ofReply = (reply: PendingReply): ConversationItem => ({ kind: 'reply', key: reply.replyId, reply });
  return [
    ...state.messages.flatMap((message): ConversationItem[] => [
      { kind: 'message', key: message.id, message },
      ...(ended.get(message.id) ?? []).map(ofReply),
    ]),
    ...state.outgoing.map((outgoing): ConversationItem => ({ kind: 'outgoing', key: outgoing.clientMessageId, outgoing })),
    ...runningReplies(state).map(ofReply),
  ];
}

/** The replies that are being made. */
export function runningReplies({ replies }: Pick<ConversationState, 'replies'>): readonly PendingReply[] {
  return replies.filter(({ status }) => status === 'running');
}

/** Why the newest message of a user has no whole reply; undefined when none of its replies has failed. `question` is its id. */
export function failedReply({ messages, replies }: ConversationState): FailedReply | undefined {
  const question = messages.findLast(({ isAgent }) => !isAgent)?.id;
  if (question === undefined) return undefined;
  const failed = replies.find(({ status, inReplyTo }) => status === 'failed' && inReplyTo === question);
  if (failed?.error) return { replyId: failed.replyId, question, error: failed.error };
  const broken = messages.find(({ inReplyTo, metadata }) => inReplyTo === question && metadata['finishReason'] === 'error');
  const error = broken?.metadata['failure'] as Failure | undefined;
  return broken && error ? { replyId: broken.id, question, error } : undefined;
}

export interface FailedReply {
  readonly replyId: string;
  /** Id of the message that the agent was to reply to. */
  readonly question: string;
  readonly error: Failure;
}

/** Whether the question of a reply that has failed was asked again later, and the same agent replied. */
export function isAnsweredLater(
  { messages }: ConversationState,
  { agentId, inReplyTo }: Pick<PendingReply, 'agentId' | 'inReplyTo'>,
): boolean {
  const index = messages.findIndex(({ id }) => id === inReplyTo);
  const question = messages[index];
  if (!question) return false;
  const later = messages.slice(index + 1);
  const repeated = later.filter(({ authorId, text }) => authorId === question.authorId && text === question.text);
  return repeated.some(({ id }) => later.some((message) => message.authorId === agentId && message.inReplyTo === id));
}

/** The state after an event. Events may repeat what the state shows. */
export function applyEvent(state: ConversationState, event: ChannelEvent): ConversationState {
  switch (event.type) {
    case 'message.created':
      return withMessage(state, event.message);
    case 'message.updated':
      return isStored(state, event.message.id) ? withMessage(state, event.message) : state;
    case 'message.deleted':
      return { ...state, messages: state.messages.filter(({ id }) => id !== event.messageId) };
    case 'channel.cleared':
      return { ...EMPTY_CONVERSATION, outgoing: state.outgoing };
    case 'turn.started':
      return changeReply(state, event, (reply) => ({ ...reply, status: 'running' }));
    case 'turn.suspended':
      return changeReply(state, event, (reply) => ({ ...reply, waitsFor: event.calls.map(({ name }) => name) }));
    case 'turn.resumed':
      return changeReply(state, event, ({ waitsFor: _, ...reply }) => reply);
    case 'message.chunk':
      return changeReply(state, event, (reply) => ({ ...reply, text: withChunk(reply.text, event) }));
    case 'action.started':
      return withAction(state, event, { step: event.step, action: event.action });
    case 'action.completed': {
      const { step, action, success, durationMs } = event;
      return withAction(state, event, { step, action, success, durationMs });
    }
    case 'turn.finished':
      return withoutReply(state, event.replyId);
    case 'turn.failed':
    case 'turn.cancelled': {
      const { status, error } = event;
      // What a reply said before it broke off is a message, which tells of the failure.
      return isStored(state, event.replyId)
        ? withoutReply(state, event.replyId)
        : changeReply(state, event, (reply) => ({ ...reply, status, error }));
    }
    default:
      return state;
  }
}

/** A text with its next part, unless it has that already. */
function withChunk(text: string, { reset, start, text: part }: Pick<ChunkEvent, 'reset' | 'start' | 'text'>): string {
  if (reset) return part;
  const isKnown = start + part.length <= text.length;
  if (isKnown) return text;
  return start < text.length ? text.substring(0, start) + part : text + part;
}

/** Adds messages: a page of older ones, or what a request has stored. */
export function withMessages(state: ConversationState, messages: readonly ChannelMessage[]): ConversationState {
  // Messages of one instant stay in the order in which they are here: pages are mostly older than what is shown.
  const known = new Map([...messages, ...state.messages, ...messages].map((message) => [message.id, message]));
  const sorted = [...known.values()].sort((a, b) => a.createdAt - b.createdAt);
  return { ...state, messages: sorted, replies: state.replies.filter(({ replyId }) => !known.has(replyId)) };
}

/**
 * The state after its newest messages were read again. Running replies go: events behind the cursor of the page bring them again.
 *
 * @param page   the newest messages, oldest first
 * @param isLast whether the channel has no older messages
 */
export function withNewestPage(state: ConversationState, page: readonly ChannelMessage[], isLast: boolean): ConversationState {
  const overlap = isLast ? -1 : state.messages.findIndex(({ id }) => id === page[0]?.id);
  const older = overlap < 0 ? [] : state.messages.slice(0, overlap);
  const stored = new Set(page.map(({ id }) => id));
  const replies = state.replies.filter(({ replyId, status }) => status !== 'running' && !stored.has(replyId));
  const sent = new Set(page.map(({ clientMessageId }) => clientMessageId));
  const outgoing = state.outgoing.filter(({ clientMessageId }) => !sent.has(clientMessageId));
  return { ...state, messages: [...older, ...page], replies, outgoing };
}

/** Adds replies that have failed, as runs tell of them; what events have told is newer. */
export function withEndedReplies(state: ConversationState, ended: readonly PendingReply[]): ConversationState {
  const known = new Set([...state.replies.map(({ replyId }) => replyId), ...state.messages.map(({ id }) => id)]);
  return { ...state, replies: [...ended.filter(({ replyId }) => !known.has(replyId)), ...state.replies] };
}

/** Adds or changes a message that is being sent; without `changed` it goes. */
export function withOutgoing(state: ConversationState, clientMessageId: string, changed: OutgoingMessage | undefined): ConversationState {
  const others = state.outgoing.filter((one) => one.clientMessageId !== clientMessageId);
  return { ...state, outgoing: changed ? [...others, changed] : others };
}

function withMessage(state: ConversationState, message: ChannelMessage): ConversationState {
  const index = state.messages.findLastIndex(({ id }) => id === message.id);
  const known = state.messages[index];
  // An event that comes again is older than an edit that a page has brought.
  const newest = known && known.updatedAt > message.updatedAt ? known : message;
  const messages = known ? state.messages.with(index, newest) : [...state.messages, message];
  const outgoing = state.outgoing.filter(({ clientMessageId }) => clientMessageId !== message.clientMessageId);
  return withoutReply({ ...state, messages, outgoing }, message.id);
}

function withoutReply(state: ConversationState, replyId: string): ConversationState {
  const reply = state.replies.find((one) => one.replyId === replyId);
  if (!reply) return state;
  const actions = reply.actions.length > 0 ? new Map(state.actions).set(replyId, reply.actions) : state.actions;
  return { ...state, replies: state.replies.filter((one) => one !== reply), actions };
}

function isStored({ messages }: ConversationState, id: string): boolean {
  return messages.some((message) => message.id === id);
}

type Reference = Pick<PendingReply, 'replyId' | 'inReplyTo' | 'agentId' | 'agentName'>;

/** Changes a reply unless it is stored: then the event comes again. */
function changeReply(state: ConversationState, of: Reference, change: (reply: PendingReply) => PendingReply): ConversationState {
  const { replyId, inReplyTo, agentId, agentName } = of;
  if (isStored(state, replyId)) return state;
  const index = state.replies.findIndex((reply) => reply.replyId === replyId);
  const changed = change(state.replies[index] ?? { replyId, inReplyTo, agentId, agentName, text: '', actions: [], status: 'running' });
  return { ...state, replies: index < 0 ? [...state.replies, changed] : state.replies.with(index, changed) };
}

function withAction(state: ConversationState, of: Reference, call: ActionCall): ConversationState {
  const added = (calls: readonly ActionCall[]): readonly ActionCall[] =>
    [...calls.filter(({ step }) => step !== call.step), call].sort((a, b) => a.step - b.step);
  if (isStored(state, of.replyId)) {
    return { ...state, actions: new Map(state.actions).set(of.replyId, added(state.actions.get(of.replyId) ?? [])) };
  }
  return changeReply(state, of, (reply) => ({ ...reply, actions: added(reply.actions) }));
}
