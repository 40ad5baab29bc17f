// Made by npm run docs from docs/reference/openapi.json.
import type { ActionCompletedEventView, ActionStartedEventView, ChannelEventView, MessageDeletedEventView, MessageEventView, ReasoningChunkEventView, ReplyCancelledEventView, ReplyChunkEventView, ReplyCompletedEventView, ReplyEventView, ReplyFailedEventView, ReplySuspendedEventView, SessionEventView } from './wire.js';

/** The fields of each type of event. */
export interface EventViews {
  /** A message was stored. */
  'message.created': MessageEventView;
  /** A message was edited. */
  'message.updated': MessageEventView;
  /** A message was deleted. */
  'message.deleted': MessageDeletedEventView;
  /** A channel was created. */
  'channel.created': ChannelEventView;
  /** A channel or its participants changed. */
  'channel.updated': ChannelEventView;
  /** All messages of a channel were deleted. */
  'channel.cleared': ChannelEventView;
  /** A channel was deleted. */
  'channel.deleted': ChannelEventView;
  /** A chunk of a reply was generated. */
  'message.chunk': ReplyChunkEventView;
  /** A chunk of the reasoning before a reply was generated. Sent when the metadata of the message or of its channel has `reasoning: true`. */
  'reasoning.chunk': ReasoningChunkEventView;
  /** An agent started an action. */
  'action.started': ActionStartedEventView;
  /** An action completed. */
  'action.completed': ActionCompletedEventView;
  /** An agent started to reply to a message. */
  'turn.started': ReplyEventView;
  /** A reply waits for the results of tools that the caller runs. */
  'turn.suspended': ReplySuspendedEventView;
  /** The results that a reply waited for have come. */
  'turn.resumed': ReplyEventView;
  /** An agent replied to a message, or chose not to reply. */
  'turn.finished': ReplyCompletedEventView;
  /** A reply failed. */
  'turn.failed': ReplyFailedEventView;
  /** A reply was cancelled. */
  'turn.cancelled': ReplyCancelledEventView;
  /** A session was created. */
  'session.created': SessionEventView;
  /** Activity or a request extended a session. */
  'session.renewed': SessionEventView;
  /** The timeout configuration of a session changed. */
  'session.updated': SessionEventView;
  /** A session is about to expire; sent once per renewal period. */
  'session.warning': SessionEventView;
  /** A session reached its expiry. */
  'session.expired': SessionEventView;
  /** A session was ended by a request. */
  'session.ended': SessionEventView;
}

/** What each field holds: a kind of value, `=` and the one value that it has, or `any`; with `?` it may be absent. */
export const VIEWS = {
  ActionCompletedEventView: { action: 'string', step: 'number', replyId: 'string', inReplyTo: 'string', agentId: 'string', agentName: 'string', channelId: 'string', success: 'boolean', durationMs: 'number' },
  ActionStartedEventView: { action: 'string', step: 'number', replyId: 'string', inReplyTo: 'string', agentId: 'string', agentName: 'string', channelId: 'string' },
  ChannelEventView: { channelId: 'string' },
  MessageDeletedEventView: { channelId: 'string', messageId: 'string' },
  MessageEventView: { id: 'string', channelId: 'string', authorId: 'string', authorName: 'any', isAgent: 'boolean', text: 'string', createdAt: 'number', updatedAt: 'number', replyId: 'any', inReplyTo: 'any', clientMessageId: 'any?', metadata: 'any' },
  ReasoningChunkEventView: { text: 'string', index: 'number', replyId: 'string', inReplyTo: 'string', agentId: 'string', agentName: 'string', channelId: 'string' },
  ReplyCancelledEventView: { replyId: 'string', inReplyTo: 'string', agentId: 'string', agentName: 'string', channelId: 'string', status: '=cancelled', code: 'string', message: 'string', details: 'string' },
  ReplyChunkEventView: { text: 'string', index: 'number', attempt: 'number', start: 'number', reset: 'boolean?', replyId: 'string', inReplyTo: 'string', agentId: 'string', agentName: 'string', channelId: 'string' },
  ReplyCompletedEventView: { replyId: 'string', inReplyTo: 'string', agentId: 'string', agentName: 'string', channelId: 'string', status: '=completed', didRespond: 'boolean' },
  ReplyEventView: { replyId: 'string', inReplyTo: 'string', agentId: 'string', agentName: 'string', channelId: 'string' },
  ReplyFailedEventView: { replyId: 'string', inReplyTo: 'string', agentId: 'string', agentName: 'string', channelId: 'string', status: '=failed', code: 'string', message: 'string', details: 'string' },
  ReplySuspendedEventView: { replyId: 'string', inReplyTo: 'string', agentId: 'string', agentName: 'string', channelId: 'string', calls: 'any' },
  SessionEventView: { sessionId: 'string', channelId: 'string', agentId: 'string', userId: 'string', expiresAt: 'any', warnsAt: 'any', renewalCount: 'number?', minutesRemaining: 'number?', timeRemaining: 'number?' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Each type of event with its fields and the name of the first socket.io event that carries it. */
export const EVENTS: Readonly<
  Record<keyof EventViews, { readonly view: keyof typeof VIEWS; readonly socket: string | undefined }>
> = {
  'message.created': { view: 'MessageEventView', socket: 'messageBroadcast' },
  'message.updated': { view: 'MessageEventView', socket: 'messageUpdated' },
  'message.deleted': { view: 'MessageDeletedEventView', socket: 'messageDeleted' },
  'channel.created': { view: 'ChannelEventView', socket: 'channelCreated' },
  'channel.updated': { view: 'ChannelEventView', socket: 'channelUpdated' },
  'channel.cleared': { view: 'ChannelEventView', socket: 'channelCleared' },
  'channel.deleted': { view: 'ChannelEventView', socket: 'channelDeleted' },
  'message.chunk': { view: 'ReplyChunkEventView', socket: 'messageStreamChunk' },
  'reasoning.chunk': { view: 'ReasoningChunkEventView', socket: 'messageStreamReasoning' },
  'action.started': { view: 'ActionStartedEventView', socket: 'action.started' },
  'action.completed': { view: 'ActionCompletedEventView', socket: 'action.completed' },
  'turn.started': { view: 'ReplyEventView', socket: 'controlMessage' },
  'turn.suspended': { view: 'ReplySuspendedEventView', socket: 'turn.suspended' },
  'turn.resumed': { view: 'ReplyEventView', socket: 'turn.resumed' },
  'turn.finished': { view: 'ReplyCompletedEventView', socket: 'messageComplete' },
  'turn.failed': { view: 'ReplyFailedEventView', socket: 'messageStreamError' },
  'turn.cancelled': { view: 'ReplyCancelledEventView', socket: 'messageComplete' },
  'session.created': { view: 'SessionEventView', socket: 'sessionCreated' },
  'session.renewed': { view: 'SessionEventView', socket: 'sessionRenewed' },
  'session.updated': { view: 'SessionEventView', socket: 'sessionUpdated' },
  'session.warning': { view: 'SessionEventView', socket: 'sessionExpirationWarning' },
  'session.expired': { view: 'SessionEventView', socket: 'sessionExpired' },
  'session.ended': { view: 'SessionEventView', socket: 'sessionEnded' },
};
