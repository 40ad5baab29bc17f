export {
  ApiClient,
  type Body,
  type CallOptions,
  type OperationName,
  type Query,
  type StreamOptions,
  type StreamState,
} from './api-client.js';
export type { Answer, AnswerEvent, Chat, SendOptions } from './chat.js';
export {
  ConversationReader,
  EMPTY_READER,
  sourceOf,
  type ConversationListener,
  type ConversationSource,
  type ReaderState,
} from './conversation-reader.js';
export {
  applyEvent,
  conversationItems,
  EMPTY_CONVERSATION,
  failedReply,
  isAnsweredLater,
  runningReplies,
  withEndedReplies,
  withMessages,
  withOutgoing,
  type ActionCall,
  type ConversationItem,
  type ConversationState,
  type FailedReply,
  type OutgoingMessage,
  type PendingReply,
} from './conversation-state.js';
export type { Conversation, ConversationOptions } from './conversation.js';
export * from './errors.js';
export {
  toMessage,
  type Attachment,
  type ChannelEvent,
  type ChannelMessage,
  type Failure,
  type Gap,
  type ReplyReference,
  type SessionTimes,
} from './events.js';
export { channelHistory, messageOf, type HistoryOptions, type HistoryPage } from './history.js';
export type { Credential, HttpOptions, RequestOptions } from './http.js';
export { idFromText, isUuid, randomId, userId } from './ids.js';
export type { KnowledgeOptions, KnowledgeSource } from './knowledge.js';
export { Parley } from './parley.js';
export type { Session, SessionOptions, SessionReference } from './session.js';
export type { ServerSentEvent } from './sse.js';
export type * from './wire.js';
